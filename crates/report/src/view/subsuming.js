// Which methods subsume for a pair of thresholds, and what they induce.

/**
 * The methods that subsume, as `{ method, induced }` with the virtual root as
 * method -1, and what is folded: methods that are not listed in the report.
 */
function subsuming(profile, height, distance) {
  const pair = pairOf(height, distance);
  const { root, rest } = profile.methods;
  const listed = [];
  for (let method = 0; method < profile.count; method += 1) {
    const induced = profile.induced(method, height, distance);
    if (induced !== null) listed.push({ method, induced });
  }
  if (Number(root[pair]) > 0) listed.push({ method: -1, induced: Number(root[pair]) });
  return {
    listed,
    folded: { methods: Number(rest.subsuming[pair]), induced: Number(rest.induced[pair]) },
  };
}

/** How many methods and contexts subsume, as the command says it. */
function subsumingSummary(profile, { listed, folded }, height, distance) {
  const methods = listed.filter((row) => row.method >= 0);
  const contexts = methods.reduce((sum, row) => sum + profile.methods.contexts[row.method], 0);
  const number = methods.length + folded.methods;
  const atLeast = folded.methods > 0 ? "at least " : "";
  return (
    `Subsuming: ${counted(number, "method")} (${percent(number, profile.executed)}) in ${atLeast}` +
    `${counted(contexts, "context")} (${percent(contexts, profile.contexts)}), ` +
    `with height > ${height} and distance > ${distance}`
  );
}
