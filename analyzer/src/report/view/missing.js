// What a view says when the profile has nothing for it: how to get it.

/** An empty state: what would be here, and the commands that bring it. */
function missing(title, text, commands) {
  return element(
    "section.missing",
    null,
    element("h2", null, title),
    element("p", null, text),
    commands.map((command) => element("pre.command", null, command)),
  );
}
