// The call tree with only some packages: what others cost is part of what the
// packages' methods cost that called them.

/** The tree that pictures show: the whole one, or that of the package in the address. */
function shownTree(profile) {
  if (place.only === "") return profile.tree;
  const key = `${place.only} ${place.own}`;
  if (profile.folded?.key !== key) profile.folded = { key, tree: foldedTree(profile, isShownClass()) };
  return profile.folded.tree;
}

/** Whether the methods of a class are shown, by its name. */
function isShownClass() {
  if (place.only in KINDS) return (owner) => kindOf(owner) === place.only;
  return (owner) => owner === place.only || owner.startsWith(`${place.only}.`);
}

/** The tree of the methods whose classes are shown; the cost of the others adds to their callers'. */
function foldedTree(profile, isShown) {
  const { tree, methods } = profile;
  const shownClasses = methods.classes.map(isShown);
  const isMethod = Uint8Array.from(methods.class, (owner) => Number(shownClasses[owner]));
  /** Splits what lies below some nodes into groups by shown methods, and the rest. */
  const split = (nodes) => {
    const groups = new Map();
    let below = 0;
    let whole = 0;
    for (const node of nodes) {
      whole += tree.cost[node];
      for (let at = node + 1; at < tree.end[node];) {
        if (tree.isRest(at) || !isMethod[tree.method[at]]) {
          at += 1;
          continue;
        }
        gather(groups, tree.method[at], tree.cost[at], at);
        below += tree.cost[at];
        at = tree.end[at];
      }
    }
    return { own: whole - below, groups };
  };
  const { own, groups } = split([0]);
  return grown(groups, ({ items }) => split(items), 0, profile.total, own);
}

/** The field that chooses whose code is shown. */
function onlyChooser(profile) {
  const packages = packageCosts(profile).slice(0, 40);
  const option = (value, text) =>
    element("option", { value, selected: place.only === value }, text);
  const known = place.only === "" || place.only in KINDS || packages.some(({ name }) => name === place.only);
  return element(
    "label.own",
    null,
    element("span.quiet", null, "Show "),
    element(
      "select",
      { id: "only", onchange: (event) => go({ only: event.target.value, node: 0 }) },
      option("", "all code"),
      option("own", "own code only"),
      option("library", "libraries only"),
      option("platform", "the JDK only"),
      packages.map(({ name }) => option(name, `${name} only`)),
      !known && option(place.only, `${place.only} only`),
    ),
  );
}
