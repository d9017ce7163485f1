// Names in pictures, which never are wider than their room.

/** Widths of texts by font; measuring takes long. */
const widths = new Map();

function widthOf(context, text) {
  let ofFont = widths.get(context.font);
  if (!ofFont || ofFont.size > 20_000) widths.set(context.font, (ofFont = new Map()));
  let width = ofFont.get(text);
  if (width === undefined) {
    width = context.measureText(text).width;
    ofFont.set(text, width);
  }
  return width;
}

/**
 * The first of the texts that fits into so many pixels, or as much as fits of the
 * last one: `{ text, whole }`; null if that is next to nothing.
 */
function fitting(context, texts, room) {
  for (const text of texts) if (widthOf(context, text) <= room) return { text, whole: true };
  const text = texts.at(-1);
  let kept = 0;
  for (let step = 64; step >= 1; step /= 2) {
    const longer = kept + step;
    if (longer < text.length && widthOf(context, `${text.slice(0, longer)}…`) <= room) kept = longer;
  }
  return kept < 3 ? null : { text: `${text.slice(0, kept)}…`, whole: false };
}

/** What a node may be called, the most telling name first. */
function captionsOf(profile, tree, node) {
  if (node === 0) {
    const whole = `${count(tree.total)} ${profile.metric}`;
    return [`all: ${whole}`, whole, "all"];
  }
  if (tree.isRest(node)) {
    const share = percent(tree.cost[node], profile.total);
    return [`rest: ${share} in parts too small to draw`, `rest: ${share}`, "rest"];
  }
  const frames = tree.frames(node);
  if (frames) {
    const number = `${count(frames.length)} frames`;
    return [`${number}, from ${profile.briefName(frames[0])} to ${profile.briefName(frames.at(-1))}`, number];
  }
  const brief = profile.briefName(tree.method[node]);
  const plain = brief.includes("(") ? brief.slice(0, brief.indexOf("(", 1)) : brief;
  // The method's name says more than its class's, but for constructors.
  // Anything may stand in the text of an argument.
  const method = plain.slice(plain.split(": ", 1)[0].lastIndexOf(".") + 1);
  return [brief, plain, method.startsWith("<") ? plain : method];
}

/** Writes a name on a plate of its own, which begins at a place or ends there. */
function flag(context, text, { x, y, height, width, colour, ink }) {
  const wide = widthOf(context, text) + 12;
  const left = x + 6 + wide <= width ? x + 6 : Math.max(0, x - 6 - wide);
  context.fillStyle = colour;
  context.beginPath();
  context.roundRect(left, y, wide, height, 4);
  context.fill();
  context.fillStyle = ink;
  context.textAlign = "left";
  context.textBaseline = "middle";
  context.fillText(text, left + 6, y + height / 2);
}
