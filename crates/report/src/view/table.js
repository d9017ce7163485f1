// Tables: sorted by a click on a heading, walked through with the arrow keys,
// and as long as need be, because rows are made as they come into sight.

/** Rows made at a time. */
const CHUNK = 100;

class DataTable {
  /**
   * A column has an `id`, a `title`, a `kind` ("number", "share" or "text"), a
   * `hint`, what it sorts by (`value(row)`), and what it shows (`cell(row)`).
   * Bars of shares are as long as the value is of the column's greatest one.
   * `opened(row)` is called for Enter, `chosen(row)` tells which rows are
   * selected, `keyed(row)` names a row. `unfold(row)` makes what is shown below
   * the row that is unfolded. `picked(row)` is called for a click on a row. With "given" for `sort` rows stay in their order.
   */
  constructor({ label, columns, sort, opened, chosen, picked, keyed, unfold, empty }) {
    this.columns = columns;
    this.sorted = { by: sort ?? columns[0].id, down: true };
    this.unfold = unfold;
    this.opened = opened ?? ((row) => this.unfold && this.toggle(row));
    this.chosen = chosen ?? (() => false);
    this.keyed = keyed ?? (() => null);
    this.empty = empty ?? "Nothing here.";
    this.rows = [];
    this.rest = null;
    this.head = element("tr");
    this.body = element("tbody", {
      onclick: (event) => {
        const line = event.target.closest("tbody > tr");
        if (this.unfold && line?.row !== undefined && !event.target.closest("a"))
          this.toggle(line.row);
        else if (picked && line?.row !== undefined && !event.target.closest("a, button")) picked(line.row);
      },
    });
    this.foot = element("tfoot");
    this.table = element(
      "table.data.lines",
      { role: unfold ? "treegrid" : null, "aria-label": label, onkeydown: (event) => this.key(event) },
      element("thead", null, this.head),
      this.body,
      this.foot,
    );
    this.more = element("button.more", { onclick: () => this.extend() });
    this.frame = element("div.table", null, this.table, this.more);
    this.watch = new IntersectionObserver(
      (seen) => seen.some((s) => s.isIntersecting) && this.extend(),
    );
    this.watch.observe(this.more);
    this.heading();
  }

  /** Shows these rows; `rest` are cells of a last line that says what is missing. */
  show(rows, rest = null) {
    this.rows = rows;
    this.rest = rest;
    this.greatest = new Map();
    for (const column of this.columns.filter((column) => column.kind === "share")) {
      const values = rows.map((row) => Number(column.value(row) ?? 0));
      this.greatest.set(
        column.id,
        values.reduce((most, value) => Math.max(most, value), 0),
      );
    }
    this.order();
  }

  /** How it is sorted now: by which column, and whether downwards. */
  sort(by, down) {
    this.sorted = { by, down };
    this.heading();
    this.order();
  }

  order() {
    const column = this.columns.find((column) => column.id === this.sorted.by);
    const turn = this.sorted.down ? -1 : 1;
    const value = (row) => column.value(row);
    // Without a column to sort by, rows come in an order of their own.
    if (column) this.rows = [...this.rows].sort((a, b) => {
      const [left, right] = [value(a), value(b)];
      // What has no value stands last, either way.
      if (left === null || right === null) return (left === null) - (right === null);
      return turn * (left < right ? -1 : left > right ? 1 : 0);
    });
    this.body.replaceChildren();
    this.unfolded = null;
    this.lines = [];
    this.made = 0;
    this.extend();
    fill(this.foot, this.rest && element("tr.rest", null, this.rest));
    if (this.rows.length === 0) {
      const span = this.columns.length;
      fill(this.body, element("tr.empty", null, element("td", { colspan: span }, this.empty)));
    }
  }

  extend() {
    const until = Math.min(this.rows.length, this.made + CHUNK);
    const rows = this.rows.slice(this.made, until).map((row) => this.line(row));
    this.body.append(...rows);
    this.lines.push(...rows);
    if (this.made === 0 && rows.length > 0) rows[0].tabIndex = 0;
    this.made = until;
    const left = this.rows.length - until;
    this.more.hidden = left <= 0;
    this.more.textContent = `${count(left)} more`;
  }

  /** All rows at once, for paper. */
  extendFully(most) {
    while (this.made < Math.min(this.rows.length, most)) this.extend();
  }

  /** Makes and shows the first row that `wanted` wants. */
  reveal(wanted) {
    const at = this.rows.findIndex(wanted);
    if (at < 0) return;
    while (this.made <= at) this.extend();
    const line = this.lines[at];
    const box = line.getBoundingClientRect();
    if (box.top < 0 || box.bottom > innerHeight) line.scrollIntoView({ block: "center" });
  }

  line(row) {
    const cells = this.columns.map((column) => {
      const shown = column.cell ? column.cell(row) : count(column.value(row));
      const greatest = this.greatest.get(column.id);
      if (greatest > 0 && shown instanceof Element)
        shown.style.setProperty("--share", Math.max(0, Number(column.value(row)) / greatest));
      return element(`td.${column.kind}${column.minor ? ".minor" : ""}`, null, shown);
    });
    const made = element(
      `tr${this.chosen(row) ? ".selected" : ""}${this.unfold ? ".foldable" : ""}`,
      {
        tabindex: -1,
        "data-key": this.keyed(row),
        ondblclick: this.unfold ? null : () => this.opened(row),
        "aria-level": this.unfold ? 1 : null,
        "aria-expanded": this.unfold ? "false" : null,
      },
      cells,
    );
    made.row = row;
    return made;
  }

  /** Unfolds a row, or folds the one that is unfolded. */
  toggle(row) {
    const before = this.unfolded;
    if (before) {
      before.line.setAttribute("aria-expanded", "false");
      before.below.remove();
      this.unfolded = null;
      if (before.line.row === row) return;
    }
    const line = this.lines.find((line) => line.row === row);
    if (!line) return;
    const cell = element("td", { colspan: this.columns.length });
    const below = element("tr.unfolded", null, cell);
    fill(cell, element("div.detail", { "aria-live": "polite" }, this.unfold(row)));
    line.setAttribute("aria-expanded", "true");
    line.after(below);
    this.unfolded = { line, below };
  }

  heading() {
    fill(
      this.head,
      this.columns.map((column) => {
        const on = column.id === this.sorted.by;
        const sort = () =>
          this.sort(column.id, on ? !this.sorted.down : !column.kind.startsWith("text"));
        return element(
          `th.${column.kind}${column.minor ? ".minor" : ""}`,
          {
            scope: "col",
            title: column.hint,
            "aria-sort": on ? (this.sorted.down ? "descending" : "ascending") : null,
            "data-column": column.id,
          },
          element("button", { onclick: sort }, column.title),
        );
      }),
    );
  }

  /** Arrows move from row to row, Enter opens one. */
  key(event) {
    const line = event.target.closest("tbody tr");
    if (!line || event.target !== line) return;
    const steps = { ArrowDown: 1, ArrowUp: -1, PageDown: 20, PageUp: -20 };
    if (event.key === "Enter") {
      this.opened(line.row);
    } else if (event.key === "Home" || event.key === "End") {
      this.focus(event.key === "Home" ? 0 : this.made - 1);
    } else if (event.key in steps) {
      const at = this.lines.indexOf(line) + steps[event.key];
      if (at >= this.made) this.extend();
      this.focus(Math.max(0, Math.min(this.made - 1, at)));
    } else {
      return;
    }
    event.preventDefault();
  }

  focus(at) {
    for (const line of this.lines) line.tabIndex = -1;
    const line = this.lines[at];
    if (!line) return;
    line.tabIndex = 0;
    line.focus();
  }

  remove() {
    this.watch.disconnect();
  }
}
