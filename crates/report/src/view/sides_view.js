// Two profiles beside each other: the flames of both, where there is room for them side
// by side, and under each other elsewhere.

const sidesView = {
  id: "sides",
  title: "Side by side",
  heading: "Side by side: calls before and after",
  about:
    "The flames of both runs with one scale: bars of one width cost the same. A zoom or a selection in one holds for both.",
  treeOf: (profile) => drawnTree(byMetric(profile)),

  mount(host, recorded, report) {
    if (!report.diff) return missingSecond(host);
    const profiles = [0, 1].map((side) => byMetric(report.open(side)));
    const at = Math.min(place.profile, 1);
    const frames = [0, 1].map((side) =>
      element("div.frame.flame", { tabindex: 0, role: "group", "aria-label": `Flames ${sideOfTwo(report, side)}`, "data-side": side }),
    );
    const told = [0, 1].map(() => element("p.quiet", { role: "status" }));
    const crumbs = element("div.crumbs");
    const matched = element("span.matched", { role: "status" });
    const toMain = (side, change) => {
      const { node, method } = change;
      if (side === at) return go(change);
      const there = node === undefined ? null : pair.nodeOf(side, node);
      const known = method === undefined ? null : pair.methodOf(side, method);
      // The other run alone has it: it is the one that one looks at from here on.
      if ((there && !there.isFound) || known === NOWHERE) return go({ ...change, profile: side });
      return go({ ...change, ...(there && { node: there.node }), ...(known !== null && { method: known }) });
    };
    const events = (side) => ({
      chosen: (node) => toMain(side, { method: pair.trees[side].method[node] }),
      moved: (node) => {
        if (side === at && node === place.node) pair.centre(at, node);
        else toMain(side, { node });
      },
      unfolded: () => go({ frames: 1, node: 0 }),
    });
    const reset = () => {
      if (place.node === 0) pair.centre(at, 0);
      go({ node: 0 });
    };
    host.append(
      element(
        "form.controls.of-picture",
        { onsubmit: (event) => event.preventDefault() },
        metricChooser(recorded),
        onlyChooser(profiles[at]),
        foldingControls(drawnTree(profiles[at])),
        element("button", { type: "button", id: "reset-zoom", title: "All of it (Esc)", onclick: reset }, "Reset zoom"),
        kindKeys(),
      ),
      element("div.of-picture.way", null, crumbs, matched),
      element(
        "div.stage.sides",
        null,
        frames.map((frame, side) =>
          element("section.drawn", null, element("h2", null, sideLabel(report, side)), told[side], frame),
        ),
      ),
      element("p.hint.quiet", null, FLAME_POINTING),
    );
    const pair = new FlamePair(report, profiles, frames, events);
    frames.forEach((frame, side) => frame.addEventListener("keydown", (event) => this.walk(event, pair, side, events(side))));
    const matches = (side) => foundMethods(profiles[side], place.find);
    let shown = -1;
    const update = () => {
      const node = place.node < pair.trees[at].size ? place.node : 0;
      const method = place.method;
      const methods = [0, 1].map((side) => (side === at ? method : pair.methodOf(at, method)));
      fill(crumbs, trail(profiles[at], pair.trees[at], node));
      crumbs.firstChild.scrollLeft = crumbs.firstChild.scrollWidth;
      fill(matched, matchedInWords(profiles[at], pair.trees[at], matches(at)));
      pair.graphs.forEach((graph, side) => {
        graph.highlight(methods[side], matches(side));
        fill(told[side], sideInWords(pair, at, side, node, methods[side]));
      });
      if (node !== shown) pair.centre(at, node);
      shown = node;
      pair.graphs.forEach((graph, side) => {
        const { nodes } = methods[side] === null || methods[side] < 0 ? { nodes: [] } : pair.trees[side].occurrences(methods[side]);
        graph.occurrence = nodes[Math.min(place.at, nodes.length - 1)] ?? -1;
      });
      const occurrence = pair.graphs[at].occurrence;
      if (occurrence >= 0 && node === 0) pair.graphs[at].reveal(occurrence);
    };
    update();
    return { update, reset: () => pair.centre(at, 0), remove: () => pair.remove() };
  },

  /** Arrow keys walk through one of the flames; the other one follows. */
  walk(event, pair, side, events) {
    const tree = pair.trees[side];
    const graph = pair.graphs[side];
    const cursor = graph.cursor ?? graph.node;
    const next = neighbour(tree, cursor, event.key);
    if (next !== null) {
      graph.cursor = next;
      graph.mark(next);
      pair.pointed(graph, next);
    } else if (event.key === "Enter" && cursor > 0 && !tree.isRest(cursor) && !tree.frames(cursor)) events.chosen(cursor);
    else if (event.key === " ") events.moved(tree.isRest(cursor) ? tree.parent[cursor] : cursor);
    else return;
    event.preventDefault();
    event.stopPropagation();
  },
};

/** What one of two flame graphs shows, and what it costs. */
function sideInWords(pair, at, side, node, method) {
  const profile = pair.profiles[side];
  const tree = pair.trees[side];
  const shown = side === at ? { node, isFound: true } : pair.nodeOf(at, node);
  const cost = shown.isFound ? tree.cost[shown.node] : 0;
  const name = node === 0 ? "All" : pair.graphs[at].captions(node)[0];
  const whole = node === 0 ? "" : ` (${percent(cost, profile.total)} of its run)`;
  const selected =
    method === null
      ? null
      : method < 0
        ? "The selected method is not in this run."
        : `Selected: ${percent(Number(profile.methods.inclusive[method]), profile.total)} of its run.`;
  const zoomed = shown.isFound
    ? `${name}: ${count(cost)} ${profile.metric}${whole}.`
    : `${name} is not called here, or too small to draw. Its last caller that is: ${pair.graphs[side].captions(shown.node)[0]}, on a scale of its own.`;
  return [zoomed, selected && ` ${selected}`];
}
