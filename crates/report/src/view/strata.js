// The picture that the ring chart and the flame graph share: for every level
// of a tree a row of bins, each with the colour of the node that covers its
// middle. A walk visits only nodes that cover a bin, so that its time depends
// on the size of the picture and not on that of the tree.

/**
 * Paints levels `top` to `top + rows.length` of a tree between the positions
 * `from` and `to` of its line. `rows[r]` says where a row begins in `pixels`
 * and how many bins it has. `colours` has one colour for each node. Calls
 * `seen(node, row, begin, end)` for nodes of at least `least` bins.
 */
function paintStrata(tree, { from, to, top, rows, pixels, colours, least = Infinity, seen }) {
  const { start, stop, end, level } = tree;
  const scale = 1 / (to - from);
  const bottom = top + rows.length;
  pixels.fill(0);
  for (let node = 0; node < tree.size;) {
    const depth = level[node];
    if (depth >= bottom || stop[node] <= from || start[node] >= to) {
      node = end[node];
      continue;
    }
    const begins = (start[node] - from) * scale;
    const ends = (stop[node] - from) * scale;
    if (depth < top) {
      // Out of sight, but what lies below it may be in sight.
      node += 1;
      continue;
    }
    const { offset, bins } = rows[depth - top];
    const first = Math.max(0, Math.ceil(begins * bins - 0.5));
    const behind = Math.min(bins, Math.ceil(ends * bins - 0.5));
    if (behind <= first) {
      node = end[node];
      continue;
    }
    // A gap at the left edge keeps neighbours apart where there is room.
    const gap = behind - first >= 4 && begins >= 0 ? 1 : 0;
    pixels.fill(colours[node], offset + first + gap, offset + behind);
    if (behind - first >= least) seen(node, depth - top, first + gap, behind);
    node += 1;
  }
}

/** A movement from one view to another, eased, for as long as `done` is false. */
function glide(from, to, milliseconds, draw) {
  let begun = null;
  let stopped = false;
  const reduced = matchMedia("(prefers-reduced-motion: reduce)").matches;
  const step = (now) => {
    if (stopped) return;
    begun ??= now;
    const time = reduced ? 1 : Math.min(1, (now - begun) / milliseconds);
    const eased = time * time * (3 - 2 * time);
    const present = {};
    for (const name of Object.keys(to))
      present[name] = from[name] + (to[name] - from[name]) * eased;
    draw(present, time === 1);
    if (time < 1) requestAnimationFrame(step);
  };
  requestAnimationFrame(step);
  return () => {
    stopped = true;
  };
}
