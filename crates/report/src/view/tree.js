// A tree of the report, ready to be drawn: every node has a place on a line of
// length 1, below its parent's, as wide as its share of the whole cost.

/** Stands in the column of methods for parts that were folded. */
const REST = -1;

class Tree {
  /**
   * `own` names the column that no child explains: what the node did itself; `ofAll`
   * is that of the whole.
   */
  constructor(columns, total, own, ofAll = 0) {
    const cost = columns.inclusive ?? columns.cost;
    this.total = total;
    this.columns = columns;
    this.isInverted = own === "ends";
    this.known = { method: null, found: null };
    /** Cost of all rests. */
    this.folded = 0;
    this.build(columns.parent, columns.method, cost.map(Number), columns[own]?.map(Number), ofAll);
    this.depth = this.deepest();
  }

  /**
   * Lays out nodes in preorder, with a rest behind the children of each that
   * has one. Node 0 is the whole.
   */
  build(parents, methods, costs, own, ofAll) {
    const nodes = methods.length;
    const shown = new Float64Array(nodes + 1);
    const last = new Int32Array(nodes);
    for (let node = nodes - 1; node >= 0; node -= 1) {
      last[node] = Math.max(last[node], node);
      if (parents[node] >= 0) last[parents[node]] = Math.max(last[parents[node]], last[node]);
      shown[parents[node] + 1] += costs[node];
    }
    const list = { method: [], parent: [], cost: [], source: [], end: [], start: [] };
    const add = (method, parent, cost, source) => {
      list.method.push(method);
      list.parent.push(parent);
      list.cost.push(cost);
      list.source.push(source);
      return list.method.length - 1;
    };
    add(REST, -1, this.total, -1);
    list.end.push(0);
    list.start.push(0);
    // The nodes that are open, with where each one's next child begins.
    const open = [{ at: 0, source: -1, last: nodes, next: 0, rest: this.total - ofAll - shown[0] }];
    const close = () => {
      const { at, next, rest, source } = open.pop();
      // Rounding of costs that were sums of samples leaves crumbs.
      if (rest > this.total * 1e-12) {
        this.folded += rest;
        const made = add(REST, at, rest, source);
        list.start[made] = next;
        list.end[made] = made + 1;
      }
      list.end[at] = list.method.length;
    };
    for (let node = 0; node < nodes; node += 1) {
      while (open.at(-1).last < node) close();
      const above = open.at(-1);
      const at = add(methods[node], above.at, costs[node], node);
      list.start[at] = above.next;
      above.next += costs[node];
      const rest = costs[node] - (own?.[node] ?? 0) - shown[node + 1];
      open.push({ at, source: node, last: last[node], next: list.start[at], rest });
    }
    while (open.length > 0) close();
    this.size = list.method.length;
    this.method = Int32Array.from(list.method);
    this.parent = Int32Array.from(list.parent);
    this.end = Int32Array.from(list.end);
    this.source = Int32Array.from(list.source);
    this.cost = Float64Array.from(list.cost);
    this.start = Float64Array.from(list.start, (start) => start / (this.total || 1));
    this.stop = this.start.map((start, node) => start + this.cost[node] / (this.total || 1));
  }

  /** Depth of the node that lies deepest; the whole has depth 0. */
  deepest() {
    this.level = new Uint16Array(this.size);
    let deepest = 0;
    for (let node = 1; node < this.size; node += 1) {
      this.level[node] = this.level[this.parent[node]] + 1;
      deepest = Math.max(deepest, this.level[node]);
    }
    return deepest;
  }

  /** Depth of the deepest node in a subtree that is at least so wide. */
  depthBelow(root, width) {
    let deepest = this.level[root];
    for (let node = root + 1; node < this.end[root];) {
      if (this.stop[node] - this.start[node] < width) {
        node = this.end[node];
        continue;
      }
      deepest = Math.max(deepest, this.level[node]);
      node += 1;
    }
    return deepest;
  }

  /**
   * How much of a node's width each level below it covers, counted from the
   * node's own level; pieces narrower than `width` do not count.
   */
  coverage(root, width) {
    const covered = [];
    const whole = this.stop[root] - this.start[root] || 1;
    for (let node = root; node < this.end[root];) {
      const wide = this.stop[node] - this.start[node];
      if (wide < width) {
        node = this.end[node];
        continue;
      }
      const below = this.level[node] - this.level[root];
      covered[below] = (covered[below] ?? 0) + wide / whole;
      node += 1;
    }
    return covered;
  }

  /** The node at a place of the line, `level` levels down; -1 if there is none. */
  nodeAt(level, position) {
    let node = 0;
    while (this.level[node] < level) {
      let child = node + 1;
      while (child < this.end[node] && this.stop[child] <= position) child = this.end[child];
      if (child >= this.end[node] || this.start[child] > position) return -1;
      node = child;
    }
    return node;
  }

  /** The nodes from the root down to one, without the whole. */
  path(node) {
    const nodes = [];
    for (; node > 0; node = this.parent[node]) nodes.unshift(node);
    return nodes;
  }

  /**
   * Outermost occurrences of a method, with what they cost together: the costliest
   * first; in an inversion first of all the one that says what it costs itself.
   */
  occurrences(method) {
    if (this.known.method !== method) this.known = { method, found: this.outermost(method) };
    return this.known.found;
  }

  /** The outermost node of the same method on the way to a node. */
  outermostAbove(node) {
    let found = node;
    for (let above = node; above > 0; above = this.parent[above])
      if (this.method[above] === this.method[node]) found = above;
    return found;
  }

  outermost(method) {
    const nodes = [];
    let cost = 0;
    for (let node = 1; node < this.size;) {
      if (this.method[node] === method || this.frames(node)?.includes(method)) {
        nodes.push(node);
        cost += this.cost[node];
        node = this.end[node];
      } else {
        node += 1;
      }
    }
    const first = (node) => this.isInverted && this.level[node] === 1;
    nodes.sort((a, b) => first(b) - first(a) || this.cost[b] - this.cost[a] || a - b);
    return { nodes, cost };
  }

  /** What the outermost occurrences of some methods cost together. */
  covered(methods) {
    let cost = 0;
    for (let node = 1; node < this.size;) {
      if (methods.has(this.method[node])) {
        cost += this.cost[node];
        node = this.end[node];
      } else {
        node += 1;
      }
    }
    return cost;
  }

  /** Whether a node stands for contexts that were folded. */
  isRest(node) {
    return node > 0 && this.method[node] === REST;
  }

  /** The methods of the frames that a node stands for; null for a frame of its own. */
  frames(node) {
    return this.columns.frames?.[this.source[node]] ?? null;
  }

  /** Contexts in a node's subtree, or in a rest. */
  contexts(node) {
    const { contexts, rest } = this.columns;
    if (!contexts) return null;
    if (!this.isRest(node)) return node === 0 ? null : contexts[this.source[node]];
    const source = this.source[node];
    if (source < 0) return rest.contexts ?? null;
    if (!this.columns.exclusive) return null;
    let folded = contexts[source] - (this.columns.merged?.[source] ?? 1);
    const above = this.parent[node];
    for (let child = above + 1; child < node; child = this.end[child]) {
      folded -= contexts[this.source[child]];
    }
    return folded;
  }
}
