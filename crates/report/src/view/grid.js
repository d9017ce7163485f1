// Induced costs of a method for every pair of thresholds, as the report packs
// them: row by row, each as the difference to the cell before it.

/** The largest threshold there is a number for. */
const LAST_THRESHOLD = 10;

/** The number of a pair of thresholds. */
function pairOf(height, distance) {
  return height * (LAST_THRESHOLD + 1) + distance;
}

/**
 * Unpacks one method's grid into a function of height and distance that gives
 * its induced cost, or null where the method does not subsume.
 */
function gridOf(packed) {
  if (!packed) return () => null;
  const [heights, distances, ...code] = packed;
  const cells = new Float64Array(heights * distances);
  let at = 0;
  let zeros = 0;
  const next = () => {
    if (zeros > 0) {
      zeros -= 1;
      return 0;
    }
    const value = Number(code[at] ?? 0);
    at += 1;
    if (value < 0) {
      zeros = -value - 1;
      return 0;
    }
    return value;
  };
  for (let cell = 0; cell < cells.length; cell += 1) {
    const first = cell % distances === 0;
    const before = first ? cell - distances : cell - 1;
    cells[cell] = (before >= 0 ? cells[before] : 0) + next();
  }
  return (height, distance) =>
    height < heights && distance < distances ? cells[height * distances + distance] : null;
}
