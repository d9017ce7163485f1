// The page of `subsume history`: what each of several versions cost, and for each method
// that changed that a small picture of its own, all of them on one scale.

/** Pixels of a small picture. */
const MULTIPLE = { width: 168, height: 64 };

/** Pictures shown at once; the rest follows on demand. */
const MULTIPLES = 120;

class HistoryPage {
  constructor(report, root) {
    this.report = report;
    this.versions = distinctNames(report.versions);
    this.scale = "one";
    this.shown = MULTIPLES;
    this.main = element("main", { id: "view", tabindex: -1 });
    this.main.dataset.view = "history";
    fill(
      root,
      element(
        "header.page",
        null,
        element("span.brand", null, "subsume"),
        element("span.file", null, this.caption),
        element(
          "button.icon",
          { title: "Dark or light (t)", "aria-label": "Dark or light", id: "theme", onclick: () => theme.next() },
          "◐",
        ),
      ),
      element("div.body", null, this.main),
      element(
        "footer.page",
        null,
        `${report.generator}, ${new Date(report.created).toISOString().slice(0, 16).replace("T", " ")} UTC`,
      ),
    );
    root.classList.add("alone");
    document.title = `${this.caption} · subsume`;
    addEventListener("hashchange", () => this.draw());
    addEventListener("keydown", (event) => this.key(event));
    this.draw();
  }

  get caption() {
    return `${this.report.metric} of ${counted(this.versions.length, "version")}`;
  }

  /** The version that is looked at. */
  get at() {
    const wanted = /^#\/version\/(\d+)$/.exec(location.hash);
    const last = this.versions.length - 1;
    return wanted ? Math.min(last, Math.max(1, Number(wanted[1]))) : this.first;
  }

  /** The version that is looked at first: the last one. */
  get first() {
    return this.versions.length - 1;
  }

  step(by) {
    const next = this.at + by;
    if (next >= 1 && next < this.versions.length) location.hash = `#/version/${next}`;
  }

  key(event) {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key === "ArrowRight" || event.key === "n") this.step(1);
    else if (event.key === "ArrowLeft" || event.key === "p") this.step(-1);
    else if (event.key === "t") theme.next();
    else return;
    event.preventDefault();
  }

  draw() {
    fill(this.main, this.stepper(), this.totals(), this.ofVersion(), this.changes());
  }

  /** The small pictures of the methods that changed. */
  changes() {
    const { methods, more } = this.report;
    const left = more + Math.max(0, methods.length - this.shown);
    const title = element("h2.below", null, "Methods that changed");
    if (this.versions.length === 2) {
      this.changed?.remove();
      this.changed = changesTable(this);
      const what = "What each explains with all that it calls. Bars go right for more and left for less.";
      return [title, element("p.quiet", null, what), this.changed.frame, more > 0 && element("p.quiet", null, `rest: ${counted(more, "method")}`)];
    }
    return [
      title,
      element(
        "p.quiet",
        null,
        "A bar up is more, a bar down less. What each explains with all that it calls, in per cent of the version before; strong, with a border, where its code changed or is new. ",
        element(
          "span.shapes",
          { role: "group", "aria-label": "Scale" },
          [
            ["one", "one scale for all"],
            ["each", "a scale for each"],
          ].map(([name, words]) =>
            element(
              "button",
              {
                "aria-pressed": String(this.scale === name),
                "data-scale": name,
                onclick: () => {
                  this.scale = name;
                  this.draw();
                },
              },
              words,
            ),
          ),
        ),
      ),
      methods.length === 0
        ? element("p", null, "No method explains a difference above the floor of 0.01% of all.")
        : element("div.multiples", null, methods.slice(0, this.shown).map((row) => this.multiple(row))),
      left > 0 && element("p.quiet", null, `rest: ${counted(left, "method")} `, this.moreButton()),
    ];
  }

  moreButton() {
    if (this.shown >= this.report.methods.length) return null;
    return element(
      "button",
      {
        onclick: () => {
          this.shown = Infinity;
          this.draw();
        },
      },
      "Show all",
    );
  }

  /** The way from version to version. */
  stepper() {
    const { at } = this;
    const button = (by, text, title, isOff) =>
      element(
        "button.icon",
        { title, "aria-label": title, disabled: isOff, "data-step": by, onclick: () => this.step(by) },
        text,
      );
    return element(
      "header.whole.stepper",
      null,
      button(-1, "‹", "Previous version (←)", at === 1),
      element("h1", null, `${this.versions[at - 1].name} → ${this.versions[at].name}`),
      button(1, "›", "Next version (→)", at === this.versions.length - 1),
    );
  }

  /** The share of the version before that a version changed. */
  share(at, difference) {
    return Number(difference) / (Number(this.versions[at - 1].total) || 1);
  }

  /** What each version costs: a bar, which leads to it. */
  totals() {
    const most = this.versions.reduce((greatest, { total }) => Math.max(greatest, Number(total)), 1);
    const step = Math.max(24, Math.min(90, 900 / this.versions.length));
    const height = 110;
    const longest = Math.max(3, Math.floor(step / LETTER) - 1);
    const bars = this.versions.map(({ name, total }, at) => {
      const tall = (height * Number(total)) / most;
      const shape = { x: at * step + 2, y: height - tall, width: step - 6, height: tall };
      return drawn(
        "a",
        {
          href: at > 0 ? `#/version/${at}` : null,
          "aria-label": `${name}: ${count(total)} ${this.report.metric}`,
        },
        drawn("title", null, `${name}: ${count(total)} ${this.report.metric}`),
        box(shape, { class: `bar total${at === this.at ? " chosen" : ""}` }),
        text(at * step + 2, height + LINE, clipped(name, longest), {}),
      );
    });
    const width = step * this.versions.length;
    const axis = costAxis(most, this.report.metric, { top: 0, height, width });
    const size = { width: width + AXIS_ROOM, height: height + LINE + 6 };
    return [
      element("p.quiet", null, `A bar is what a version cost in ${this.report.metric}. A click on one shows what it changed.`),
      element("div.frame.blueprint.totals", { tabindex: 0, role: "group", "aria-label": "Versions" }, drawing("Cost of each version", size, axis, bars)),
    ];
  }

  /** What the version that is looked at changed. */
  ofVersion() {
    const { at } = this;
    const { total, change } = this.versions[at];
    const base = Number(this.versions[at - 1].total);
    const difference = Number(total) - base;
    const part = (value) => `${signedCount(Number(value))} (${signedPercent(Number(value), base)})`;
    const otherwise = Number(change.by_data) + Number(change.below);
    const rows = this.report.methods
      .map((row) => ({ row, change: row.changes.find((one) => one[0] === at) }))
      .filter((found) => found.change)
      .sort((a, b) => Math.abs(Number(b.change[1])) - Math.abs(Number(a.change[1])));
    const most = rows.reduce((greatest, { change }) => Math.max(greatest, Math.abs(Number(change[1]))), 0);
    return element(
      "section.panel.findings.blame",
      { id: "of-version" },
      // Of means it may have a fraction.
      element("h2", null, `${part(Math.round(difference))} ${this.report.metric}`),
      element(
        "p.quiet",
        null,
        `${part(change.by_changed_code)} by ${counted(change.changed_methods, "method")} of other code, ${part(otherwise)} otherwise.`,
      ),
      element(
        "ol",
        null,
        rows.slice(0, 10).map(({ row, change: [, value, code, mostly] }) => {
          const made = element(
            `li.${Number(value) > 0 ? "more" : "less"}`,
            null,
            element("span.number", null, signedCount(Number(value))),
            element("span.number", null, signedPercent(Number(value), base)),
            element("span.sentence", null, ownerChip(row), breakable(nameOfRow(row)), code !== "same" && [" ", codeTag(code)], mostly && mostlyBy(PLAIN_NAMES, mostly)),
          );
          made.style.setProperty("--share", Math.abs(Number(value)) / most);
          return made;
        }),
      ),
      rows.length > 10 && element("p.quiet", null, `rest: ${counted(rows.length - 10, "method")}`),
    );
  }

  /** The small picture of a method: a bar for each version, up for more, down for less. */
  multiple(row) {
    const { width, height } = MULTIPLE;
    const greatest = (rows) =>
      rows.reduce(
        (most, { changes }) => changes.reduce((m, [at, value]) => Math.max(m, Math.abs(this.share(at, value))), most),
        0,
      );
    const most = this.scale === "one" ? (this.most ??= greatest(this.report.methods)) : greatest([row]);
    const steps = this.versions.length - 1;
    const step = width / steps;
    const middle = height / 2;
    const bars = row.changes.map(([at, value, code]) => {
      const share = this.share(at, value);
      const tall = Math.max(1, (Math.abs(share) / (most || 1)) * (middle - 2));
      const shape = {
        x: (at - 1) * step + Math.min(2, step / 4),
        y: share > 0 ? middle - tall : middle,
        width: Math.max(1, step - Math.min(4, step / 2)),
        height: tall,
      };
      const words = `${this.versions[at].name}: ${signedCount(Number(value))} (${signedPercent(Number(value), Number(this.versions[at - 1].total))})${code === "same" ? "" : `, ${code}`}`;
      return drawn(
        "a",
        { href: `#/version/${at}`, "aria-label": words },
        drawn("title", null, words),
        box(shape, { class: `node ${share > 0 ? "more" : "less"}${code === "same" ? "" : " code"}` }),
      );
    });
    const name = nameOfRow(row);
    return element(
      "figure.multiple",
      { "data-method": name },
      drawing(
        name,
        MULTIPLE,
        box({ x: (this.at - 1) * step, y: 0, width: step, height }, { class: "band" }),
        drawn("path", { class: "base", d: `M0 ${middle}h${width}` }),
        bars,
      ),
      element(
        "figcaption",
        { title: name },
        ownerChip(row),
        breakable(row.class ? blueprintName(row.class, row.name) : row.name),
        element("span.quiet", { title: "The top is as much more, the bottom as much less" }, ` ±${percent(most, 1)}`),
      ),
    );
  }
}

/** The colour of whose code a method is, if the page knows it. */
function ownerChip({ owner }) {
  const kind = owner === "jdk" ? "platform" : owner;
  return kind && element(`i.chip.of-${kind}`, { title: KINDS[kind], role: "img", "aria-label": KINDS[kind] });
}

/** Names of methods without links. */
const PLAIN_NAMES = { link: (row) => breakable(nameOfRow(row)) };

function nameOfRow({ class: owner, name, descriptor }) {
  const parameters = /^\(/.test(descriptor) ? signatureOf(descriptor).replace(/\): .*/, ")") : "";
  return `${owner ? `${owner}.` : ""}${name}${parameters}`;
}
