// Pictures as files: a flame graph as SVG or PNG, a ring chart as PNG.

/** Height of a bar in a saved picture, and of what stands above and below the bars. */
const SAVED_BAR = 18;
const SAVED_EDGE = 26;

/** Bars narrower than this are left out, in pixels. */
const SAVED_LEAST = 0.3;

/** Pixels of a side at most: browsers draw no larger ones. */
const SAVED_MOST = 16_000;

/** The bars that a flame graph shows from left to right, of all its levels. */
function savedBars({ tree, view, ground }, width) {
  const bars = [];
  let deepest = ground;
  for (let node = 0; node < tree.size;) {
    const x = ((tree.start[node] - view.from) / (view.to - view.from)) * width;
    const right = ((tree.stop[node] - view.from) / (view.to - view.from)) * width;
    const left = Math.max(0, x);
    const wide = Math.min(width, right) - left;
    if (wide < SAVED_LEAST) {
      node = tree.end[node];
      continue;
    }
    if (tree.level[node] >= ground) bars.push({ node, left, wide, level: tree.level[node] - ground });
    deepest = Math.max(deepest, tree.level[node]);
    node += 1;
  }
  return { bars, levels: deepest - ground + 1 };
}

/** A flame graph as an SVG element, with names and figures behind the pointer. */
function flameDrawing(graph, title) {
  const width = Math.max(800, Math.round(graph.surface.width));
  const { bars, levels } = savedBars(graph, width);
  const height = levels * SAVED_BAR + 2 * SAVED_EDGE;
  const measure = element("canvas").getContext("2d");
  measure.font = "12px sans-serif";
  const bar = ({ node, left, wide, level }) => {
    const y = SAVED_EDGE + (graph.upward ? levels - 1 - level : level) * SAVED_BAR;
    const [name, facts] = graph.facts(node);
    const figures = facts.filter(([, value]) => value).map(([label, value]) => `${label} ${value}`);
    const fit = wide > 20 && fitting(measure, graph.captions(node), wide - 6);
    return drawn(
      "g",
      null,
      drawn("title", null, [name, ...figures].join("\n")),
      drawn("rect", {
        x: left.toFixed(2),
        y,
        width: Math.max(SAVED_LEAST, wide - (wide > 4 ? 1 : 0)).toFixed(2),
        height: SAVED_BAR - 1,
        fill: cssOf(graph.colours[node]),
      }),
      fit &&
        drawn(
          "text",
          { x: (left + 3).toFixed(2), y: y + SAVED_BAR - 5, fill: graph.inkOf(node) },
          fit.text,
        ),
    );
  };
  const { ink } = palette();
  const ground = theme.dark ? "#12161b" : "#ffffff";
  return drawn(
    "svg",
    {
      xmlns: "http://www.w3.org/2000/svg",
      width,
      height,
      viewBox: `0 0 ${width} ${height}`,
      "font-family": "sans-serif",
      "font-size": 12,
    },
    drawn("rect", { width, height, fill: ground }),
    drawn("text", { x: 4, y: 17, fill: ink, "font-weight": "bold" }, title),
    bars.map(bar),
    drawn("text", { x: 4, y: height - 8, fill: ink }, graph.facts(graph.node)[0]),
  );
}

/** An SVG drawn on a canvas, as sharply as browsers can. */
async function rastered(svg) {
  const [width, height] = ["width", "height"].map((side) => Number(svg.getAttribute(side)));
  const image = new Image();
  image.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(new XMLSerializer().serializeToString(svg))}`;
  await image.decode();
  const scale = Math.min(2, SAVED_MOST / Math.max(width, height));
  const canvas = element("canvas", { width: Math.round(width * scale), height: Math.round(height * scale) });
  canvas.getContext("2d").drawImage(image, 0, 0, canvas.width, canvas.height);
  return canvas;
}

/** Hands a file to the browser. */
function download(blob, name) {
  const address = URL.createObjectURL(blob);
  element("a", { href: address, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(address), 10_000);
}

/** Saves a picture; `form` is "svg" or "png". */
async function savePicture(picture, name, form) {
  const title = document.title;
  if (form === "svg") {
    const text = new XMLSerializer().serializeToString(flameDrawing(picture, title));
    download(new Blob([text], { type: "image/svg+xml" }), `${name}.svg`);
    return;
  }
  const canvas = picture instanceof FlameGraph ? await rastered(flameDrawing(picture, title)) : picture.surface.picture;
  canvas.toBlob((blob) => blob && download(blob, `${name}.png`), "image/png");
}

/** Buttons that save the picture that `now` gives. */
function savingControls(now, id) {
  const button = (form) =>
    element(
      "button",
      {
        type: "button",
        id: `save-${form}`,
        title: `Save what is in sight, with all its levels, as ${form.toUpperCase()}`,
        onclick: () => savePicture(now(), `subsume-${id}`, form),
      },
      `Save ${form.toUpperCase()}`,
    );
  return [id !== "ring" && button("svg"), button("png")];
}
