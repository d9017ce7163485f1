// The strip above a flame graph: the whole of it in small, with a frame around
// what is in sight. A drag moves the frame.

/** Levels that the strip shows at most. */
const STRIP_LEVELS = 240;

class Strip {
  /** `moved(position)` is told the position of the line that shall be in the middle. */
  constructor(tree, before, { upward, moved }) {
    this.tree = tree;
    this.upward = upward;
    this.box = element("div.strip", {
      title: "The whole picture; drag to move what is in sight",
      onpointerdown: (event) => {
        this.box.setPointerCapture(event.pointerId);
        this.held = true;
        moved(this.positionOf(event));
      },
      onpointermove: (event) => this.held && moved(this.positionOf(event)),
      onpointerup: () => (this.held = false),
      onpointercancel: () => (this.held = false),
    });
    before.before(this.box);
    this.surface = surface(this.box, "The whole picture in small", () => this.redraw());
  }

  positionOf(event) {
    const box = this.box.getBoundingClientRect();
    return (event.clientX - box.left) / box.width;
  }

  /** New colours. */
  recolour(colours) {
    this.colours = colours;
    this.paint();
    this.redraw();
  }

  paint() {
    const { width, density } = this.surface;
    if (width === 0 || !this.colours) return;
    const bins = Math.round(width * density);
    const levels = Math.min(STRIP_LEVELS, this.tree.depth + 1);
    const image = new ImageData(bins, levels);
    const rows = Array.from({ length: levels }, (_, level) => ({
      offset: (this.upward ? levels - 1 - level : level) * bins,
      bins,
    }));
    paintStrata(this.tree, {
      from: 0,
      to: 1,
      top: 0,
      rows,
      pixels: new Uint32Array(image.data.buffer),
      colours: this.colours,
    });
    this.scratch = element("canvas", { width: bins, height: levels });
    this.scratch.getContext("2d").putImageData(image, 0, 0);
  }

  /** What is in sight: a stretch of the line, and of the levels. */
  frame(view, levels) {
    this.sight = { view, levels };
    this.redraw();
  }

  redraw() {
    const { context, width, height, density } = this.surface ?? {};
    if (!width || !this.colours) return;
    if (this.scratch?.width !== Math.round(width * density)) this.paint();
    context.setTransform(density, 0, 0, density, 0, 0);
    context.clearRect(0, 0, width, height);
    context.imageSmoothingEnabled = true;
    context.drawImage(this.scratch, 0, 0, width, height);
    if (!this.sight) return;
    const { view, levels } = this.sight;
    const left = Math.max(0, view.from * width);
    const right = Math.min(width, Math.max(view.to * width, left + 3));
    const shown = Math.min(STRIP_LEVELS, this.tree.depth + 1);
    const at = (level) => (this.upward ? shown - level : level) * (height / shown);
    const [one, other] = [at(levels.first), at(levels.last + 1)].sort((a, b) => a - b);
    const top = Math.max(0, one);
    const bottom = Math.min(height, other);
    // What is out of sight is paler.
    context.fillStyle = theme.dark ? "rgb(18 22 27 / 0.62)" : "rgb(255 255 255 / 0.66)";
    context.fillRect(0, 0, left, height);
    context.fillRect(right, 0, width - right, height);
    context.fillRect(left, 0, right - left, top);
    context.fillRect(left, bottom, right - left, height - bottom);
    context.strokeStyle = palette().ink;
    context.lineWidth = 1;
    context.strokeRect(left + 0.5, top + 0.5, Math.max(1, right - left - 1), Math.max(1, bottom - top - 1));
  }

  remove() {
    this.surface.remove();
    this.box.remove();
  }
}
