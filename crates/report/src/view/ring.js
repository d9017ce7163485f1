// The calling context ring chart: the root in the middle, every context a piece
// of ring around its caller's, as long as its share of the cost.

/** Pieces shorter than this part of the circle do not count for its depth. */
const LEAST_PIECE = 1 / 1500;

/** Pixels of a ring at most, so that small trees keep their shape. */
const THICKEST_RING = 46;

/** Milliseconds that it takes to fly to another centre. */
const FLIGHT = 420;

/** Milliseconds after which a picture that stays is drawn finely. */
const SETTLE = 60;

/** Pixels along a side that can be coloured in the time of a frame. */
const QUICK_SIDE = 900;

class RingChart {
  /** `moved`, `chosen` and `unfolded` are called on clicks, as those of a flame graph are. */
  constructor(profile, tree, frame, { chosen, moved, unfolded }) {
    this.profile = profile;
    this.tree = tree;
    this.chosen = chosen;
    this.moved = moved;
    this.unfolded = unfolded;
    this.node = 0;
    this.method = null;
    this.found = null;
    this.occurrence = -1;
    this.still = () => {};
    this.square = element("div.square", {
      onpointermove: (event) => this.point(event),
      onpointerleave: () => this.point(null),
      onclick: (event) => this.click(event),
    });
    frame.append(this.square);
    this.surface = surface(this.square, "Calling context ring chart", () => this.resized());
  }

  remove() {
    this.still();
    this.surface.remove();
    tooltip.hide();
  }

  resized() {
    this.colours = nodeColours(this.profile, this.tree, this.method, this.found);
    this.view = this.viewOf(this.node);
    this.draw(this.view, true);
  }

  /** Picks out a method, and the methods that are searched. */
  highlight(method, found) {
    this.method = method;
    this.found = found;
    if (method === null) this.occurrence = -1;
    if (this.surface.width === 0) return;
    this.colours = nodeColours(this.profile, this.tree, method, found);
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
    const fly = glide(this.view, target, FLIGHT, (view, arrived) => {
      this.view = view;
      this.draw(view, false);
      if (arrived) this.settling = setTimeout(() => this.draw(view, true), SETTLE);
    });
    this.still = () => {
      fly();
      clearTimeout(this.settling);
    };
  }

  /** Brings an occurrence of the selected method into sight. */
  reveal(node) {
    this.occurrence = node;
    if (node < 0) return;
    const { end, level, parent, cost } = this.tree;
    const isInside = node >= this.node && node < end[this.node];
    const view = this.surface.width > 0 ? this.viewOf(this.node) : null;
    const ring = view ? level[node] - this.ringsOf(view).top : 0;
    const isShown = !view || ring + 1 < this.ringsOf(view).edges.length;
    if (isInside && isShown) {
      if (view) this.draw(this.view ?? view, true);
      return;
    }
    // So far up that the piece is one among others.
    let centre = node;
    while (centre > 0 && (level[node] - level[centre] < 6 || cost[node] > cost[centre] / 8))
      centre = parent[centre];
    adjust({ node: centre });
    this.centre(centre);
  }

  get reach() {
    const { width, height } = this.surface;
    // At both sides there is room for names.
    const beside = Math.min(CAPTION_ROOM, width * CAPTION_SHARE);
    return Math.max(60, Math.min(width / 2 - beside, height / 2) - 4);
  }

  /**
   * What is seen of the tree when a node is the centre: a stretch of the line,
   * and how thick, in CSS pixels, the ring of each level is. Rings that cover
   * little of the circle are thinner, so that a deep recursion does not press
   * all else into the middle.
   */
  viewOf(node) {
    if (this.rest?.node === node && this.rest.reach === this.reach) return this.rest.view;
    const { start, stop, level, depth } = this.tree;
    const width = stop[node] - start[node] || 1;
    const covered = this.tree
      .coverage(node, width * LEAST_PIECE)
      .slice(1)
      .map(Math.sqrt);
    const whole = covered.reduce((sum, part) => sum + part, 0) || 1;
    const hub = Math.max(18, Math.min(this.reach * 0.09, THICKEST_RING));
    const unit = Math.min(THICKEST_RING, (this.reach - hub) / whole);
    const view = { from: start[node], to: start[node] + width, hub };
    for (let ring = 1; ring <= depth; ring += 1)
      view[ring] = (covered[ring - level[node] - 1] ?? 0) * unit;
    this.rest = { node, reach: this.reach, view };
    return view;
  }

  /** The levels that a view shows, and the radii between them, the hub's first. */
  ringsOf(view) {
    const shown = (level) => view[level] > 0.05;
    let top = 1;
    while (top < this.tree.depth && !shown(top)) top += 1;
    const edges = [view.hub];
    for (let level = top; level <= this.tree.depth && shown(level); level += 1) {
      edges.push(edges.at(-1) + view[level]);
    }
    return { top, edges };
  }

  /** Draws a view; twice as finely when it is going to stay. */
  draw(view, stays) {
    const { context, width, height, density, picture } = this.surface;
    if (width === 0) return;
    const side = 2 * (this.reach + 4);
    // In flight a frame has 16 ms, however large the screen.
    const fine = stays
      ? (side * density > 1600 ? 1 : 2) * density
      : Math.min(density, QUICK_SIDE / side);
    const size = Math.round(side * fine);
    const geometry = ringGeometry(size);
    const { top, edges } = this.ringsOf(view);
    const scaled = edges.map((edge) => (edge * size) / side);
    const { rows, length } = ringRows(scaled);
    if (!this.pixels || this.pixels.length < length) this.pixels = new Uint32Array(length * 2);
    paintStrata(this.tree, { ...view, top, rows, pixels: this.pixels, colours: this.colours });
    geometry.image ??= new ImageData(size, size);
    geometry.scratch ??= element("canvas", { width: size, height: size });
    const image = new Uint32Array(geometry.image.data.buffer);
    colourRings(geometry, image, {
      edges: scaled,
      rows,
      pixels: this.pixels,
      middle: this.colours[this.node],
    });
    geometry.scratch.getContext("2d").putImageData(geometry.image, 0, 0);
    context.setTransform(density, 0, 0, density, 0, 0);
    context.clearRect(0, 0, width, height);
    context.imageSmoothingQuality = stays ? "high" : "low";
    context.drawImage(geometry.scratch, (width - side) / 2, (height - side) / 2, side, side);
    this.label(context);
    if (stays) this.captions(view, top, edges);
    picture.dataset.node = this.node;
    picture.dataset.edges = edges.map((edge) => edge.toFixed(2)).join(" ");
  }

  /** The share of the centre, written into it. */
  label(context) {
    const { width, height, em } = this.surface;
    const share = percent(this.tree.cost[this.node], this.profile.total);
    context.fillStyle = inkOn(this.colours[this.node]);
    context.font = `600 ${Math.min(0.86 * em, this.view.hub / 2)}px ${FONT}`;
    context.textAlign = "center";
    context.textBaseline = "middle";
    context.fillText(this.node === 0 ? "all" : share, width / 2, height / 2);
  }

  /** Names beside the ring, and a mark around the occurrence in sight. */
  captions(view, top, edges) {
    const { width, height, context, picture } = this.surface;
    const { start, stop, level } = this.tree;
    const turn = (position) =>
      ((position - view.from) / (view.to - view.from)) * 2 * Math.PI - Math.PI / 2;
    const pieceOf = (node) => {
      const ring = level[node] - top;
      if (ring < 0 || ring + 1 >= edges.length) return null;
      return { inner: edges[ring], outer: edges[ring + 1], from: turn(start[node]), to: turn(stop[node]) };
    };
    delete picture.dataset.marked;
    const node = this.occurrence;
    const isInside = node > this.node && node < this.tree.end[this.node];
    const marked = isInside ? pieceOf(node) : null;
    if (marked) markPiece(context, width / 2, height / 2, marked, picture);
    const wanted = forks(this.tree, this.node, top, edges.length - 1);
    if (marked) wanted.unshift(node);
    picture.dataset.names = writeCaptions(this, wanted, pieceOf, marked ? node : -1);
  }

  /** The node at a pointer; -1 for none. */
  nodeUnder(event) {
    const { width, height } = this.surface;
    const box = this.square.getBoundingClientRect();
    const right = event.clientX - box.left - width / 2;
    const down = event.clientY - box.top - height / 2;
    const distance = Math.hypot(right, down);
    const view = this.viewOf(this.node);
    const { top, edges } = this.ringsOf(view);
    if (distance < view.hub) return this.node;
    const ring = edges.findIndex((edge) => distance < edge);
    if (ring < 0) return -1;
    const level = top + ring - 1;
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
    tooltip.show(this.square, event, ...nodeFacts(this.profile, this.tree, node));
  }

  /** Outlines the piece under the pointer. */
  mark(node) {
    const { width, height } = this.surface;
    const overlay = this.surface.marking(node !== null);
    if (node === null || node === this.node) return;
    const view = this.viewOf(this.node);
    const { start, stop, level } = this.tree;
    const turn = (position) =>
      ((position - view.from) / (view.to - view.from)) * 2 * Math.PI - Math.PI / 2;
    const { top, edges } = this.ringsOf(view);
    const [inner, outer] = edges.slice(level[node] - top, level[node] - top + 2);
    if (outer === undefined) return;
    overlay.beginPath();
    overlay.arc(width / 2, height / 2, outer, turn(start[node]), turn(stop[node]));
    overlay.arc(width / 2, height / 2, inner, turn(stop[node]), turn(start[node]), true);
    overlay.closePath();
    overlay.stroke();
  }

  /** A click makes a piece the centre, one on the centre leads back out; with a modifier it chooses. */
  click(event) {
    const node = this.nodeUnder(event);
    const isWayOut = node === this.node && !(event.ctrlKey || event.metaKey || event.shiftKey);
    if (isWayOut) this.moved(Math.max(0, this.tree.parent[node]));
    else if (node >= 0) pressed(this, event, node);
  }
}
