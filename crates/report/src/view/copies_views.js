// What a recording with mode=copies shows.

const copiesView = dataflowView({
  id: "copies",
  title: "Copies",
  mode: "copies",
  what: "Methods that copy most between fields and arrays, by their own code and with all that they call.",
  figures: ({ operations, bytecodes }) => {
    const all = Object.values(operations).reduce((sum, value) => sum + Number(value), 0);
    const told = Object.entries(operations).map(
      ([name, value]) => `${count(Number(value))} ${name === "alu" ? "arithmetic" : name}`,
    );
    return `${told.join(", ")}; ${count(all)} operations in all, ${count(Number(bytecodes))} bytecodes`;
  },
  entries: (data) => data.methods,
  start: "copies",
  users: "copies",
  sort: "copies",
  columns: (profile, { operations }) => [
    numbers("copies", "Copies", (row) => Number(row.own.copies)),
    shares(
      "share",
      "%",
      (row) => Number(row.own.copies),
      Number(operations.copies),
      "Of all copies",
    ),
    numbers(
      "cumulative",
      "Cumulative",
      (row) => Number(row.cumulative.copies),
      "With all that the method calls",
    ),
    shares(
      "cumulative-share",
      "Cum. %",
      (row) => Number(row.cumulative.copies),
      Number(operations.copies),
    ),
    numbers("loads", "Loads", (row) => Number(row.own.loads)),
    numbers("stores", "Stores", (row) => Number(row.own.stores)),
    numbers("bytecodes", "Bytecodes", (row) => Number(row.bytecodes)),
    numbers("contexts", "Contexts", (row) => row.contexts),
    places("method", "Method", profile, (row) => ({ method: row })),
  ],
});

const chainsView = dataflowView({
  id: "chains",
  title: "Chains",
  mode: "copies",
  what: "Values that are carried from place to place: the longer the way and the more travel it, the more is wasted.",
  figures: ({ edges, locations }) =>
    `${counted(edges, "copy edge")} between ${counted(locations, "heap location")}`,
  entries: (data) => data.chains,
  sort: "waste",
  columns: (profile) => [
    numbers("waste", "Waste", (row) => Number(row.waste), "Length × frequency × bytes"),
    numbers("length", "Length", (row) => row.length),
    numbers("frequency", "Frequency", (row) => Number(row.frequency)),
    numbers("bytes", "Bytes", (row) => row.bytes),
    sites("start", "From", (row) => row.start.location),
    sites("end", "To", (row) => row.copies.at(-1).to.location),
    places("by", "Stored by", profile, (row) => row.copies.at(-1).stored_at),
  ],
  unfold: (chain, profile) => [
    element("h3", null, `A chain of ${counted(chain.length, "copy", "copies")}`),
    element(
      "ol.chain",
      null,
      element("li", null, siteName(chain.start.location), madeAt(profile, chain.start.owner)),
      chain.copies.map((copy) =>
        element(
          "li",
          null,
          element(
            "span.by",
            null,
            "stored by ",
            placeLink(profile, copy.stored_at),
            `, ${counted(Number(copy.count), "time")}, ${counted(copy.bytes, "byte")}`,
          ),
          siteName(copy.to.location),
          madeAt(profile, copy.to.owner),
        ),
      ),
    ),
    element(
      "p.quiet",
      null,
      chain.consumed ? "The values are used at its end." : "The values are not used at its end.",
      chain.folded > 0 && ` ${counted(chain.folded, "chain")} inside.`,
    ),
  ],
});

const clonesView = dataflowView({
  id: "clones",
  title: "Clones",
  mode: "copies",
  what: "Structures that are filled with copies of others.",
  figures: ({ copied }) => `${count(Number(copied))} bytes copied between heap locations`,
  entries: (data) => data.clones,
  sort: "bytes",
  columns: (profile, { copied }) => [
    numbers("bytes", "Bytes", (row) => Number(row.bytes)),
    shares(
      "share",
      "%",
      (row) => Number(row.bytes),
      Number(copied),
      "Of all bytes copied between heap locations",
    ),
    sites("from", "Of", (row) => row.pairs[0].from.site),
    sites("to", "Copy", (row) => row.pairs[0].to.site),
  ],
  unfold: (clone, profile) => [
    element(
      "h3",
      null,
      `${count(Number(clone.bytes))} bytes by ${counted(clone.all_flows, "flow")}`,
    ),
    clone.pairs.map((pair) =>
      element(
        "p",
        null,
        siteName(pair.from.site),
        madeAt(profile, pair.from),
        " → ",
        siteName(pair.to.site),
        madeAt(profile, pair.to),
        ` (${count(Number(pair.reached))} bytes)`,
      ),
    ),
    element("h3", null, "Flows"),
    element(
      "ul",
      null,
      clone.flows.map((flow) =>
        element(
          "li",
          null,
          `${count(Number(flow.bytes))} bytes: `,
          siteName(flow.from?.site ?? "?"),
          madeAt(profile, flow.from),
          " → ",
          siteName(flow.to?.site ?? "?"),
          madeAt(profile, flow.to),
        ),
      ),
      clone.all_flows > clone.flows.length &&
        element("li.quiet", null, `rest: ${counted(clone.all_flows - clone.flows.length, "flow")}`),
    ),
    clone.similar > 0 &&
      element(
        "p.quiet",
        null,
        `Half or more of what explains ${counted(clone.similar, "pair")} more is in these copies.`,
      ),
  ],
});

const temporariesView = dataflowView({
  id: "temporaries",
  title: "Temporaries",
  mode: "copies",
  what: "Objects that are never assigned to the heap: made, used and dropped.",
  figures: ({ temporaries, objects }) =>
    `${counted(Number(temporaries), "object")} (${percent(Number(temporaries), Number(objects))} of all) are never assigned to the heap`,
  entries: (data) => data.sites,
  start: "allocations",
  users: "temporaries",
  sort: "objects",
  columns: (profile) => [
    numbers("objects", "Objects", (row) => Number(row.objects)),
    shares(
      "share",
      "% of site",
      (row) => Number(row.objects) / Number(row.all_objects),
      1,
      "Of the objects that the site makes",
    ),
    numbers("bytes", "Bytes", (row) => Number(row.bytes)),
    sites("site", "Site", (row) => row.site),
    places("method", "Made in", profile, (row) => row.allocated_at),
  ],
  unfold: (site, profile) => [
    element("h3", null, siteName(site.site)),
    element("p", null, "Made in ", placeLink(profile, site.allocated_at)),
    element(
      "ul",
      null,
      site.contexts.map(({ allocations, callers }) =>
        element(
          "li",
          null,
          `${counted(Number(allocations), "allocation")} called by `,
          callers.map((caller, at) => [at > 0 ? " < " : "", namedMethod(profile, caller)]).flat(),
        ),
      ),
    ),
  ],
});

const uselessView = dataflowView({
  id: "useless",
  title: "Useless copies",
  mode: "copies",
  what: "Values that are copied to where they are never used.",
  figures: ({ bytes, bytes_nowhere: nowhere }) =>
    `${count(Number(bytes))} bytes copied to where they are never used, ${count(Number(nowhere))} of them without leading to anything used`,
  entries: (data) => data.owners,
  users: "unused bytes",
  sort: "bytes",
  columns: (profile, { bytes }) => [
    numbers("bytes", "Bytes", (row) => Number(row.bytes)),
    shares("share", "%", (row) => Number(row.bytes), Number(bytes)),
    numbers("values", "Values", (row) => Number(row.values)),
    numbers(
      "nowhere",
      "To no use",
      (row) => Number(row.bytes_nowhere),
      "Bytes that lead to nothing that is used",
    ),
    sites("site", "In objects of", (row) => row.site?.site ?? "static fields"),
    places("method", "Made in", profile, (row) => row.site?.allocated_at ?? {}),
  ],
  unfold: (owner) => [
    element("h3", null, siteName(owner.site?.site ?? "Static fields")),
    element(
      "ul",
      null,
      owner.locations.map((at) =>
        element(
          "li",
          null,
          siteName(at.location),
          `: ${count(Number(at.bytes))} bytes`,
          at.leads_on && ", leads to objects that are used",
        ),
      ),
    ),
  ],
});

/** Where the objects of a site are made. */
function madeAt(profile, site) {
  if (!site?.allocated_at?.method) return null;
  return element("span.made", null, " made in ", placeLink(profile, site.allocated_at));
}
