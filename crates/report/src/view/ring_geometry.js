// Which ring and which angle each pixel of a ring chart lies in. It depends on
// the size alone, so that a frame of an animation only looks colours up.

/** Parts that a full circle is divided into. */
const TURN = 16384;

/** Sizes whose tables are kept: one in flight, one at rest, one of a preview. */
const KEPT_SIZES = 3;

const geometries = new Map();

/** The tables for a square of `size` pixels. */
function ringGeometry(size) {
  const kept = geometries.get(size);
  if (kept) return kept;
  const radius = new Float32Array(size * size);
  const angle = new Uint16Array(size * size);
  const middle = size / 2;
  for (let y = 0, at = 0; y < size; y += 1) {
    for (let x = 0; x < size; x += 1, at += 1) {
      const right = x + 0.5 - middle;
      const down = y + 0.5 - middle;
      radius[at] = Math.sqrt(right * right + down * down);
      // Clockwise from the top, as on a clock.
      const turned = Math.atan2(right, -down) / (2 * Math.PI);
      angle[at] = Math.floor((turned < 0 ? turned + 1 : turned) * TURN) & (TURN - 1);
    }
  }
  if (geometries.size >= KEPT_SIZES) geometries.delete(geometries.keys().next().value);
  const made = { radius, angle };
  geometries.set(size, made);
  return made;
}

/** Steps of a pixel in which radii are told apart. */
const STEPS_OF_PIXEL = 4;

/**
 * Rows for the rings between the radii `edges`: as many bins as a ring has
 * pixels around, in powers of two, so that an angle becomes a bin by a shift.
 */
function ringRows(edges) {
  const rows = [];
  let offset = 0;
  for (const edge of edges.slice(1)) {
    const shift = Math.min(8, Math.max(0, Math.floor(Math.log2(TURN / (2 * Math.PI * edge)))));
    rows.push({ offset, bins: TURN >> shift, shift });
    offset += TURN >> shift;
  }
  return { rows, length: offset };
}

/**
 * Colours an image: inside the first of the radii `edges` with `middle`, ring
 * by ring outwards from there, nothing outside of the last one.
 */
function colourRings({ radius, angle }, image, { edges, rows, pixels, middle }) {
  const hub = edges[0];
  const reach = edges.at(-1);
  // The ring of each radius; -1 on the line between two, for which thin rings
  // have no room.
  const ringAt = new Int16Array(Math.ceil(reach * STEPS_OF_PIXEL) + 1);
  let ring = 0;
  for (let step = 0; step < ringAt.length; step += 1) {
    const at = step / STEPS_OF_PIXEL;
    while (ring < rows.length - 1 && at >= edges[ring + 1]) ring += 1;
    const thick = edges[ring + 1] - edges[ring];
    ringAt[step] = thick >= 5 && at - edges[ring] < 1 ? -1 : ring;
  }
  const offsets = Int32Array.from(rows, (row) => row.offset);
  const shifts = Int32Array.from(rows, (row) => row.shift);
  for (let at = 0; at < image.length; at += 1) {
    const distance = radius[at];
    if (distance >= reach) {
      image[at] = 0;
    } else if (distance < hub) {
      image[at] = distance > hub - 1 ? 0 : middle;
    } else {
      const found = ringAt[(distance * STEPS_OF_PIXEL) | 0];
      image[at] = found < 0 ? 0 : pixels[offsets[found] + (angle[at] >> shifts[found])];
    }
  }
}
