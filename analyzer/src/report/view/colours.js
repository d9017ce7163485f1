// Colours that colour-blind people can tell apart (Okabe and Ito, 2008), one
// for each of the packages that cost most. Vermilion and orange are kept for
// what is selected: its occurrences, and what lies below them.

const PALETTE = {
  light: {
    groups: ["#56b4e9", "#009e73", "#e5d84a", "#2f7fbf", "#d48ab2"],
    other: "#c9ced6",
    rest: "#e3e6eb",
    whole: "#d3d8df",
    dimmed: "#d5dae0",
    selected: "#d55e00",
    below: "#f0a844",
    ink: "#14181d",
  },
  dark: {
    groups: ["#56b4e9", "#009e73", "#f0e442", "#0072b2", "#cc79a7"],
    other: "#626c78",
    rest: "#363d46",
    whole: "#454e59",
    dimmed: "#3d454f",
    selected: "#d55e00",
    below: "#e69f00",
    ink: "#f2f4f6",
  },
};

/** What can be read on a colour, given as a canvas keeps it. */
function inkOn(pixel) {
  const linear = (part) => ((part & 255) / 255) ** 2.2;
  const bright =
    0.2126 * linear(pixel) + 0.7152 * linear(pixel >> 8) + 0.0722 * linear(pixel >> 16);
  return bright > 0.19 ? "#0b0e11" : "#ffffff";
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
  return names.slice(0, Math.min(deep, names.length - 1)).join(".") || "(no package)";
}

/** The packages of a profile that have colours, the costliest first. */
function packageGroups(profile) {
  if (profile.groups) return profile.groups;
  const { methods } = profile;
  const costs = new Map();
  const names = methods.classes.map(packageOf);
  for (let method = 0; method < profile.count; method += 1) {
    const name = names[methods.class[method]];
    costs.set(name, (costs.get(name) ?? 0) + Number(methods.exclusive[method]));
  }
  const sorted = [...costs].sort((a, b) => b[1] - a[1]);
  const shown = sorted.slice(0, PALETTE.light.groups.length);
  const number = new Map(shown.map(([name], at) => [name, at]));
  profile.groups = {
    /** `{ name, cost }` of each group. */
    shown: shown.map(([name, cost]) => ({ name, cost })),
    others: {
      packages: sorted.length - shown.length,
      cost: sorted.slice(shown.length).reduce((sum, [, cost]) => sum + cost, 0),
    },
    /** Number of a method's group, -1 for the others. */
    of: (method) => number.get(names[methods.class[method]]) ?? -1,
  };
  return profile.groups;
}

/** A colour for every node of a tree, with a method's occurrences picked out. */
function nodeColours(profile, tree, method) {
  const colours = palette();
  const groups = packageGroups(profile);
  const rest = pixelOf(colours.rest);
  const made = new Uint32Array(tree.size);
  const occurrence = pixelOf(colours.selected);
  const below = pixelOf(colours.below);
  const dimmed = pixelOf(colours.dimmed);
  const byMethod = new Map();
  const usual = (of) => {
    let colour = byMethod.get(of);
    if (colour === undefined) {
      const group = groups.of(of);
      // Neighbours of one package differ a little.
      const shade = 0.94 + ((of * 2654435761) % 1000) / 8300;
      colour = pixelOf(group < 0 ? colours.other : colours.groups[group], shade);
      byMethod.set(of, colour);
    }
    return colour;
  };
  let inside = 0;
  for (let node = 0; node < tree.size; node += 1) {
    const of = tree.method[node];
    if (method !== null && of === method) {
      made[node] = occurrence;
      inside = Math.max(inside, tree.end[node]);
    } else if (node < inside) {
      made[node] = tree.isRest(node) ? pixelOf(colours.below, 0.9) : below;
    } else if (node === 0) {
      made[node] = pixelOf(colours.whole);
    } else if (tree.isRest(node)) {
      made[node] = rest;
    } else {
      made[node] = method === null ? usual(of) : dimmed;
    }
  }
  return made;
}
