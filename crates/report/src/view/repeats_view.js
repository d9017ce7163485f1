// What a recording with mode=results shows.

const repeatsView = dataflowView({
  id: "repeats",
  title: "Repeated results",
  mode: "results",
  what: "Methods that compute the same results for the same inputs again, and write nothing then: a cache could stand in for them. What a cache itself costs is not counted.",
  figures: (data) =>
    `${counted(data.candidates.length + Number(data.more), "candidate")} among ${counted(Number(data.methods), "method")} with known results` +
    (data.deeper === null ? "" : `; objects that differ may hold the same: ${data.deeper}`),
  // A candidate by structure is none by identity.
  entries: (data) => [
    ...data.candidates.map((row) => ({ ...row, found: "by identity", told: row.exact })),
    ...data.by_structure.filter((row) => row.holds_to !== null).map((row) => ({
      ...row,
      found: `${row.holds_to} deep`,
      told: row.deep.find(({ depth }) => depth === row.holds_to),
    })),
  ],
  start: "bytecodes",
  // That which is worth a cache most first, and the JDK last.
  sort: "given",
  columns: (profile, data) => [
    shares("spared", "Spared", (row) => Number(row.told.spared.likely), Number(data.bytecodes), "Bytecodes in hits: what a cache would spare at most; where only the first calls were followed, the others are taken to be like them"),
    numbers("returned", "Calls", (row) => Number(row.told.returned), "Calls that were followed and returned"),
    numbers("inputs", "Inputs", (row) => Number(row.told.inputs), "Different receivers with arguments"),
    shares("hits", "Hits", (row) => row.told.hit_rate, 1, "Calls with a known input"),
    numbers("hit-cost", "A hit", (row) => Math.round(row.told.hit_cost), "Bytecodes of a hit, in the mean: looking a result up takes some dozens"),
    shares("last", "As the call before", (row) => Number(row.told.last_hits) / Math.max(1, Number(row.told.hits)), 1, "Hits for which a cache of one entry would do"),
    numbers("wrote", "Writes", (row) => Number(row.told.wrote), "Calls that wrote to objects which they had not made; no hit did"),
    resultKinds("kind"),
    { id: "found", title: "Objects compared", kind: "text", value: (row) => row.found, cell: (row) => row.found },
    places("repeats", "Method", profile, (row) => row),
  ],
  unfold: (row, profile) => [
    element("h3", null, placeLink(profile, row)),
    row.explanation.map((sentence) => element("p", null, sentence)),
    row.deep.length > 0 && comparisons(row),
    linesOf(profile, row),
  ],
  notes: (data, profile) => ({
    title: "Caches, and methods that find nothing",
    what: "Notes: methods whose hits are so cheap that they are caches already, and methods that always return null.",
    rows: [
      ...data.caches.map((row) => ({ ...row, what: "a cache" })),
      ...data.always_null.map((row) => ({ ...row, what: "always null" })),
    ],
    left: Number(data.more_caches) + Number(data.more_always_null),
    columns: [
      { id: "what", title: "What", kind: "text", value: (row) => row.what, cell: (row) => row.what },
      numbers("returned", "Calls", (row) => Number(row.exact.returned)),
      shares("hits", "Hits", (row) => row.exact.hit_rate, 1, "Calls with a known input and the same result"),
      numbers("hit-cost", "A hit costs", (row) => Math.round(row.exact.hit_cost), "Bytecodes of a hit, in the mean"),
      numbers("other-cost", "Another call", (row) => Math.round(row.exact.other_cost), "Bytecodes of another call, in the mean"),
      places("noted", "Method", profile, (row) => row),
    ],
  }),
});

/** A column of kinds of results, in words. */
function resultKinds(id) {
  const words = ({ kind }) => RESULTS[kind] ?? kind;
  return { id, title: "Results", kind: "text", value: words, cell: words };
}

/** What comparing objects in several ways says of a method. */
function comparisons(row) {
  const line = ({ depth, hit_rate, conflicts }) =>
    element(
      "li",
      null,
      `${depth === 0 ? "by identity" : `${depth} deep`}: ${percent(hit_rate, 1)} hits` +
        (Number(conflicts) > 0 ? `, ${counted(Number(conflicts), "call")} with another result` : ""),
    );
  return [element("h3", null, "By how objects are compared"), element("ul", null, [row.exact, ...row.deep].map(line))];
}

/** The first candidates, as sentences for the first screen; null without a recording. */
function repeatedResults(profile) {
  const data = profile.dataflow.repeats;
  if (data === null || data === undefined) return null;
  const sentences = data.candidates.slice(0, 3).map((row) => {
    const { method, exact } = row;
    return element(
      "li",
      null,
      element("span.number", { title: `${count(exact.spared.likely)} bytecodes` }, percent(Number(exact.spared.likely), Number(data.bytecodes))),
      element(
        "span.sentence",
        null,
        namedMethod(profile, method, 0),
        ` gave a result that it had given for the same input before in ${percent(exact.hit_rate, 1)} of ${counted(Number(exact.returned), "call")}`,
      ),
    );
  });
  return findings(
    "repeated",
    "Results repeated",
    "Methods that a cache could stand in for, and what it would spare.",
    sentences,
    "None.",
    element("p", null, element("a", { href: link({ view: "repeats" }) }, "All of them")),
  );
}
