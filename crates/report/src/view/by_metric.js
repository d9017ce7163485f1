// A profile seen by another metric: the same methods and contexts with other costs.

/** The metrics that pictures can show, that of the report first. */
function metricsOf(profile) {
  return [profile.metric, ...profile.metrics.map(({ name }) => name)];
}

/** The profile by the metric in the address; itself for that of the report. */
function byMetric(profile) {
  const metric = profile.metrics.find(({ name }) => name === place.metric);
  if (!metric) return profile;
  profile.seenBy ??= new Map();
  let seen = profile.seenBy.get(metric.name);
  if (!seen) {
    seen = profileBy(profile, metric);
    profile.seenBy.set(metric.name, seen);
  }
  return seen;
}

function profileBy(profile, { name, total }) {
  const seen = Object.create(profile);
  const [inclusive, exclusive] = profile.methods.metrics[name];
  const [below, own] = profile.tree.columns.metrics[name];
  const listed = exclusive.reduce((sum, cost) => sum + Number(cost), 0);
  seen.metric = name;
  seen.exactTotal = total;
  seen.total = Number(total);
  seen.methods = {
    ...profile.methods,
    inclusive,
    exclusive,
    rest: { ...profile.methods.rest, exclusive: Math.max(0, seen.total - listed) },
  };
  // What is kept between visits belongs to the other metric.
  seen.folded = null;
  seen.drawn = null;
  const columns = { ...profile.tree.columns, inclusive: below, exclusive: own };
  seen.tree = new Tree(columns, seen.total, "exclusive");
  let inverted = null;
  Object.defineProperty(seen, "inverted", {
    get: () => (inverted ??= invertedOf(seen)),
  });
  return seen;
}

/** Smaller shares of all become part of a rest where an inversion is made here. */
const LEAST_INVERTED = 0.0005;

/** What the drawn contexts cost themselves, by method, and by who called it. */
function invertedOf(profile) {
  const { tree } = profile;
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
  const first = new Map();
  const own = tree.columns.exclusive;
  for (let node = 1; node < tree.size; node += 1) {
    if (tree.isRest(node)) continue;
    const cost = Number(own[tree.source[node]]);
    if (cost > 0) gather(first, tree.method[node], cost, { node, cost });
  }
  const least = profile.total * LEAST_INVERTED;
  const made = grown(first, ({ items }) => split(items), least, profile.total, 0);
  made.isInverted = true;
  return made;
}

/** The field that chooses what widths, or what `words` name, stand for. */
function metricChooser(profile, words = "Widths are ") {
  const metrics = metricsOf(profile);
  if (metrics.length < 2) return null;
  return element(
    "label.own",
    null,
    element("span.quiet", null, words),
    element(
      "select",
      {
        id: "metric",
        onchange: (event) =>
          go({ metric: event.target.value === profile.metric ? "" : event.target.value, node: 0 }),
      },
      metrics.map((name) =>
        element("option", { value: name, selected: name === (place.metric || profile.metric) }, name),
      ),
    ),
  );
}
