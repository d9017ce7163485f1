// The JVMs of a page with several profiles, such as the forks of one build: each with
// its command line.

/** Options whose next word belongs to them, and says nothing about what was run. */
const WITH_VALUE = /^(-cp|-classpath|--class-path|-p|--module-path|--add-\w+|--illegal-access)$/;

/** A command line without what every JVM of a build has: paths, agents, modules. */
function briefCommand(line) {
  const words = line.split(/\s+/);
  const kept = [];
  for (let at = 0; at < words.length; at += 1) {
    if (WITH_VALUE.test(words[at])) at += 1;
    else if (!/^-(agentpath|agentlib|javaagent|XX|D)/.test(words[at])) kept.push(words[at]);
  }
  return kept.map((word, at) => (at === 0 ? word.split("/").at(-1) : word)).join(" ");
}

/** A table of the JVMs; none for a page of a single profile. */
function jvmsOf(report) {
  if (report.profiles.length === 1) return null;
  const line = (data, at) => {
    const facts = new Map(data.facts);
    const command = facts.get("Command line");
    return element(
      at === place.profile ? "tr.selected" : "tr",
      null,
      element("td.text", null, element("a", { href: link({ profile: at, method: null, node: 0 }), title: data.name }, sideLabel(report, at))),
      element("td.number", null, count(data.total)),
      element("td.text", null, facts.get("Start") ?? ""),
      element("td.text.command-line", { title: command ?? null }, command ? briefCommand(command) : element("span.quiet", null, "not known")),
    );
  };
  return element(
    "section.jvms",
    null,
    element("h2", null, `${counted(report.profiles.length, "profile")} on this page`),
    element("p.quiet", null, "Each is one JVM. A click on a name shows it in all views; the title of a command line has all of it."),
    plainTable(
      "Profiles",
      [
        ["text", "Profile"],
        ["number", capital(report.profiles[0].metric)],
        ["text", "Start"],
        ["text", "Command line"],
      ],
      report.profiles.map(line),
    ),
  );
}
