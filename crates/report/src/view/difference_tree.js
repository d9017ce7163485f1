// The contexts of both profiles in one tree, ready to be drawn: as wide as after,
// as before, or as the greater of both, so that gone and new code can be seen
// together.

/** What the widths of a differential flame graph stand for. */
const SHAPES = {
  both: "both runs together",
  after: "the run after",
  before: "the run before",
};

/** A tree with the widths of a shape. */
function differenceTree({ tree, totals }, shape) {
  const { method, parent, inclusive, exclusive } = tree;
  const [before, after] = inclusive.map((column) => column.map(Number));
  const [ownBefore, ownAfter] = exclusive.map((column) => column.map(Number));
  const columns = { method, parent };
  if (shape !== "both") {
    const side = shape === "after" ? 1 : 0;
    columns.inclusive = inclusive[side];
    columns.exclusive = exclusive[side];
    return new Tree(columns, Number(totals[side]), "exclusive");
  }
  // What is drawn below each node, before, after and together.
  const below = [0, 1, 2].map(() => new Float64Array(method.length + 1));
  const wide = new Array(method.length);
  for (let node = method.length - 1; node >= 0; node -= 1) {
    const rest = [before[node] - ownBefore[node], after[node] - ownAfter[node]].map(
      (cost, side) => cost - below[side][node + 1],
    );
    const own = Math.max(ownBefore[node], ownAfter[node]);
    wide[node] = own + Math.max(...rest, 0) + below[2][node + 1];
    const above = parent[node] + 1;
    below[0][above] += before[node];
    below[1][above] += after[node];
    below[2][above] += wide[node];
  }
  columns.inclusive = wide;
  columns.exclusive = method.map((_, node) => Math.max(ownBefore[node], ownAfter[node]));
  const rest = Math.max(Number(totals[0]) - below[0][0], Number(totals[1]) - below[1][0], 0);
  return new Tree(columns, below[2][0] + rest, "exclusive");
}

/** The methods of the difference, under the numbers that both profiles give them. */
class ComparedMethods {
  constructor(report) {
    this.report = report;
    this.methods = report.explanation.methods;
  }

  /** The side that knows a method, the one after first: `[profile, number, side]`. */
  known(place) {
    const { base, new: after } = this.methods;
    if (after[place] >= 0) return [this.report.open(1), after[place], 1];
    if (base[place] >= 0) return [this.report.open(0), base[place], 0];
    return null;
  }

  briefName(place) {
    const known = this.known(place);
    if (known) return known[0].briefName(known[1]);
    const [owner, name] = this.methods.names[place];
    return `${owner.slice(owner.lastIndexOf(".") + 1)}.${name}`;
  }

  nameOf(place) {
    const known = this.known(place);
    if (known) return known[0].nameOf(known[1]);
    const [owner, name] = this.methods.names[place];
    return `${owner}.${name}`;
  }

  /** A name that leads to the method, in a profile that has it. */
  link(place) {
    if (place === null) return element("span.quiet", null, "the threads' roots");
    const known = this.known(place);
    if (!known) return element("span", null, breakable(this.nameOf(place)));
    const [profile, method, side] = known;
    const made = methodLink(profile, method, true);
    made.href = link({ view: "method", profile: side, method, node: 0 });
    return made;
  }

  /** Goes to a method, in a profile that has it. */
  open(place) {
    const known = this.known(place);
    if (known) go({ view: "method", profile: known[2], method: known[1], node: 0 });
  }

  /** The place of what is selected in a profile; null if the difference lacks it. */
  placeOf(profile, method) {
    if (method === null) return null;
    const at = (profile === 0 ? this.methods.base : this.methods.new).indexOf(method);
    return at < 0 ? null : at;
  }
}
