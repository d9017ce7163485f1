// A method's figures, as a short list.

function methodFigures(profile, method) {
  const { methods, metric, total } = profile;
  const induced = profile.induced(method, place.height, place.distance);
  const dominator = methods.dominator[method];
  const figure = (title, value, share) =>
    element(
      "div.figure",
      null,
      element("dt", null, title),
      element("dd", null, value, share !== undefined && shareCell(share, total)),
    );
  const inclusive = Number(methods.inclusive[method]);
  const exclusive = Number(methods.exclusive[method]);
  return element(
    "dl.figures",
    null,
    induced === null
      ? figure(`Induced ${metric}`, element("span.quiet", null, "does not subsume"))
      : figure(`Induced ${metric}`, count(induced), induced),
    figure("Inclusive", count(methods.inclusive[method]), inclusive),
    figure("Exclusive", count(methods.exclusive[method]), exclusive),
    methods.calls && figure("Calls", count(methods.calls[method])),
    figure("Contexts", count(methods.contexts[method])),
    Object.entries(methods.other)
      .filter(([, column]) => Number(column[method]) > 0)
      .map(([name, column]) =>
        figure(name === "alu" ? "Arithmetic" : capital(name), count(column[method])),
      ),
    figure("Height", count(methods.height[method])),
    figure("Distance", count(methods.distance[method])),
    dominator !== null && figure("Dominated by", methodLink(profile, dominator, true)),
  );
}

function capital(text) {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
