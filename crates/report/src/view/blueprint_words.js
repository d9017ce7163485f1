// What stands out in a blueprint, in a sentence above it.

/** The sentence; null where nothing does. */
function standsOut(kind, profile, made) {
  const words = { scatter: dotsInWords, structural: skylinesInWords, behavioural: callsInWords, evolution: changeInWords }[kind];
  const said = words(profile, made);
  return said && element("p.stands-out", null, said);
}

/** The method by which `value` is greatest, with its value; null if that is nothing. */
function greatestMethod(profile, value) {
  let found = null;
  for (let method = 0; method < profile.count; method += 1) {
    const of = value(method);
    if (of > 0 && (!found || of > found.of)) found = { method, of };
  }
  return found;
}

function dotsInWords(profile) {
  const own = greatestMethod(profile, (method) => Number(profile.methods.exclusive[method]));
  const often = greatestMethod(profile, (method) => executionsOf(profile, method));
  if (!own || !often) return null;
  const calls = profile.methods.calls ? "calls" : "contexts";
  return [
    "Most by its own code: ",
    methodLink(profile, own.method, true),
    `, ${percent(own.of, profile.total)} in ${count(executionsOf(profile, own.method))} ${calls}. Most ${calls}: `,
    methodLink(profile, often.method, true),
    `, ${count(often.of)}.`,
  ];
}

function skylinesInWords(profile, { layout }) {
  const tallest = layout.bars.reduce((most, bar) => (!most || bar.height > most.height ? bar : most), null);
  if (!tallest) return null;
  const [costliest] = layout.groups;
  const { isPackage } = tallest.group;
  const name = isPackage ? simpleName(tallest.of) : methodLink(profile, tallest.of, true);
  const cost = isPackage
    ? tallest.group.bars.find(({ of }) => of === tallest.of)?.cost
    : blueprintCost(profile, tallest.of);
  return [
    `${isPackage ? "Package" : "Class"} with most: ${costliest.name}, ${percent(Number(costliest.cost), profile.total)}. Tallest bar: `,
    name,
    cost !== undefined && `, ${percent(Number(cost), profile.total)}`,
    ".",
  ];
}

function callsInWords(profile, { tree }) {
  const [start, ...below] = tree.shown;
  if (below.length === 0) return null;
  const own = (of) => Number(profile.methods.exclusive[of]);
  const most = [start, ...below].reduce((best, { of }) => (own(of) > own(best) ? of : best), start.of);
  return [
    methodLink(profile, start.of, true),
    ` leads to ${counted(below.length, "method")} here. Most by its own code in the whole run: `,
    methodLink(profile, most, true),
    `, ${percent(own(most), profile.total)}.`,
  ];
}

function changeInWords(profile, { graph, tree }) {
  if (!graph || graph.isSame) return null;
  const changed = tree.shown.filter(({ of }) => graph.codes.has(of));
  const from = changed.length > 0 ? changed : tree.shown;
  const most = from.reduce((best, { of }) => (Math.abs(graph.change(of)) > Math.abs(graph.change(best)) ? of : best), from[0].of);
  const [known, method] = graph.known(most);
  const [before, after] = graph.costs(most);
  return [
    changed.length > 0 ? "Most changed, of the methods with other code: " : "Most changed: ",
    methodLink(known, method, true),
    `, ${count(before)} before and ${count(after)} after.`,
  ];
}
