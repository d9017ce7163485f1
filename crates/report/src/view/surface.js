// A canvas that fills its frame, sharp on every screen, with a second one on
// top for what follows the pointer.

/**
 * Puts canvases into `frame`. `resized` is called with the surface whenever its
 * size, the density of the screen or the theme changes; returns the surface.
 */
function surface(frame, label, resized) {
  const picture = element("canvas.picture", { role: "img", "aria-label": label });
  const marks = element("canvas.marks", { "aria-hidden": "true", hidden: true });
  frame.append(picture, marks);
  const made = {
    frame,
    picture,
    marks,
    context: picture.getContext("2d"),
    overlay: marks.getContext("2d"),
    width: 0,
    height: 0,
    density: 1,
    /** Size of the page's text, in pixels. */
    em: 16,
  };
  const fit = () => {
    const width = Math.floor(frame.clientWidth);
    const height = Math.floor(frame.clientHeight);
    if (width === 0 || height === 0) return;
    made.width = width;
    made.height = height;
    made.em = parseFloat(getComputedStyle(frame).fontSize);
    made.density = Math.min(devicePixelRatio || 1, 2);
    for (const canvas of [picture, marks]) {
      canvas.width = Math.round(width * made.density);
      canvas.height = Math.round(height * made.density);
    }
    resized(made);
  };
  const watch = new ResizeObserver(fit);
  watch.observe(frame);
  const recolour = () => made.width > 0 && resized(made);
  addEventListener("themechange", recolour);
  /** Clears the marks and gives a context to draw others; without, hides them. */
  made.marking = (on) => {
    // An empty canvas would have to be painted over the picture all the same.
    marks.hidden = !on;
    frame.style.cursor = on ? "pointer" : "default";
    if (!on) return null;
    made.overlay.setTransform(made.density, 0, 0, made.density, 0, 0);
    made.overlay.clearRect(0, 0, made.width, made.height);
    made.overlay.strokeStyle = palette().ink;
    made.overlay.lineWidth = 1.5;
    return made.overlay;
  };
  made.remove = () => {
    watch.disconnect();
    removeEventListener("themechange", recolour);
  };
  return made;
}
