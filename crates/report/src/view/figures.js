// A method's figures, as a short list.

/** Metrics whose names say too little beside others. */
const OTHER_FIGURES = { alu: "Arithmetic", time: "Samples of the time" };

function methodFigures(profile, method) {
  const { methods, metric, total } = profile;
  const induced = profile.induced(method, place.height, place.distance);
  const dominator = methods.dominator[method];
  /** A figure, with its `share` of the whole, and a `word` to explain. */
  const figure = (title, value, { share, word } = {}) =>
    element(
      "div.figure",
      null,
      element("dt", null, title, word && [" ", explained(word)]),
      element("dd", null, value, share !== undefined && shareCell(share, total)),
    );
  const inclusive = Number(methods.inclusive[method]);
  const exclusive = Number(methods.exclusive[method]);
  return element(
    "dl.figures",
    null,
    induced === null
      ? figure(`Induced ${metric}`, element("span.quiet", null, "does not subsume"), { word: "induced" })
      : figure(`Induced ${metric}`, count(induced), { share: induced, word: "induced" }),
    figure("Inclusive", count(methods.inclusive[method]), { share: inclusive }),
    figure("Exclusive", count(methods.exclusive[method]), { share: exclusive }),
    methods.calls && figure("Calls", count(methods.calls[method])),
    figure("Contexts", count(methods.contexts[method]), { word: "context" }),
    Object.entries(methods.other)
      .filter(([, column]) => Number(column[method]) > 0)
      .map(([name, column]) =>
        figure(OTHER_FIGURES[name] ?? capital(name), count(column[method]), {
          word: name in WORDS ? name : undefined,
        }),
      ),
    figure("Height", count(methods.height[method]), { word: "height" }),
    figure("Distance", count(methods.distance[method]), { word: "distance" }),
    dominator !== null && figure("Dominated by", methodLink(profile, dominator, true)),
  );
}

function capital(text) {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
