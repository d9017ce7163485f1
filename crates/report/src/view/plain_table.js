// Tables of few rows, which stand as they are.

/**
 * A table with a `label` for those who do not see it. Headings are pairs of the class of their
 * cells, maybe "", and a title; one that is `false` is left out. `box` is what stands around
 * the table, and `attributes` are that element's.
 */
function plainTable(label, headings, rows, box = "div.table", attributes = null) {
  const titles = headings
    .filter(Boolean)
    .map(([kind, title]) => element(kind === "" ? "th" : `th.${kind}`, null, title));
  return element(
    box,
    attributes,
    element(
      "table.data",
      { "aria-label": label },
      element("thead", null, element("tr", null, titles)),
      element("tbody", null, rows),
    ),
  );
}
