// The flame graph: contexts as bars, callees on top of their callers, as wide
// as their share of the cost. Its inversion hangs down: methods with what they
// cost themselves, and below them who called them.

/** Height of a bar, in sizes of the page's text. */
const BAR = 1.4;

/** A selected bar in sight is at least so many pixels wide, or marked as if it were. */
const LEAST_MARK = 5;

/** The number of bars of the first level that should have names at the start. */
const NAMED_BARS = 6;

/** Pixels that a name takes. */
const NAME_WIDTH = 104;

/** What a click on a node of a picture does: it zooms, and with a modifier it chooses. */
function pressed(picture, event, node) {
  const { tree } = picture;
  if (event.ctrlKey || event.metaKey || event.shiftKey) {
    if (node > 0 && !tree.isRest(node) && !tree.frames(node)) picture.chosen(node);
  } else if (tree.frames(node)) picture.unfolded();
  else picture.moved(tree.isRest(node) ? tree.parent[node] : node);
}

class FlameGraph {
  /**
   * `upward`: whether callees lie above. `moved(node)` is told which bar was clicked
   * and shall be as wide as the graph, `chosen(node)` which one was clicked with a
   * modifier, `unfolded()` that folded frames were. `root` is the method that the
   * whole stands for; with null the whole has no bar.
   */
  constructor(profile, tree, frame, { upward, label, chosen, moved, unfolded, root, hasStrip = true }) {
    this.profile = profile;
    this.tree = tree;
    this.upward = upward;
    this.root = root;
    /** The lowest level that has bars. */
    this.ground = root === null ? 1 : 0;
    this.chosen = chosen;
    this.moved = moved;
    this.unfolded = unfolded;
    this.node = 0;
    this.method = null;
    this.found = null;
    /** The occurrence of the method that is in sight. */
    this.occurrence = -1;
    this.view = { from: 0, to: 1 };
    this.still = () => {};
    this.scroller = frame;
    this.strip = hasStrip && new Strip(tree, frame, {
      upward,
      moved: (position) => {
        const width = this.view.to - this.view.from;
        this.show(position - width / 2, width);
      },
    });
    this.filler = element("div.filler");
    this.window = element("div.window");
    frame.append(this.window, this.filler);
    this.surface = surface(this.window, label, () => this.resized());
    frame.addEventListener("scroll", () => this.draw());
    this.window.addEventListener("pointermove", (event) => this.point(event));
    this.window.addEventListener("pointerleave", () => this.point(null));
    this.window.addEventListener("click", (event) => this.click(event));
    this.window.addEventListener("wheel", (event) => this.wheel(event), { passive: false });
    this.draggable(this.window);
  }

  remove() {
    this.still();
    this.surface.remove();
    if (this.strip) this.strip.remove();
    tooltip.hide();
  }

  resized() {
    const begun = this.colours !== undefined;
    this.recolour();
    if (!begun && this.node === 0) this.view = this.home();
    this.fitHeight();
    if (!begun && this.upward) this.scroller.scrollTop = this.scroller.scrollHeight;
    this.draw();
    if (!begun && this.occurrence >= 0) this.reveal(this.occurrence);
  }

  /**
   * What is seen at the start: all, or in an inversion, whose first level may have
   * thousands of bars, as many of the costliest ones as have room for their names.
   */
  home() {
    const whole = { from: 0, to: 1 };
    const { cost, end, start, stop, total } = this.tree;
    if (this.upward || this.root !== undefined || total === 0) return whole;
    const bars = [];
    for (let node = 1; node < end[0] && bars.length < NAMED_BARS; node = end[node]) bars.push(node);
    if (bars.length < NAMED_BARS) return whole;
    const last = bars.at(-1);
    const wide = ((cost[last] / total) * this.surface.width) / NAME_WIDTH;
    return { from: 0, to: Math.min(1, Math.max(stop[last] - start[bars[0]], wide)) };
  }

  /** Height of a bar in pixels. */
  get bar() {
    return Math.round(this.surface.em * BAR);
  }

  recolour() {
    this.colours = nodeColours(this.profile, this.tree, this.method, this.found);
    if (this.root !== undefined) this.colours[0] = pixelOf(palette().selected);
    if (this.strip) this.strip.recolour(this.colours);
  }

  /** The page is as high as the levels that can be seen in this view. */
  fitHeight() {
    const width = (this.view.to - this.view.from) / Math.max(1, this.surface.width);
    const levels = this.tree.depthBelow(this.node, width) + 2 - this.ground;
    const fromBottom = this.scroller.scrollHeight - this.scroller.scrollTop;
    this.levels = Math.max(levels, Math.ceil(this.surface.height / this.bar));
    this.filler.style.height = `${Math.max(0, this.levels * this.bar - this.surface.height)}px`;
    // What stands on the ground stays where it is.
    if (this.upward) this.scroller.scrollTop = this.scroller.scrollHeight - fromBottom;
  }

  /** Picks out a method, and the methods that are searched. */
  highlight(method, found) {
    this.method = method;
    this.found = found;
    if (method === null) this.occurrence = -1;
    if (this.surface.width === 0) return;
    this.recolour();
    this.draw();
  }

  /** Makes a node as wide as the graph. */
  centre(node) {
    this.node = node;
    const { start, stop } = this.tree;
    if (node === 0 && this.surface.width > 0) {
      this.fly(this.home());
      return;
    }
    this.fly({
      from: start[node],
      to: stop[node] > start[node] ? stop[node] : start[node] + 1e-12,
    });
  }

  /** Flies to a view, and then does something else. */
  fly(target, then = () => {}) {
    this.still();
    if (this.surface.width === 0) {
      this.view = target;
      return;
    }
    this.still = glide(this.view, target, FLIGHT, (view, arrived) => {
      this.view = view;
      if (arrived) {
        this.fitHeight();
        then();
      }
      this.draw();
    });
  }

  /** Brings an occurrence of the selected method into sight. */
  reveal(node) {
    this.occurrence = node;
    const { width } = this.surface;
    if (width === 0 || node < 0) return;
    const { start, stop, level } = this.tree;
    const { from, to } = this.view;
    const size = Math.max(stop[node] - start[node], 1e-12);
    const pixels = (size / (to - from)) * width;
    const inSight = start[node] >= from - 1e-12 && stop[node] <= to + 1e-12;
    const scroll = () => {
      const top = this.topOf(level[node]);
      if (top < this.bar || top > this.surface.height - 2 * this.bar) {
        const middle = Math.round(this.surface.height / 2);
        this.scroller.scrollTop = Math.max(0, this.scroller.scrollTop + top - middle);
      }
    };
    const isRoot = this.tree.isInverted && level[node] === 1;
    if (inSight && pixels >= (isRoot ? width / 4 : 2 * LEAST_MARK)) {
      scroll();
      this.draw();
      return;
    }
    // The inversion begins with what the method costs; elsewhere its neighbours
    // are of interest.
    const wide = Math.min(1, isRoot ? size : Math.min(size * 8, Math.max(size * 2, to - from)));
    const left = Math.min(1 - wide, Math.max(0, (start[node] + stop[node] - wide) / 2));
    this.fly({ from: left, to: left + wide }, scroll);
  }

  /** Where a level's bar begins, in pixels from the top of the window. */
  topOf(level) {
    const from = level - this.ground;
    const above = this.upward ? this.levels - 1 - from : from;
    return above * this.bar - this.scroller.scrollTop;
  }

  /** The level at so many pixels from the top of the window. */
  levelAt(pixels) {
    const above = Math.floor((pixels + this.scroller.scrollTop) / this.bar);
    return this.ground + (this.upward ? this.levels - 1 - above : above);
  }

  draw() {
    const { context, width, height, density, picture } = this.surface;
    if (width === 0 || !this.colours) return;
    const last = this.levelAt(this.upward ? 0 : height);
    const first = Math.max(this.ground, this.levelAt(this.upward ? height : 0));
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
      least: 22 * density,
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
    this.markOccurrence();
    picture.dataset.node = this.node;
    if (this.strip) this.strip.frame(this.view, { first, last });
  }

  /** Writes names into the bars that have room for some of it. */
  label(labels) {
    const { context, width, em, picture } = this.surface;
    context.font = `${0.86 * em}px ${FONT}`;
    context.textAlign = "left";
    context.textBaseline = "middle";
    let names = 0;
    for (let at = 0; at < labels.length; at += 4) {
      const node = labels[at];
      const begin = Math.max(0, labels[at + 2]);
      const room = Math.min(width, labels[at + 3]) - begin - 8;
      const fit = fitting(context, this.captions(node), room);
      if (!fit) continue;
      names += fit.whole && node > 0 && !this.tree.isRest(node);
      context.fillStyle = this.inkOf(node);
      context.fillText(fit.text, begin + 4, this.topOf(labels[at + 1]) + this.bar / 2);
    }
    // How many methods are named in full, for who counts.
    picture.dataset.names = names;
  }

  /** Makes sure that the occurrence in sight can be seen, however narrow it is. */
  markOccurrence() {
    const node = this.occurrence;
    const { context, width, height, picture } = this.surface;
    delete picture.dataset.marked;
    if (node < 0) return;
    const { from, to } = this.view;
    const at = (position) => ((position - from) / (to - from)) * width;
    const left = at(this.tree.start[node]);
    const right = at(this.tree.stop[node]);
    const y = this.topOf(this.tree.level[node]);
    if (right < 0 || left > width || y + this.bar < 0 || y > height) return;
    const wide = Math.max(LEAST_MARK, Math.min(width, right) - Math.max(0, left));
    const x = Math.max(0, Math.min(width - wide, left));
    const colours = palette();
    if (right - left < LEAST_MARK) {
      context.fillStyle = colours.selected;
      context.fillRect(x, y, wide, this.bar - 1);
    }
    context.strokeStyle = colours.ink;
    context.lineWidth = 1.5;
    context.strokeRect(x + 0.75, y + 0.75, Math.max(1, wide - 1.5), this.bar - 2.5);
    picture.dataset.marked = [x, y, wide, this.bar - 1].map(Math.round).join(" ");
    const captions = this.captions(node);
    if (widthOf(context, captions.at(-1)) + 8 <= wide) return;
    flag(context, captions[0], {
      x: x + wide,
      y,
      height: this.bar - 1,
      width,
      colour: colours.selected,
      ink: "#0b0e11",
    });
  }

  /** The colour of the name in a bar. */
  inkOf(node) {
    return inkOn(this.colours[node]);
  }

  /** What a node may be called, the most telling name first. */
  captions(node) {
    if (node === 0 && this.root != null) return [this.profile.nameOf(this.root)];
    return captionsOf(this.profile, this.tree, node);
  }

  /** A heading and facts about a node. */
  facts(node) {
    return nodeFacts(this.profile, this.tree, node);
  }

  nodeUnder(event) {
    const box = this.window.getBoundingClientRect();
    const level = this.levelAt(event.clientY - box.top);
    const { from, to } = this.view;
    if (level < this.ground) return -1;
    return this.tree.nodeAt(level, from + ((event.clientX - box.left) / box.width) * (to - from));
  }

  point(event) {
    const node = event && !this.dragged ? this.nodeUnder(event) : -1;
    this.mark(node);
    if (node < 0) {
      tooltip.hide();
      return;
    }
    tooltip.show(this.scroller, event, ...this.facts(node));
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

  /** A click zooms to a bar, also to one below; with a modifier it chooses the method. */
  click(event) {
    const node = this.dragged ? -1 : this.nodeUnder(event);
    if (node >= 0) pressed(this, event, node);
  }

  /** Back to what is seen at the start. */
  reset() {
    this.node = 0;
    this.fly(this.home());
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

  /** A drag moves the graph under the pointer, any way. */
  draggable(area) {
    let held = null;
    area.addEventListener("pointerdown", (event) => {
      this.dragged = false;
      if (event.button !== 0) return;
      held = {
        x: event.clientX,
        y: event.clientY,
        from: this.view.from,
        scrolled: this.scroller.scrollTop,
      };
    });
    area.addEventListener("pointermove", (event) => {
      if (!held) return;
      const right = event.clientX - held.x;
      const down = event.clientY - held.y;
      if (!this.dragged && Math.hypot(right, down) < 4) return;
      if (!this.dragged) area.setPointerCapture(event.pointerId);
      this.dragged = true;
      const width = this.view.to - this.view.from;
      this.show(held.from - (right / this.surface.width) * width, width);
      this.scroller.scrollTop = held.scrolled - down;
    });
    const release = () => {
      held = null;
    };
    area.addEventListener("pointerup", release);
    area.addEventListener("pointercancel", release);
  }
}
