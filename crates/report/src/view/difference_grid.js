// The contexts of both profiles as a tree to open and close, with what each cost
// before and after.

/** `{ box, remove }` of the tree. */
function differenceGrid(report, names) {
  const tree = differenceTree(report.explanation, "both");
  const { tree: columns, totals } = report.explanation;
  const base = Number(totals[0]);
  const costs = (node) => {
    if (tree.isRest(node)) return null;
    return columns.inclusive.map((column) => Number(column[tree.source[node]]));
  };
  const change = (node) => {
    const both = costs(node);
    return both === null ? null : both[1] - both[0];
  };
  const column = (id, title, hint, value, text, kind = "number") => ({
    id,
    title,
    hint,
    kind,
    value: (node) => Math.abs(value(node) ?? 0),
    cell: (node) => (value(node) === null ? "" : text(value(node))),
  });
  const side = (at) => (node) => costs(node)?.[at] ?? null;
  const grid = new TreeGrid(tree, {
    label: "Calls of both profiles",
    columns: [
      column("total-share", "± %", "Of the whole run before", change, (value) => signedPercent(value, base), "share"),
      column("change", "±", `After minus before, in ${report.diff.metric}, with all that it calls here`, change, signedCount),
      column("before", "Before", "With all that it calls here", side(0), count),
      column("after", "After", "With all that it calls here", side(1), count),
    ],
    widths: "5.6rem 9.2rem 8.4rem 8.4rem",
    nameOf: (node) => {
      if (tree.isRest(node)) return element("i.quiet", null, "rest: parts too small to be kept");
      const [before, after] = costs(node);
      const only = before === 0 ? "only after" : after === 0 ? "only before" : null;
      return [names.nameOf(tree.method[node]), only && element("span.tag", null, only)];
    },
    opened: (node) => names.open(tree.method[node]),
    chosen: () => {},
    isChosen: (node) => names.placeOf(place.profile, place.method) === tree.method[node],
    isFound: () => false,
  });
  grid.sortBy("change");
  grid.rows.openAlong(0, OPENS_ALONG);
  return { box: element("div.of-difference", null, grid.box), remove: () => grid.remove() };
}
