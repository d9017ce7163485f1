// The differential flame graph: orange is what costs more than before, blue what
// costs less, and striped what is in one of the runs only.

const CHANGE = {
  light: { same: "#dfe3e9", more: "#e8731a", less: "#3a86d0", rest: "#eef0f3" },
  dark: { same: "#4a535e", more: "#b5530b", less: "#2a6ab0", rest: "#2b323a" },
};

/** Changes smaller than this share of a node's cost have no colour. */
const UNCHANGED = 0.0005;

/** A colour between two. */
function mixed(one, other, share) {
  const part = (colour, at) => parseInt(colour.slice(at, at + 2), 16);
  const mix = (at) => Math.round(part(one, at) + (part(other, at) - part(one, at)) * share);
  return `#${[1, 3, 5].map((at) => mix(at).toString(16).padStart(2, "0")).join("")}`;
}

class DifferenceFlame extends FlameGraph {
  constructor(report, tree, frame, options) {
    const names = options.names;
    const profile = {
      metric: report.diff.metric,
      total: tree.total,
      briefName: (place) => names.briefName(place),
      nameOf: (place) => names.nameOf(place),
    };
    super(profile, tree, frame, options);
    this.report = report;
    this.stripes = null;
  }

  /** Cost of a node before and after. */
  costs(node) {
    const source = this.tree.source[node];
    const { totals, tree } = this.report.explanation;
    return source < 0
      ? totals.map(Number)
      : tree.inclusive.map((column) => Number(column[source]));
  }

  recolour() {
    const colours = theme.dark ? CHANGE.dark : CHANGE.light;
    const made = new Uint32Array(this.tree.size);
    const selected = pixelOf(palette().selected);
    const rest = pixelOf(colours.rest);
    const shades = { more: [], less: [] };
    for (let step = 0; step <= 16; step += 1) {
      for (const way of ["more", "less"])
        shades[way].push(pixelOf(mixed(colours.same, colours[way], step / 16)));
    }
    for (let node = 0; node < this.tree.size; node += 1) {
      if (this.tree.isRest(node)) {
        made[node] = rest;
        continue;
      }
      if (this.method !== null && this.tree.method[node] === this.method) {
        made[node] = selected;
        continue;
      }
      const [before, after] = this.costs(node);
      const change = (after - before) / (Math.max(before, after) || 1);
      const way = change > 0 ? shades.more : shades.less;
      made[node] = way[Math.abs(change) < UNCHANGED ? 0 : Math.ceil(16 * Math.sqrt(Math.abs(change)))];
    }
    this.colours = made;
    if (this.strip) this.strip.recolour(made);
  }

  /** Names with by how much they changed; stripes over what one run does not have. */
  label(labels) {
    const { context, width } = this.surface;
    for (let at = 0; at < labels.length; at += 4) {
      const node = labels[at];
      if (node === 0 || this.tree.isRest(node)) continue;
      const [before, after] = this.costs(node);
      if (before > 0 && after > 0) continue;
      const left = Math.max(0, labels[at + 2]);
      const right = Math.min(width, labels[at + 3]);
      context.fillStyle = this.pattern();
      context.fillRect(left, this.topOf(labels[at + 1]), right - left, this.bar - 1);
    }
    super.label(labels);
  }

  /** One ink for all shades of a change. */
  inkOf(node) {
    const isSelected = this.method !== null && this.tree.method[node] === this.method;
    return isSelected || !theme.dark ? "#0b0e11" : "#ffffff";
  }

  pattern() {
    if (this.stripes) return this.stripes;
    const tile = element("canvas", { width: 8, height: 8 });
    const drawn = tile.getContext("2d");
    drawn.strokeStyle = "rgb(255 255 255 / 0.22)";
    drawn.lineWidth = 2;
    for (const from of [-4, 4, 12]) {
      drawn.moveTo(from, 8);
      drawn.lineTo(from + 8, 0);
    }
    drawn.stroke();
    this.stripes = this.surface.context.createPattern(tile, "repeat");
    return this.stripes;
  }

  captions(node) {
    if (this.tree.isRest(node)) return ["rest: parts too small to draw", "rest"];
    const [before, after] = this.costs(node);
    const base = Number(this.report.explanation.totals[0]);
    const change = signedPercent(after - before, base);
    if (node === 0) return [`all: ${change}`, change];
    const [brief, plain, method] = captionsOf(this.profile, this.tree, node);
    const told = change === "0.00%" ? [] : [`${brief} ${change}`, `${plain} ${change}`, `${method} ${change}`];
    return [...told, brief, plain, method];
  }

  facts(node) {
    const [before, after] = this.costs(node);
    const base = Number(this.report.explanation.totals[0]);
    const { calls } = this.report.explanation.tree;
    const source = this.tree.source[node];
    if (this.tree.isRest(node)) return ["Rest: parts too small to be drawn one by one", []];
    const times = calls && source >= 0 ? calls.map((column) => count(column[source])) : null;
    const only = before === 0 ? " (only after)" : after === 0 ? " (only before)" : "";
    return [
      node === 0 ? "All" : this.profile.nameOf(this.tree.method[node]) + only,
      [
        ["before", `${count(before)} ${this.profile.metric}`],
        ["after", count(after)],
        ["difference", `${signedCount(after - before)} (${signedPercent(after - before, base)} of all)`],
        ["calls", times && `${times[0]} → ${times[1]}`],
      ],
    ];
  }
}

function signedCount(value) {
  return value > 0 ? `+${count(value)}` : count(value);
}
