// One of two flame graphs that are shown beside each other: those of two profiles,
// with a common scale and a common zoom.

/** Stands for a method that a profile does not have. */
const NOWHERE = -2;

class SideFlame extends FlameGraph {
  /** `pair` is the pair that it belongs to, `side` its place in it. */
  constructor(profile, tree, frame, pair, side, events) {
    super(profile, tree, frame, { upward: true, label: `Flame graph of ${sideLabel(pair.report, side)}`, hasStrip: false, ...events });
    this.pair = pair;
    this.side = side;
    frame.addEventListener("scroll", () => pair.scrolled(this));
  }

  /** What is as wide as the graph at the start: the whole of the run that costs more. */
  home() {
    return { from: 0, to: this.pair.most / (this.tree.total || 1) };
  }

  /** A node and what it is in the other run, both as wide as they are beside each other. */
  centre(node, span = this.tree.cost[node]) {
    this.node = node;
    const from = this.tree.start[node];
    this.fly(node === 0 ? this.home() : { from, to: from + Math.max(span / (this.tree.total || 1), 1e-12) });
  }

  show(from, width) {
    this.showAlone(from, width);
    this.pair.followed(this);
  }

  showAlone(from, width) {
    const { to: most } = this.home();
    const shown = Math.min(most, Math.max(1e-9, width));
    const left = Math.min(most - shown, Math.max(0, from));
    this.view = { from: left, to: left + shown };
    this.fitHeight();
    this.draw();
    this.mark(-1);
  }

  /** An occurrence of the selected method: it is marked where it is in sight. */
  reveal(node) {
    this.occurrence = node;
    const { start, stop, level } = this.tree;
    if (node < 0 || this.surface.width === 0) return;
    const { from, to } = this.view;
    const top = this.topOf(level[node]);
    const isHidden = top < 0 || top > this.surface.height - this.bar;
    if (isHidden) this.scroller.scrollTop += top - Math.round(this.surface.height / 2);
    if (stop[node] <= from || start[node] >= to) {
      const middle = (start[node] + stop[node]) / 2;
      this.show(middle - (to - from) / 2, to - from);
    } else this.draw();
  }

  /** Beside the smaller run there is nothing. */
  nodeUnder(event) {
    const box = this.window.getBoundingClientRect();
    const { from, to } = this.view;
    return from + ((event.clientX - box.left) / box.width) * (to - from) > 1 ? -1 : super.nodeUnder(event);
  }

  point(event) {
    super.point(event);
    this.pair.pointed(this, event && !this.dragged ? this.nodeUnder(event) : -1);
  }

  facts(node) {
    const [name, facts] = super.facts(node);
    return [name, [...facts, ...this.pair.compared(this, node)]];
  }
}

/** The flame graphs of both profiles, and which node of one is which of the other. */
class FlamePair {
  constructor(report, profiles, frames, events) {
    this.report = report;
    this.profiles = profiles;
    this.trees = profiles.map(drawnTree);
    this.most = Math.max(...this.trees.map((tree) => tree.total));
    this.graphs = frames.map(
      (frame, side) => new SideFlame(profiles[side], this.trees[side], frame, this, side, events(side)),
    );
  }

  /** The number of a method of one side at the other; `NOWHERE` if it has none. */
  methodOf(side, method) {
    if (method === null) return null;
    const [from, to] = [this.profiles[side], this.profiles[1 - side]];
    return to.find(from.classOf(method), from.methods.name[method], from.descriptorOf(method)) ?? NOWHERE;
  }

  /** The methods on the way to a node, those of folded frames, too. */
  way(side, node) {
    const tree = this.trees[side];
    return tree.path(node).flatMap((at) => tree.frames(at) ?? [tree.method[at]]);
  }

  /**
   * The node of the other side that the same calls lead to, and whether there is one;
   * otherwise the last one on the way.
   */
  nodeOf(side, node) {
    const tree = this.trees[1 - side];
    const names = firstOfName(this.profiles[1 - side]);
    const way = this.way(side, node).map((method) => (method < 0 ? NOWHERE : this.methodOf(side, method)));
    let at = 0;
    let passed = 0;
    while (passed < way.length) {
      const wanted = way[passed] < 0 ? NOWHERE : names[way[passed]];
      let child = at + 1;
      const leads = () => (tree.frames(child)?.[0] ?? tree.method[child]) === wanted;
      while (child < tree.end[at] && (tree.isRest(child) || !leads())) child = tree.end[child];
      if (child >= tree.end[at]) return { node: at, isFound: false };
      at = child;
      for (const method of tree.frames(child) ?? [wanted]) {
        if (passed < way.length && names[way[passed]] === method) passed += 1;
        else if (passed < way.length) return { node: at, isFound: false };
      }
    }
    return { node: at, isFound: true };
  }

  /** Zooms to a node of one side, and to what it is at the other. */
  centre(side, node) {
    const other = this.nodeOf(side, node);
    const costs = [this.trees[side].cost[node], this.trees[1 - side].cost[other.node]];
    // Of what the other side does not have, it shows the last caller, which is larger by far.
    const span = other.isFound ? Math.max(...costs) : null;
    this.graphs[side].centre(node, span ?? costs[0]);
    this.graphs[1 - side].centre(other.node, span ?? costs[1]);
  }

  /** One side shows something else, as the wheel or a drag wants: the other shows the same calls. */
  followed(graph) {
    const { side, tree } = graph;
    const other = this.graphs[1 - side];
    if (other.surface.width === 0) return;
    const { from, to } = graph.view;
    const middle = (from + to) / 2;
    let anchor = 0;
    for (let level = 1; level < 1 << 16; level += 1) {
      const node = tree.nodeAt(level, middle);
      if (node < 0 || tree.stop[node] - tree.start[node] < (to - from) / 4) break;
      if (tree.isRest(node) || !this.nodeOf(side, node).isFound) break;
      anchor = node;
    }
    const mine = { start: tree.start[anchor], wide: tree.stop[anchor] - tree.start[anchor] };
    const { node } = this.nodeOf(side, anchor);
    const wide = other.tree.stop[node] - other.tree.start[node];
    // Of the whole, so much cost lies at the left; of a part, so much of the part.
    const scale = tree.total / (other.tree.total || 1);
    const width = (to - from) * scale;
    const share = (middle - mine.start) / (mine.wide || 1);
    const at = anchor === 0 ? middle * scale : other.tree.start[node] + share * wide;
    other.still();
    other.showAlone(at - width / 2, width);
  }

  /** Both are scrolled to the same level. */
  scrolled({ side, scroller }) {
    const other = this.graphs[1 - side]?.scroller;
    if (!other) return;
    const below = scroller.scrollHeight - scroller.clientHeight - scroller.scrollTop;
    const wanted = other.scrollHeight - other.clientHeight - below;
    if (Math.abs(other.scrollTop - Math.max(0, wanted)) > 1) other.scrollTop = wanted;
  }

  /** The pointer is on a node of one side: the other one outlines the same calls. */
  pointed({ side }, node) {
    const other = node > 0 && !this.trees[side].isRest(node) ? this.nodeOf(side, node) : null;
    this.graphs[1 - side]?.mark(other?.isFound ? other.node : -1);
  }

  /** What a node costs at the other side, for its tooltip. */
  compared({ side }, node) {
    if (node > 0 && this.trees[side].isRest(node)) return [];
    const when = sideOfTwo(this.report, 1 - side);
    const other = this.nodeOf(side, node);
    if (!other.isFound) return [[when, "is not there, or too small to draw"]];
    const costs = [this.trees[side].cost[node], this.trees[1 - side].cost[other.node]];
    const [before, after] = side === 0 ? costs : costs.toReversed();
    return [[when, `${count(costs[1])} (${signedPercent(after - before, before)} from before to after)`]];
  }

  remove() {
    for (const graph of this.graphs) graph.remove();
  }
}
