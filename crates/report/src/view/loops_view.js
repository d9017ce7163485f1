// What a recording with mode=loops shows.

const loopsView = dataflowView({
  id: "loops",
  title: "Loops",
  mode: "loops",
  what: "Loops whose iterations read long runs of the same values again: work that could often be done once, or by a lookup.",
  figures: ({ wasted, reads, rare, left_out }) =>
    `${counted(Number(wasted), "value")} read in vain, of ${count(Number(reads))} read in judged loops` +
    (rare > 0 ? `; ${counted(rare, "loop")} left out because this may be chance` : "") +
    (Number(left_out.unjudged) > 0
      ? `; ${counted(Number(left_out.unjudged), "iteration")} of loops were not judged any more (max-accesses)`
      : ""),
  entries: (data) => data.loops,
  sort: "wasted",
  columns: (profile) => [
    numbers("wasted", "Wasted", (row) => Number(row.wasted), "Values in sequences similar to the one before"),
    shares("share", "Read again", (row) => row.share, 1, "Of what the loop reads, in the same places"),
    { id: "verdict", title: "Verdict", kind: "text", value: (row) => row.verdict, cell: (row) => row.verdict },
    numbers("iterations", "Iterations", (row) => Number(row.iterations)),
    numbers("reported", "Instances", (row) => Number(row.reported), "Those in which values were similar"),
    places("loop", "Loop", profile, (row) => row),
  ],
  unfold: (loop, profile) => [
    element("h3", null, placeLink(profile, loop)),
    element("p", null, `${capital(loop.sentence)}.`),
    element("p", null, `${capital(loop.hint)}.`),
    element(
      "p.quiet",
      null,
      `${counted(Number(loop.iterations), "iteration")} in ${counted(Number(loop.reported), "instance")}, of ${count(Number(loop.judged))} judged; ${loop.places}` +
        (Number(loop.unjudged) > 0
          ? `; ${counted(Number(loop.unjudged), "more iteration")} not judged (max-accesses)`
          : ""),
    ),
    element("h3", null, "What reads"),
    element(
      "ul",
      null,
      loop.similar.map((read) =>
        element(
          "li",
          null,
          `${count(Number(read.wasted))} of `,
          siteName(read.what),
          " at ",
          placeLink(profile, read),
          read.calls.length > 0 && [" by way of ", way(profile, read.calls, " > ")].flat(),
          `: ${count(Number(read.similar))} of ${counted(Number(read.sequences), "sequence")} similar`,
        ),
      ),
      Number(loop.others) > 0 && element("li.quiet", null, `rest: ${counted(Number(loop.others), "instruction")}`),
    ),
    element("h3", null, "Called by"),
    element(
      "ul",
      null,
      loop.paths.map(({ wasted, calls }) =>
        element("li", null, `${count(Number(wasted))} `, way(profile, calls.toReversed(), " < ")),
      ),
    ),
    linesOf(profile, loop),
  ],
});

/** Calls one behind the other. */
function way(profile, calls, between) {
  if (calls.length === 0) return ["nobody: it is the thread's first method"];
  return calls.map((at, number) => [number > 0 ? between : "", placeLink(profile, at)]).flat();
}

/** The source of the method with a loop, if the report has it. */
function linesOf(profile, { method }) {
  const known = method && profile.find(method.class, method.name, method.descriptor);
  return known === null || known === undefined ? null : sourceOf(profile, known);
}
