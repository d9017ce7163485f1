// Blueprints as drawings. Each takes what `told` says of the part under the pointer,
// and gives `{ svg, layout }`.

/** What becomes of a method's results, as `mode=results` tells it, in words. */
const RESULTS = {
  void: "void",
  this: "always this",
  null: "always null",
  nan: "always NaN",
  one: "one value",
  receiver: "one per receiver",
  input: "one per input",
  varies: "varies",
  unrepeated: "input not repeated",
  exceptions: "never returned",
  unknown: "not followed",
};

/** The colour of a method: the kind of its results if that is known, or whose code it is. */
function fillOf(profile, method) {
  if (profile.methods.results) {
    const { kind } = resultOf(profile, method) ?? {};
    return `result-${kind in RESULTS ? kind : "unknown"}`;
  }
  return `kind-${kindOf(profile.classOf(method))}`;
}

function drawing(label, { width, height }, ...parts) {
  const made = drawn(
    "svg",
    {
      class: "blueprint",
      role: "img",
      "aria-label": label,
      width: Math.ceil(width) + 2,
      height: Math.ceil(height) + 2,
      viewBox: `-1 -1 ${Math.ceil(width) + 2} ${Math.ceil(height) + 2}`,
    },
    ...parts,
  );
  // Nothing within an image can be reached.
  if (made.querySelector("a")) made.setAttribute("role", "group");
  return made;
}

/** A length as it is written. */
function length(value) {
  return Math.round(value * 100) / 100;
}

function box({ x, y, width, height }, more) {
  const places = { x: length(x), y: length(y), width: length(width), height: length(height) };
  return drawn("rect", { ...places, ...more });
}

function text(x, y, words, more) {
  return drawn("text", { x: length(x), y: length(y), ...more }, words);
}

/** 1000 as "1 k": the powers of ten at axes. */
function decade(power) {
  return `${10 ** (power % 3)}${["", " k", " M", " G", " T", " P", " E"][Math.floor(power / 3)]}`;
}

/** All methods by calls and cost, as dots. */
function scatterPicture(profile, width, height, told) {
  const methods = [...profile.methods.name.keys()];
  const points = methods.map((method) => ({
    of: method,
    cost: blueprintCost(profile, method),
    calls: executionsOf(profile, method),
    name: "",
  }));
  points.sort((a, b) => b.cost - a.cost || a.of - b.of);
  for (const point of points.slice(0, NAMEABLE_DOTS))
    point.name = blueprintName(profile.classOf(point.of), profile.methods.name[point.of]);
  const layout = scatter(points, width, height);
  const { dots, diagonals, names, across, up, xOf, yOf } = layout;
  // One's own code lies on top, and what is searched above it.
  const paths = new Map(["platform", "library", "own"].map((kind) => [`kind-${kind}`, []]));
  const found = foundMethods(profile, place.find);
  const kinds = profile.methods.results ? null : profile.methods.classes.map(kindOf);
  for (const { of, x, y } of dots) {
    const fill = found?.has(of)
      ? "found"
      : kinds
        ? `kind-${kinds[profile.methods.class[of]]}`
        : fillOf(profile, of);
    const path = paths.get(fill);
    const dot = `M${length(x)} ${length(y)}h.01`;
    if (path) path.push(dot);
    else paths.set(fill, [dot]);
  }
  const chosen = dots.find(({ of }) => of === place.method);
  const calls = profile.methods.calls ? "calls" : "contexts";
  const mark = drawn("circle", { class: "pointed", r: 5.5, visibility: "hidden" });
  const steps = (most) => Array.from({ length: most + 1 }, (_, power) => power);
  const made = drawing(
    "All methods by calls and cost",
    { width, height },
    steps(across).map((power) => [
      drawn("path", { class: "grid", d: `M${length(xOf(power))} ${yOf(0)}V${yOf(up)}` }),
      text(xOf(power), yOf(0) + LINE + 2, decade(power), { class: "quiet", "text-anchor": "middle" }),
    ]),
    steps(up).map((power) => [
      drawn("path", { class: "grid", d: `M${xOf(0)} ${length(yOf(power))}H${length(xOf(across))}` }),
      text(xOf(0) - 6, yOf(power) + 4, decade(power), { class: "quiet", "text-anchor": "end" }),
    ]),
    diagonals.map(({ power, from, to, isUp }) => [
      drawn("path", {
        class: "diagonal",
        d: `M${length(from.x)} ${length(from.y)}L${length(to.x)} ${length(to.y)}`,
      }),
      // At the top of a small screen there is room for every second one, right of the metric.
      isUp &&
        (width >= 600 || (power % 2 === 0 && to.x > 120)) &&
        text(to.x, to.y - 6, `${decade(power)}/call`, { class: "quiet", "text-anchor": "middle" }),
      !isUp && text(to.x + 5, to.y + 4, `${decade(power)}/call`, { class: "quiet" }),
    ]),
    text(xOf(across), height - 4, `${calls} →`, { class: "quiet", "text-anchor": "end" }),
    text(0, LINE - 4, `↑ ${profile.metric}${place.by === "own" ? " of its own" : ""}`, { class: "quiet" }),
    [...paths].filter(([, path]) => path.length > 0).map(([fill, path]) => drawn("path", { class: `dots ${fill}`, d: path.join("") })),
    names
      .filter(({ line }) => line)
      .map(({ line: [from, to] }) =>
        drawn("path", { class: "leader", d: `M${length(from.x)} ${length(from.y)}L${length(to.x)} ${length(to.y)}` }),
      ),
    names.map((name) => text(name.x, name.y + LINE - 3.5, name.text, { class: "dot-name" })),
    chosen && drawn("circle", { class: "chosen", r: 6, cx: length(chosen.x), cy: length(chosen.y) }),
    mark,
  );
  const nearest = (event) => {
    const frame = made.getBoundingClientRect();
    const [x, y] = [event.clientX - frame.left - 1, event.clientY - frame.top - 1];
    let best = null;
    let least = 100;
    for (const dot of dots) {
      const distance = (dot.x - x) ** 2 + (dot.y - y) ** 2;
      if (distance < least) [best, least] = [dot, distance];
    }
    return best;
  };
  made.addEventListener("pointermove", (event) => {
    const dot = nearest(event);
    mark.setAttribute("visibility", dot ? "visible" : "hidden");
    if (dot) {
      mark.setAttribute("cx", dot.x);
      mark.setAttribute("cy", dot.y);
    }
    made.style.cursor = dot ? "pointer" : "default";
    told(dot?.of ?? null);
  });
  made.addEventListener("pointerleave", () => mark.setAttribute("visibility", "hidden"));
  made.addEventListener("click", (event) => {
    const dot = nearest(event);
    if (dot) go({ method: dot.of });
  });
  return { svg: made, layout };
}

/**
 * How dark methods are by the number of objects that they were called on, where
 * `mode=results` counted them: a function of a method, null for what is not known.
 */
function shadesOf(profile) {
  const known = Object.values(profile.methods.results ?? {}).map(({ receivers }) => Number(receivers ?? 0));
  const most = Math.log10(1 + known.reduce((greatest, number) => Math.max(greatest, number), 0));
  return (method) => {
    const { receivers } = resultOf(profile, method) ?? {};
    return most > 0 && receivers !== undefined ? length(0.25 + (0.75 * Math.log10(1 + Number(receivers))) / most) : null;
  };
}

/** Classes, or packages where there are many methods, as skylines. */
function structuralPicture(profile, width, told) {
  const groups = groupsOf(profile, place.scope);
  const plot = width - SCALE_ROOM;
  const layout = { ...skylines(groups, plot), width };
  const shadeOf = shadesOf(profile);
  const labels = new Map();
  const supers = profile.methods.supers ?? [];
  const { classes } = profile.methods;
  const above = new Map(classes.map((owner, at) => [owner, classes[supers[at]]]));
  /** Lights the superclasses of a class, and the classes right below it. */
  const light = (key) => {
    for (const label of labels.values()) label.classList.remove("super", "sub");
    for (let owner = above.get(key); owner; owner = above.get(owner))
      labels.get(owner)?.classList.add("super");
    if (key) for (const [owner, label] of labels) if (above.get(owner) === key) label.classList.add("sub");
  };
  const bars = layout.bars.map((bar) => {
    const { isPackage, key } = bar.group;
    const fill = isPackage ? `kind-${kindOf(bar.of)}` : fillOf(profile, bar.of);
    const isChosen = !isPackage && bar.of === place.method;
    const part = isPackage ? { owner: bar.of, group: bar.group } : bar.of;
    return drawn(
      "a",
      {
        href: isPackage ? link({ scope: key }) : link({ method: bar.of }),
        "aria-label": isPackage ? bar.of : profile.nameOf(bar.of),
        onpointerenter: () => {
          told(part);
          light(isPackage ? null : key);
        },
        onfocus: () => told(part),
      },
      box(bar, {
        class: `bar ${fill}${isChosen ? " chosen" : ""}`,
        "data-of": isPackage ? null : bar.of,
        "fill-opacity": isPackage ? null : shadeOf(bar.of),
      }),
    );
  });
  const names = layout.groups.map((group) => {
    const label = text(group.x, group.base + LINE - 2, group.label, { class: "group" });
    labels.set(group.key, label);
    const enter = () => {
      told({ group });
      light(group.isPackage ? null : group.key);
    };
    return [
      drawn("path", {
        class: "base",
        d: `M${length(group.x)} ${length(group.base)}h${length(group.width)}`,
      }),
      group.isPackage
        ? drawn("a", { href: link({ scope: group.key }), onpointerenter: enter }, label)
        : drawn("g", { onpointerenter: enter }, label),
    ];
  });
  const scales = layout.rows.map((row) => heightScale(row, plot, profile.metric));
  return { svg: drawing("Structural blueprint", layout, bars, names, scales), layout };
}

/** What a method calls, each method once. */
function behaviouralPicture(profile, start, width, told) {
  const graph = new CallGraph(profile);
  const tree = blueprintTree(graph, start);
  const most = tree.shown.reduce((greatest, { of }) => Math.max(greatest, graph.cost(of)), 1);
  const layout = blocksBesideScale(tree.root, width, (node) => sizeOf(graph, node, most));
  const nodes = layout.nodes.map((placed) => {
    const { of, members } = placed.node;
    const isChain = members.length > 1;
    return drawn(
      "a",
      {
        href: link({ method: of }),
        "aria-label": spoken(profile.nameOf(of), placed.name),
        "data-of": of,
        onpointerenter: () => {
          told(of, members);
          others(of);
        },
        onpointerleave: () => others(null),
        onfocus: () => told(of, members),
      },
      box(placed, { class: `node ${isChain ? "chain" : fillOf(profile, of)}` }),
      nameBeside(placed),
    );
  });
  const aside = drawn("g", { class: "others" });
  const byMethod = new Map(layout.nodes.map((placed) => [placed.node.of, placed]));
  /** Draws the calls of a method that have no line of their own. */
  const others = (of) => {
    aside.replaceChildren();
    if (of === null) return;
    const from = byMethod.get(of);
    const drawnBelow = new Set(from.node.below.map((node) => node.of));
    for (const call of graph.calls(of)) {
      const to = byMethod.get(call.of);
      if (!to || drawnBelow.has(call.of)) continue;
      const [x1, x2] = [from.x + from.width / 2, to.x + to.width / 2];
      const bend = (x1 + x2) / 2 + 30;
      aside.append(
        drawn("path", {
          d: `M${length(x1)} ${length(from.middle)}Q${length(bend)} ${length((from.middle + to.middle) / 2)} ${length(x2)} ${length(to.middle)}`,
        }),
      );
    }
  };
  const scale = heightScale(scaleOfBoxes(most), layout.plot, profile.metric);
  return { svg: drawing("Behavioural blueprint", layout, lines(layout), nodes, aside, scale), layout, tree };
}

/** A tree laid out so that there is room for a scale right of its `plot`. */
function blocksBesideScale(root, width, size) {
  const layout = blocks(root, width - SCALE_ROOM, size);
  // A deep tree is wider than it should be.
  const right = ({ x, width, name }) => x + width + 5 + breadthOf(name);
  const plot = layout.nodes.reduce((most, placed) => Math.max(most, right(placed)), width - SCALE_ROOM);
  return { ...layout, plot, width: plot + SCALE_ROOM, height: Math.max(layout.height, TALLEST_BOX) };
}

/** What the tallest box stands for. */
function scaleOfBoxes(most) {
  return { base: TALLEST_BOX, top: 0, cost: most };
}

/** The size of a node: as high as its cost, as wide as its executions. */
function sizeOf(graph, node, most) {
  const height = Math.max(LOWEST_BOX, (TALLEST_BOX * graph.cost(node.of)) / most);
  const name = node.members.length > 1 ? chainName(graph, node) : graph.label(node.of);
  return { width: executionsWidth(graph.executions(node.of), 6, 7), height, name };
}

function chainName(graph, { of, members }) {
  const more = ` … +${members.length - 1}`;
  return clipped(graph.label(of), LONGEST_NAME - more.length) + more;
}

/** What a screen reader says of a link: its name, and what stands in it where that is shorter. */
function spoken(name, shown) {
  return !shown || name.includes(shown) ? name : `${name}, ${shown}`;
}

function nameBeside({ x, width, middle, name }) {
  return text(x + width + 5, middle + 4, name, {});
}

function lines(layout) {
  const path = (points) => `M${points.map(([x, y]) => `${length(x)} ${length(y)}`).join("L")}`;
  return layout.links.map((points) => drawn("path", { class: "call", d: path(points) }));
}

/** What two profiles call, each method once: what costs more, less, is new, and gone. */
function evolutionPicture(graph, start, width, told, opened) {
  const tree = blueprintTree(graph, start);
  const most = tree.shown.reduce((greatest, { of }) => Math.max(greatest, graph.cost(of)), 1);
  const layout = blocksBesideScale(tree.root, width, (node) => sizeOf(graph, node, most));
  const nodes = layout.nodes.map((placed) => {
    const { of, members } = placed.node;
    const [profile, method, side] = graph.known(of);
    const [before, after] = graph.costs(of);
    const [fewer, more] = graph.runs(of).map((calls) => executionsWidth(calls, 6, 7));
    const change = graph.change(of);
    const way = change === 0 ? "same" : change > 0 ? "more" : after === 0 ? "gone" : "less";
    // What only one run has may still cost too little to count as a difference.
    const isAfter = way !== "gone" && after > 0;
    const isChanged = graph.codes.has(of) && !graph.isSame;
    const high = (cost) => Math.max(LOWEST_BOX, (TALLEST_BOX * cost) / most);
    const foot = placed.middle + placed.height / 2;
    const shape = (cost, breadth) => ({ x: placed.x, y: foot - high(cost), width: breadth, height: high(cost) });
    return drawn(
      "a",
      {
        href: opened(of),
        "aria-label": spoken(`${profile.nameOf(method)}: ${graph.state(of)}`, placed.name),
        "data-of": of,
        "data-way": way,
        "data-state": graph.state(of),
        "data-side": side,
        onpointerenter: () => told(of, members),
        onfocus: () => told(of, members),
      },
      box(isAfter ? shape(after, more) : shape(before, fewer), {
        class: `node ${way}${isChanged ? " code" : ""}`,
      }),
      before > 0 && after > 0 && change !== 0 && box(shape(before, fewer), { class: "before" }),
      nameBeside(placed),
    );
  });
  const stripes = drawn(
    "defs",
    null,
    drawn(
      "pattern",
      { id: "gone", width: 6, height: 6, patternUnits: "userSpaceOnUse", patternTransform: "rotate(45)" },
      drawn("path", { class: "stripe", d: "M0 0V6" }),
    ),
  );
  const scale = heightScale(scaleOfBoxes(most), layout.plot, graph.after.metric);
  return { svg: drawing("Evolution blueprint", layout, stripes, lines(layout), nodes, scale), layout, tree };
}
