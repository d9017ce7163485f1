// The frame that ring chart and flame graphs share: controls and the way to the
// centre above, the picture, and over it a drawer with what the colours mean.

/**
 * A view of a tree. `draws(profile, frame, events)` makes the picture, which
 * can `centre` a node, `highlight` a method, be `reset` and be removed.
 */
function pictureView({ id, title, heading, about, hint, treeOf, draws }) {
  return {
    id,
    title,
    heading,
    about,
    treeOf: (profile) => treeOf(byMetric(profile)),

    mount(host, recorded) {
      const profile = byMetric(recorded);
      const tree = treeOf(profile);
      const crumbs = element("div.crumbs");
      const frame = element(`div.frame.${id}`, {
        tabindex: 0,
        role: "group",
        "aria-label": `${title}; arrow keys walk, Enter selects, Space zooms`,
        onkeydown: (event) => walk(event),
      });
      const side = element("div.side");
      const drawer = new Drawer(side);
      const told = element("span.matched", { role: "status" });
      /** The drawer may be closed, so this says what the keys have reached. */
      const heard = element("p.unseen", { role: "status" });
      /** What was clicked is in sight, and stays where it is. */
      let clicked = -1;
      const events = {
        chosen: (node) => {
          const method = tree.method[node];
          clicked = tree.outermostAbove(node);
          go({ method, at: Math.max(0, tree.occurrences(method).nodes.indexOf(clicked)) });
        },
        moved: (node) => {
          if (node === place.node) picture.centre(node);
          go({ node });
        },
        unfolded: () => go({ frames: 1, node: 0 }),
      };
      const reset = () => {
        go({ node: 0 });
        picture.reset();
      };
      host.append(
        element(
          "form.controls.of-picture",
          { onsubmit: (event) => event.preventDefault() },
          metricChooser(recorded),
          !tree.isInverted && onlyChooser(profile),
          !tree.isInverted && foldingControls(tree),
          element("button", { type: "button", id: "reset-zoom", title: "All of it (Esc)", onclick: reset }, "Reset zoom"),
          kindKeys(),
        ),
        element(
          "div.of-picture.way",
          null,
          crumbs,
          told,
          element("span.ends", null, savingControls(() => picture, id), drawer.opener),
        ),
        element("div.stage", null, element("div.drawn", null, frame), drawer.box),
        element("p.hint.quiet", null, hint),
        heard,
      );
      const picture = draws(profile, frame, events);
      let cursor = 0;
      const walk = (event) => {
        const next = neighbour(tree, cursor, event.key);
        if (next !== null) {
          cursor = next;
          picture.mark(cursor);
          fill(side, sideOf(cursor));
          fill(heard, nodeInWords(profile, tree, cursor));
        } else if (event.key === "Enter" && cursor > 0 && !tree.isRest(cursor)) {
          if (tree.frames(cursor)) events.unfolded();
          else events.chosen(cursor);
        } else if (event.key === " ") {
          events.moved(tree.isRest(cursor) ? tree.parent[cursor] : cursor);
        } else {
          return;
        }
        event.preventDefault();
        event.stopPropagation();
      };
      const sideOf = (node) => {
        const [name, facts] = nodeFacts(profile, tree, node);
        return [
          legend(profile, tree, place.method, matches()),
          element(
            "section.node",
            null,
            element("h2", { title: "A stack of calls; the same method called on two stacks has two contexts" }, "Context"),
            element("p.wrap", null, name),
            element(
              "dl",
              null,
              facts
                .filter(([, v]) => v)
                .map(([k, v]) => [element("dt", null, k), element("dd", null, v)])
                .flat(),
            ),
            // Fingers have no Ctrl.
            node > 0 &&
              !tree.isRest(node) &&
              !tree.frames(node) &&
              element("button", { type: "button", id: "select-context", onclick: () => events.chosen(node) }, "Select this method"),
          ),
        ];
      };
      const matches = () => foundMethods(profile, place.find);
      let occurrence = -1;
      const update = () => {
        const node = place.node < tree.size ? place.node : 0;
        if (picture.node !== node) cursor = node;
        fill(crumbs, trail(profile, tree, node));
        // The end of a long way says where one is.
        crumbs.firstChild.scrollLeft = crumbs.firstChild.scrollWidth;
        fill(side, sideOf(cursor));
        fill(told, matchedInWords(profile, tree, matches()));
        if (picture.method !== place.method || picture.found !== matches())
          picture.highlight(place.method, matches());
        const moves = picture.node !== node;
        if (moves) picture.centre(node);
        const { nodes } = place.method === null ? { nodes: [] } : tree.occurrences(place.method);
        const wanted = nodes[Math.min(place.at, nodes.length - 1)] ?? -1;
        if (wanted === clicked || (moves && node > 0)) picture.occurrence = wanted;
        else if (wanted !== occurrence) picture.reveal(wanted);
        if (wanted === clicked) picture.highlight(place.method, matches());
        occurrence = wanted;
        clicked = -1;
      };
      const recolour = () => {
        fill(side, sideOf(cursor));
        host.querySelector(".kinds").replaceWith(kindKeys());
      };
      addEventListener("themechange", recolour);
      update();
      return {
        update,
        // Without a zoom in the address there may be one by the wheel.
        reset: () => picture.reset(),
        remove: () => {
          removeEventListener("themechange", recolour);
          picture.remove();
        },
      };
    },
  };
}

/** A node in a sentence, for those who hear it. */
function nodeInWords(profile, tree, node) {
  const [name, facts] = nodeFacts(profile, tree, node);
  const [[metric, share]] = facts.length > 0 ? facts : [["", ""]];
  return `${name}, ${share} ${metric}, level ${tree.level[node]}`;
}

/** The node that an arrow key leads to: callees down, callers up, siblings sideways. */
function neighbour(tree, node, key) {
  const above = node > 0 ? tree.parent[node] : -1;
  if (key === "ArrowDown") return tree.end[node] > node + 1 ? node + 1 : node;
  if (key === "ArrowUp") return Math.max(0, above);
  if (above < 0) return key === "ArrowLeft" || key === "ArrowRight" ? node : null;
  if (key === "ArrowRight") return tree.end[node] < tree.end[above] ? tree.end[node] : node;
  if (key !== "ArrowLeft") return null;
  let before = node;
  for (let child = above + 1; child < node; child = tree.end[child]) before = child;
  return before;
}

const POINTING = "Click zooms in, a click further in or Esc leads back, Ctrl or Shift and click selects a method.";

const ringView = pictureView({
  id: "ring",
  title: "Rings",
  about: "Every ring is a level of calls, and the length of a piece its share of the cost. Look for long pieces far out.",
  hint: POINTING,
  treeOf: drawnTree,
  draws: (profile, frame, events) => new RingChart(profile, drawnTree(profile), frame, events),
});

const FLAME_POINTING =
  "Click zooms in, a click on a caller or Esc leads back, Ctrl or Shift and click selects a method. Ctrl and wheel zoom, a drag moves.";

const flameView = pictureView({
  id: "flame",
  title: "Flames",
  heading: "Flames: calls from above",
  about: "Callees stand on their callers, as wide as their share of the cost. Look for wide bars with little above them.",
  hint: FLAME_POINTING,
  treeOf: drawnTree,
  draws: (profile, frame, events) =>
    new FlameGraph(profile, drawnTree(profile), frame, { upward: true, label: "Flame graph", ...events }),
});

const invertedView = pictureView({
  id: "inverted",
  title: "Inverted",
  heading: "Inverted flames: callers from below",
  about: "At the top methods by their own cost, below each one its callers. Look at the widest, and follow who calls it.",
  hint: FLAME_POINTING,
  treeOf: (profile) => profile.inverted,
  draws: (profile, frame, events) =>
    new FlameGraph(profile, profile.inverted, frame, {
      upward: false,
      label: "Inverted flame graph",
      ...events,
    }),
});
