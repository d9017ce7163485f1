// The calling context ring chart: the root in the middle, every context a piece
// of ring around its caller's, as long as its share of the cost.

/** Pieces shorter than this part of the circle do not count for its depth. */
const LEAST_PIECE = 1 / 1500;

/** Pixels of a ring at most, so that small trees keep their shape. */
const THICKEST_RING = 46;

/** Milliseconds that it takes to fly to another centre. */
const FLIGHT = 420;

class RingChart {
  /** `chosen(node)` is told which piece was clicked, `moved(node)` what shall be the centre. */
  constructor(profile, frame, { chosen, moved }) {
    this.profile = profile;
    this.tree = profile.tree;
    this.chosen = chosen;
    this.moved = moved;
    this.node = 0;
    this.method = null;
    this.still = () => {};
    this.surface = surface(frame, "Calling context ring chart", () => this.resized());
    const { marks } = this.surface;
    marks.addEventListener("pointermove", (event) => this.point(event));
    marks.addEventListener("pointerleave", () => this.point(null));
    marks.addEventListener("click", (event) => this.click(event));
    marks.addEventListener("dblclick", (event) => this.enter(event));
  }

  remove() {
    this.still();
    this.surface.remove();
    tooltip.hide();
  }

  resized() {
    this.colours = nodeColours(this.profile, this.tree, this.method);
    this.view = this.viewOf(this.node);
    this.draw(this.view, true);
  }

  /** Picks out a method. */
  highlight(method) {
    this.method = method;
    if (this.surface.width === 0) return;
    this.colours = nodeColours(this.profile, this.tree, method);
    this.draw(this.view, true);
  }

  /** Makes a node the centre. */
  centre(node) {
    if (node === this.node && this.view) return;
    this.node = node;
    if (this.surface.width === 0) return;
    this.still();
    const target = this.viewOf(node);
    this.mark(null);
    this.still = glide(this.view, target, FLIGHT, (view, arrived) => {
      this.view = view;
      this.draw(view, arrived);
    });
  }

  get reach() {
    return Math.min(this.surface.width, this.surface.height) / 2 - 4;
  }

  /** What is seen of the tree when a node is the centre, in CSS pixels. */
  viewOf(node) {
    const { start, stop, level } = this.tree;
    const width = stop[node] - start[node] || 1;
    const levels = Math.max(1, this.tree.depthBelow(node, width * LEAST_PIECE) - level[node]);
    const hub = Math.max(18, Math.min(this.reach * 0.09, THICKEST_RING));
    const thick = Math.min(THICKEST_RING, (this.reach - hub) / levels);
    return { from: start[node], to: start[node] + width, top: level[node] + 1, hub, thick };
  }

  /** Draws a view; twice as finely when it is going to stay. */
  draw(view, stays) {
    const { context, width, height, density, picture } = this.surface;
    if (width === 0) return;
    const side = Math.min(width, height);
    // In flight a frame has 16 ms, however large the screen.
    const fine = stays ? (side * density > 1600 ? 1 : 2) * density : Math.min(density, 1100 / side);
    const size = Math.round(side * fine);
    ringGeometry.fit(size);
    const scale = size / side;
    // Between two levels the inner one shrinks into the hub.
    const top = Math.floor(view.top);
    const thick = view.thick * scale;
    const hub = view.hub * scale;
    const shrunk = hub - (view.top - top) * thick;
    const count = Math.max(1, Math.ceil((this.reach * scale - shrunk) / thick - 0.001));
    const { rows, length } = ringGeometry.rows(count, shrunk, thick);
    if (!this.pixels || this.pixels.length < length) this.pixels = new Uint32Array(length * 2);
    paintStrata(this.tree, {
      from: view.from,
      to: view.to,
      top,
      rows,
      pixels: this.pixels,
      colours: this.colours,
    });
    if (this.image?.width !== size) {
      this.image = new ImageData(size, size);
      this.scratch = element("canvas", { width: size, height: size });
    }
    ringGeometry.colour(new Uint32Array(this.image.data.buffer), {
      hub: shrunk,
      thick,
      rows,
      pixels: this.pixels,
      middle: this.colours[this.node],
      lines: true,
    });
    this.scratch.getContext("2d").putImageData(this.image, 0, 0);
    context.setTransform(density, 0, 0, density, 0, 0);
    context.clearRect(0, 0, width, height);
    context.imageSmoothingQuality = "high";
    context.drawImage(this.scratch, (width - side) / 2, (height - side) / 2, side, side);
    this.label(context);
    picture.dataset.node = this.node;
  }

  /** The share of the centre, written into it. */
  label(context) {
    const { width, height, em } = this.surface;
    const share = percent(this.tree.cost[this.node], this.profile.total);
    context.fillStyle = palette().ink;
    context.font = `600 ${Math.min(0.86 * em, this.view.hub / 2)}px ${FONT}`;
    context.textAlign = "center";
    context.textBaseline = "middle";
    context.fillText(this.node === 0 ? "all" : share, width / 2, height / 2);
  }

  /** The node at a pointer; -1 for none. */
  nodeUnder(event) {
    const { width, height, marks } = this.surface;
    const box = marks.getBoundingClientRect();
    const right = event.clientX - box.left - width / 2;
    const down = event.clientY - box.top - height / 2;
    const distance = Math.hypot(right, down);
    const view = this.viewOf(this.node);
    if (distance < view.hub) return this.node;
    if (distance > this.reach) return -1;
    const level = view.top + Math.floor((distance - view.hub) / view.thick);
    const turned = Math.atan2(right, -down) / (2 * Math.PI);
    const around = turned < 0 ? turned + 1 : turned;
    return this.tree.nodeAt(level, view.from + around * (view.to - view.from));
  }

  point(event) {
    const node = event ? this.nodeUnder(event) : -1;
    this.mark(node < 0 ? null : node);
    if (node < 0) {
      tooltip.hide();
      return;
    }
    tooltip.show(event, ...nodeFacts(this.profile, this.tree, node));
  }

  /** Outlines the piece under the pointer. */
  mark(node) {
    const { overlay, width, height, density, marks } = this.surface;
    overlay.setTransform(density, 0, 0, density, 0, 0);
    overlay.clearRect(0, 0, width, height);
    marks.style.cursor = node === null ? "default" : "pointer";
    if (node === null || node === this.node) return;
    const view = this.viewOf(this.node);
    const { start, stop, level } = this.tree;
    const turn = (position) =>
      ((position - view.from) / (view.to - view.from)) * 2 * Math.PI - Math.PI / 2;
    const inner = view.hub + (level[node] - view.top) * view.thick;
    const outer = inner + view.thick;
    overlay.beginPath();
    overlay.arc(width / 2, height / 2, outer, turn(start[node]), turn(stop[node]));
    overlay.arc(width / 2, height / 2, inner, turn(stop[node]), turn(start[node]), true);
    overlay.closePath();
    overlay.strokeStyle = palette().ink;
    overlay.lineWidth = 1.5;
    overlay.stroke();
  }

  /** A click on a piece chooses it, one on the centre leads back out. */
  click(event) {
    const node = this.nodeUnder(event);
    if (node < 0 || this.tree.isRest(node)) return;
    if (node === this.node) this.moved(Math.max(0, this.tree.parent[node]));
    else this.chosen(node);
  }

  /** A double click makes a piece the centre. */
  enter(event) {
    const node = this.nodeUnder(event);
    if (node < 0 || node === this.node) return;
    this.moved(this.tree.isRest(node) ? this.tree.parent[node] : node);
  }
}
