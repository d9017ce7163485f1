// The first page: what matters most in sentences, what was recorded, what is
// missing.

const overviewView = {
  id: "overview",
  title: "Overview",
  about: "What the recording shows, the most important first. Every name leads to the method, with its callers and callees.",

  mount(host, profile, report) {
    const hasCalls = profile.contexts > 0;
    fill(
      host,
      notesOf(profile),
      hasCalls && whole(profile),
      remarksOf(profile),
      jvmsOf(report),
      diagnosis(profile),
      hasCalls &&
        element(
          "div.first",
          null,
          element("div.sentences", null, single(profile), patterns(profile), suspicious(profile), repeatedResults(profile), brokenProtocols(profile)),
          element("div.beside", null, packages(profile)),
        ),
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

/** The whole run in two sentences. */
function whole(profile) {
  const totals = profile.totals.filter(([name]) => name !== profile.metric).slice(0, 3);
  const { mean_depth: mean, max_depth: deepest } = profile.shape;
  const kinds = kindCosts(profile);
  const kind = (name) =>
    `${percent(kinds[name], profile.total)} ${name === "own" ? `by ${place.own || ownGuess}` : `by ${KINDS[name] === "JDK" ? "the JDK" : KINDS[name]}`}`;
  return element(
    "header.whole",
    null,
    element(
      "h1",
      null,
      `${count(profile.exactTotal)} ${profile.metric} in ${counted(profile.contexts, "context")} `,
      explained("context"),
      ` of ${counted(profile.executed, "method")}`,
    ),
    element(
      "p.quiet",
      null,
      totals.length > 0 && [
        totals.map(([name, total], at) => [
          `${at > 0 ? ", " : ""}${count(total)} ${name}`,
          name === "moved" && [" ", explained("moved")],
        ]),
        ". ",
      ],
      `By their own code: ${Object.keys(KINDS).map(kind).join(", ")}. `,
      `Stacks are ${mean.toFixed(0)} deep on average, ${count(deepest)} at most.`,
    ),
  );
}

/** What `subsume diagnose` found, the most worth changing first. */
function diagnosis(profile) {
  if (!profile.findings) return null;
  const { total, found } = profile.findings;
  const most = Number(found.find(({ saving }) => saving !== null)?.saving ?? 0);
  return findings(
    "diagnosis",
    "Findings",
    "What the recordings show to be wasted, the most likely first.",
    found.map((one) => diagnosed(profile, one, Number(total), most)),
    "None that is likely to save half a percent.",
  );
}

/** A finding: what is wasted and where, what happens, and what to do. */
function diagnosed(profile, one, total, most) {
  const saving = Number(one.saving ?? 0);
  const within = (...what) => element("span.within", null, what);
  const quiet = (text) => element("span.quiet", null, text);
  const said = ([method, text]) => within(method !== null && [named(profile, method), ": "], text);
  const made = element(
    "li",
    null,
    element(
      "span.number",
      { title: `${count(saving)} ${profile.metric}` },
      one.saving === null ? "-" : percent(saving, total),
    ),
    element(
      "span.sentence",
      null,
      element("strong", null, one.kind),
      " in ",
      named(profile, one.method),
      one.line > 0 && `:${one.line}`,
      quiet(` (${one.sure}${one.time ? `; ${timeInWords(one.time)}` : ""}) `),
      inFlames(one.method),
      one.way_in.length > 1 && within(one.way_in.map((stop, at) => wayIn(profile, stop, at))),
      one.sentences.map(said),
      one.hint && within(`→ ${one.hint}`),
      within(element("code", null, one.command)),
    ),
  );
  made.style.setProperty("--share", most > 0 ? Math.min(1, saving / most) : 0);
  return made;
}

/** A section of the first screen: a heading, what it is, sentences, and where more is. */
function findings(id, title, what, sentences, none, more = null) {
  return element(
    `section.panel.findings.${id}`,
    null,
    element("h2", null, title),
    element("p.quiet", null, what),
    sentences.length > 0 ? element("ol", null, sentences) : element("p", null, none),
    more,
  );
}

/** A sentence behind a share, with a bar below both. */
function finding(cost, most, profile, ...sentence) {
  const made = element(
    "li",
    null,
    element(
      "span.number",
      { title: `${count(cost)} ${profile.metric}` },
      percent(Number(cost), profile.total),
    ),
    element("span.sentence", null, sentence),
  );
  made.style.setProperty("--share", most > 0 ? Math.min(1, Number(cost) / most) : 0);
  return made;
}

/** A method's name without its package; it leads to callers and callees. */
function named(profile, method) {
  return methodLink(profile, method, true);
}

function patterns(profile) {
  const { height, distance } = place;
  // At other thresholds than the report was made with, others subsume.
  const asMade = height === START.height && distance === START.distance;
  const found = asMade
    ? profile.first.patterns.map(([method, induced, user]) => ({ method, induced: Number(induced), user }))
    : subsuming(profile, height, distance)
        .listed.filter((row) => row.method >= 0 && profile.methods.contexts[row.method] > 3)
        .sort((a, b) => b.induced - a.induced)
        .slice(0, 8);
  const most = found[0]?.induced ?? 0;
  const { calls, contexts } = profile.methods;
  return findings(
    "patterns",
    "Shared patterns (subsuming methods)",
    "Methods that many places call, and what only they explain.",
    found.map(({ method, induced, user }) =>
      finding(
        induced,
        most,
        profile,
        named(profile, method),
        calls
          ? ` was called ${counted(Number(calls[method]), "time")} in ${counted(contexts[method], "context")}`
          : ` has ${counted(contexts[method], "context")}`,
        user && usedBy(profile, user),
      ),
    ),
    "None of at least 0.5%.",
    element(
      "p.onward",
      null,
      element("a", { href: link({ view: "methods" }) }, "All shared patterns"),
      ", with thresholds that can be moved",
    ),
  );
}

/** Who has the JDK do most of it. */
function usedBy(profile, [method, cost, all]) {
  return [
    element("span.quiet", null, `, ${percent(Number(cost), Number(all))} of it for `),
    named(profile, method),
  ];
}

function single(profile) {
  const found = profile.first.places;
  const most = Number(found[0]?.cost ?? 0);
  return findings(
    "single",
    "Places",
    "Where the cost lands, the JDK's work for a method included, with the way in.",
    found.map((entry) => {
      if (entry.places) return ownLoop(profile, entry, most);
      return finding(
        entry.cost,
        most,
        profile,
        entry.way_in.map((stop, at) => wayIn(profile, stop, at)),
        partsOf(profile, entry),
        " ",
        inFlames(entry.way_in.at(-1)[0]),
      );
    }),
    "None of at least 0.5%.",
  );
}

function inFlames(method) {
  return element("a.see", { href: link({ view: "flame", method, node: 0 }) }, "in the flame graph");
}

/** A loop of one's own, and the places below it. */
function ownLoop(profile, { cost, caller, callee, calls_each: times, inputs, places, more }, most) {
  const share = (part) => percent(Number(part), profile.total);
  const said = ([frame]) => frame === caller || frame === callee;
  const place = (landing) => {
    const from = landing.way_in.findIndex((stop) => !said(stop));
    const rest = from < 0 ? [] : landing.way_in.slice(from);
    return element(
      "span.within",
      null,
      element("span.quiet", null, `${share(landing.cost)} in `),
      rest.length > 0 ? rest.map((stop, at) => wayIn(profile, stop, at)) : "itself",
    );
  };
  return finding(
    cost,
    most,
    profile,
    wayIn(profile, [caller, null, null], 0),
    wayIn(profile, [callee, times, inputs], 1),
    " ",
    inFlames(callee),
    places.map(place),
    more > 0 && element("span.within.quiet", null, `and ${counted(more, "more place")}`),
  );
}

/** A frame of the way to a place. */
function wayIn(profile, [frame, times, inputs], at) {
  return [
    at > 0 && element("span.quiet", null, " › "),
    frame < 0 ? element("span.quiet", null, `… ${counted(-frame, "frame")}`) : named(profile, frame),
    times !== null &&
      element("span.quiet", null, ` (${count(Number(times))} times each${inputs ? `, ${inputs}` : ""})`),
  ];
}

/** A share of the time; samples may have missed what has none. */
function timeInWords(time) {
  return time === "-" ? "no sample of the time" : `time ${time}`;
}

/** What has most of a place's cost, its share of the time where there are samples, and by which ways it is called. */
function partsOf(profile, { cost, time, goes_on: goesOn, all_over: allOver, ways }) {
  const share = (part) => percent(Number(part), Number(cost));
  const parts = goesOn.map(([method, part], at) => [
    element("span.quiet", null, at > 0 ? ` › ${share(part)} ` : `, ${share(part)} of it in `),
    named(profile, method),
  ]);
  const spread = allOver && [
    element("span.quiet", null, `, ${share(allOver[1])} of it in `),
    named(profile, allOver[0]),
    element("span.quiet", null, `, ${counted(allOver[2], "context")}`),
  ];
  const callers = ways.map(([method, part], at) => [
    element("span.quiet", null, `${at > 0 ? ", " : "; called "}${share(part)} by way of `),
    named(profile, method),
  ]);
  const ofTime = time !== null && element("span.quiet", null, `; ${timeInWords(time)}`);
  return [parts, spread, callers, ofTime];
}

function suspicious(profile) {
  const found = profile.first.calls;
  const most = found.reduce((greatest, { cost }) => Math.max(greatest, Number(cost[0])), 0);
  const each = (cost, calls) => {
    const mean = calls > 0 ? cost / calls : 0;
    return mean > 0 && mean < 10 ? mean.toFixed(1) : count(Math.floor(mean));
  };
  return findings(
    "suspicious",
    "Suspicious calls",
    "Few of a method's calls that take most of its cost: a loop within a loop looks like this.",
    found.map(({ caller, callee, calls, cost }) => {
      const [some, all] = calls.map(Number);
      const [spent, whole] = cost.map(Number);
      return finding(
        spent,
        most,
        profile,
        named(profile, caller),
        ` makes ${percent(some, all)} of the calls of `,
        named(profile, callee),
        `, and they take ${percent(spent, whole)} of its cost: ${each(spent, some)} ${profile.metric} a call, others ${each(whole - spent, all - some)}`,
      );
    }),
    profile.methods.calls ? "None of at least 0.5%." : "The profile has not counted calls.",
  );
}

/** A bar with a name and a share. */
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
const PACKAGES = 10;

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
  const key = (kind) => {
    const swatch = element("span.swatch");
    swatch.style.background = kinds[kind];
    return element("span.key", null, swatch, KINDS[kind]);
  };
  return element(
    "section.panel.packages",
    null,
    element("h2", null, "Packages"),
    element("p.quiet", null, "By the cost of their own code."),
    element("p.keys", null, Object.keys(KINDS).map(key)),
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
      : plainTable(
          "Threads",
          [
            ["number", "Contexts"],
            ["number", "Threads"],
            ["text", "Name"],
          ],
          [
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
          ],
          "div.table.short",
          { tabindex: 0, role: "group", "aria-label": "Threads" },
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
