// A method with its callers above and its callees below, in one picture: all its
// contexts merged, recursion once.

/** Smaller shares of the method's cost become part of a rest. */
const LEAST_AROUND = 0.001;

/** Columns of a tree that is made from the top down. */
class Growing {
  constructor() {
    this.columns = { method: [], parent: [], inclusive: [], exclusive: [] };
  }

  add(method, parent, cost, own) {
    const { columns } = this;
    columns.method.push(method);
    columns.parent.push(parent);
    columns.inclusive.push(cost);
    columns.exclusive.push(own);
    return columns.method.length - 1;
  }
}

/**
 * Makes a tree of groups, each with what `below` says of it: `{ own, groups }`, a
 * map of groups by method, every one with a `cost`. Groups that cost less than
 * `least` are left out. `total` is the cost of the whole, `own` what of it no group
 * has.
 */
function grown(first, below, least, total, own) {
  const tree = new Growing();
  const sorted = (groups) =>
    [...groups]
      .filter(([, group]) => group.cost > 0 && group.cost >= least)
      .sort((a, b) => a[1].cost - b[1].cost || b[0] - a[0]);
  const pending = sorted(first).map(([method, group]) => ({ method, group, parent: -1 }));
  while (pending.length > 0) {
    const { method, group, parent } = pending.pop();
    const { own, groups } = below(group);
    const at = tree.add(method, parent, group.cost, own);
    for (const [callee, of] of sorted(groups)) pending.push({ method: callee, group: of, parent: at });
  }
  return new Tree(tree.columns, total, "exclusive", own);
}

/** Adds an item to the group of its method. */
function gather(groups, method, cost, item) {
  const group = groups.get(method);
  if (!group) groups.set(method, { cost, items: [item] });
  else {
    group.cost += cost;
    group.items.push(item);
  }
}

/** What the outermost occurrences of a method call, as a tree below the method. */
function calleesOf(profile, method) {
  const { tree } = profile;
  const total = Number(profile.methods.inclusive[method]);
  const split = (nodes) => {
    const groups = new Map();
    let own = 0;
    for (const node of nodes) {
      own += Number(tree.columns.exclusive[tree.source[node]]);
      for (let child = node + 1; child < tree.end[node]; child = tree.end[child])
        if (!tree.isRest(child)) gather(groups, tree.method[child], tree.cost[child], child);
    }
    return { own, groups };
  };
  const { nodes } = tree.occurrences(method);
  const { own, groups: first } = split(nodes);
  return grown(first, ({ items }) => split(items), total * LEAST_AROUND, total, own);
}

/** Who calls the outermost occurrences of a method, as a tree above the method. */
function callersOf(profile, method) {
  const { tree } = profile;
  const total = Number(profile.methods.inclusive[method]);
  const split = (items) => {
    const groups = new Map();
    let own = 0;
    for (const { node, cost } of items) {
      const caller = tree.parent[node];
      if (caller <= 0) own += cost;
      else gather(groups, tree.method[caller], cost, { node: caller, cost });
    }
    return { own, groups };
  };
  const { nodes } = tree.occurrences(method);
  const items = nodes.map((node) => ({ node, cost: tree.cost[node] }));
  const { own, groups: first } = split(items);
  return grown(first, (group) => split(group.items), total * LEAST_AROUND, total, own);
}

/** The picture: `{ box, remove }`. */
function around(profile, method) {
  const above = element("div.frame.flame.above", { tabindex: 0, "aria-label": "Callers" });
  const below = element("div.frame.inverted.under", { tabindex: 0, "aria-label": "Callees" });
  const graph = (tree, frame, upward, label) => {
    const made = new FlameGraph(profile, tree, frame, {
      upward,
      label,
      hasStrip: false,
      root: upward ? null : method,
      chosen: (node) => go({ method: tree.method[node] }),
      moved: (node) => made.centre(node),
    });
    return made;
  };
  const graphs = [
    graph(callersOf(profile, method), above, true, "Callers"),
    graph(calleesOf(profile, method), below, false, "Callees"),
  ];
  return {
    box: element(
      "section.around",
      null,
      element("h3", null, "Callers above, callees below"),
      above,
      below,
      element(
        "p.hint.quiet",
        null,
        "All contexts of the method in one: a bar above or below is as wide as its share of the method's cost. A click zooms in, Esc zooms out, a click with Ctrl or Shift goes to the method.",
      ),
    ),
    reset: () => graphs.forEach((made) => made.reset()),
    remove: () => graphs.forEach((made) => made.remove()),
  };
}
