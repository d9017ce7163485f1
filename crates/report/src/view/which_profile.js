// Which profile a view shows: where there are several, every view says so and leads
// to the others.

/** Gives each profile the shortest end of its path that no other one has. */
function labelProfiles(profiles) {
  const paths = profiles.map(({ name }) => name.split("/"));
  profiles.forEach((profile, at) => {
    let length = 1;
    const end = (path) => path.slice(-length).join("/");
    const isShared = () => paths.some((path, other) => other !== at && end(path) === end(paths[at]));
    while (length < paths[at].length && isShared()) length += 1;
    profile.label = end(paths[at]) || profile.name;
  });
}

/** What a profile is of two that are compared: "before" or "after"; null otherwise. */
function sideOfTwo(report, at) {
  return report.diff ? ["before", "after"][at] : null;
}

/** A profile's name, behind what it is of two. */
function sideLabel(report, at) {
  const side = sideOfTwo(report, at);
  return `${side ? `${side}: ` : ""}${report.profiles[at].label}`;
}

/** The part of the difference that shows what a view shows. */
const PARTS_OF_DIFFERENCE = { flame: "flame", ring: "flame", inverted: "flame", sides: "flame", tree: "tree", methods: "methods", method: "methods", source: "methods" };

/** The line that says which profile is shown, and leads to the others; none where there is but one. */
function whichProfile(report, view) {
  if (report.profiles.length === 1) return null;
  const at = Math.min(place.profile, report.profiles.length - 1);
  const isDifference = view === diffView || (view === blueprintView && place.kind === "evolution");
  const isBoth = isDifference || view === sidesView;
  if (!report.diff) return element("p.whose", null, element("strong", null, sideLabel(report, at)));
  const choice = (text, pressed, title, onclick) =>
    element("button", { type: "button", title, "aria-pressed": String(pressed), "data-show": text, onclick }, text);
  return element(
    "p.whose",
    null,
    element("strong", null, isBoth ? "before and after" : sideLabel(report, at)),
    " ",
    element(
      "span.shapes",
      { role: "group", "aria-label": "Shown profile" },
      report.profiles.map(({ name }, side) =>
        choice(sideOfTwo(report, side), !isBoth && side === at, name, () => report.change(side)),
      ),
      choice("side by side", view === sidesView, "The flames of both", () => showSides(view)),
      choice("difference", isDifference, "Both, and what changed", () => showDifference(view)),
    ),
  );
}

/** Goes from a view to what shows the same of the difference. */
function showDifference(view) {
  go({ view: "diff", part: PARTS_OF_DIFFERENCE[view.id] ?? "", node: 0 });
}

/** Goes from a view to the flames of both profiles; flames keep their zoom. */
function showSides(view) {
  go({ view: "sides", node: view === flameView || view === ringView ? place.node : 0 });
}
