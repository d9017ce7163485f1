// A tree to open and close, with columns: the tree grid of the ARIA practices. Only
// rows in sight are in the document, so it may have millions of nodes.

/** Height of a row, in sizes of the page's text. */
const GRID_ROW = 1.7;

/** Rows that are made above and below what is in sight. */
const ROWS_BEYOND = 8;

/** Rows on paper at most. */
const PRINTED_ROWS = 500;

/** Each grid has rows of its own names. */
let grids = 0;

class TreeGrid {
  /**
   * A column has an `id`, a `title`, a `hint`, what it shows (`cell(node)`) and what it
   * sorts by (`value(node)`). `nameOf(node)` is shown in the last one. `opened(node)`
   * is called for Enter, `chosen(node)` for a click or Space, `isChosen(node)` and
   * `isFound(node)` tell which rows to mark.
   */
  constructor(tree, { label, columns, nameOf, opened, chosen, isChosen, isFound, widths }) {
    Object.assign(this, { tree, columns, nameOf, opened, chosen, isChosen, isFound });
    this.rows = new TreeRows(tree);
    this.cursor = 0;
    this.name = `grid${(grids += 1)}`;
    this.head = element("div.line", { role: "row" });
    this.body = element("div.rows", { role: "rowgroup" });
    this.box = element(
      "div.treegrid",
      {
        role: "treegrid",
        tabindex: 0,
        "aria-label": `${label}; arrow keys open, close and walk`,
        onscroll: () => this.draw(),
        onkeydown: (event) => this.key(event),
        onclick: (event) => this.click(event),
        ondblclick: (event) => this.toggle(this.rowOf(event)),
      },
      element("div.head", { role: "rowgroup" }, this.head),
      this.body,
    );
    this.box.style.setProperty("--columns", widths);
    this.watch = new ResizeObserver(() => this.draw());
    this.watch.observe(this.box);
    this.sorted = columns[0].id;
    this.heading();
  }

  remove() {
    this.watch.disconnect();
  }

  heading() {
    const column = ({ id, title, hint, kind }) =>
      element(
        `div.cell.${kind}`,
        { role: "columnheader", title: hint, "data-column": id, "aria-sort": this.sorted === id ? "descending" : null },
        element("button", { type: "button", onclick: () => this.sortBy(id) }, title),
      );
    const name = element("div.cell.name", { role: "columnheader" }, "Method");
    fill(this.head, this.columns.map(column), name);
  }

  /** Siblings by a column, the greatest first. */
  sortBy(id) {
    const column = this.columns.find((one) => one.id === id);
    this.sorted = id;
    this.rows.valueOf = (node) => Number(column.value(node) ?? -1);
    this.rows.list();
    this.cursor = 0;
    this.heading();
    this.draw();
  }

  /** Pixels of a row. */
  get row() {
    return Math.round(parseFloat(getComputedStyle(this.box).fontSize) * GRID_ROW);
  }

  /** Makes the rows that are in sight. */
  draw() {
    const { rows } = this.rows;
    const height = this.row;
    const first = this.isPrinted ? 0 : Math.max(0, Math.floor(this.box.scrollTop / height) - ROWS_BEYOND);
    const inSight = Math.ceil((this.box.scrollTop + this.box.clientHeight) / height) + ROWS_BEYOND;
    const last = Math.min(rows.length, this.isPrinted ? PRINTED_ROWS : inSight);
    this.cursor = Math.max(0, Math.min(this.cursor, rows.length - 1));
    this.body.style.height = `${(this.isPrinted ? last : rows.length) * height}px`;
    const lines = [];
    for (let at = first; at < last; at += 1) lines.push(this.line(at, height));
    // What has the keys stays in the document, or a screen reader loses it.
    if (rows.length > 0 && (this.cursor < first || this.cursor >= last)) lines.push(this.line(this.cursor, height));
    fill(this.body, lines);
    this.box.setAttribute("aria-rowcount", rows.length + 1);
    if (rows.length > 0) this.box.setAttribute("aria-activedescendant", `${this.name}-${this.cursor}`);
    else this.box.removeAttribute("aria-activedescendant");
  }

  /** All open lines, as many as are of use on paper. */
  print() {
    this.isPrinted = true;
    this.draw();
    addEventListener(
      "afterprint",
      () => {
        this.isPrinted = false;
        this.draw();
      },
      { once: true },
    );
  }

  line(at, height) {
    const row = this.rows.rows[at];
    const isMore = row.more !== undefined;
    const opens = !isMore && this.rows.hasCallees(row.node);
    const isOpen = this.rows.isOpen(row);
    const chosen = !isMore && this.isChosen(row.node);
    const kinds = [at === this.cursor && ".current", chosen && ".selected", isMore && ".more"].filter(Boolean);
    const name = element(
      "div.cell.name",
      { role: "gridcell" },
      element("span.twisty", { "aria-hidden": "true" }, isMore ? "…" : opens ? (isOpen ? "▾" : "▸") : ""),
      isMore
        ? `${count(row.more)} more`
        : element(`span.called${this.isFound(row.node) ? ".found" : ""}`, null, this.nameOf(row.node)),
    );
    name.style.setProperty("--level", row.level - 1);
    const made = element(
      `div.line${kinds.join("")}`,
      {
        role: "row",
        id: `${this.name}-${at}`,
        "aria-rowindex": at + 2,
        "aria-level": row.level,
        "aria-posinset": row.place,
        "aria-setsize": row.of,
        "aria-expanded": opens ? String(isOpen) : null,
        "aria-selected": String(chosen),
        "data-at": at,
      },
      this.columns.map((column) =>
        element(
          `div.cell.${column.kind}`,
          { role: "gridcell", "data-column": column.id },
          isMore ? "" : column.cell(row.node),
        ),
      ),
      name,
    );
    made.style.top = `${at * height}px`;
    made.style.height = `${height}px`;
    return made;
  }

  /** The place of the row under a pointer; -1 for none. */
  rowOf(event) {
    const line = event.target.closest?.("[data-at]");
    return line ? Number(line.dataset.at) : -1;
  }

  click(event) {
    const at = this.rowOf(event);
    if (at < 0 || event.detail > 1) return;
    const row = this.rows.rows[at];
    this.cursor = at;
    this.box.focus({ preventScroll: true });
    if (row.more || event.target.closest(".twisty")) this.toggle(at);
    else {
      this.draw();
      if (!this.tree.isRest(row.node)) this.chosen(row.node);
    }
  }

  toggle(at) {
    if (at < 0) return;
    if (this.rows.isOpen(this.rows.rows[at])) this.rows.closeAt(at);
    else this.rows.openAt(at);
    this.draw();
  }

  /** Arrows open, close and walk, as the practices say; Enter opens a method, Space selects it. */
  key(event) {
    const { rows } = this.rows;
    const row = rows[this.cursor];
    if (!row || event.target !== this.box || event.ctrlKey || event.metaKey || event.altKey) return;
    const page = Math.max(1, Math.floor(this.box.clientHeight / this.row) - 2);
    const steps = { ArrowDown: 1, ArrowUp: -1, PageDown: page, PageUp: -page, Home: -Infinity, End: Infinity };
    if (event.key in steps) {
      this.moveTo(Math.max(0, Math.min(rows.length - 1, this.cursor + steps[event.key])));
    } else if (event.key === "ArrowRight") {
      if (this.rows.isOpen(row)) this.moveTo(this.cursor + 1);
      else this.toggle(this.cursor);
    } else if (event.key === "ArrowLeft") {
      if (this.rows.isOpen(row)) this.toggle(this.cursor);
      else this.moveTo(this.above(this.cursor));
    } else if (event.key === "Enter" || event.key === " ") {
      if (row.more) this.toggle(this.cursor);
      else if (!this.tree.isRest(row.node)) (event.key === " " ? this.chosen : this.opened)(row.node);
    } else {
      return;
    }
    event.preventDefault();
    event.stopPropagation();
  }

  /** The place of a row's caller. */
  above(at) {
    const { rows } = this.rows;
    for (let before = at - 1; before >= 0; before -= 1) if (rows[before].level < rows[at].level) return before;
    return at;
  }

  /** Puts the cursor on a row, in sight. */
  moveTo(at) {
    this.cursor = at;
    const top = at * this.row;
    // The heading lies over the first line.
    const { scrollTop } = this.box;
    const room = this.box.clientHeight - this.head.parentElement.offsetHeight;
    if (top < scrollTop) this.box.scrollTop = top;
    else if (top + this.row > scrollTop + room) this.box.scrollTop = top + this.row - room;
    this.draw();
  }

  /** Opens the way to a node and puts the cursor on it. */
  reveal(node) {
    const at = this.rows.reach(node);
    if (at >= 0) this.moveTo(at);
  }
}
