// The box beside a picture, with exact numbers of what the pointer is on.

/** Pixels between the pointer and the box. */
const POINTER_GAP = 14;

const tooltip = {
  box: element("div.tooltip", { role: "tooltip", hidden: true }),

  /**
   * Shows lines of `[label, value]` under a title: beside the pointer, which is at
   * `x` and `y`, and never above the `picture`, where its controls are.
   */
  show(picture, { clientX: x, clientY: y }, title, lines) {
    fill(
      this.box,
      element("strong", null, title),
      element(
        "dl",
        null,
        lines
          .filter(([, value]) => value !== null && value !== undefined)
          .map(([label, value]) => [element("dt", null, label), element("dd", null, value)])
          .flat(),
      ),
    );
    this.box.hidden = false;
    // Its width depends on where it was.
    this.box.style.left = "0";
    const { width, height } = this.box.getBoundingClientRect();
    const { top: ceiling } = picture.getBoundingClientRect();
    const bar = document.querySelector(".selection:not([hidden])");
    const floor = bar ? bar.getBoundingClientRect().top : innerHeight;
    const right = x + POINTER_GAP + width <= innerWidth - 4;
    const left = right ? x + POINTER_GAP : Math.max(4, x - POINTER_GAP - width);
    const isBelow = y + POINTER_GAP + height <= floor - 4;
    const top = isBelow ? y + POINTER_GAP : Math.max(ceiling, y - POINTER_GAP - height);
    this.box.style.left = `${left}px`;
    this.box.style.top = `${Math.max(4, Math.min(top, floor - height - 4))}px`;
  },

  hide() {
    this.box.hidden = true;
  },
};

/** What there is to say about a node of a tree. */
function nodeFacts(profile, tree, node) {
  const metric = profile.metric;
  const share = `${count(tree.cost[node])} (${percent(tree.cost[node], profile.total)})`;
  if (node === 0) return ["All", [[metric, share]]];
  const contexts = tree.contexts(node);
  if (tree.isRest(node)) {
    return [
      "Rest: parts too small to be drawn one by one",
      [
        [metric, share],
        ["contexts", contexts && count(contexts)],
      ],
    ];
  }
  const frames = tree.frames(node);
  if (frames) {
    const named = frames.map((method) => profile.briefName(method));
    const shown = named.length > 9 ? [...named.slice(0, 4), "…", ...named.slice(-4)] : named;
    return [
      `${count(frames.length)} frames that lead to one callee each`,
      [
        [metric, share],
        ["frames", shown.join(" › ")],
        ["click", "unfolds them"],
      ],
    ];
  }
  const source = tree.source[node];
  const { exclusive, calls } = tree.columns;
  return [
    profile.nameOf(tree.method[node]),
    [
      [metric, share],
      ["itself", exclusive ? count(exclusive[source]) : null],
      ["calls", calls ? count(calls[source]) : null],
      ["contexts", contexts ? count(contexts) : null],
      ["level", count(tree.level[node])],
    ],
  ];
}
