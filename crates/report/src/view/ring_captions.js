// Names beside a ring chart, each with a line to its piece.

/** Pixels at each side of the ring that names have. */
const CAPTION_ROOM = 150;

/** On a small screen so much of its width. */
const CAPTION_SHARE = 0.22;

/** Names at each side at most. */
const MOST_CAPTIONS = 7;

/** A callee with more of a piece's cost than this is what the piece stands for. */
const PASSES_ON = 0.75;

/** Smaller parts of the centre get no name of their own. */
const LEAST_CAPTION = 0.015;

/** Pixels of a selected piece at least, as marked. */
const LEAST_PIECE_MARK = 9;

/**
 * The pieces worth naming below a centre, the costliest first: where the cost does
 * not go on into a single callee, or no further ring is in sight.
 */
function forks(tree, centre, top, rings) {
  const { cost, end, level } = tree;
  const found = [];
  for (let node = centre + 1; node < end[centre];) {
    if (tree.isRest(node) || cost[node] < LEAST_CAPTION * cost[centre] || level[node] >= top + rings) {
      node = end[node];
      continue;
    }
    let largest = 0;
    for (let child = node + 1; child < end[node]; child = end[child])
      if (!tree.isRest(child)) largest = Math.max(largest, cost[child]);
    if (largest < PASSES_ON * cost[node] || level[node] === top + rings - 1) found.push(node);
    node += 1;
  }
  return found.sort((a, b) => cost[b] - cost[a]);
}

/** Outlines a piece, and paints it where it is too small to be seen. */
function markPiece(context, x, y, piece, picture) {
  const middle = (piece.inner + piece.outer) / 2;
  const thick = Math.max(piece.outer - piece.inner, LEAST_PIECE_MARK);
  const long = Math.max(piece.to - piece.from, LEAST_PIECE_MARK / middle);
  const angle = (piece.from + piece.to) / 2;
  const path = () => {
    context.beginPath();
    context.arc(x, y, middle + thick / 2, angle - long / 2, angle + long / 2);
    context.arc(x, y, middle - thick / 2, angle + long / 2, angle - long / 2, true);
    context.closePath();
  };
  path();
  context.fillStyle = palette().selected;
  context.fill();
  context.strokeStyle = palette().ink;
  context.lineWidth = 1.2;
  context.stroke();
  const at = [x + middle * Math.cos(angle), y + middle * Math.sin(angle)];
  picture.dataset.marked = at.map(Math.round).join(" ");
}

/** Writes the names; how many found room. `marked` is the selected one. */
function writeCaptions(chart, wanted, pieceOf, marked) {
  const { context, width, height, em } = chart.surface;
  const line = Math.round(em * 1.5);
  const sides = { left: [], right: [] };
  context.font = `${0.86 * em}px ${FONT}`;
  const named = new Set();
  for (const node of wanted) {
    const piece = pieceOf(node);
    // One name for a method is enough.
    if (!piece || named.has(chart.tree.method[node])) continue;
    const angle = (piece.from + piece.to) / 2;
    // The line begins near the outer edge and leaves the piece's middle free.
    const radius = piece.inner + (piece.outer - piece.inner) * 0.9;
    const x = width / 2 + radius * Math.cos(angle);
    const y = height / 2 + radius * Math.sin(angle);
    const side = Math.cos(angle) < 0 ? sides.left : sides.right;
    if (side.length >= MOST_CAPTIONS) continue;
    named.add(chart.tree.method[node]);
    side.push({ node, x, y, at: y });
  }
  let written = 0;
  for (const [side, captions] of Object.entries(sides)) {
    spread(captions, line, height);
    for (const { node, x, y, at } of captions) {
      const isRight = side === "right";
      const edge = isRight
        ? width / 2 + chart.reach + 14
        : width / 2 - chart.reach - 14;
      const room = (isRight ? width - edge : edge) - 6;
      const fit = fitting(context, captionsOf(chart.profile, chart.tree, node).slice(1), room);
      if (!fit) continue;
      written += fit.whole;
      context.strokeStyle = palette().ink;
      context.globalAlpha = node === marked ? 1 : 0.45;
      context.lineWidth = 1;
      context.beginPath();
      context.moveTo(x, y);
      context.lineTo(edge - (isRight ? 8 : -8), at);
      context.lineTo(edge - (isRight ? 2 : -2), at);
      context.stroke();
      context.fillStyle = palette().ink;
      if (node !== marked) {
        context.beginPath();
        context.arc(x, y, 2, 0, 2 * Math.PI);
        context.fill();
      }
      context.globalAlpha = 1;
      context.textAlign = isRight ? "left" : "right";
      context.textBaseline = "middle";
      context.font = `${node === marked ? "600 " : ""}${0.86 * em}px ${FONT}`;
      context.fillText(fit.text, edge, at);
      context.font = `${0.86 * em}px ${FONT}`;
    }
  }
  return written;
}

/** Moves captions apart, from top to bottom, so that none lies on another. */
function spread(captions, line, height) {
  captions.sort((a, b) => a.y - b.y);
  let least = line;
  for (const caption of captions) {
    caption.at = Math.max(caption.at, least);
    least = caption.at + line;
  }
  let most = height - line / 2;
  for (const caption of [...captions].reverse()) {
    caption.at = Math.min(caption.at, most);
    most = caption.at - line;
  }
}
