// Where the parts of blueprints are (after Bergel, Bañados, Robbes and Binder, 2012):
// heights are costs, linear, and widths executions, logarithmic. `subsume blueprint`
// lays pictures out by the same rules. Lengths are CSS pixels; letters have one width,
// so that names fit without being measured.

/** Width of a letter, and height of a line. */
const LETTER = 6.7;
const LINE = 14;

/** Letters of a name at most; what is longer ends in an ellipsis. */
const LONGEST_NAME = 40;

function breadthOf(text) {
  return [...text].length * LETTER;
}

function clipped(text, longest) {
  const letters = [...text];
  return letters.length <= longest ? text : `${letters.slice(0, longest - 1).join("")}…`;
}

/** The name of a class without its package. */
function simpleName(owner) {
  return owner.slice(owner.lastIndexOf(".") + 1);
}

/** "Format.format", without the class where both are too long. */
function blueprintName(owner, name) {
  const simple = simpleName(owner);
  const whole = simple ? `${simple}.${name}` : name;
  return clipped([...whole].length <= LONGEST_NAME ? whole : name, LONGEST_NAME);
}

/** The width that stands for so many executions. */
function executionsWidth(calls, least, decade) {
  return least + decade * Math.log10(1 + calls);
}

/** Pixels of the tallest bar of skylines. */
const TALLEST_BAR = 140;

/** Space between skylines, and below their names. */
const SKYLINE_GAP = 16;

/**
 * Skylines: each group a bar chart on a base line, its bars in the order of their
 * heights, the costliest group first. Takes groups `{ name, cost, bars }` with bars
 * `{ of, cost, calls }`; gives the `bars` and `groups` with their places, and what is
 * folded: bars below a pixel, those of each group in its `folded`, and groups of
 * such bars alone, and where a chart is too wide its lowest bars. The `rows` have the
 * scale of each.
 */
function skylines(groups, width) {
  const greatest = groups.reduce(
    (most, { bars }) => bars.reduce((best, { cost }) => Math.max(best, cost), most),
    0,
  );
  const scale = greatest > 0 ? TALLEST_BAR / greatest : 0;
  const made = { bars: [], groups: [], rows: [], folded: { groups: 0, bars: 0 }, height: 0, width };
  let row = [];
  let reach = 0;
  let top = 0;
  const finish = () => {
    if (row.length === 0) return;
    const tall = Math.max(...row.map((group) => group.tall));
    const base = top + tall;
    made.rows.push({ base, top, cost: tall / scale });
    for (const group of row) {
      group.base = base;
      let x = group.x;
      for (const bar of group.shown) {
        const height = bar.cost * scale;
        const breadth = executionsWidth(bar.calls, 3, 5);
        made.bars.push({ of: bar.of, group, x, y: base - height, width: breadth, height });
        x += breadth + 1;
      }
      made.groups.push(group);
    }
    top = base + LINE + SKYLINE_GAP;
    row = [];
    reach = 0;
  };
  const ordered = groups.map((group, at) => ({ group, at }));
  ordered.sort((a, b) => b.group.cost - a.group.cost || a.at - b.at);
  for (const { group } of ordered) {
    // Stable: of equal costs in the order given.
    const costliest = group.bars.filter(({ cost }) => cost * scale >= 1).sort((a, b) => b.cost - a.cost);
    const shown = [];
    let chart = 0;
    for (const bar of costliest) {
      const more = executionsWidth(bar.calls, 3, 5) + 1;
      if (chart + more > width) break;
      chart += more;
      shown.push(bar);
    }
    shown.reverse();
    const folded = group.bars.length - shown.length;
    if (shown.length === 0) {
      made.folded.groups += 1;
      made.folded.bars += folded;
      continue;
    }
    const label = clipped(group.name, LONGEST_NAME);
    const breadth = Math.max(chart, breadthOf(label));
    if (row.length > 0 && reach + breadth > width) finish();
    const tall = shown.at(-1).cost * scale;
    row.push({ ...group, label, shown, folded, x: reach, width: breadth, chart, tall });
    reach += breadth + SKYLINE_GAP;
  }
  finish();
  made.height = top;
  return made;
}

/** Space around the plot of a scatter, for its axes. */
const PLOT = { left: 52, right: 78, top: 22, bottom: 40 };

/** Methods of a scatter with a name, at most, and those that may get one. */
const NAMED_DOTS = 24;
const NAMEABLE_DOTS = 400;

/** Space between a dot and its name, half of a dot, and lines by which a name may lie above its dot. */
const BESIDE_DOT = 6;
const DOT_RADIUS = 3;
const HIGHEST_NAME = 5;

/** The places around a dot that its name may have: right and left of it, and above that, with a line to it. */
function placesOfName({ x, y }, text) {
  const width = breadthOf(text);
  const places = [];
  for (let step = 0; step <= HIGHEST_NAME; step += 1) {
    const away = BESIDE_DOT * (step + 1);
    const top = y - LINE / 2 - LINE * step;
    const line = (edge) => (step > 0 ? [{ x, y }, { x: edge, y: top + LINE / 2 }] : null);
    places.push({ text, width, height: LINE, x: x + away, y: top, line: line(x + away) });
    places.push({ text, width, height: LINE, x: x - away - width, y: top, line: line(x - away) });
  }
  return places;
}

/** Whether the middle of a dot is so near that a name lies on it. */
function coversDot(name, dot) {
  return (
    dot.x > name.x - DOT_RADIUS &&
    dot.x < name.x + name.width + DOT_RADIUS &&
    dot.y > name.y - 1 &&
    dot.y < name.y + LINE + 1
  );
}

/**
 * A scatter of `{ of, calls, cost, name }`, both axes logarithmic; the points come
 * costliest first, and the first ones get names where there is room.
 */
function scatter(points, width, height) {
  const decades = (most) => Math.max(1, Math.ceil(Math.log10(Math.max(1, most))));
  const across = decades(points.reduce((most, { calls }) => Math.max(most, calls), 0));
  const up = decades(points.reduce((most, { cost }) => Math.max(most, cost), 0));
  const breadth = width - PLOT.left - PLOT.right;
  const depth = height - PLOT.top - PLOT.bottom;
  const xOf = (log) => PLOT.left + (log / across) * breadth;
  const yOf = (log) => PLOT.top + depth - (log / up) * depth;
  const log = (value) => Math.log10(Math.max(1, value));
  const dots = points.map(({ of, calls, cost }) => ({ of, x: xOf(log(calls)), y: yOf(log(cost)) }));
  // Costs of ten to the power of `power` a call lie on a diagonal.
  const diagonals = [];
  for (let power = 0; power < up; power += 1) {
    const end = Math.min(across, up - power);
    const from = { x: xOf(0), y: yOf(power) };
    diagonals.push({ power, from, to: { x: xOf(end), y: yOf(power + end) }, isUp: power + end === up });
  }
  const names = [];
  const isFree = (box) =>
    box.x >= PLOT.left &&
    box.x + box.width <= width - PLOT.right &&
    box.y >= PLOT.top &&
    names.every((other) => !overlap(box, other)) &&
    !dots.some((dot) => coversDot(box, dot));
  for (let at = 0; at < Math.min(dots.length, NAMEABLE_DOTS) && names.length < NAMED_DOTS; at += 1) {
    const free = placesOfName(dots[at], points[at].name).find(isFree);
    if (free) names.push(free);
  }
  return { dots, diagonals, names, across, up, xOf, yOf, width, height };
}

/** Whether two boxes share a point inside of both. */
function overlap(a, b) {
  return a.x < b.x + b.width && b.x < a.x + a.width && a.y < b.y + b.height && b.y < a.y + a.height;
}

/** Methods that are looked at for the picture of a call graph, and that it has at most. */
const REACHED = 400;
const MOST_NODES = 60;

/** Calls of a smaller share of the start's cost are not drawn. */
const LEAST_CALL = 0.005;

/** A method that spends this much of its cost on the one it calls is part of a chain. */
const PASSED_ON = 0.9;

/**
 * The methods that a start reaches, each below the costliest of its callers that is
 * reached before it, the greatest change and then the greatest cost first. The graph
 * has `cost(of)`, `keeps(of)` for what no chain may hide, and `calls(of)`, its callees as
 * `{ of, cost, change, rank }`, of which the greatest rank is drawn first.
 */
function reachedFrom(graph, start) {
  const least = graph.cost(start) * LEAST_CALL;
  const reached = [{ of: start, above: -1, cost: graph.cost(start), rank: 0 }];
  const seen = new Map([[start, 0]]);
  const offers = new Map();
  for (let at = 0; at < reached.length && reached.length < REACHED; at += 1) {
    for (const call of graph.calls(reached[at].of)) {
      if (seen.has(call.of) || !(call.cost > 0)) continue;
      if (call.cost < least && !(call.change > 0)) continue;
      const offer = { ...call, above: at };
      const other = offers.get(call.of);
      if (!other || isBefore(offer, other)) offers.set(call.of, offer);
    }
    let best = null;
    for (const offer of offers.values()) if (!best || isBefore(offer, best)) best = offer;
    if (!best) break;
    offers.delete(best.of);
    seen.set(best.of, reached.length);
    reached.push(best);
  }
  return reached;
}

function isBefore(a, b) {
  return (b.change - a.change || b.cost - a.cost || a.of - b.of || a.above - b.above) < 0;
}

/**
 * A tree of the first `count` methods reached, as `{ members, below, of }`: chains, in
 * which each only passes its cost on, are one node with several members.
 */
function chained(graph, reached, count) {
  const below = reached.slice(0, count).map(() => []);
  for (let at = 1; at < count; at += 1) below[reached[at].above].push(at);
  for (const callees of below)
    callees.sort((a, b) => reached[b].rank - reached[a].rank || reached[a].of - reached[b].of);
  const passes = (at) =>
    at > 0 &&
    below[at].length === 1 &&
    !graph.keeps(reached[at].of) &&
    reached[below[at][0]].cost >= PASSED_ON * graph.cost(reached[at].of);
  let size = 0;
  const nodeOf = (at) => {
    size += 1;
    const run = [at];
    while (passes(run.at(-1))) run.push(below[run.at(-1)][0]);
    // The last one does not pass its cost on, and is drawn by itself.
    const members = run.length > 2 ? run.slice(0, -1) : [at];
    const next = run.length > 2 ? [run.at(-1)] : below[at];
    return { of: reached[at].of, members: members.map((at) => reached[at].of), below: next.map(nodeOf) };
  };
  return { root: nodeOf(0), size: () => size };
}

/** The tree from a start that has as many nodes as a picture may have. */
function blueprintTree(graph, start) {
  const reached = reachedFrom(graph, start);
  for (let count = reached.length; ; count -= 1) {
    const { root, size } = chained(graph, reached, count);
    if (size() <= MOST_NODES) return { root, reached: reached.length, shown: reached.slice(0, count) };
  }
}

/** Pixels of the tallest box of a call graph, and of the lowest. */
const TALLEST_BOX = 56;
const LOWEST_BOX = 6;

/** By how much callees are farther right than their caller, and spaces between them. */
const INDENT = 16;
const BELOW = 10;
const BETWEEN = 6;
const BESIDE = 26;

/**
 * Lays a tree out: callers above, callees below them, those that call others side by
 * side where there is room, and below each other where there is none. Nodes have the
 * `size` that `sizeOf` gives, `{ width, height, name }`.
 */
function blocks(root, width, sizeOf) {
  const made = { nodes: [], links: [], width, height: 0 };
  const place = (block, x, y) => {
    const { node, size, head } = block;
    made.nodes.push({ node, ...size, x, y: y + (head - size.height) / 2, middle: y + head / 2 });
    const foot = y + head / 2 + size.height / 2;
    for (const part of block.parts) {
      place(part.block, x + part.x, y + part.y);
      const to = { x: x + part.x, y: y + part.y + part.block.head / 2 };
      const top = to.y - part.block.size.height / 2;
      made.links.push(
        part.isBeside
          ? [[x + 4, foot], [x + 4, y + head + BELOW / 2], [to.x + 4, y + head + BELOW / 2], [to.x + 4, top]]
          : [[x + 4, foot], [x + 4, to.y], [to.x, to.y]],
      );
    }
  };
  const whole = blockOf(root, width, sizeOf);
  place(whole, 0, 0);
  made.height = whole.height;
  return made;
}

/** A node with all below it: its width and height, and where its `parts` are in it. */
function blockOf(node, width, sizeOf) {
  const size = sizeOf(node);
  const head = Math.max(size.height, LINE);
  const own = size.width + 5 + breadthOf(size.name);
  const within = node.below.map((callee) => blockOf(callee, width - INDENT, sizeOf));
  const leaves = within.filter(({ node }) => node.below.length === 0);
  const inner = within.filter(({ node }) => node.below.length > 0);
  const block = { node, size, head, parts: [], width: own, height: head };
  const stack = (blocks, x) => {
    let y = head + BELOW;
    for (const one of blocks) {
      block.parts.push({ block: one, x, y, isBeside: false });
      block.width = Math.max(block.width, x + one.width);
      block.height = Math.max(block.height, y + one.height);
      y += one.height + BETWEEN;
    }
  };
  const stacked = leaves.reduce((most, one) => Math.max(most, one.width), 0);
  const columns = inner.length + (leaves.length > 0 ? 1 : 0);
  const abreast = inner.reduce((sum, one) => sum + one.width, stacked) + BESIDE * (columns - 1);
  if (inner.length === 0 || columns < 2 || INDENT + abreast > width) {
    stack(within, INDENT);
    return block;
  }
  stack(leaves, INDENT);
  let x = INDENT + (leaves.length > 0 ? stacked + BESIDE : 0);
  for (const one of inner) {
    block.parts.push({ block: one, x, y: head + BELOW, isBeside: true });
    block.width = Math.max(block.width, x + one.width);
    block.height = Math.max(block.height, head + BELOW + one.height);
    x += one.width + BESIDE;
  }
  return block;
}
