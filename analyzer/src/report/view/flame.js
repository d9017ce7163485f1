// The flame graph: contexts as bars, callees on top of their callers, as wide
// as their share of the cost. Its inversion hangs down: methods with what they
// cost themselves, and below them who called them.

/** Height of a bar, in sizes of the page's text. */
const BAR = 1.4;

class FlameGraph {
  /**
   * `upward`: whether callees lie above. `chosen(node)` is told which bar was
   * clicked, `moved(node)` which one shall be as wide as the graph.
   */
  constructor(profile, tree, frame, { upward, label, chosen, moved }) {
    this.profile = profile;
    this.tree = tree;
    this.upward = upward;
    this.chosen = chosen;
    this.moved = moved;
    this.node = 0;
    this.method = null;
    this.view = { from: 0, to: 1 };
    this.still = () => {};
    this.scroller = frame;
    this.filler = element("div.filler");
    this.window = element("div.window");
    frame.append(this.window, this.filler);
    this.surface = surface(this.window, label, () => this.resized());
    frame.addEventListener("scroll", () => this.draw());
    this.window.addEventListener("pointermove", (event) => this.point(event));
    this.window.addEventListener("pointerleave", () => this.point(null));
    this.window.addEventListener("click", (event) => this.click(event));
    this.window.addEventListener("dblclick", (event) => this.enter(event));
    this.window.addEventListener("wheel", (event) => this.wheel(event), { passive: false });
    this.draggable(this.window);
  }

  remove() {
    this.still();
    this.surface.remove();
    tooltip.hide();
  }

  resized() {
    const begun = this.colours !== undefined;
    this.recolour();
    this.fitHeight();
    if (!begun && this.upward) this.scroller.scrollTop = this.scroller.scrollHeight;
    this.draw();
  }

  /** Height of a bar in pixels. */
  get bar() {
    return Math.round(this.surface.em * BAR);
  }

  recolour() {
    this.colours = nodeColours(this.profile, this.tree, this.method);
  }

  /** The page is as high as the levels that can be seen in this view. */
  fitHeight() {
    const width = (this.view.to - this.view.from) / Math.max(1, this.surface.width);
    const levels = this.tree.depthBelow(this.node, width) + 2;
    const fromBottom = this.scroller.scrollHeight - this.scroller.scrollTop;
    this.levels = Math.max(levels, Math.ceil(this.surface.height / this.bar));
    this.filler.style.height = `${Math.max(0, this.levels * this.bar - this.surface.height)}px`;
    // What stands on the ground stays where it is.
    if (this.upward) this.scroller.scrollTop = this.scroller.scrollHeight - fromBottom;
  }

  highlight(method) {
    this.method = method;
    if (this.surface.width === 0) return;
    this.recolour();
    this.draw();
  }

  /** Makes a node as wide as the graph. */
  centre(node) {
    this.node = node;
    const { start, stop } = this.tree;
    this.fly({
      from: start[node],
      to: stop[node] > start[node] ? stop[node] : start[node] + 1e-12,
    });
  }

  fly(target) {
    this.still();
    if (this.surface.width === 0) {
      this.view = target;
      return;
    }
    this.still = glide(this.view, target, FLIGHT, (view, arrived) => {
      this.view = view;
      if (arrived) this.fitHeight();
      this.draw();
    });
  }

  /** Where a level's bar begins, in pixels from the top of the window. */
  topOf(level) {
    const above = this.upward ? this.levels - 1 - level : level;
    return above * this.bar - this.scroller.scrollTop;
  }

  /** The level at so many pixels from the top of the window. */
  levelAt(pixels) {
    const above = Math.floor((pixels + this.scroller.scrollTop) / this.bar);
    return this.upward ? this.levels - 1 - above : above;
  }

  draw() {
    const { context, width, height, density, picture } = this.surface;
    if (width === 0 || !this.colours) return;
    const last = this.levelAt(this.upward ? 0 : height);
    const first = Math.max(0, this.levelAt(this.upward ? height : 0));
    const bins = Math.round(width * density);
    const rows = Array.from({ length: last - first + 1 }, (_, row) => ({
      offset: row * bins,
      bins,
    }));
    if (this.image?.width !== bins || this.image.height !== rows.length) {
      this.image = new ImageData(bins, rows.length);
      this.scratch = element("canvas", { width: bins, height: rows.length });
    }
    const labels = [];
    paintStrata(this.tree, {
      ...this.view,
      top: first,
      rows,
      pixels: new Uint32Array(this.image.data.buffer),
      colours: this.colours,
      least: 34 * density,
      seen: (node, row, begin, end) =>
        labels.push(node, row + first, begin / density, end / density),
    });
    this.scratch.getContext("2d").putImageData(this.image, 0, 0);
    context.setTransform(density, 0, 0, density, 0, 0);
    context.clearRect(0, 0, width, height);
    context.imageSmoothingEnabled = false;
    for (let row = 0; row < rows.length; row += 1) {
      context.drawImage(
        this.scratch,
        0,
        row,
        bins,
        1,
        0,
        this.topOf(row + first),
        width,
        this.bar - 1,
      );
    }
    this.label(labels);
    picture.dataset.node = this.node;
  }

  /** Writes names into the bars that have room for some of it. */
  label(labels) {
    const { context, width, em } = this.surface;
    context.font = `${0.86 * em}px ${FONT}`;
    context.textAlign = "left";
    context.textBaseline = "middle";
    const letter = context.measureText("abcdefghijklmnopqrstuvwxyz.Stream").width / 33;
    for (let at = 0; at < labels.length; at += 4) {
      const node = labels[at];
      const begin = Math.max(0, labels[at + 2]);
      const room = Math.floor((Math.min(width, labels[at + 3]) - begin - 8) / letter);
      if (room < 3) continue;
      const name = this.textOf(node, room);
      context.fillStyle = inkOn(this.colours[node]);
      context.fillText(name, begin + 4, this.topOf(labels[at + 1]) + this.bar / 2);
    }
  }

  textOf(node, room) {
    let name;
    if (node === 0) name = `all: ${count(this.tree.total)} ${this.profile.metric}`;
    else if (this.tree.isRest(node)) name = "rest";
    else name = this.profile.briefName(this.tree.method[node]);
    if (name.length <= room) return name;
    // The method's name says more than its class's.
    const method = name.slice(name.lastIndexOf(".", name.indexOf("(") >>> 0) + 1);
    const kept = method.length <= room + 2 ? method : name;
    return kept.length <= room ? kept : `${kept.slice(0, room - 1)}…`;
  }

  nodeUnder(event) {
    const box = this.window.getBoundingClientRect();
    const level = this.levelAt(event.clientY - box.top);
    const { from, to } = this.view;
    if (level < 0) return -1;
    return this.tree.nodeAt(level, from + ((event.clientX - box.left) / box.width) * (to - from));
  }

  point(event) {
    const node = event && !this.dragged ? this.nodeUnder(event) : -1;
    this.mark(node);
    if (node < 0) {
      tooltip.hide();
      return;
    }
    tooltip.show(event, ...nodeFacts(this.profile, this.tree, node));
  }

  /** Outlines the bar under the pointer. */
  mark(node) {
    const { width } = this.surface;
    const overlay = this.surface.marking(node >= 0);
    if (!overlay) return;
    const { from, to } = this.view;
    const at = (position) => ((position - from) / (to - from)) * width;
    const left = Math.max(0, at(this.tree.start[node]));
    const right = Math.min(width, at(this.tree.stop[node]));
    overlay.strokeRect(
      left + 0.5,
      this.topOf(this.tree.level[node]),
      Math.max(1, right - left - 1),
      this.bar - 1,
    );
  }

  click(event) {
    const node = this.nodeUnder(event);
    if (node > 0 && !this.tree.isRest(node) && !this.dragged) this.chosen(node);
  }

  enter(event) {
    const node = this.nodeUnder(event);
    if (node < 0) return;
    this.moved(this.tree.isRest(node) ? this.tree.parent[node] : node);
  }

  /** With Ctrl or a pinch, the wheel zooms around the pointer; sideways it moves. */
  wheel(event) {
    const sideways = Math.abs(event.deltaX) > Math.abs(event.deltaY);
    if (!event.ctrlKey && !event.metaKey && !sideways) return;
    event.preventDefault();
    this.still();
    const box = this.window.getBoundingClientRect();
    const { from, to } = this.view;
    const width = to - from;
    if (sideways) {
      this.show(from + (event.deltaX / box.width) * width, width);
      return;
    }
    const share = (event.clientX - box.left) / box.width;
    const wider = width * Math.exp(Math.max(-60, Math.min(60, event.deltaY)) / 200);
    this.show(from + share * (width - wider), wider);
  }

  /** Shows `width` of the line from `from` on, as far as it lies on it. */
  show(from, width) {
    const shown = Math.min(1, Math.max(1e-9, width));
    const left = Math.min(1 - shown, Math.max(0, from));
    this.view = { from: left, to: left + shown };
    this.fitHeight();
    this.draw();
    this.mark(-1);
  }

  /** A drag moves the graph under the pointer. */
  draggable(area) {
    let held = null;
    area.addEventListener("pointerdown", (event) => {
      this.dragged = false;
      if (event.button === 0) held = { x: event.clientX, from: this.view.from };
    });
    area.addEventListener("pointermove", (event) => {
      if (!held || Math.abs(event.clientX - held.x) < 4) return;
      if (!this.dragged) area.setPointerCapture(event.pointerId);
      this.dragged = true;
      const width = this.view.to - this.view.from;
      this.show(held.from - ((event.clientX - held.x) / this.surface.width) * width, width);
    });
    const release = () => {
      held = null;
    };
    area.addEventListener("pointerup", release);
    area.addEventListener("pointercancel", release);
  }
}
