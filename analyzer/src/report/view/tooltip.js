// The box beside the pointer, with exact numbers.

const tooltip = {
  box: element("div.tooltip", { role: "tooltip", hidden: true }),

  /** Shows lines of `[label, value]` under a title. */
  show(event, title, lines) {
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
    const gap = 14;
    const right = event.clientX + gap + width < innerWidth;
    const below = event.clientY + gap + height < innerHeight;
    const left = right ? event.clientX + gap : event.clientX - gap - width;
    const top = below ? event.clientY + gap : event.clientY - gap - height;
    this.box.style.left = `${Math.max(4, left)}px`;
    this.box.style.top = `${Math.max(4, top)}px`;
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
      "Rest: too small to be shown",
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
