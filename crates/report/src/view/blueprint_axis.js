// The scale of heights at the right of a blueprint, as `subsume blueprint` draws it.

/** Room for it, and letters of a metric's name that have room. */
const SCALE_ROOM = 84;
const SCALE_LETTERS = 11;

/** A scale from nothing, at `base`, to a cost, at `top`, right of what is `plot` wide. */
function heightScale({ base, top, cost }, plot, metric) {
  const x = plot + 10;
  const tick = (y) => `M${length(x - 3)} ${length(y)}h6`;
  const words = (y, written) => text(x + 7, y, written, { class: "axis quiet" });
  return [
    drawn("path", { class: "base", d: `M${length(x)} ${length(top)}V${length(base)}${tick(top)}${tick(base)}` }),
    words(base, "0"),
    base - top >= 1.5 * LINE && words(top + 8, rounded(cost)),
    base - top >= 3 * LINE && words(top + 8 + LINE, clipped(metric, SCALE_LETTERS)),
  ];
}
