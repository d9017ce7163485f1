// The box beside a picture, with exact numbers of what the pointer is on.

const tooltip = {
  box: element("div.tooltip", { role: "tooltip", hidden: true }),

  /**
   * Shows lines of `[label, value]` under a title: behind the right edge of the
   * picture `beside`, which it must not hide, or if there is no room, below or above it.
   */
  show(beside, title, lines) {
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
    const { width, height } = this.box.getBoundingClientRect();
    const picture = beside.getBoundingClientRect();
    const gap = 8;
    const isRight = picture.right + gap + Math.min(width, 200) < innerWidth;
    const left = isRight ? picture.right + gap : picture.left;
    const below = picture.bottom + gap;
    const above = below + height > innerHeight ? picture.top - gap - height : below;
    const top = isRight ? picture.top : above;
    this.box.style.maxWidth = isRight ? `${innerWidth - left - 12}px` : "";
    this.box.style.left = `${left}px`;
    this.box.style.top = `${Math.max(4, Math.min(top, innerHeight - height - 4))}px`;
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
