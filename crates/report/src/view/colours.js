// Colours that colour-blind people can tell apart (after Okabe and Ito, 2008),
// one for each kind of code: one's own, libraries, the JDK. Packages of a kind
// differ by a shade that depends on their names alone, so a method has the same
// colour wherever it is drawn, in every profile. Vermilion and orange are kept
// for what is selected, purple for what is searched.

const PALETTE = {
  light: {
    kinds: { own: "#56b4e9", library: "#35ab82", platform: "#e5d05a" },
    rest: "#e3e6eb",
    whole: "#d3d8df",
    dimmed: "#d5dae0",
    selected: "#d55e00",
    below: "#f0a844",
    found: "#c277d8",
    ink: "#14181d",
  },
  dark: {
    kinds: { own: "#56b4e9", library: "#2fa27a", platform: "#d9c650" },
    rest: "#363d46",
    whole: "#454e59",
    dimmed: "#3d454f",
    selected: "#d55e00",
    below: "#e69f00",
    found: "#cc79d4",
    ink: "#f2f4f6",
  },
};

/** The kinds of code, in the order that they are listed in. */
const KINDS = { own: "own code", library: "libraries", platform: "JDK" };

/** A colour as style sheets write it, given as a canvas keeps it. */
function cssOf(pixel) {
  const part = (shift) => ((pixel >>> shift) & 255).toString(16).padStart(2, "0");
  return `#${part(0)}${part(8)}${part(16)}`;
}

/** What can be read on a colour, given as a canvas keeps it. */
function inkOn(pixel) {
  const linear = (part) => ((part & 255) / 255) ** 2.2;
  const bright =
    0.2126 * linear(pixel) + 0.7152 * linear(pixel >> 8) + 0.0722 * linear(pixel >> 16);
  return bright > 0.16 ? "#0b0e11" : "#ffffff";
}

/** The colours of the theme that is on. */
function palette() {
  return theme.dark ? PALETTE.dark : PALETTE.light;
}

/** A colour as a canvas keeps it in memory: alpha, blue, green, red. */
function pixelOf(colour, shade = 1) {
  const part = (at) => Math.min(255, Math.round(parseInt(colour.slice(at, at + 2), 16) * shade));
  return ((255 << 24) | (part(5) << 16) | (part(3) << 8) | part(1)) >>> 0;
}

/** The package that a class counts for: two names deep, three for com and org. */
function packageOf(owner) {
  const names = owner.split("/")[0].split(".");
  const deep = /^(com|org|net|io|edu|gov|de)$/.test(names[0]) ? 3 : 2;
  return names.slice(0, Math.min(deep, names.length - 1)).join(".") || NO_PACKAGE;
}

const NO_PACKAGE = "(no package)";

/** Whose classes are, as the command knows it: by what loaded them, and from where. */
const knownKinds = new Map();

function learnKinds(profiles) {
  const kinds = { o: "own", l: "library", p: "platform" };
  for (const { methods } of profiles)
    methods.classes.forEach((owner, at) => knownKinds.set(owner, kinds[methods.owners[at]]));
}

/** The package of one's own code, unless the address names another. */
let ownGuess = NO_PACKAGE;

/** Guesses the package of one's own code: that of the costliest method that is one's own. */
function guessOwn(profiles) {
  for (const { methods } of profiles) {
    // Methods are in the order of their inclusive cost.
    for (const number of methods.class) {
      const owner = methods.classes[number];
      if (knownKinds.get(owner) === "own") return packageOf(owner);
    }
  }
  return NO_PACKAGE;
}

/** Whose code a class is: a name in `KINDS`. */
function kindOf(owner) {
  const known = knownKinds.get(owner);
  if (known === "platform" || (known && !place.own)) return known;
  const own = place.own || ownGuess;
  if (own === NO_PACKAGE) return owner.includes(".") ? "library" : "own";
  return owner === own || owner.startsWith(`${own}.`) ? "own" : "library";
}

/** What packages cost by their own code, as `{ name, kind, cost }`, the costliest first. */
function packageCosts(profile) {
  const { methods } = profile;
  const names = methods.classes.map(packageOf);
  const packages = new Map();
  for (let method = 0; method < profile.count; method += 1) {
    const number = methods.class[method];
    const name = names[number];
    let found = packages.get(name);
    if (!found) {
      found = { name, kind: kindOf(methods.classes[number]), cost: 0 };
      packages.set(name, found);
    }
    found.cost += Number(methods.exclusive[method]);
  }
  return [...packages.values()].sort((a, b) => b.cost - a.cost);
}

/** What each kind of code costs by itself, and the methods that are not listed. */
function kindCosts(profile) {
  const costs = { own: 0, library: 0, platform: 0 };
  const kinds = profile.methods.classes.map(kindOf);
  for (let method = 0; method < profile.count; method += 1)
    costs[kinds[profile.methods.class[method]]] += Number(profile.methods.exclusive[method]);
  return { ...costs, unlisted: Number(profile.methods.rest.exclusive) };
}

/** A number between 0 and 1 that depends on a text alone. */
function hashed(text) {
  let hash = 2166136261;
  for (let at = 0; at < text.length; at += 1)
    hash = Math.imul(hash ^ text.charCodeAt(at), 16777619);
  return ((hash >>> 0) % 997) / 997;
}

/** A colour for each method of a profile, as a canvas keeps it. */
function methodColours(profile) {
  const key = `${theme.dark} ${place.own}`;
  if (profile.colours?.key === key) return profile.colours.made;
  const { kinds } = palette();
  const ofClass = profile.methods.classes.map((owner) =>
    pixelOf(kinds[kindOf(owner)], 0.93 + 0.12 * hashed(owner.slice(0, owner.lastIndexOf(".")))),
  );
  const made = Uint32Array.from(profile.methods.class, (number) => ofClass[number]);
  profile.colours = { key, made };
  return made;
}

/**
 * A colour for every node of a tree, with a method's occurrences picked out, or
 * those of the methods that are searched.
 */
function nodeColours(profile, tree, method, found = null) {
  const colours = palette();
  const usual = methodColours(profile);
  const rest = pixelOf(colours.rest);
  const made = new Uint32Array(tree.size);
  const occurrence = pixelOf(colours.selected);
  const below = pixelOf(colours.below);
  const dimmed = pixelOf(colours.dimmed);
  const match = pixelOf(colours.found);
  let inside = 0;
  for (let node = 0; node < tree.size; node += 1) {
    const of = tree.method[node];
    if (method !== null && (of === method || tree.frames(node)?.includes(method))) {
      made[node] = occurrence;
      inside = Math.max(inside, tree.end[node]);
    } else if (node === 0 || tree.frames(node)) {
      made[node] = pixelOf(colours.whole);
    } else if (found && !tree.isRest(node) && found.has(of)) {
      made[node] = match;
    } else if (node < inside) {
      made[node] = tree.isRest(node) ? pixelOf(colours.below, 0.9) : below;
    } else if (tree.isRest(node)) {
      made[node] = rest;
    } else {
      made[node] = method === null && !found ? usual[of] : dimmed;
    }
  }
  return made;
}
