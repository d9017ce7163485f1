// Which rows a tree shows that is opened and closed: a list of nodes that are in
// sight, each with its level. Of many siblings the first ones are shown.

/** Siblings that are shown at first, and that each click on "more" adds. */
const SIBLINGS = 100;

/** A tree opens by itself along callees that have so much of their caller's cost. */
const OPENS_ALONG = 0.8;

class TreeRows {
  /** `tree` is drawn from; `valueOf(node)` is what siblings are sorted by, null for their order. */
  constructor(tree) {
    this.tree = tree;
    this.valueOf = null;
    /** How many callees of an open node are shown. */
    this.open = new Map([[0, SIBLINGS]]);
    this.list();
  }

  /** The callees of a node, in order. */
  callees(node) {
    const { tree } = this;
    const found = [];
    for (let child = node + 1; child < tree.end[node]; child = tree.end[child]) found.push(child);
    if (!this.valueOf) return found;
    const values = new Map(found.map((child) => [child, this.valueOf(child)]));
    return found.sort((a, b) => {
      const [left, right] = [values.get(a), values.get(b)];
      return left < right ? 1 : left > right ? -1 : a - b;
    });
  }

  hasCallees(node) {
    return this.tree.end[node] > node + 1;
  }

  /** Makes all rows. */
  list() {
    this.rows = this.below(0, 1);
  }

  /** The rows below an open node: `{ node, level, place, of }`, or `{ more, under, level }`. */
  below(node, level) {
    const rows = [];
    const pending = [[node, level]];
    while (pending.length > 0) {
      const [item, depth] = pending.pop();
      if (typeof item === "object") {
        rows.push(item);
        if (item.node === undefined || !this.open.has(item.node)) continue;
      }
      const parent = typeof item === "object" ? item.node : item;
      const from = typeof item === "object" ? depth + 1 : depth;
      const all = this.callees(parent);
      const shown = all.slice(0, this.open.get(parent));
      const made = shown.map((child, at) => ({ node: child, level: from, place: at + 1, of: all.length }));
      if (shown.length < all.length)
        made.push({ more: all.length - shown.length, under: parent, level: from, place: shown.length + 1, of: all.length });
      for (let at = made.length - 1; at >= 0; at -= 1) pending.push([made[at], from]);
    }
    return rows;
  }

  isOpen(row) {
    return row.node !== undefined && this.open.has(row.node);
  }

  /** Opens the row at a place; one that stands for more siblings shows them. */
  openAt(at) {
    const row = this.rows[at];
    if (row.more) {
      this.open.set(row.under, this.open.get(row.under) + SIBLINGS);
      this.list();
    } else if (this.hasCallees(row.node) && !this.open.has(row.node)) {
      this.open.set(row.node, SIBLINGS);
      this.rows.splice(at + 1, 0, ...this.below(row.node, row.level + 1));
    }
  }

  /** Closes the row at a place, with all below it. */
  closeAt(at) {
    const row = this.rows[at];
    if (!this.isOpen(row)) return;
    this.open.delete(row.node);
    let last = at + 1;
    while (last < this.rows.length && this.rows[last].level > row.level) {
      this.open.delete(this.rows[last].node);
      last += 1;
    }
    this.rows.splice(at + 1, last - at - 1);
  }

  closeAll() {
    this.open = new Map([[0, SIBLINGS]]);
    this.list();
  }

  /** Opens the costliest callees from a node on, as long as they have `share` of their caller's cost. */
  openAlong(node, share) {
    const { tree } = this;
    for (let at = node; ;) {
      if (!this.open.has(at)) this.open.set(at, SIBLINGS);
      const first = at + 1;
      if (first >= tree.end[at] || tree.isRest(first) || tree.cost[first] < share * tree.cost[at]) break;
      if (!this.hasCallees(first)) break;
      at = first;
    }
    this.list();
  }

  /** Opens all above a node and gives its place. */
  reach(node) {
    for (let above = this.tree.parent[node]; above >= 0; above = this.tree.parent[above]) {
      const from = this.callees(above);
      const path = this.tree.path(node);
      const at = from.findIndex((child) => path.includes(child));
      this.open.set(above, Math.max(this.open.get(above) ?? SIBLINGS, at + 1));
    }
    this.list();
    return this.rows.findIndex((row) => row.node === node);
  }
}
