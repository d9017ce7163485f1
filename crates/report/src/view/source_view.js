// Source lines, with what they call and cost.

/** A cell with a number, empty where it is not known. */
function figure(value) {
  return element("td.number", null, value != null ? count(Number(value)) : "");
}

/** The source of a method, or why there is none. */
function sourceOf(profile, method) {
  const { sources } = profile;
  const found = sources?.methods[method];
  if (!found) {
    if (sources) return element("p.quiet", null, "The source of this method is not in the report.");
    return element(
      "p.quiet",
      null,
      "With sources, the report shows this method's lines: ",
      element("code", null, `subsume report --sources DIR ${profile.name} -o report.html`),
    );
  }
  const [file, from, to] = found;
  const { name, chunks } = sources.files[file];
  const lines = new Map(
    (sources.lines[method] ?? []).map(([line, calls, cost, executions, bytecodes]) => [
      line,
      { calls, cost, executions, bytecodes },
    ]),
  );
  const shown = chunks
    .map(({ first, text }) => text.split("\n").map((code, at) => ({ number: first + at, code })))
    .flat()
    .filter(({ number }) => number >= from - 3 && number <= to + 3);
  const whole = Number(profile.methods.inclusive[method]);
  const made = element(
    "section.source",
    null,
    element("h2", null, `${name}, lines ${from} to ${to}`),
    editorSetting(() => made.replaceWith(sourceOf(profile, method))),
    element(
      "div.table",
      { tabindex: 0, role: "group", "aria-label": "Lines" },
      element(
        "table.code",
        { "aria-label": "Source" },
        element(
          "thead",
          null,
          element(
            "tr",
            null,
            [
              ...(sources.has_executions ? ["Executions", "Own bytecodes"] : []),
              "Calls",
              capital(profile.metric),
              "%",
              "Line",
              "Code",
            ].map((title) => element("th", null, title)),
          ),
        ),
        element(
          "tbody",
          null,
          shown.map(({ number, code }) => {
            const known = lines.get(number);
            return element(
              number < from || number > to ? "tr.around" : "tr",
              null,
              ...(sources.has_executions ? [figure(known?.executions), figure(known?.bytecodes)] : []),
              figure(known?.calls),
              figure(known?.cost),
              element("td.share", null, known?.cost != null ? shareCell(known.cost, whole) : ""),
              element("td.line", null, lineNumber(name, number)),
              element("td.text", null, code),
            );
          }),
        ),
      ),
    ),
  );
  return made;
}

const sourceView = {
  id: "source",
  title: "Source",
  about: "Lines of the selected method, with what they call and cost. Choose a method below to see its lines.",

  mount(host, profile) {
    const { sources } = profile;
    if (!sources) {
      host.append(
        missing(
          "No sources",
          "Given the folders that sources lie in, the report shows the lines of the methods that matter, with what each line calls and costs.",
          [`subsume report --sources src/main/java ${profile.name} -o report.html`],
        ),
      );
      return { update: () => {}, remove: () => {} };
    }
    const numbers = Object.keys(sources.methods).map(Number);
    const table = new DataTable({
      label: "Methods with source",
      sort: "exclusive",
      opened: (row) => go({ method: row }),
      keyed: (row) => profile.nameOf(row),
      empty:
        profile.contexts > 0
          ? "The folders have the source of no method in this profile."
          : "No calls were recorded.",
      columns: [
        {
          id: "exclusive",
          title: "Excl. %",
          kind: "share",
          hint: "Cost of the method's own code",
          value: (row) => Number(profile.methods.exclusive[row]),
          cell: (row) => shareCell(profile.methods.exclusive[row], profile.total),
        },
        {
          id: "inclusive",
          title: "Incl. %",
          kind: "share",
          value: (row) => Number(profile.methods.inclusive[row]),
          cell: (row) => shareCell(profile.methods.inclusive[row], profile.total),
        },
        {
          id: "method",
          title: "Method",
          kind: "text",
          value: (row) => profile.nameOf(row).toLowerCase(),
          cell: (row) =>
            element(
              "a.method",
              { href: link({ method: row }) },
              element("span.name", null, breakable(profile.nameOf(row))),
            ),
        },
        {
          id: "file",
          title: "Lines",
          kind: "text",
          value: (row) => sources.files[sources.methods[row][0]].name,
          cell: (row) => {
            const [file, from, to] = sources.methods[row];
            const { name } = sources.files[file];
            // The class says which folder it lies in.
            return element("span", { title: name }, `${name.slice(name.lastIndexOf("/") + 1)}:${from}\u2060–\u2060${to}`);
          },
        },
      ],
    });
    const chosen = element("div");
    host.append(chosen, element("h2", null, "Methods with source"), table.frame);
    const left = Number(sources.left_out);
    table.show(
      numbers,
      left > 0 && [
        element(
          "td",
          { colspan: 4 },
          `rest: ${counted(left, "method")} for whose source there was no room`,
        ),
      ],
    );
    const update = () =>
      fill(chosen, place.method === null ? null : sourceOf(profile, place.method));
    update();
    return { update, remove: () => table.remove() };
  },
};
