// What the second profile costs more than the first, by method.

const diffView = {
  id: "diff",
  title: "Difference",

  mount(host, profile, report) {
    const { diff, profiles } = report;
    if (!diff) {
      host.append(
        missing(
          "One profile, nothing to compare",
          "Given two profiles, the report shows what the second costs more than the first, by method.",
          ["subsume report before.subsume after.subsume -o report.html"],
        ),
      );
      return { update: () => {}, remove: () => {} };
    }
    const change = (row) => Number(row.cost[1]) - Number(row.cost[0]);
    const deeper = (row) => Number(row.inclusive[1]) - Number(row.inclusive[0]);
    const calls = (row) => Number(row.calls[1] ?? 0) - Number(row.calls[0] ?? 0);
    const counts = (row) => row.calls.some((number) => number !== null);
    const base = Number(diff.base);
    const after = Number(diff.new);
    const signed = (value) => (value > 0 ? `+${count(value)}` : count(value));
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
          cell: (row) => element(`span.tag.${row.state}`, null, row.state),
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
    host.append(
      element("h2", null, "Difference"),
      element(
        "p.summary",
        null,
        `${profiles[0].name}: ${count(base)} ${diff.metric}. ${profiles[1].name}: ${count(after)}, ${signed(after - base)} (${signedPercent(after - base, base)}).`,
      ),
      element(
        "form.controls",
        { onsubmit: (event) => event.preventDefault() },
        element("label.grow", null, element("span", null, "Name contains"), filter),
      ),
      table.frame,
    );
    show();
    return { update: () => {}, remove: () => table.remove(), print: () => table.extendFully(200) };
  },
};

/** A change as "+6.96%"; one that rounds to nothing has no sign. */
function signedPercent(part, whole) {
  const text = percent(part, whole);
  if (text === "−0.00%") return "0.00%";
  return part > 0 && text !== "0.00%" ? `+${text}` : text;
}
