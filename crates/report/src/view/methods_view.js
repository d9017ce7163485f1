// The subsuming methods: a table with thresholds that can be moved.

const methodsView = {
  id: "methods",
  title: "Methods",
  heading: "Shared patterns (subsuming methods)",
  about: "Methods that many places call, with what only they explain. Sort by a column; a click on a line selects the method, one on a name opens it.",

  mount(host, profile) {
    const { methods } = profile;
    const column = (name) => (row) => (row.method < 0 ? null : methods[name][row.method]);
    const number = (name) => (row) => (row.method < 0 ? null : Number(methods[name][row.method]));
    const share = (value) => (row) => {
      const part = value(row);
      return part === null ? "–" : shareCell(part, profile.total);
    };
    const induced = (row) => row.induced;
    const absent = element("p.quiet", { hidden: true });
    const table = new DataTable({
      label: "Methods",
      picked: (row) => row.method >= 0 && go({ method: row.method, node: 0 }),
      chosen: (row) => row.method >= 0 && row.method === place.method,
      sort: "induced",
      opened: (row) => row.method >= 0 && go({ view: "method", method: row.method }),
      keyed: (row) => (row.method < 0 ? "<root>" : profile.nameOf(row.method)),
      empty:
        profile.contexts === 0
          ? "No calls were recorded."
          : "No method matches. Lower the thresholds, or clear the filter.",
      columns: [
        {
          id: "induced",
          minor: true,
          title: "Induced",
          kind: "number",
          hint: WORDS.induced,
          value: induced,
        },
        {
          id: "induced-share",
          title: "Ind. %",
          kind: "share",
          hint: `Induced, of all ${profile.metric}`,
          value: induced,
          cell: share(induced),
        },
        {
          id: "inclusive",
          title: "Incl. %",
          kind: "share",
          hint: "Cost of the method and of all that it calls; recursion counts once",
          value: number("inclusive"),
          cell: share(number("inclusive")),
        },
        {
          id: "exclusive",
          title: "Excl. %",
          kind: "share",
          hint: "Cost of the method's own code",
          value: number("exclusive"),
          cell: share(number("exclusive")),
        },
        methods.calls && {
          id: "calls",
          minor: true,
          title: "Calls",
          kind: "number",
          value: number("calls"),
          cell: (row) => count(column("calls")(row)),
        },
        {
          id: "contexts",
          minor: true,
          title: "Contexts",
          kind: "number",
          hint: WORDS.context,
          value: column("contexts"),
        },
        {
          id: "height",
          minor: true,
          title: "Height",
          kind: "number",
          hint: WORDS.height,
          value: column("height"),
        },
        {
          id: "distance",
          minor: true,
          title: "Dist.",
          kind: "number",
          hint: WORDS.distance,
          value: column("distance"),
        },
        {
          id: "method",
          title: "Method",
          kind: "text",
          value: (row) => profile.nameOf(row.method).toLowerCase(),
          cell: (row) => methodLink(profile, row.method),
        },
        {
          id: "dominator",
          title: "Dominated by",
          kind: "text.narrow",
          hint: "The nearest method that is always among the callers",
          value: (row) => {
            const dominator = column("dominator")(row);
            return dominator === null || dominator < 0
              ? null
              : profile.nameOf(dominator).toLowerCase();
          },
          cell: (row) => methodLink(profile, column("dominator")(row), true),
        },
      ].filter(Boolean),
    });

    const summary = element("p.summary", { "aria-live": "polite", id: "methods-summary" });
    const height = slider("height", "Height above", "A wide range of behaviour lies below it");
    const distance = slider(
      "distance",
      "Distance above",
      "No single method close by explains its calls",
    );
    const filter = element("input", {
      type: "search",
      placeholder: "Filter, such as java.util, demo.* or /parse.*/",
      title: PATTERN_HINT,
      "aria-label": "Filter methods by name",
      id: "methods-filter",
      oninput: () => change({ filter: filter.value }),
    });
    const all = element("input", {
      type: "checkbox",
      id: "methods-all",
      onchange: () => change({ all: all.checked ? 1 : 0 }),
    });
    const reset = element("button", { onclick: () => change({ ...defaults }) }, "Reset");
    const defaults = { height: START.height, distance: START.distance, filter: "", all: 0 };
    const change = (changes) => {
      adjust(changes);
      show();
    };
    for (const one of [height, distance]) {
      one.input.addEventListener("input", () => change({ [one.name]: Number(one.input.value) }));
    }

    const show = () => {
      for (const one of [height, distance]) one.set(place[one.name]);
      if (filter.value !== place.filter) filter.value = place.filter;
      all.checked = place.all === 1;
      const found = subsuming(profile, place.height, place.distance);
      fill(summary, subsumingSummary(profile, found, place.height, place.distance));
      let rows = found.listed;
      let { methods: number, induced: cost } = found.folded;
      if (all.checked) {
        const subsume = new Set(rows.map((row) => row.method));
        const others = [...methods.name.keys()].filter((method) => !subsume.has(method));
        rows = rows.concat(others.map((method) => ({ method, induced: null })));
        number = methods.rest.methods;
      }
      const pattern = namePattern(place.filter);
      const kept = rows.filter((row) => !pattern || pattern.test(profile, row.method));
      const dropped = rows.length - kept.length;
      cost += rows.reduce((sum, row) => sum + (row.induced ?? 0), 0);
      cost -= kept.reduce((sum, row) => sum + (row.induced ?? 0), 0);
      number += dropped;
      const span = table.columns.length - 2;
      const rest = number > 0 && [
        element("td.number", null, count(cost)),
        element("td.share", null, shareCell(cost, profile.total)),
        element(
          "td",
          { colspan: span },
          `rest: ${counted(number, "method")} `,
          dropped > 0
            ? "that the filter leaves out or the report does not list"
            : "that cost too little to be listed",
        ),
      ];
      table.show(kept, rest);
      const listed = place.method === null || table.rows.some((row) => row.method === place.method);
      fill(
        absent,
        !listed && "The selected method is not among these. ",
        !listed && element("a", { href: link({ all: 1, filter: "" }) }, "Show all methods"),
      );
      absent.hidden = listed;
    };
    /** Shows everything again, with the selected method in sight. */
    const update = () => {
      show();
      table.reveal((row) => row.method === place.method);
    };

    host.append(
      element(
        "form.controls",
        { onsubmit: (event) => event.preventDefault() },
        height.box,
        distance.box,
        element("label.grow", null, element("span", null, "Name"), filter),
        element("label.check", null, all, "all methods"),
        reset,
      ),
      summary,
      absent,
      table.frame,
    );
    update();
    return { update, remove: () => table.remove(), print: () => table.extendFully(500) };
  },
};

/** A slider for a threshold, with what it stands at. */
function slider(name, title, hint) {
  const input = element("input", { type: "range", min: 0, max: LAST_THRESHOLD, step: 1, id: name });
  const value = element("output", { for: name });
  const box = element(
    "label.slider",
    { title: hint },
    element("span", null, title, " ", value, " ", explained(name)),
    input,
  );
  const set = (number) => {
    input.value = number;
    value.textContent = number;
  };
  return { name, input, box, set };
}
