// What the colours of a picture mean.

function legend(profile, tree, method) {
  const colours = palette();
  const line = (colour, text, cost) => {
    const swatch = element("span.swatch");
    swatch.style.background = colour;
    return element(
      "li",
      null,
      swatch,
      element("span.grow", null, text),
      cost !== null &&
        element(
          "span.number",
          { title: `${count(cost)} ${profile.metric}` },
          percent(cost, profile.total),
        ),
    );
  };
  if (method === null) {
    const groups = packageGroups(profile);
    const others = counted(groups.others.packages, "other package");
    return element(
      "section.legend",
      null,
      element("h3", null, "Packages, by their own cost"),
      element(
        "ul",
        null,
        groups.shown.map(({ name, cost }, at) => line(colours.groups[at], name, cost)),
        groups.others.packages > 0 && line(colours.other, others, groups.others.cost),
      ),
      // The packages have all costs already, those of rests, too.
      tree.folded > 0 && [
        element("h3", null, "Of that, not drawn by package"),
        element(
          "ul",
          null,
          line(colours.rest, "rest: contexts too small to be kept", tree.folded),
        ),
      ],
      element("p.quiet", null, "Click a piece to see all the places where its method occurs."),
    );
  }
  const found = tree.occurrences(method);
  const inverted = tree !== profile.tree;
  const inclusive = Number(profile.methods.inclusive[method]);
  const hidden = inclusive - found.cost;
  return element(
    "section.legend",
    null,
    element("h3", null, "Where it occurs"),
    element(
      "ul",
      null,
      line(
        colours.selected,
        `${counted(found.nodes.length, "occurrence")} in the picture${inverted ? "" : ", recursion apart"}`,
        found.cost,
      ),
      line(colours.below, inverted ? "its callers" : "what it calls", null),
      line(colours.dimmed, "everything else", profile.total - found.cost),
      !inverted &&
        hidden > profile.total * 5e-5 &&
        line(colours.rest, "occurrences inside of rests", hidden),
    ),
  );
}
