// What a recording with mode=costs shows, and where nulls came from.

/** Instances shared out among structures: they may have a fraction. */
function shared(value) {
  return value >= 1e6 ? rounded(value) : grouped.format(value);
}

const costsView = dataflowView({
  id: "costs",
  title: "Costs and benefits",
  mode: "costs",
  what: "Data structures that cost much and bring little: how much of the run made their values and was not made up for by their use. What structures have in common counts for one of them.",
  figures: ({ instances, nodes, dependences }) =>
    `${counted(Number(instances), "instance")} of ${counted(nodes, "node")} with ${counted(dependences, "dependence")}`,
  entries: (data) => data.structures,
  sort: "share",
  columns: (profile, { instances }) => [
    shares("share", "% of run", (row) => row.excess, Number(instances), "The excess, of all instances"),
    {
      ...numbers("excess", "Excess", (row) => row.excess, "The cost that the benefit does not make up for"),
      cell: (row) => shared(row.excess),
    },
    {
      ...numbers("cost", "Cost", (row) => row.cost, "Instances that made the values"),
      cell: (row) => shared(row.cost),
    },
    {
      ...numbers("benefit", "Benefit", (row) => row.benefit, "Instances that used the values"),
      cell: (row) => shared(row.benefit),
    },
    numbers("objects", "Objects", (row) => Number(row.objects)),
    numbers("bytes", "Bytes", (row) => Number(row.bytes)),
    sites("site", "Structure", (row) => row.site),
    places("method", "Made in", profile, (row) => row.allocated_at),
  ],
  unfold: (structure, profile) => [
    element("h3", null, siteName(structure.site)),
    element("p", null, "Made in ", placeLink(profile, structure.allocated_at)),
    structure.part_of.length > 0 &&
      element("p.quiet", null, `Part of ${structure.part_of.join(", ")}`),
    plainTable(
      "Fields",
      [
        ...["Excess", "Cost", "Benefit", "Reads", "Writes", "Depth"].map((title) => ["number", title]),
        ["text", "Field"],
      ],
      structure.fields.map((field) =>
        element(
          "tr",
          null,
          element("td.number", null, shared(field.excess)),
          element("td.number", null, shared(field.cost)),
          element("td.number", null, shared(field.benefit)),
          element("td.number", null, count(Number(field.reads))),
          element("td.number", null, count(Number(field.writes))),
          element("td.number", null, field.depth),
          element(
            "td.text",
            null,
            siteName(field.location),
            field.symptoms.map((symptom) => element("span.tag", null, symptom.replaceAll("_", " "))),
          ),
        ),
      ),
    ),
  ],
});

const deadView = dataflowView({
  id: "dead",
  title: "Dead values",
  mode: "costs",
  what: "Work that makes values nobody needs: neither they nor anything made of them is ever tested or given to native code.",
  figures: ({ instances, ipd, ipp, nld }) =>
    `${counted(Number(instances), "instruction instance")}: ${(100 * ipd).toFixed(2)}% make only dead values (IPD), ` +
    `${(100 * ipp).toFixed(2)}% lead only to tests (IPP); ${(100 * nld).toFixed(2)}% of the instructions make nothing else than dead values (NLD)`,
  entries: (data) => data.methods,
  users: "dead values",
  sort: "dead",
  columns: (profile, { dead }) => [
    numbers("dead", "Dead", (row) => Number(row.dead)),
    shares("share", "%", (row) => Number(row.dead), Number(dead), "Of all dead instances"),
    shares(
      "own",
      "Of its own",
      (row) => Number(row.dead) / Number(row.instances),
      1,
      "Of the instances of the method",
    ),
    places("method", "Method", profile, (row) => ({ method: row.method })),
  ],
  unfold: (row, profile) => {
    const same = (at) => JSON.stringify(at.method) === JSON.stringify(row.method);
    const lines = profile.dataflow.dead.lines.filter(same);
    return [
      element("h3", null, "Lines"),
      lines.length === 0 &&
        element("p.quiet", null, "None of its lines is among those that the report lists."),
      element(
        "ul",
        null,
        lines.map((at) =>
          element(
            "li",
            null,
            placeLink(profile, at),
            `: ${count(Number(at.dead))} of ${count(Number(at.instances))}`,
          ),
        ),
      ),
    ];
  },
});

const nullsView = dataflowView({
  id: "nulls",
  title: "Nulls",
  mode: "nulls",
  what: "Where the nulls behind NullPointerExceptions came from.",
  figures: ({ uncaught, caught }) =>
    `${counted(Number(uncaught) + Number(caught), "NullPointerException")}, ${count(Number(uncaught))} of them not caught`,
  entries: (data) => data.places,
  sort: "uncaught",
  columns: (profile) => [
    numbers("uncaught", "Not caught", (row) => Number(row.uncaught)),
    numbers("caught", "Caught", (row) => Number(row.caught)),
    places("place", "Raised at", profile, (row) => row),
  ],
  unfold: (raised, profile) => [
    raised.ways
      .map((way) => [
        element("h3", null, `${counted(Number(way.exceptions), "null")} may have come this way`),
        element(
          "ol.chain",
          null,
          way.steps.map((step) =>
            element(
              "li",
              null,
              placeLink(profile, step),
              ` ${step.does}`,
              step.what && [" (", element("code", null, step.what), ")"],
            ),
          ),
        ),
      ])
      .flat(),
    Number(raised.unknown) > 0 &&
      element("p.quiet", null, `${counted(Number(raised.unknown), "null")} of unknown origin`),
  ],
});
