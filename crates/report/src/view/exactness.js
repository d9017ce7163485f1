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

/** What an analysis gave up, and what its numbers are estimates of. */
function boundsOf({ paths, missing, cut, estimated }) {
  const told = [];
  if (missing !== null && missing !== undefined) {
    told.push(
      `Looked at ${counted(paths, "path")} and gave up: chains that are missing have waste factors up to ${count(missing)}.`,
    );
  }
  if (cut?.flows > 0) {
    told.push(
      `Not looked at: ${counted(cut.flows, "smaller flow")} of up to ${counted(Number(cut.largest_flow), "byte")} each.`,
    );
  }
  if (cut?.searches > 0) {
    told.push(`Not looked at: owners beyond the first ones of ${counted(cut.searches, "site")}.`);
  }
  if (estimated?.sums > 0) {
    const error = (100 * estimated.standard_error).toFixed(1);
    told.push(
      `Estimated: ${count(estimated.sums)} of ${counted(estimated.of, "sum")}, with a standard error of ${error}%; they have a ±.`,
    );
  }
  return told.length === 0
    ? null
    : element(
        "div.exactness",
        null,
        told.map((line) => element("p", null, line)),
      );
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
