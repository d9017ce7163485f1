// How exact the numbers of data flow are, under each of its tables.

function exactnessOf(exactness) {
  if (!exactness) return null;
  const runs = Array.isArray(exactness) ? exactness : [exactness];
  return element("div.exactness.quiet", null, runs.map(exactnessOfRun).flat());
}

function exactnessOfRun({
  slots,
  sites,
  sites_in_conflict: conflicts,
  conflict_ratio: ratio,
  lost,
}) {
  const contexts =
    slots > 0
      ? `Contexts: ${slots} slots a site; ${count(conflicts)} of ${counted(sites, "site")} have several contexts in a slot (conflict ratio ${ratio.toFixed(4)}).`
      : "Objects are told apart by their allocation sites alone.";
  return [element("p", null, contexts), lostOrigins(lost)];
}

/** Values of which it is not known where they came from. */
function lostOrigins(lost) {
  const all = (lost ?? []).reduce((sum, entry) => sum + Number(entry.values), 0);
  if (all === 0) return null;
  const reasons = lost.map((entry) => `${count(Number(entry.values))} ${entry.reason}`).join("; ");
  return element(
    "p",
    null,
    `Origins lost: ${count(all)} values count as coming from nowhere (${reasons}).`,
  );
}
