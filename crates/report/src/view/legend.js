// What the colours of a picture mean.

function legend(profile, tree, method, found) {
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
  if (found) return foundLegend(profile, tree, found, line);
  if (method !== null) return occurrenceLegend(profile, tree, method, line);
  const costs = kindCosts(profile);
  return element(
    "section.legend",
    null,
    element("h2", null, "Whose code, by its own cost"),
    element(
      "ul",
      null,
      Object.entries(KINDS).map(([kind, text]) => line(colours.kinds[kind], text, costs[kind])),
      costs.unlisted > 0 && line(colours.rest, "methods that are not listed", costs.unlisted),
    ),
    ownChooser(profile),
    // The kinds have all costs already, those of rests, too.
    tree.folded > 0 && [
      element("h2", null, "Of that, not drawn by method"),
      element("ul", null, line(colours.rest, "rest: contexts too small to be kept", tree.folded)),
    ],
  );
}

/** The colours of kinds of code in a line. */
function kindKeys() {
  const { kinds } = palette();
  const key = ([kind, text]) => {
    const chip = element("i.chip");
    chip.style.background = kinds[kind];
    return element("span.key", null, chip, text);
  };
  return element("span.kinds", { title: "Colours say whose code it is" }, Object.entries(KINDS).map(key));
}

/** Whose code is one's own: a field with the packages of the profile. */
function ownChooser(profile) {
  const names = [...new Set(packageCosts(profile).map(({ name }) => name))];
  const list = element(
    "datalist",
    { id: "packages" },
    names.slice(0, 200).map((value) => element("option", { value })),
  );
  const field = element("input", {
    type: "text",
    id: "own",
    list: "packages",
    spellcheck: "false",
    value: place.own || ownGuess,
    onchange: () => go({ own: field.value === ownGuess ? "" : field.value.trim() }),
  });
  return element("label.own", null, element("span.quiet", null, "Own code is below "), field, list);
}

function occurrenceLegend(profile, tree, method, line) {
  const colours = palette();
  const found = tree.occurrences(method);
  const inverted = tree.isInverted;
  const inclusive = Number(profile.methods.inclusive[method]);
  const hidden = inclusive - found.cost;
  return element(
    "section.legend",
    null,
    element("h2", null, "Where it occurs"),
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
        line(
          colours.rest,
          tree.columns.merged && place.recursion === 0
            ? "occurrences inside of rests, or of recursion that is folded"
            : "occurrences inside of rests",
          hidden,
        ),
    ),
  );
}

function foundLegend(profile, tree, found, line) {
  const colours = palette();
  let own = 0;
  for (const method of found.keys()) own += Number(profile.methods.exclusive[method]);
  const drawn = tree.covered(found);
  return element(
    "section.legend",
    null,
    element("h2", null, `Names that match “${place.find}”`),
    element(
      "ul",
      null,
      line(colours.found, counted(found.size, "method"), null),
      line(colours.found, "by their own code", own),
      line(
        colours.found,
        !tree.isInverted ? "with all below them, as far as drawn" : "with their callers, as far as drawn",
        drawn,
      ),
    ),
    element(
      "p",
      null,
      element("button", { onclick: () => go({ find: "" }) }, "Clear the search"),
    ),
  );
}
