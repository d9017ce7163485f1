// Pictures of cost over structure: all methods as dots, classes as skylines, what a
// method calls, and what became of that from one profile to the next.

const BLUEPRINTS = {
  scatter: "All methods",
  structural: "Classes",
  behavioural: "Calls of a method",
  evolution: "Before and after",
};

const BLUEPRINT_HINTS = {
  scatter:
    "Each dot is a method. What lies on a diagonal costs the same a call. A click selects the method nearest to the pointer.",
  structural:
    "Each class is a row of its methods: as high as their cost on the scale at the right, as wide as they were called often (logarithmic). A click selects a method.",
  behavioural:
    "Each method stands once, below the costliest of its callers: as high as its cost in the whole run, on the scale at the right, as wide as it was called often (logarithmic). Dashed: several methods, each of which passes on what it costs. A click goes on to that method; pointing at one draws its other calls.",
  evolution:
    "The calls of both runs: + costs more, − costs less. Filled: after; the dashed outline: before. Places and scale are one for both, so nothing moves. A click goes on to that method.",
};

/** Where superclasses are known. */
const EXTENDED_HINT = " Pointing at a class lights what it extends, and what extends it.";

const blueprintView = {
  id: "blueprint",
  title: "Blueprints",
  about: "Cost over structure, in one picture. Look for what is large, and point at it.",

  mount(host, recorded, report) {
    const tabs = element("div.shapes.tabs", { role: "group", "aria-label": "Blueprints" });
    const controls = element("div.blueprint-controls");
    const frame = element("div.frame.blueprint", { tabindex: 0, role: "group", "aria-label": "Picture" });
    const side = element("aside.side");
    const hint = element("p.hint.quiet");
    const folded = element("p.quiet.folded");
    fill(
      host,
      tabs,
      controls,
      element("div.split", null, element("div", null, frame, folded), side),
      hint,
    );
    const kinds = Object.keys(BLUEPRINTS).filter((kind) => kind !== "evolution" || report.explanation);
    let evolving = null;
    const update = () => {
      const begun = performance.now();
      const kind = kinds.includes(place.kind) ? place.kind : kinds[0];
      // Calls between methods are known by the metric of the report only.
      const profile = kind === "scatter" || kind === "structural" ? byMetric(recorded) : recorded;
      fill(
        tabs,
        kinds.map((one) =>
          element(
            "button",
            { "aria-pressed": String(one === kind), "data-kind": one, onclick: () => go({ kind: one }) },
            BLUEPRINTS[one],
          ),
        ),
      );
      const lights = kind === "structural" && profile.methods.supers;
      hint.textContent = BLUEPRINT_HINTS[kind] + (lights ? EXTENDED_HINT : "");
      if (kind === "evolution") evolving ??= new EvolvingGraph(report);
      // A telephone has as much.
      const width = Math.max(340, frame.clientWidth - 2);
      const made = drawBlueprint(kind, profile, evolving, width, side);
      fill(controls, made.controls, standsOut(kind, profile, made));
      fill(folded, made.folded);
      fill(frame, made.svg);
      fill(side, made.side);
      frame.blueprint = { kind, ...made };
      frame.dataset.kind = kind;
      performance.measure(`blueprint ${kind}`, { start: begun });
    };
    let shown = 0;
    const watch = new ResizeObserver(() => {
      // A scroll bar that comes with the picture must not draw it again for ever.
      if (Math.abs(frame.clientWidth - shown) < 20) return;
      shown = frame.clientWidth;
      update();
    });
    watch.observe(frame);
    addEventListener("themechange", update);
    return {
      update,
      remove: () => {
        watch.disconnect();
        removeEventListener("themechange", update);
      },
    };
  },
};

/** One of them: the drawing, what stands above it, below it and beside it. */
function drawBlueprint(kind, profile, evolving, width, side) {
  const tell = (...parts) => fill(side, ...parts);
  if (kind === "scatter") {
    const legend = blueprintLegend(profile);
    const told = (method) => method !== null && tell(methodCard(profile, method), legend);
    const height = Math.max(360, Math.min(innerHeight - 240, 720));
    const made = scatterPicture(profile, width, height, told);
    const rest = profile.methods.rest.methods;
    return {
      ...made,
      controls: [costChooser(), metricChooser(profile, "Cost is ")],
      folded: rest > 0 && `rest: ${counted(rest, "method")} too cheap for this report`,
      side: [place.method !== null && methodCard(profile, place.method), legend],
    };
  }
  if (kind === "structural") return structuralParts(profile, width, tell);
  if (kind === "behavioural") {
    const start = place.method ?? 0;
    const legend = blueprintLegend(profile);
    const told = (method, members) => tell(methodCard(profile, method, members), legend);
    const made = behaviouralPicture(profile, start, width, told);
    return {
      ...made,
      controls: [callersOfStart(profile, start)],
      folded: notDrawn(made.tree),
      side: [methodCard(profile, start), legend],
    };
  }
  return evolutionParts(evolving, width, tell);
}

function structuralParts(profile, width, tell) {
  const legend = blueprintLegend(profile);
  const told = (part) =>
    tell(typeof part === "number" ? methodCard(profile, part) : groupCard(profile, part), legend);
  const made = structuralPicture(profile, width, told);
  const { groups, bars } = made.layout.folded;
  const arePackages = made.layout.groups[0]?.isPackage ?? false;
  const noun = arePackages ? "class" : "method";
  const within = made.layout.groups.reduce((sum, group) => sum + group.folded, bars);
  const names = packageCosts(profile).map(({ name }) => name);
  return {
    ...made,
    controls: [
      element(
        "label.own.scope",
        null,
        element("span.quiet", null, "Of "),
        element(
          "select",
          { id: "scope", onchange: (event) => go({ scope: event.target.value }) },
          element("option", { value: "", selected: place.scope === "" }, "the whole run"),
          [...new Set([...names, ...(place.scope ? [place.scope] : [])])].map((name) =>
            element("option", { value: name, selected: name === place.scope }, name),
          ),
        ),
      ),
      !arePackages && costChooser(),
      metricChooser(profile, "Cost is "),
      arePackages && element("p.quiet", null, "Packages, with their classes by own cost: a click opens one."),
    ],
    folded:
      within > 0 &&
      `rest: ${counted(within, noun, arePackages ? "classes" : "methods")} too low to be drawn` +
        (groups > 0 ? `, with all of ${counted(groups, arePackages ? "package" : "class", arePackages ? "packages" : "classes")}` : ""),
    side: [place.method !== null && methodCard(profile, place.method), legend],
  };
}

function evolutionParts(graph, width, tell) {
  const start = place.method === null ? 0 : graph.numberOf(place.profile, place.method);
  const legend = evolutionLegend();
  const told = (of, members) => tell(evolutionCard(graph, of, members), legend);
  const opened = (of) => {
    const [, method, side] = graph.known(of);
    return link({ profile: side, method });
  };
  const made = { graph, ...evolutionPicture(graph, start, width, told, opened) };
  const isNew = ({ of }) => graph.baseOf[of] < 0;
  const fresh = made.tree.shown.filter(isNew).length / made.tree.shown.length;
  const callers = [...new Set(evolvingCallers(graph, start))].slice(0, 5);
  return {
    ...made,
    controls: [
      graph.isSame && element("p.same", null, "No difference above the floor of 0.01% of all."),
      fresh > 0.3 &&
        element(
          "p.warning",
          null,
          `${percent(fresh, 1)} of these methods were not called before: the runs have little in common here.`,
        ),
      callers.length > 0 &&
        element(
          "p.callers-of",
          null,
          element("span.quiet", null, "Called by "),
          callers.map((of, at) => [at > 0 && ", ", element("a", { href: opened(of) }, graph.name(of))]),
        ),
    ],
    folded: notDrawn(made.tree),
    side: [evolutionCard(graph, start), legend],
  };
}

function evolvingCallers(graph, of) {
  const found = [];
  for (const [side, profile, method] of [
    [1, graph.after, graph.newOf[of]],
    [0, graph.before, graph.baseOf[of]],
  ]) {
    if (method < 0) continue;
    for (const caller of profile.callers(method).listed)
      if (caller.method >= 0 && caller.method !== method) found.push(graph.numberOf(side, caller.method));
  }
  return found;
}

/** Inclusive or own cost. */
function costChooser() {
  const choice = (by, words) =>
    element(
      "button",
      { "aria-pressed": String(place.by === by), "data-by": by || "inclusive", onclick: () => go({ by }) },
      words,
    );
  return element(
    "div.shapes",
    { role: "group", "aria-label": "Cost" },
    choice("", "with what it calls"),
    choice("own", "its own"),
  );
}

/** The ways up from the start of a picture. */
function callersOfStart(profile, start) {
  const { listed } = profile.callers(start);
  const callers = listed.filter(({ method }) => method >= 0 && method !== start).slice(0, 5);
  if (callers.length === 0) return null;
  return element(
    "p.callers-of",
    null,
    element("span.quiet", null, "Called by "),
    callers.map(({ method }, at) => [
      at > 0 && ", ",
      element(
        "a",
        { href: link({ method }), title: profile.nameOf(method) },
        blueprintName(profile.classOf(method), profile.methods.name[method]),
      ),
    ]),
  );
}

function notDrawn({ reached, shown }) {
  const left = reached - shown.length;
  const cheap = `Calls below ${LEAST_CALL * 100}% of the start are not drawn`;
  return left > 0 ? `${cheap}, nor are ${counted(left, "method")} more that cost least.` : `${cheap}.`;
}

/** What is known of a method, and the ways to it. */
function methodCard(profile, method, members = [method]) {
  const { methods, total, metric } = profile;
  const result = resultOf(profile, method);
  const line = (title, value) => [element("dt", null, title), element("dd", null, value)];
  const cost = (value) => `${count(value)} (${percent(Number(value), total)})`;
  const parent = methods.classes[methods.supers?.[methods.class[method]]];
  return element(
    "section.node",
    null,
    element("h2", null, breakable(profile.nameOf(method))),
    element(
      "dl",
      null,
      line(metric, cost(methods.inclusive[method])),
      line("of its own", cost(methods.exclusive[method])),
      methods.calls && line("calls", count(methods.calls[method])),
      parent && line("class extends", breakable(parent)),
      result && [
        result.receivers !== undefined && line("receivers", estimated(result, "receivers")),
        line("result", RESULTS[result.kind] ?? result.kind),
        line("inputs", estimated(result, "inputs")),
        line("met again", estimated(result, "hits")),
        line("as the call before", count(result.hits_of_call_before)),
        line("with another result", count(result.conflicts)),
        line("calls that write", count(result.writes)),
      ],
    ),
    members.length > 1 && [
      element("p.quiet", null, `Passes its cost on, through ${counted(members.length - 1, "method")}:`),
      element("ol.plain", null, members.slice(0, 12).map((one) => element("li", null, methodLink(profile, one, true)))),
    ],
    blueprintLinks(profile, method),
  );
}

/** A number of a method's results, with its standard error where it is an estimate. */
function estimated(result, name) {
  const error = result[`${name}_error`];
  return error === undefined ? count(result[name]) : `${count(result[name])} ±${count(error)}`;
}

/** The ways to the blueprints of a method, and of its class. */
function blueprintLinks(profile, method) {
  const view = "blueprint";
  const scope = packageOf(profile.classOf(method));
  const way = (changes, words) =>
    element("a", { href: link({ view, method, ...changes }), "data-to": changes.kind }, words);
  return element(
    "p.blueprints",
    null,
    element("span.quiet", null, "Blueprints: "),
    way({ kind: "behavioural" }, "its calls"),
    " · ",
    way({ kind: "structural", scope }, "its class"),
    " · ",
    way({ kind: "scatter" }, "among all"),
  );
}

/** What is known of a class or a package. */
function groupCard(profile, { group, owner }) {
  const { classes, supers } = profile.methods;
  const at = group.isPackage ? -1 : classes.indexOf(group.key);
  const own = group.bars.reduce((sum, bar) => sum + (group.isPackage ? bar.cost : Number(profile.methods.exclusive[bar.of])), 0);
  const line = (title, value) => [element("dt", null, title), element("dd", null, value)];
  const part = owner && group.classes.get(owner);
  return element(
    "section.node",
    null,
    element("h2", null, breakable(owner ?? (group.key || NO_PACKAGE))),
    element(
      "dl",
      null,
      line(`${profile.metric} of its own`, `${count(part ? part.cost : own)} (${percent(part ? part.cost : own, profile.total)})`),
      part ? line("calls", count(part.calls)) : line(group.isPackage ? "classes" : "methods", count(group.bars.length)),
      group.folded > 0 && !part && line("too low to be drawn", count(group.folded)),
      supers?.[at] >= 0 && line("extends", breakable(classes[supers[at]])),
    ),
  );
}

function evolutionCard(graph, of, members = [of]) {
  const [profile, method] = graph.known(of);
  const [before, after] = graph.costs(of);
  const calls = graph.runs(of);
  const line = (title, value) => [element("dt", null, title), element("dd", null, value)];
  return element(
    "section.node",
    null,
    element("h2", null, breakable(profile.nameOf(method))),
    element("p", null, codeTag(graph.state(of))),
    element(
      "dl",
      null,
      line("before", `${count(before)} ${profile.metric}`),
      line("after", count(after)),
      line("difference", `${signedCount(after - before)} (${signedPercent(after - before, graph.before.total)} of all)`),
      line("calls", `${count(calls[0])} → ${count(calls[1])}`),
    ),
    members.length > 1 && element("p.quiet", null, `Passes its cost on, through ${counted(members.length - 1, "method")}.`),
  );
}

/** What the colours mean. */
function blueprintLegend(profile) {
  const key = (fill, words) =>
    element("li", null, drawn("svg", { class: "blueprint swatch", viewBox: "0 0 10 10" }, drawn("rect", { class: fill, width: 10, height: 10 })), element("span.grow", null, words));
  if (profile.methods.results)
    return element(
      "section.legend",
      null,
      element("h2", null, "What methods return"),
      element("ul", null, Object.entries(RESULTS).map(([kind, words]) => key(`result-${kind}`, words))),
    );
  return element(
    "section.legend",
    null,
    element("h2", null, "Whose code"),
    element("ul", null, Object.entries(KINDS).map(([kind, words]) => key(`kind-${kind}`, words))),
    ownChooser(profile),
  );
}

function evolutionLegend() {
  const key = (fill, words) =>
    element("li", null, drawn("svg", { class: "blueprint swatch", viewBox: "-1 -1 12 12" }, drawn("rect", { class: `node ${fill}`, width: 10, height: 10 })), element("span.grow", null, words));
  return element(
    "section.legend",
    null,
    element("h2", null, "After and before"),
    element(
      "ul",
      null,
      key("more", "costs more, or is called for the first time"),
      key("less", "costs less"),
      key("same", "as before"),
      key("gone", "no longer called"),
      key("more code", "strong, with a border: code that changed or is new"),
    ),
  );
}
