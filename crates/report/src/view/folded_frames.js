// The call tree as pictures draw it: siblings of one name merged, recursion folded,
// and the frames at the root that lead to a single callee in one bar.

/** The least number of frames at the root that are drawn as one. */
const FEWEST_FRAMES = 5;

/** A frame leads to a single callee if that has so much of the thread's cost. */
const SINGLE_CALLEE = 0.99;

/** The tree that rings and flames show: what the address folds is folded. */
function drawnTree(profile) {
  const tree = shownTree(profile);
  const key = `${place.only} ${place.own} ${place.frames} ${place.recursion}`;
  if (profile.drawn?.key !== key) {
    const merged = mergedNodes(profile, tree, place.recursion === 0);
    profile.drawn = { key, tree: treeOfMerged(profile, merged, place.frames === 0) };
  }
  return profile.drawn.tree;
}

/** For each method the first one of the same name: a class may be loaded twice. */
function firstOfName(profile) {
  if (profile.firstOfName) return profile.firstOfName;
  const seen = new Map();
  profile.firstOfName = Int32Array.from({ length: profile.count }, (_, method) => {
    const name = profile.nameOf(method);
    if (!seen.has(name)) seen.set(name, method);
    return seen.get(name);
  });
  return profile.firstOfName;
}

/**
 * Nodes without siblings of one name and, if `foldsRecursion`, without methods that
 * are among their own callers: what such a call costs is part of the outer one. Node 0
 * is the whole; callers stand in front of their callees.
 */
function mergedNodes(profile, tree, foldsRecursion) {
  const first = firstOfName(profile);
  const { exclusive, calls, contexts } = tree.columns;
  const made = { method: [REST], parent: [-1], own: [0], rest: [0], calls: [0], contexts: [0], merged: [0] };
  const callees = new Map();
  const at = new Int32Array(tree.size);
  const placeOf = (above, method) => {
    if (foldsRecursion)
      for (let up = above; up > 0; up = made.parent[up]) if (made.method[up] === method) return up;
    const key = above * profile.count + method;
    let found = callees.get(key);
    if (found === undefined) {
      found = made.method.length;
      callees.set(key, found);
      made.method.push(method);
      made.parent.push(above);
      for (const column of ["own", "rest", "calls", "contexts", "merged"]) made[column].push(0);
    }
    return found;
  };
  for (let node = 1; node < tree.size; node += 1) {
    const above = at[tree.parent[node]];
    if (tree.isRest(node)) {
      made.rest[above] += tree.cost[node];
      continue;
    }
    const to = placeOf(above, first[tree.method[node]]);
    const source = tree.source[node];
    at[node] = to;
    made.merged[to] += 1;
    made.own[to] += Number(exclusive[source]);
    if (calls) made.calls[to] += Number(calls[source]);
    if (!contexts) continue;
    // A context counts where it is, so no longer below its caller.
    made.contexts[to] += contexts[source];
    if (tree.parent[node] > 0) made.contexts[above] -= contexts[source];
  }
  made.cost = made.own.map((own, node) => own + made.rest[node]);
  for (let node = made.cost.length - 1; node > 0; node -= 1) {
    made.cost[made.parent[node]] += made.cost[node];
    made.contexts[made.parent[node]] += made.contexts[node];
  }
  return { ...made, columns: tree.columns };
}

/** A tree of merged nodes, costliest callees first; `foldsFrames` joins those at the root. */
function treeOfMerged(profile, merged, foldsFrames) {
  const { method, parent, cost, columns: before } = merged;
  const below = method.map(() => []);
  for (let node = 1; node < method.length; node += 1) below[parent[node]].push(node);
  for (const callees of below) callees.sort((a, b) => cost[b] - cost[a] || a - b);
  const columns = { method: [], parent: [], inclusive: [], exclusive: [], merged: [], frames: [], rest: before.rest };
  if (before.calls) columns.calls = [];
  if (before.contexts) columns.contexts = [];
  const add = (node, above, frames) => {
    const last = frames?.at(-1) ?? node;
    columns.method.push(method[node]);
    columns.parent.push(above);
    columns.inclusive.push(cost[node]);
    // What leaves a folded frame by the way is not a rest: unfolded, it is drawn.
    columns.exclusive.push(frames ? cost[node] - cost[below[last][0]] : merged.own[node]);
    columns.merged.push(merged.merged[node]);
    columns.frames.push(frames ? frames.map((frame) => method[frame]) : null);
    columns.calls?.push(merged.calls[node]);
    columns.contexts?.push(merged.contexts[node]);
    return columns.method.length - 1;
  };
  const pending = below[0].map((node) => [node, -1]).reverse();
  while (pending.length > 0) {
    const [node, above] = pending.pop();
    const frames = above < 0 && foldsFrames ? singleCallees(node, below, cost) : null;
    const at = add(node, above, frames);
    const callees = frames ? [below[frames.at(-1)][0]] : below[node];
    for (let next = callees.length - 1; next >= 0; next -= 1) pending.push([callees[next], at]);
  }
  const roots = below[0].reduce((sum, node) => sum + cost[node], 0);
  const own = profile.total - roots - merged.rest[0];
  return new Tree(columns, profile.total, "exclusive", Math.max(0, own));
}

/** The frames from a root on that lead to one callee each; null for few. */
function singleCallees(root, below, cost) {
  const frames = [];
  for (let node = root; below[node].length > 0; node = below[node][0]) {
    if (cost[below[node][0]] < SINGLE_CALLEE * cost[root]) break;
    frames.push(node);
  }
  return frames.length >= FEWEST_FRAMES ? frames : null;
}

/** What is folded can be unfolded, and folded again. */
function foldingControls(tree) {
  const folds = tree.columns.frames?.some(Boolean);
  const recursion = element("input", {
    type: "checkbox",
    id: "recursion",
    checked: place.recursion === 0,
    onchange: () => go({ recursion: recursion.checked ? 0 : 1, node: 0 }),
  });
  return [
    element(
      "label.check",
      { title: "A method that is called again below itself is drawn once, with all that its calls cost" },
      recursion,
      "fold recursion",
    ),
    (folds || place.frames === 1) &&
      element(
        "button",
        {
          type: "button",
          id: "frames",
          title: "Frames at the root of a thread that lead to one callee each",
          onclick: () => go({ frames: 1 - place.frames, node: 0 }),
        },
        folds ? "Unfold root frames" : "Fold root frames",
      ),
  ];
}
