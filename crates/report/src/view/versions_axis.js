// What stands beside the bars of versions: an axis, and what changed as a table.

/** Room for the numbers of an axis, at its right. */
const AXIS_ROOM = 84;

/**
 * Lines at nothing, at half of the greatest cost, and at all of it, with the numbers at the
 * right, and below the greatest what they count.
 */
function costAxis(most, metric, { top, height, width }) {
  const greatest = Math.max(top + 4, 9);
  const unit = text(width + 6, greatest + LINE, clipped(metric, SCALE_LETTERS), { class: "axis quiet" });
  const lines = [0, 0.5, 1].map((share) => {
    const y = top + height * (1 - share);
    return [
      drawn("path", { class: share === 0 ? "base" : "grid", d: `M0 ${length(y)}H${length(width)}` }),
      text(width + 6, Math.max(y + 4, 9), rounded(most * share), { class: "axis quiet" }),
    ];
  });
  return [lines, unit];
}

/** What changed from the first of two versions to the second one, as a table: `{ frame, remove }`. */
function changesTable({ report, versions }) {
  const base = Number(versions[0].total) || 1;
  const rows = report.methods.map((row) => ({ row, change: row.changes[0] })).filter(({ change }) => change);
  const value = ({ change }) => Number(change[1]);
  const table = new DataTable({
    label: "Methods that changed",
    sort: "size",
    empty: "No method changed.",
    keyed: ({ row }) => nameOfRow(row),
    columns: [
      {
        id: "change",
        title: `± ${report.metric}`,
        kind: "number",
        hint: "With all that it calls, as far as the method explains it",
        value,
        cell: (row) => signedCount(value(row)),
      },
      {
        id: "size",
        title: "± %",
        kind: "number",
        hint: `Of all ${report.metric} of ${versions[0].name}`,
        value: (row) => Math.abs(value(row)),
        cell: (row) => changeBar(value(row), base, rows.map(value)),
      },
      {
        id: "code",
        title: "Code",
        kind: "text.tight",
        hint: "Whether the method's code changed, or only how much it cost",
        value: ({ change }) => change[2],
        cell: ({ change }) => codeTag(change[2]),
      },
      {
        id: "method",
        title: "Method",
        kind: "text",
        value: ({ row }) => nameOfRow(row).toLowerCase(),
        cell: ({ row, change }) => [breakable(nameOfRow(row)), change[3] && mostlyBy(PLAIN_NAMES, change[3])],
      },
    ],
  });
  table.show(rows);
  return table;
}

/** A change as a bar to the right for more, to the left for less, from an axis in the middle. */
function changeBar(value, base, all) {
  const most = all.reduce((greatest, one) => Math.max(greatest, Math.abs(one)), 1);
  const made = element(`span.diverging.${value > 0 ? "more" : "less"}`, null, signedPercent(value, base));
  made.style.setProperty("--share", Math.abs(value) / most);
  return made;
}

/** The names of versions, those of the same name with numbers. */
function distinctNames(versions) {
  const names = versions.map(({ name }) => name);
  return versions.map((version, at) => {
    const isShared = names.filter((name) => name === version.name).length > 1;
    const number = names.slice(0, at + 1).filter((name) => name === version.name).length;
    return isShared ? { ...version, name: `${version.name} (${number})` } : version;
  });
}
