// The first page: what was recorded, what matters most, what is missing.

const overviewView = {
  id: "overview",
  title: "Overview",

  mount(host, profile) {
    const hasCalls = profile.contexts > 0;
    fill(
      host,
      notesOf(profile),
      remarksOf(profile),
      hasCalls && vitals(profile),
      hasCalls &&
        element("div.columns", null, topMethods(profile), packages(profile)),
      element("div.columns", null, factsOf(profile), threadsOf(profile), notInstrumented(profile)),
    );
    const recolour = () => host.querySelector(".packages")?.replaceWith(packages(profile));
    addEventListener("themechange", recolour);
    return { update: () => {}, remove: () => removeEventListener("themechange", recolour) };
  },
};

/** What makes numbers less than exact, where nobody can miss it. */
function notesOf(profile) {
  if (profile.notes.length === 0) return null;
  return element(
    "section.notes",
    { role: "note" },
    element("h2", null, "What is missing"),
    element(
      "ul",
      null,
      profile.notes.map((note) => element("li", null, note)),
    ),
  );
}

/** What is usual, and good to know. */
function remarksOf(profile) {
  return profile.remarks.map((remark) => element("p.remark.quiet", null, remark));
}

function vitals(profile) {
  const vital = (value, title, detail) =>
    element(
      "div.vital",
      null,
      element("dd", null, value),
      element("dt", null, title),
      detail && element("dd.quiet", null, detail),
    );
  const totals = profile.totals.filter(([name]) => name !== profile.metric).slice(0, 3);
  const { mean_depth: mean, max_depth: deepest } = profile.shape;
  return element(
    "dl.vitals",
    null,
    vital(count(profile.exactTotal), profile.metric),
    totals.map(([name, total]) => vital(count(total), name)),
    vital(count(profile.executed), "methods executed"),
    vital(
      count(profile.contexts),
      "contexts",
      `depth ${mean.toFixed(1)} on average, ${count(deepest)} at most`,
    ),
  );
}

/** The methods that induce most, as bars. */
function topMethods(profile) {
  const found = subsuming(profile, place.height, place.distance);
  const top = found.listed.sort((a, b) => b.induced - a.induced).slice(0, 10);
  const most = top[0]?.induced ?? 1;
  const shown = top.reduce((sum, row) => sum + row.induced, 0);
  return element(
    "section.panel",
    null,
    element("h2", null, element("a", { href: link({ view: "methods" }) }, "Subsuming methods")),
    element("p.quiet", null, `${subsumingSummary(profile, found, place.height, place.distance)}.`),
    top.length === 0 && element("p", null, "No method subsumes at these thresholds."),
    element(
      "ol.bars",
      null,
      top.map(({ method, induced }) =>
        bar(methodLink(profile, method, true), induced, most, profile),
      ),
      bar(
        `rest: ${counted(Math.max(0, found.listed.length - top.length) + found.folded.methods, "method")}`,
        profile.total - shown,
        most,
        profile,
        ".rest",
      ),
    ),
  );
}

function bar(name, cost, most, profile, kind = "") {
  const made = element(
    `li${kind}`,
    { title: `${count(cost)} ${profile.metric}` },
    element("span.name", null, name),
    element("span.number", null, percent(cost, profile.total)),
  );
  made.style.setProperty("--share", Math.min(1, most > 0 ? cost / most : 0));
  return made;
}

/** Packages that the overview lists. */
const PACKAGES = 6;

function packages(profile) {
  const all = packageCosts(profile);
  const shown = all.slice(0, PACKAGES);
  const others = all.slice(PACKAGES).reduce((sum, { cost }) => sum + cost, 0);
  const most = Math.max(others, ...shown.map(({ cost }) => cost));
  const { kinds } = palette();
  const coloured = (made, colour) => {
    made.style.setProperty("--bar", colour);
    return made;
  };
  return element(
    "section.panel.packages",
    null,
    element("h2", null, "Packages"),
    element("p.quiet", null, "By the cost of their own code."),
    element(
      "ol.bars.thin",
      null,
      shown.map(({ name, kind, cost }) =>
        coloured(bar(packageLink(name), cost, most, profile), kinds[kind]),
      ),
      all.length > PACKAGES &&
        bar(`rest: ${counted(all.length - PACKAGES, "package")}`, others, most, profile, ".rest"),
    ),
  );
}

/** Leads to the methods of a package. */
function packageLink(name) {
  if (name.startsWith("(")) return name;
  return element("a", { href: link({ view: "methods", filter: `${name}.`, all: 1 }) }, name);
}

function factsOf(profile) {
  return element(
    "section.panel",
    null,
    element("h2", null, "Recording"),
    element(
      "dl.facts",
      null,
      profile.facts
        .map(([name, text]) => [element("dt", null, name), element("dd.wrap", null, text)])
        .flat(),
    ),
  );
}

function threadsOf(profile) {
  const left = Number(profile.threads_left_out);
  return element(
    "section.panel",
    null,
    element("h2", null, "Threads"),
    profile.threads.length === 0
      ? element("p.quiet", null, "The profile names no threads.")
      : element(
          "div.table.short",
          null,
          element(
            "table.data",
            { "aria-label": "Threads" },
            element(
              "thead",
              null,
              element(
                "tr",
                null,
                element("th.number", null, "Contexts"),
                element("th.number", null, "Threads"),
                element("th.text", null, "Name"),
              ),
            ),
            element(
              "tbody",
              null,
              profile.threads.map((thread) =>
                element(
                  "tr",
                  null,
                  element("td.number", null, count(thread.contexts)),
                  element("td.number", null, count(thread.threads)),
                  element("td.text", null, thread.name),
                ),
              ),
              left > 0 &&
                element(
                  "tr.rest",
                  null,
                  element("td", { colspan: 3 }, `rest: ${counted(left, "kind")} of threads`),
                ),
            ),
          ),
        ),
  );
}

function notInstrumented(profile) {
  const { classes, methods, reasons } = profile.skipped;
  return element(
    "section.panel",
    null,
    element("h2", null, "Not instrumented"),
    element(
      "p.quiet",
      null,
      profile.imported
        ? "Not applicable: the profile is imported."
        : classes + methods === 0
          ? "Everything was."
          : `${counted(classes, "class", "classes")} and ${counted(methods, "method")}`,
    ),
    reasons.map(({ reason, count: number, examples }) =>
      element(
        "details",
        null,
        element("summary", null, element("span.number", null, count(number)), ` ${reason}`),
        element(
          "ul.plain.wrap",
          null,
          examples.map((name) => element("li", null, name)),
          number > examples.length &&
            element(
              "li.quiet",
              null,
              `rest: ${count(number - examples.length)} more (subsume info --skipped)`,
            ),
        ),
      ),
    ),
  );
}
