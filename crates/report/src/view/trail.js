// The way down to what is the centre of a picture, each step a link back.

/** Steps shown before the middle of a long way is left out. */
const STEPS = 9;

function trail(profile, tree, node) {
  const path = tree.path(node);
  const step = (at, text, current) =>
    current
      ? element("span.step", { "aria-current": "location" }, text)
      : element("a.step", { href: link({ node: at }) }, text);
  const made = [step(0, "all", node === 0)];
  const cut = path.length > STEPS;
  path.forEach((at, number) => {
    if (cut && number === 3)
      made.push(element("span.step.quiet", null, `${path.length - STEPS + 1} levels`));
    if (cut && number >= 3 && number < path.length - STEPS + 4) return;
    const frames = tree.frames(at);
    const name = frames ? `${count(frames.length)} frames` : profile.briefName(tree.method[at]);
    const text = tree.isRest(at) ? "rest" : name;
    made.push(step(at, text, at === node));
  });
  return element("nav.trail", { "aria-label": "Centre of the picture" }, made);
}
