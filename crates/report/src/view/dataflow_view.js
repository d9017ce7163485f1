// The frame of the views of data flow: a heading, a line of figures, a table of
// entries that unfold, and how exact all that is.

/**
 * A view of what a recording in `mode` shows. `start` is the metric in which what happens once
 * is told, `users` says what everything is of that is shared out above the table.
 */
function dataflowView({ id, title, mode, what, figures, entries, columns, sort, unfold, notes, start, users }) {
  return {
    id,
    title,
    mode,
    what,
    dataflow: true,

    mount(host, profile) {
      const data = profile.dataflow[id];
      if (data === null || data === undefined) {
        host.append(
          missing(`No ${title.toLowerCase()} in this profile`, what, [
            `subsume run --mode ${mode} -o ${mode}.subsume -- java …`,
            `subsume report ${mode}.subsume -o report.html`,
          ]),
        );
        return { update: () => {}, remove: () => {} };
      }
      const rows = entries(data, profile);
      const table = new DataTable({
        label: title,
        sort,
        unfold: unfold && ((row) => [unfold(row, profile), usersOfRow(profile, row)]),
        columns: [...columns(profile, data), ...forWhomColumn(profile, rows)],
        empty: "None were found.",
      });
      const noteTable = notes && notesBelow(notes(data, profile));
      fill(
        host,
        element("h2", null, title),
        element("p.quiet", null, what),
        element("p.summary", null, figures(data, profile)),
        start && startLine(data, start),
        // A table may go on for thousands of rows, below which nobody would find it.
        usersOfAll(profile, data, rows, users),
        table.frame,
        noteTable && element("h3", null, noteTable.title),
        noteTable && element("p.quiet", null, noteTable.what),
        noteTable && noteTable.table.frame,
        boundsOf(data),
        exactnessOf(data.exactness),
        lostOrigins(data.lost),
      );
      const span = table.columns.length;
      const left = Number(data.left_out ?? 0);
      table.show(
        rows,
        left > 0 && [
          element(
            "td",
            { colspan: span },
            `rest: ${counted(left, "entry", "entries")} that the report leaves out (subsume ${id} lists all)`,
          ),
        ],
      );
      if (unfold && table.rows.length > 0) table.toggle(table.rows[0]);
      return {
        update: () => {},
        remove: () => {
          table.remove();
          noteTable?.table.remove();
        },
        print: () => table.extendFully(200),
      };
    },
  };
}

/** A second table, of what is no more than a note; none without rows. */
function notesBelow({ title, what, rows, left, columns }) {
  if (rows.length === 0) return null;
  const table = new DataTable({ label: title, columns, empty: "None were found." });
  table.show(
    rows,
    left > 0 && [element("td", { colspan: columns.length }, `rest: ${counted(left, "entry", "entries")}`)],
  );
  return { title, what, table };
}

/** A column of numbers. */
function numbers(id, title, value, hint) {
  return { id, title, kind: "number", hint, value };
}

/** A column of shares of a whole. */
function shares(id, title, value, whole, hint) {
  return { id, title, kind: "share", hint, value, cell: (row) => shareCell(value(row), whole) };
}

/** A column with a method or a place in one: `at(row)` is `{ method, line }`. */
function places(id, title, profile, at) {
  return {
    id,
    title,
    kind: "text",
    value: (row) => {
      const { method, line } = at(row);
      return method ? `${method.class}.${method.name}:${line ?? 0}`.toLowerCase() : null;
    },
    cell: (row) => namedMethod(profile, at(row).method, at(row).line ?? 0),
  };
}

/** A column of sites or locations. */
function sites(id, title, value) {
  return {
    id,
    title,
    kind: "text",
    value: (row) => value(row).toLowerCase(),
    cell: (row) => siteName(value(row)),
  };
}
