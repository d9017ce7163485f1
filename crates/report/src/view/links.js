// How methods and places in code are written: always so that a click leads to
// the method.

/**
 * A name that a line may end in only behind dots, commas, brackets, and in front
 * of capitals.
 */
function breakable(text) {
  const parts = text.split(/(?<=[.,($:\]])|(?<=[a-z0-9])(?=[A-Z])/);
  return parts.map((part, at) => (at > 0 ? [element("wbr"), part] : part));
}

/** A method's name that leads to its page; its package, unless left out, behind. */
function methodLink(profile, method, brief = false) {
  if (method === null || method === undefined) return element("span.quiet", null, "–");
  if (method < 0)
    return element("span.quiet", { title: method === -1 ? WORDS.root : null }, method === -1 ? "<root>" : "one that is not listed");
  const whole = profile.nameOf(method);
  const short = profile.briefName(method);
  const behind = whole.slice(0, Math.max(0, whole.length - short.length - 1));
  return element(
    "a.method",
    { href: link({ view: "method", method, node: 0 }), title: whole, "data-method": method },
    element("span.name", null, breakable(short)),
    !brief && behind && [" ", element("span.package", null, breakable(behind))],
  );
}

/** A method that is told by its name, as the analyses of data flow do. */
function namedMethod(profile, name, line = 0) {
  const at = line > 0 ? `:${line}` : "";
  if (!name) return element("span.quiet", null, "in the JVM");
  const method = profile.find(name.class, name.name, name.descriptor);
  if (method === null) {
    const dot = name.class.lastIndexOf(".");
    const short = `${name.class.slice(dot + 1)}.${name.name}${at}`;
    const behind = name.class.slice(0, Math.max(0, dot));
    return element(
      "span",
      { title: `${name.class}.${name.name}` },
      breakable(short),
      behind && [" ", element("span.quiet", null, breakable(behind))],
    );
  }
  const made = methodLink(profile, method);
  made.querySelector(".name").append(at);
  return made;
}

/** A site or a location without the packages in it, which the tooltip has. */
function siteName(text) {
  const brief = text.replace(/\b(?:[a-z_][\w]*\.)+(?=[A-Z])/g, "");
  return element("code.site", { title: brief === text ? null : text }, breakable(brief));
}

/** A place in code. */
function placeLink(profile, at) {
  return namedMethod(profile, at.method, at.line);
}

/**
 * A share with a bar as long as the part is of the `greatest` one beside it, by
 * default of the whole.
 */
function shareCell(part, whole, greatest = whole, kind = "") {
  const share = greatest > 0 ? Math.max(0, Math.min(1, Number(part) / greatest)) : 0;
  const made = element(`span.share${kind}`, null, percent(Number(part), whole));
  made.style.setProperty("--share", share);
  return made;
}
