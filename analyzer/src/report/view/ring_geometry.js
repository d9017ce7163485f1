// Which ring and which angle each pixel of a ring chart lies in. It depends on
// the size alone, so that a frame of an animation only looks colours up.

/** Parts that a full circle is divided into. */
const TURN = 16384;

const ringGeometry = {
  size: 0,

  /** Makes the tables for a square of `size` pixels. */
  fit(size) {
    if (this.size === size) return;
    this.size = size;
    this.radius = new Float32Array(size * size);
    this.angle = new Uint16Array(size * size);
    const middle = size / 2;
    for (let y = 0, at = 0; y < size; y += 1) {
      for (let x = 0; x < size; x += 1, at += 1) {
        const right = x + 0.5 - middle;
        const down = y + 0.5 - middle;
        this.radius[at] = Math.sqrt(right * right + down * down);
        // Clockwise from the top, as on a clock.
        const turned = Math.atan2(right, -down) / (2 * Math.PI);
        this.angle[at] = Math.floor((turned < 0 ? turned + 1 : turned) * TURN) & (TURN - 1);
      }
    }
  },

  /**
   * Rows for rings of `thick` pixels from `first` pixels on outwards: as many
   * bins as the ring has pixels around, in powers of two, so that an angle
   * becomes a bin by a shift.
   */
  rows(count, first, thick) {
    const rows = [];
    let offset = 0;
    for (let ring = 0; ring < count; ring += 1) {
      const around = 2 * Math.PI * Math.max(1, first + (ring + 1) * thick);
      let shift = Math.max(0, Math.floor(Math.log2(TURN / around)));
      shift = Math.min(shift, 8);
      rows.push({ offset, bins: TURN >> shift, shift });
      offset += TURN >> shift;
    }
    return { rows, length: offset };
  },

  /**
   * Colours an image: inside `hub` pixels with `middle`, ring by ring outwards
   * from there, nothing outside of the last ring.
   */
  colour(image, { hub, thick, rows, pixels, middle, lines }) {
    const { radius, angle } = this;
    const count = rows.length;
    const offsets = Int32Array.from(rows, (row) => row.offset);
    const shifts = Int32Array.from(rows, (row) => row.shift);
    const edge = hub + count * thick;
    // Thin rings have no room for lines between them.
    const line = lines && thick >= 5 ? 1 / thick : 0;
    const perPixel = 1 / thick;
    for (let at = 0; at < image.length; at += 1) {
      const distance = radius[at];
      if (distance >= edge) {
        image[at] = 0;
        continue;
      }
      if (distance < hub) {
        image[at] = distance > hub - 1 ? 0 : middle;
        continue;
      }
      const ring = (distance - hub) * perPixel;
      const row = ring | 0;
      image[at] = ring - row < line ? 0 : pixels[offsets[row] + (angle[at] >> shifts[row])];
    }
  },
};
