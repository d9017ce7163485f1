// What a recording with mode=growth shows.

const growthView = dataflowView({
  id: "growth",
  title: "Growth",
  mode: "growth",
  what: "Loops, and methods that call themselves, by how their cost grows with their input: with an exponent near 2, twice the input takes four times as long.",
  figures: ({ steep, fitted, unfitted }) =>
    `${count(Number(steep))} of ${counted(Number(fitted), "loop")} with an exponent ${Number(steep) === 1 ? "is" : "are"} quadratic, or nearly so` +
    (unfitted > 0 ? `; ${counted(Number(unfitted), "other")} met too few sizes` : ""),
  entries: (data) => data.loops,
  // Quadratic first; the order of each kind is that of the data.
  sort: "verdict",
  columns: (profile) => [
    numbers("exponent", "Exponent", (row) => row.exponent, "Of the cost over the size: 1 is linear, 2 quadratic"),
    {
      id: "verdict",
      title: "Verdict",
      kind: "text",
      value: (row) => growthVerdict(row),
      cell: (row) => growthVerdict(row),
    },
    numbers("cost", "Reads there", (row) => Math.round(row.cost), "Mean number of reads at the greatest size"),
    numbers("greatest", "Greatest size", (row) => Math.round(row.greatest_size), "Places that an instance reads before it has written them"),
    numbers("sizes", "Sizes", (row) => Number(row.sizes)),
    places("loop", "Loop or method", profile, (row) => row),
  ],
  unfold: (loop, profile) => [
    element("h3", null, placeLink(profile, loop)),
    growthGraph(loop),
    element(
      "p.quiet",
      null,
      `R² ${loop.r_squared.toFixed(2)}; ` +
        (loop.upper_exponent === null
          ? "too few sizes in the upper half of the range for an exponent of its own"
          : `exponent ${loop.upper_exponent.toFixed(2)} in the upper half of the range`),
    ),
    linesOf(profile, loop),
  ],
  notes: (data, profile) => ({
    title: "Loops that go on without effect",
    what: "Notes, no verdicts: nothing is written in these iterations that anybody may read later. The end of a search may be all that it finds out.",
    rows: data.idle,
    left: Number(data.more_idle),
    columns: [
      numbers("idle", "Without effect", (row) => Number(row.iterations_without_effect), "Iterations without effect, of instances with at least ten"),
      numbers("iterations", "Iterations", (row) => Number(row.iterations)),
      numbers("instances", "Instances", (row) => Number(row.instances)),
      { id: "what", title: "What", kind: "text", value: (row) => row.verdict, cell: (row) => row.verdict },
      places("idle-loop", "Loop", profile, (row) => row),
    ],
  }),
});

function growthVerdict(loop) {
  return loop.steep ? "quadratic" : loop.exponent >= 1.3 ? "more than linear" : "linear or less";
}

/** Costs over sizes, both logarithmic, with lines of the slopes 1 and 2. */
function growthGraph(loop) {
  const [width, height, left, below, margin] = [480, 240, 64, 34, 10];
  const points = loop.points.filter((point) => point.size > 0 && Number(point.greatest_cost) > 0);
  if (points.length === 0) return null;
  const log = (value) => Math.log10(Math.max(Number(value), 1));
  const range = (values) => {
    const [from, to] = [Math.min(...values), Math.max(...values)];
    return to > from ? [from, to] : [from - 0.5, to + 0.5];
  };
  const sizes = range(points.map((point) => log(point.size)));
  const costs = range(points.flatMap((point) => [log(point.least_cost), log(point.greatest_cost)]));
  const x = (size) => left + ((size - sizes[0]) / (sizes[1] - sizes[0])) * (width - left - margin);
  const y = (cost) => height - below - ((cost - costs[0]) / (costs[1] - costs[0])) * (height - below - margin);
  const first = points.reduce((one, other) => (one.size < other.size ? one : other));
  const slope = (exponent) => {
    // As far as the picture goes, up or to the right.
    const span = Math.min(sizes[1] - log(first.size), (costs[1] - log(first.mean_cost)) / exponent);
    const [to, up] = [log(first.size) + span, log(first.mean_cost) + span * exponent];
    return [
      drawn("line", {
        class: "slope",
        x1: x(log(first.size)),
        y1: y(log(first.mean_cost)),
        x2: x(to),
        y2: y(up),
      }),
// Below the line, where that goes on.
      drawn(
        "text",
        { class: "slope", x: x(log(first.size) + span * 0.8), y: y(log(first.mean_cost) + span * 0.8 * exponent) + 16 },
        exponent === 1 ? "linear" : "quadratic",
      ),
    ];
  };
  const mark = (point) => {
    const at = x(log(point.size));
    return drawn(
      "g",
      null,
      drawn("title", null, `${counted(Number(point.instances), "instance")} of size ${count(Math.round(point.size))}: ${count(Math.round(point.mean_cost))} reads`),
      drawn("line", { x1: at, x2: at, y1: y(log(point.least_cost)), y2: y(log(point.greatest_cost)) }),
      drawn("circle", { cx: at, cy: y(log(point.mean_cost)), r: 3.5 }),
    );
  };
  const label = (value, attributes) => drawn("text", attributes, count(Math.round(10 ** value)));
  const ends = { x: left - 6, "text-anchor": "end" };
  const base = height - below;
  return drawn(
    "svg",
    { class: "growth", viewBox: `0 0 ${width} ${height}`, role: "img", "aria-label": `Reads by size, exponent ${loop.exponent.toFixed(2)}` },
    drawn("path", { class: "axes", d: `M${left} ${margin}V${base}H${width - margin}` }),
    slope(1),
    slope(2),
    points.map(mark),
    label(costs[1], { ...ends, y: margin + 8 }),
    label(costs[0], { ...ends, y: base }),
    label(sizes[0], { x: left, y: base + 14 }),
    label(sizes[1], { x: width - margin, y: base + 14, "text-anchor": "end" }),
    drawn("text", { x: (left + width) / 2, y: height - 4, "text-anchor": "middle" }, "size"),
    drawn("text", { ...ends, y: (margin + base) / 2 }, "reads"),
  );
}
