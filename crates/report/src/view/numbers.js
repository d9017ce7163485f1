// Numbers as people read them, with the same digits as the command prints.

const grouped = new Intl.NumberFormat("en-US", { maximumFractionDigits: 2 });

/**
 * 1234567 as "1,234,567". Text is a number with more digits than JavaScript's
 * numbers have, and keeps them all.
 */
function count(value) {
  if (value === null || value === undefined) return "–";
  return grouped.format(typeof value === "string" ? BigInt(value) : value).replace("-", "−");
}

/** A share as "6.96%"; of nothing there are no shares. */
function percent(part, whole) {
  if (!whole || part === null || part === undefined) return "–";
  const digits = ((100 * part) / whole).toFixed(2);
  // What rounds to nothing has no sign.
  return `${digits === "-0.00" ? "0.00" : digits}%`.replace("-", "−");
}

/** 1783885744 as "1.78 G", for places where the exact number has no room. */
function rounded(value) {
  const units = ["", " k", " M", " G", " T", " P"];
  let unit = 0;
  let rest = Math.abs(value);
  while (rest >= 999.5 && unit < units.length - 1) {
    rest /= 1000;
    unit += 1;
  }
  const digits = unit === 0 || rest >= 99.95 ? 0 : rest >= 9.995 ? 1 : 2;
  return `${value < 0 ? "−" : ""}${rest.toFixed(digits)}${units[unit]}`;
}

/** "1 method", "2 methods". */
function counted(value, one, many = `${one}s`) {
  return `${count(value)} ${value === 1 ? one : many}`;
}
