// What a recording with mode=typestate shows.

const typestateView = dataflowView({
  id: "typestate",
  title: "Protocols",
  mode: "typestate",
  what: "Objects that were used in a way that their class does not allow, such as streams that are read after they were closed, and objects that were never brought to an end, with the calls that led there.",
  figures: ({ objects, broken, leaking, leaking_of_unknown_origin: elsewhere, left_out: left }) =>
    `${count(Number(broken))} of ${counted(Number(objects), "object")} broke a protocol, ${count(Number(leaking))} never brought to an end` +
    (elsewhere > 0 ? `, and ${count(Number(elsewhere))} of unknown origin` : "") +
    (left.events > 0 ? `; ${counted(Number(left.events), "event")} left out, of too many kinds` : "") +
    (left.classes > 0 ? `; not followed: objects of ${counted(Number(left.classes), "class", "classes")}` : ""),
  entries: (data) => data.sites,
  sort: "broken",
  columns: (profile) => [
    numbers("broken", "Broke it", (row) => objectsOf(row.violations), "Objects that broke the protocol"),
    numbers("leaking", "Never ended", (row) => objectsOf(row.leaks), "Objects that were never brought to an end"),
    numbers("objects", "Objects", (row) => Number(row.objects), "All objects that were made or obtained there"),
    { id: "protocol", title: "Protocol", kind: "text", value: (row) => row.protocol, cell: (row) => row.protocol },
    sites("class", "Class", (row) => row.class ?? "unknown origin"),
    places("made", "Made or obtained at", profile, (row) => row.made_at ?? {}),
  ],
  unfold: (site, profile) => [
    element("h3", null, siteName(site.site)),
    site.violations.map((violation) => violated(profile, violation)),
    restOf(site.violations_left_out, "call"),
    site.leaks.length > 0 && element("h3", null, "Never brought to an end"),
    element("ul", null, site.leaks.map((leak) => leaked(profile, site, leak))),
  ],
});

/** How many objects the parts of a list are about. */
function objectsOf(list) {
  return list.reduce((sum, { objects }) => sum + Number(objects), 0);
}

/** What a list inside an entry has no room for. */
function restOf(left, what) {
  return left > 0 && element("p.quiet", null, `rest: ${counted(left, what)}`);
}

/** A call that broke a protocol, and the calls that led there. */
function violated(profile, violation) {
  return [
    element(
      "p",
      null,
      element("code.site", null, violation.event),
      " at ",
      placeLink(profile, violation),
      ` in state ${violation.before}: ${counted(Number(violation.objects), "object")}`,
    ),
    element(
      "table.data.history",
      { "aria-label": "What led there" },
      element(
        "thead",
        null,
        element(
          "tr",
          null,
          ["State", "Call", "At"].map((title) => element("th.text", { scope: "col" }, title)),
          element("th", { scope: "col" }, "Times"),
          element("th.text", { scope: "col" }, "State after"),
        ),
      ),
      element("tbody", null, stepsOf(violation.history).map((step) => stepRow(profile, step))),
    ),
    restOf(violation.history_left_out, "call"),
  ];
}

/**
 * The steps of a history. Instructions of one line that do the same are one, and where
 * objects are made stands above.
 */
function stepsOf(history) {
  const steps = new Map();
  for (const step of history) {
    const { event, before, after, method, line, bci } = step;
    if (event === null) continue;
    const key = JSON.stringify([before, event, after, method, line || -bci]);
    const known = steps.get(key);
    if (known) known.times += Number(step.count);
    else steps.set(key, { ...step, times: Number(step.count) });
  }
  return [...steps.values()];
}

function stepRow(profile, step) {
  return element(
    `tr${step.after === "error" ? ".error" : ""}`,
    null,
    element("td", null, step.before),
    element("td", null, element("code.site", null, step.event)),
    element("td", null, placeLink(profile, step)),
    element("td.number", null, count(step.times)),
    element("td", null, step.after),
  );
}

/** Objects that ended before their protocol's end, and what happened to them last. */
function leaked(profile, site, { state, objects, last, last_left_out: left }) {
  const isMade = (at) => !site.is_obtained && site.made_at !== null && at.bci === site.made_at.bci && at.line === site.made_at.line;
  return element(
    "li",
    null,
    `${counted(Number(objects), "object")} left in state ${state}, last event `,
    last.map((at, number) => [
      number > 0 && ", ",
      at.event === null ? (isMade(at) ? "made" : "obtained") : element("code.site", null, at.event),
      " at ",
      placeLink(profile, at),
      last.length > 1 && ` (${count(Number(at.objects))})`,
    ]),
    left > 0 && ` and ${counted(left, "other")}`,
  );
}

/** The sites where most protocols were broken, as sentences for the first screen; null without a recording. */
function brokenProtocols(profile) {
  const data = profile.dataflow.typestate;
  if (data === null || data === undefined) return null;
  const sentences = data.sites
    .filter((site) => site.class !== null)
    .slice(0, 3)
    .map((site) => {
      const [broken, left] = [objectsOf(site.violations), objectsOf(site.leaks)];
      return element(
        "li",
        null,
        element("span.number", null, count(broken || left)),
        element(
          "span.sentence",
          null,
          `of ${counted(Number(site.objects), "object")} of `,
          siteName(site.site),
          broken > 0 ? ` broke the protocol '${site.protocol}'` : " never brought to an end",
        ),
      );
    });
  return findings(
    "protocols",
    "Protocols broken",
    "Objects used in a way that their class does not allow, or never brought to an end.",
    sentences,
    "None.",
    element("p", null, element("a", { href: link({ view: "typestate" }) }, "All of them")),
  );
}
