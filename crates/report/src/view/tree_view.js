// The calls as a tree to open and close: from the threads down, or from methods up
// to their callers.

/** The tree of the address: what is called, from above, or who calls, from below. */
function gridTree(profile) {
  return place.way === "below" ? profile.inverted : shownTree(profile);
}

const treeView = {
  id: "tree",
  title: "Call tree",
  about: "Every line is a method in its context. Open lines along the greatest shares to see where the cost goes.",
  treeOf: (profile) => gridTree(byMetric(profile)),

  mount(host, recorded) {
    const profile = byMetric(recorded);
    const tree = gridTree(profile);
    const found = () => foundMethods(profile, place.find);
    const grid = new TreeGrid(tree, {
      label: tree.isInverted ? "Methods and their callers" : "Calls",
      ...gridColumns(profile, tree),
      nameOf: (node) => nodeName(profile, tree, node),
      opened: (node) => go({ view: "method", method: tree.method[node], node: 0 }),
      chosen: (node) => {
        const method = tree.method[node];
        clicked = node;
        const at = tree.occurrences(method).nodes.indexOf(tree.outermostAbove(node));
        go({ method, at: Math.max(0, at) });
      },
      isChosen: (node) => place.method !== null && tree.method[node] === place.method,
      isFound: (node) => found()?.has(tree.method[node]) ?? false,
    });
    /** What was clicked is in sight already. */
    let clicked = -1;
    const button = (text, title, onclick) => element("button", { type: "button", title, onclick }, text);
    const along = (share) => {
      grid.rows.openAlong(0, share);
      grid.draw();
    };
    const told = element("span.matched", { role: "status" });
    host.append(
      element(
        "form.controls.of-picture",
        { onsubmit: (event) => event.preventDefault() },
        wayChooser(),
        metricChooser(recorded, "Cost is "),
        !tree.isInverted && onlyChooser(profile),
        button("Open the costliest way", "Opens the costliest callee of each line", () => {
          along(0);
          grid.moveTo(deepestOpen(grid.rows));
        }),
        button("Close all", null, () => {
          grid.rows.closeAll();
          grid.moveTo(0);
        }),
        told,
      ),
      element("div.stage", null, grid.box),
      element(
        "p.hint.quiet",
        null,
        "→ opens a line or goes into it, ← closes it or goes to its caller. A click or Space selects the method, Enter opens it.",
      ),
    );
    along(OPENS_ALONG);
    let shown = null;
    const update = () => {
      fill(told, matchedInWords(profile, tree, found()));
      const { nodes } = place.method === null ? { nodes: [] } : tree.occurrences(place.method);
      const wanted = nodes[Math.min(place.at, nodes.length - 1)] ?? null;
      if (wanted !== null && wanted !== shown && clicked < 0) grid.reveal(wanted);
      shown = wanted;
      clicked = -1;
      grid.draw();
    };
    update();
    return { update, remove: () => grid.remove(), print: () => grid.print() };
  },
};

/** The row furthest down the way that was opened. */
function deepestOpen({ rows, open }) {
  let deepest = 0;
  rows.forEach((row, at) => {
    if (row.node !== undefined && open.has(row.node)) deepest = at + 1;
  });
  return Math.min(deepest, rows.length - 1);
}

/** From above or from below. */
function wayChooser() {
  const button = (way, text, title) =>
    element(
      "button",
      { type: "button", title, "aria-pressed": String(place.way === way), "data-way": way, onclick: () => go({ way, node: 0 }) },
      text,
    );
  return element(
    "span.shapes",
    { role: "group", "aria-label": "Direction" },
    button("", "Calls from above", "Threads, and below each line what it calls"),
    button("below", "Callers from below", "Methods by their own cost, and below each line who calls it"),
  );
}

/** What a line is called: the method, or what is not shown one by one. */
function nodeName(profile, tree, node) {
  if (tree.isRest(node)) return element("i.quiet", null, "rest: parts too small to be kept");
  const whole = profile.nameOf(tree.method[node]);
  const short = profile.briefName(tree.method[node]);
  const behind = whole.slice(0, Math.max(0, whole.length - short.length - 1));
  return [short, behind && element("span.package", null, ` ${behind}`)];
}

/** The columns, as far as the tree knows them, and how wide they are. */
function gridColumns(profile, tree) {
  const { exclusive, calls, metrics } = tree.columns;
  const { total, metric } = profile;
  const of = (column, node) => (tree.source[node] < 0 || tree.isRest(node) ? null : Number(column[tree.source[node]]));
  const number = (id, title, hint, value) => ({ id, title, hint, kind: "number", value, cell: (node) => (value(node) === null ? "" : count(value(node))) });
  const share = (id, title, hint, value, whole) => ({
    id,
    title,
    hint,
    kind: "share",
    value,
    cell: (node) => (value(node) === null ? "" : shareCell(value(node), whole)),
  });
  const cost = (node) => tree.cost[node];
  const own = (node) => of(exclusive, node);
  const time = metric !== TIME && profile.metrics.find(({ name }) => name === TIME);
  const seen = metrics?.[TIME];
  const columns = tree.isInverted
    ? [
        share("total-share", "Own %", `Own cost of the method at the top that this caller causes, of all ${metric}`, cost, total),
        number("total", "Own", `The same in ${metric}`, cost),
      ]
    : [
        share("total-share", "Total %", `With all that it calls here, of all ${metric}`, cost, total),
        number("total", "Total", `${capital(metric)} with all that it calls here`, cost),
        exclusive && share("own-share", "Own %", `By its own code here, of all ${metric}`, own, total),
        calls && number("calls", "Calls", "How often it was called here", (node) => of(calls, node)),
        seen &&
          time &&
          share("time", "Time %", `Of ${counted(Number(time.total), "sample")} of time; a few samples are chance`, (node) => of(seen[0], node), Number(time.total)),
      ];
  const shown = columns.filter(Boolean);
  return { columns: shown, widths: shown.map(({ kind }) => (kind === "share" ? "5.4rem" : "8.4rem")).join(" ") };
}

/** The metric that samples of time have. */
const TIME = "time";
