// What a view says when the profile has nothing for it: how to get it.

/** An empty state: what would be here, and the commands that bring it. */
function missing(title, text, commands) {
  return element(
    "section.missing",
    null,
    element("h2", null, title),
    element("p", null, text),
    commands.map((command) => element("pre.command", { tabindex: 0 }, command)),
  );
}

/** Says that there is but one profile, in a view of two. */
function missingSecond(host) {
  host.append(
    missing(
      "One profile, nothing to compare",
      "Given two profiles, the report shows what the second costs more than the first, and the code that explains it.",
      ["subsume report before.subsume after.subsume -o report.html"],
    ),
  );
  return { update: () => {}, remove: () => {} };
}

/** All that this report does not show, and how to get it. */
const moreView = {
  id: "more",
  title: "What else there is",
  about: "This report has no room or no recording for the following.",

  mount(host, profile, report) {
    const absent = VIEWS.filter((view) => view !== moreView && isEmpty(report, profile, view));
    const names = (views) => views.map((view) => view.title.toLowerCase()).join(", ");
    const has = (view) => absent.includes(view);
    const recorded = (mode) => absent.filter((view) => view.mode === mode);
    const ofMode = (mode) => `subsume run --mode ${mode} -o ${mode}.subsume -- java …`;
    fill(
      host,
      has(diffView) &&
        missing(
          "A difference",
          "Given two profiles, the report opens on what the second costs more than the first, and on the code that explains it.",
          ["subsume report before.subsume after.subsume -o report.html"],
        ),
      has(sourceView) &&
        missing(
          "Source",
          "Given the folders that sources lie in, the report shows the lines of methods, with what each line calls and costs.",
          [`subsume report --sources src/main/java ${profile.name} -o report.html`],
        ),
      profile.contexts === 0 &&
        missing("Calls", "Which methods are called from where, and what that costs.", [
          ofMode("calls"),
        ]),
      ["copies", "costs", "nulls", "loops", "growth", "results", "typestate"]
        .map((mode) => [mode, recorded(mode)])
        .filter(([, views]) => views.length > 0)
        .map(([mode, views]) =>
          missing(capital(names(views)), views[0].what, [
            ofMode(mode),
            `subsume report ${mode}.subsume -o report.html`,
          ]),
        ),
    );
    return { update: () => {}, remove: () => {} };
  },
};
