// One method: its figures, who calls it, what it calls, and its source.

const methodView = {
  id: "method",
  title: "Callers",
  heading: "All callers and callees",
  about: "One method with all its contexts merged: who calls it, and what it calls. Follow the widest bars.",

  mount(host, profile) {
    let picture = null;
    const update = () => {
      picture?.remove();
      picture = null;
      if (place.method === null || place.method >= profile.count) {
        fill(host, chooseMethod(profile));
        return;
      }
      const method = place.method;
      const seen = byMetric(profile);
      if (Number(seen.methods.inclusive[method]) > 0) picture = around(seen, method);
      fill(
        host,
        element(
          "header.subject",
          null,
          element("h2", null, breakable(profile.nameOf(method))),
          element("p.quiet", null, breakable(signatureOf(profile.descriptorOf(method)))),
          blueprintLinks(profile, method),
        ),
        methodFigures(profile, method),
        picture && metricChooser(profile),
        picture?.box,
        element(
          "div.pair",
          null,
          neighbours(
            profile,
            "Callers",
            "Who calls it, and what it costs when called from there",
            profile.callers(method),
          ),
          neighbours(
            profile,
            "Callees",
            "What it calls, with all that lies below",
            profile.callees(method),
            {
              title: "itself",
              cost: profile.own(method),
            },
          ),
        ),
        sourceOf(profile, method),
      );
    };
    update();
    return { update, reset: () => picture?.reset(), remove: () => picture?.remove() };
  },
};

/** A table of callers or callees. */
function neighbours(profile, title, hint, { listed, rest }, own = null) {
  const whole = listed.reduce((sum, entry) => sum + entry.cost, rest.cost + (own?.cost ?? 0));
  const most = listed.reduce((greatest, entry) => Math.max(greatest, entry.cost), own?.cost ?? 0);
  const calls = profile.edges.calls !== null;
  const line = (kind, cost, times, name) =>
    element(
      `tr${kind}`,
      null,
      element("td.number", null, count(cost)),
      element("td.share", null, shareCell(cost, whole, most)),
      calls && element("td.number", null, times === null ? "" : count(Number(times))),
      element("td.text", null, name),
    );
  const rows = listed.map(({ method, cost, calls: times }) =>
    line("", cost, times, methodLink(profile, method)),
  );
  if (own) rows.unshift(line(".own", own.cost, null, own.title));
  if (rest.methods > 0 || rest.cost > whole * 1e-9) {
    rows.push(
      line(".rest", rest.cost, null, `rest: ${counted(Math.max(0, rest.methods), "method")}`),
    );
  }
  return element(
    "section.neighbours",
    { "data-side": title.toLowerCase() },
    element("h3", { title: hint }, title),
    plainTable(
      title,
      [
        ["number", capital(profile.metric)],
        ["share", "%"],
        calls && ["number", "Calls"],
        ["text", "Method"],
      ],
      rows.length > 0 ? rows : element("tr.empty", null, element("td", { colspan: 4 }, "None.")),
    ),
  );
}

/** What the page of a method shows while none is selected. */
function chooseMethod(profile) {
  const most = subsuming(profile, place.height, place.distance)
    .listed.filter((row) => row.method >= 0)
    .sort((a, b) => b.induced - a.induced)
    .slice(0, 12);
  return element(
    "section.missing",
    null,
    element("h2", null, "No method selected"),
    element("p", null, "Press / and type a part of a name, or take one of those that induce most:"),
    element(
      "ul.plain",
      null,
      most.map((row) => element("li", null, methodLink(profile, row.method))),
    ),
  );
}

/** A descriptor as Java writes it: "(int, String[]): boolean", without packages. */
function signatureOf(descriptor) {
  const found = /^\((.*)\)(.+)$/.exec(descriptor);
  if (!found) return descriptor;
  const types = (text) => text.match(/\[*(?:L[^;]*;|[A-Z])/g) ?? [];
  const named = { B: "byte", C: "char", D: "double", F: "float", I: "int", J: "long", S: "short", Z: "boolean", V: "void" };
  const inJava = (type) => {
    const plain = type.replace(/^\[+/, "");
    const simple = plain.startsWith("L") ? plain.slice(1, -1).split(/[./]/).at(-1) : named[plain];
    return simple + "[]".repeat(type.length - plain.length);
  };
  return `(${types(found[1]).map(inJava).join(", ")}): ${types(found[2]).map(inJava).join("")}`;
}
