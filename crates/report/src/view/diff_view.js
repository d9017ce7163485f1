// What explains the difference of two profiles, in sentences and as a picture, and
// what the second costs more than the first by method.

const diffView = {
  id: "diff",
  title: "Difference",

  mount(host, profile, report) {
    const { diff, explanation } = report;
    if (!diff) return missingSecond(host);
    const names = explanation && new ComparedMethods(report);
    const frame = element("div.frame.flame", { tabindex: 0, "aria-label": "Differential flame graph" });
    const shapes = element("div.shapes", { role: "group", "aria-label": "Widths" });
    const table = differenceTable(report, profile);
    const grid = explanation && differenceGrid(report, names);
    fill(
      host,
      differenceInWords(report),
      notesOfDifference(report),
      explanation && [
        blamed(report, names, explanation.changed, "changed"),
        blamed(report, names, explanation.unchanged, "unchanged"),
        belowFloor(explanation),
        element("h2", { id: "part-flame" }, "Differential flame graph"),
        element("p.quiet", null, changeKeys(), " Striped: in one of the runs only. Widths are those of ", shapes),
        element(
          "p",
          null,
          element("a", { href: link({ view: "blueprint", kind: "evolution" }) }, "Each method once, before and after"),
        ),
        element(
          "p.of-picture.way",
          null,
          element("button", { type: "button", id: "reset-zoom", title: "All of it (Esc)", onclick: () => picture.reset() }, "Reset zoom"),
          element("span.ends", null, savingControls(() => picture, "difference")),
        ),
        element("div", null, frame),
        element("p.hint.quiet", null, "A click zooms in, a click on a bar below zooms out, one with Ctrl or Shift opens the method. Ctrl and wheel zoom, a drag moves."),
      ],
      explanation && [
        element("h2.below", { id: "part-tree" }, "Call tree of both"),
        element("p.quiet", null, "The calls that changed most stand first. Open them to see where the change begins."),
        grid.box,
      ],
      element("h2.below", { id: "part-methods" }, "All methods by their own cost"),
      table.controls,
      table.frame,
    );
    let picture = null;
    const draw = (shape) => {
      picture?.remove();
      fill(frame);
      const tree = differenceTree(explanation, shape);
      picture = new DifferenceFlame(report, tree, frame, {
        upward: true,
        label: "Differential flame graph",
        names,
        chosen: (node) => names.open(tree.method[node]),
        moved: (node) => picture.centre(node),
      });
      fill(
        shapes,
        Object.entries(SHAPES).map(([name, text]) =>
          element(
            "button",
            { "aria-pressed": String(name === shape), "data-shape": name, onclick: () => draw(name) },
            text,
          ),
        ),
      );
      const at = names.placeOf(place.profile, place.method);
      picture.highlight(at, null);
      if (at !== null) picture.reveal(tree.occurrences(at).nodes[0] ?? -1);
    };
    if (explanation) draw("both");
    let part = "";
    const toPart = () => {
      if (place.part === part) return;
      part = place.part;
      // The page goes to its top when it shows another view.
      requestAnimationFrame(() => document.getElementById(`part-${part}`)?.scrollIntoView());
    };
    toPart();
    return {
      update: toPart,
      reset: () => picture?.reset(),
      remove: () => {
        picture?.remove();
        grid?.remove();
        table.remove();
      },
      print: () => table.print(),
    };
  },
};

/** The difference of the whole runs as a heading. */
function differenceInWords({ diff, profiles }) {
  const base = Number(diff.base);
  const change = Number(diff.new) - base;
  const verb = change > 0 ? "more" : "less";
  const [before, after] = profiles.map(({ label }) => label);
  return element(
    "header.whole",
    null,
    element(
      "h1",
      null,
      change === 0
        ? `${after} costs as much as ${before}: ${count(base)} ${diff.metric}`
        : `${after} costs ${count(Math.abs(change))} ${diff.metric} ${verb} than ${before} (${signedPercent(change, base)})`,
    ),
    element(
      "p.summary.quiet",
      null,
      `${before}: ${count(diff.base)} ${diff.metric}. ${after}: ${count(diff.new)}, ${signedCount(change)} (${signedPercent(change, base)}).`,
    ),
  );
}

/** What makes the profiles hard to compare. */
function notesOfDifference({ diff_notes: notes = [] }) {
  if (notes.length === 0) return null;
  return element(
    "section.notes",
    { role: "note" },
    element("h2", null, "Recorded with different options"),
    element(
      "ul",
      null,
      notes.map((note) => element("li", null, note)),
    ),
  );
}

/** The methods of a kind that explain the difference, in sentences. */
function blamed(report, names, { difference, methods, rows }, kind) {
  const { explanation, diff } = report;
  const base = Number(diff.base);
  const sum = Number(difference);
  const told = `${signedCount(sum)} (${signedPercent(sum, base)})`;
  const title =
    kind === "changed"
      ? `Explained by changed code: ${told}`
      : explanation.is_code_known
        ? `Explained without changed code: ${told}`
        : `Where the runs part: ${told}`;
  const what =
    kind === "changed"
      ? "Methods whose code is changed, new or gone, each with all that the change did to what it calls. With the lists below, the rows add up to the difference."
      : explanation.is_code_known
        ? "Methods of the same code that were called as often as before, and then did more or less by themselves, or called others more or less often."
        : "The profiles do not say whose code changed. These methods were called as often as before, and then did more or less.";
  if (rows.length === 0) return null;
  const change = ({ cost }) => Number(cost[1]) - Number(cost[0]);
  const most = rows.reduce((greatest, row) => Math.max(greatest, Math.abs(change(row))), 0);
  const sentence = (row) => {
    const by = change(row);
    const made = element(
      `li.${by > 0 ? "more" : "less"}`,
      null,
      element("span.number", { title: `${count(row.cost[0])} → ${count(row.cost[1])} ${diff.metric}` }, signedCount(by)),
      element("span.number", null, signedPercent(by, base)),
      element(
        "span.sentence",
        null,
        names.link(row.method),
        row.change && [" ", codeTag(row.change)],
        row.greatest && mostlyBy(names, row.greatest),
      ),
    );
    made.style.setProperty("--share", Math.abs(by) / most);
    return made;
  };
  const shown = rows.slice(0, 10);
  const others = methods - shown.length;
  const rest = sum - shown.reduce((total, row) => total + change(row), 0);
  return element(
    `section.panel.findings.blame.${kind}`,
    null,
    element("h2", null, title),
    element("p.quiet", null, what),
    element("ol", null, shown.map(sentence)),
    others > 0 &&
      element("p.quiet", null, `rest: ${counted(others, "method")}, ${signedCount(rest)} together`),
  );
}

/** What became of a method's code, in a word or two. */
function codeTag(words) {
  return element(`span.tag.${words.replaceAll(" ", ".")}`, null, words);
}

/** Where most of what a method explains is. */
function mostlyBy(names, { callee, calls }) {
  const [before, after] = calls.map(Number);
  const times =
    before === 0 && after === 0
      ? ""
      : before === after
        ? `, called ${counted(after, "time")}`
        : `, called ${count(before)} times before and ${count(after)} after`;
  return callee === null
    ? [element("span.quiet", null, ` mostly by itself${times}`)]
    : [element("span.quiet", null, " mostly in "), names.link(callee), element("span.quiet", null, times)];
}

function belowFloor({ below: [methods, difference] }) {
  if (methods === 0) return null;
  return element(
    "p.quiet",
    null,
    `${counted(methods, "other method")}, each below 0.01% of all or 0.1% of what it explains: ${signedCount(Number(difference))} together.`,
  );
}

/** What the colours of a differential flame graph mean. */
function changeKeys() {
  const colours = theme.dark ? CHANGE.dark : CHANGE.light;
  return [
    ["more", "costs more"],
    ["less", "costs less"],
    ["same", "as before"],
  ].map(([way, text]) => {
    const swatch = element("span.swatch");
    swatch.style.background = colours[way];
    return element("span.key", null, swatch, text);
  });
}

/** All methods that differ: a table, and a field that filters it. */
function differenceTable(report, profile) {
  const { diff } = report;
  const change = (row) => Number(row.cost[1]) - Number(row.cost[0]);
  const deeper = (row) => Number(row.inclusive[1]) - Number(row.inclusive[0]);
  const calls = (row) => Number(row.calls[1] ?? 0) - Number(row.calls[0] ?? 0);
  const counts = (row) => row.calls.some((number) => number !== null);
  const base = Number(diff.base);
  const after = Number(diff.new);
  const signed = signedCount;
  const number = (id, title, value, hint) => ({
    id,
    title,
    kind: "number",
    hint,
    value,
    cell: (row) => signed(value(row)),
  });
  const filter = element("input", {
    type: "search",
    placeholder: "Filter by name",
    "aria-label": "Filter methods by name",
    oninput: () => show(),
  });
  const table = new DataTable({
    label: "Differences",
    sort: "size",
    empty: "No method differs.",
    keyed: (row) => `${row.class}.${row.name}${row.descriptor}`,
    columns: [
      { ...number("change", `± ${diff.metric}`, change, "By the method's own code") },
      {
        id: "size",
        title: "± % of all",
        kind: "number",
        hint: `Of all ${diff.metric} before`,
        value: (row) => Math.abs(change(row)),
        cell: (row) => signedPercent(change(row), base),
      },
      number("inclusive", "± inclusive", deeper, "With all that it calls"),
      ...(diff.methods.some(counts) ? [number("calls", "± calls", calls)] : []),
      { id: "before", title: "Before", kind: "number", value: (row) => Number(row.cost[0]) },
      { id: "after", title: "After", kind: "number", value: (row) => Number(row.cost[1]) },
      {
        id: "state",
        title: "Code",
        kind: "text.tight",
        hint: "Whether the method's code changed, or only how much it cost",
        value: (row) => row.state,
        cell: (row) => codeTag(row.state),
      },
      {
        id: "method",
        title: "Method",
        kind: "text",
        value: (row) => `${row.class}.${row.name}`.toLowerCase(),
        cell: (row) => namedMethod(profile, row),
      },
    ],
  });
  const show = () => {
    const wanted = filter.value.trim().toLowerCase();
    const kept = diff.methods.filter((row) =>
      `${row.class}.${row.name}`.toLowerCase().includes(wanted),
    );
    const dropped = diff.methods.length - kept.length + Number(diff.left_out);
    const cost = after - base - kept.reduce((sum, row) => sum + change(row), 0);
    table.show(
      kept,
      (dropped > 0 || cost !== 0) && [
        element("td.number", null, signed(cost)),
        element("td.number", null, signedPercent(cost, base)),
        element("td", { colspan: table.columns.length - 2 }, `rest: ${counted(dropped, "method")}`),
      ],
    );
  };
  const controls = element(
    "form.controls",
    { onsubmit: (event) => event.preventDefault() },
    element("label.grow", null, element("span", null, "Name contains"), filter),
  );
  show();
  return {
    controls,
    frame: table.frame,
    remove: () => table.remove(),
    print: () => table.extendFully(200),
  };
}

/** A change as "+6.96%"; one that rounds to nothing has no sign. */
function signedPercent(part, whole) {
  const text = percent(part, whole);
  if (text === "−0.00%") return "0.00%";
  return part > 0 && text !== "0.00%" ? `+${text}` : text;
}
