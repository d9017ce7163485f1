// The page of `subsume fleet report`: what versions cost by the mean of their runs, what
// explains each step, own costs of methods in all versions, and what sets runs apart.

/** Rows of a table that are shown at once; the rest follows on demand. */
const FLEET_ROWS = 25;

/** Changes below this share are nothing to look at. */
const NOTABLE = 0.001;

/** Pixels of a method's course through the versions, and room for what its top stands for. */
const COURSE = { width: 180, height: 26 };
const COURSE_SCALE = 52;

class FleetPage extends HistoryPage {
  constructor(report, root) {
    super(asHistory(report), root);
  }

  get caption() {
    const { metric, program, runs } = this.report;
    return `${metric} of ${program}: ${counted(runs, "run")}, ${counted(this.versions.length, "version")}`;
  }

  /** The version that made the program most expensive; if none did, the last one. */
  get first() {
    const rises = this.versions.map((_, at) => (at > 0 ? this.rise(at) : 0));
    const most = rises.reduce((best, rise, at) => (rise > rises[best] ? at : best), 0);
    return rises[most] >= NOTABLE ? most : super.first;
  }

  /** The difference to the version before, as a share of it. */
  rise(at) {
    const [before, after] = [this.versions[at - 1].total, this.versions[at].total];
    return before > 0 ? (after - before) / before : 0;
  }

  /** What explains most of a version's difference, in its direction. */
  cause(at) {
    const sign = Math.sign(this.rise(at));
    let [cause, most] = [null, 0];
    for (const row of this.report.methods) {
      const change = row.changes.find((one) => one[0] === at);
      const size = change ? Number(change[1]) * sign : 0;
      if (size > most) [cause, most] = [{ row, change }, size];
    }
    return cause;
  }

  draw() {
    const several = this.versions.length > 1;
    fill(
      this.main,
      this.summary(),
      this.totals(),
      this.table(),
      several && [this.stepper(), this.ofVersion(), this.changes()],
      this.costs(),
      this.outliers(),
      this.leftOut(),
    );
  }

  /** What happened, in sentences. */
  summary() {
    const { by, metric, sampled } = this.report;
    const last = this.versions.length - 1;
    const [from, to] = [this.versions[0], this.versions[last]];
    const sentences = [];
    if (last > 0) {
      const way = to.total - from.total;
      sentences.push(
        element(
          "p",
          null,
          `From ${by} ${from.name} to ${to.name}, a run went from ${count(Math.round(from.total))} to ${count(Math.round(to.total))} ${metric} (${signedPercent(way, from.total)}).`,
        ),
      );
      const at = this.first;
      if (this.rise(at) >= NOTABLE) {
        const cause = this.cause(at);
        sentences.push(
          element(
            "p",
            { id: "greatest-rise" },
            "It rose most with ",
            element("a", { href: `#/version/${at}` }, this.versions[at].name),
            `: ${signedPercent(this.rise(at), 1)}`,
            cause && [
              ", mostly by ",
              ownerChip(cause.row),
              element("b", null, breakable(nameOfRow(cause.row))),
              ` (${signedPercent(Number(cause.change[1]), this.versions[at - 1].total)})`,
              cause.change[2] !== "same" && [" ", codeTag(cause.change[2])],
            ],
            ".",
          ),
        );
      } else sentences.push(element("p", { id: "greatest-rise" }, "No version costs notably more than the one before."));
    }
    if (sampled) sentences.push(element("p.quiet", null, "The costs are samples, which differ from run to run."));
    return element("section.whole", null, element("h1", null, `${this.report.program} by ${by}`), sentences);
  }

  /** What each version costs: a bar with the least and the greatest of its runs. */
  totals() {
    const most = this.versions.reduce((greatest, { spread }) => Math.max(greatest, spread.greatest), 1);
    const step = Math.max(34, Math.min(90, 900 / this.versions.length));
    const height = 120;
    const top = LINE + 4;
    const longest = Math.max(3, Math.floor(step / LETTER) - 1);
    const y = (value) => top + height - (height * value) / most;
    const bars = this.versions.map(({ name, total, spread }, at) => {
      const rise = at > 0 ? this.rise(at) : 0;
      const words = `${name}: ${count(Math.round(total))} ${this.report.metric}, ${counted(spread.runs, "run")}${at > 0 ? `, ${signedPercent(rise, 1)}` : ""}`;
      const middle = at * step + step / 2 - 1;
      const made = drawn(
        "a",
        { href: at > 0 ? `#/version/${at}` : null, "aria-label": words },
        drawn("title", null, words),
        box(
          { x: at * step + 2, y: y(total), width: step - 6, height: top + height - y(total) },
          { class: `bar total${at === this.at && this.versions.length > 1 ? " chosen" : ""}` },
        ),
        spread.greatest > spread.least &&
          drawn("path", {
            class: "whisker",
            d: `M${length(middle)} ${length(y(spread.least))}V${length(y(spread.greatest))}M${length(middle - 4)} ${length(y(spread.greatest))}h8M${length(middle - 4)} ${length(y(spread.least))}h8`,
          }),
        text(at * step + 2, top + height + LINE, clipped(name, longest), {}),
      );
      const change =
        Math.abs(rise) >= NOTABLE &&
        text(middle, y(spread.greatest) - 4, `${rise > 0 ? "+" : "−"}${Math.abs(100 * rise).toFixed(1)}%`, {
          class: rise > 0 ? "more" : "less",
          "text-anchor": "middle",
          // The link says it.
          "aria-hidden": "true",
        });
      return [made, change];
    });
    const width = step * this.versions.length;
    const axis = costAxis(most, this.report.metric, { top, height, width });
    const size = { width: width + AXIS_ROOM, height: top + height + LINE + 6 };
    return [
      element(
        "p.quiet",
        null,
        `A bar is the mean of a version's runs in ${this.report.metric}, a line its least and greatest run. A click on a bar shows what the version changed.`,
      ),
      element("div.frame.blueprint.totals", { tabindex: 0, role: "group", "aria-label": "Versions" }, drawing("Cost of each version", size, axis, bars)),
    ];
  }

  /** The versions as a table. */
  table() {
    const rows = this.versions.map(({ name, total, spread, change, unexplained }, at) => {
      const cause = at > 0 && this.cause(at);
      const part = (value) => signedPercent(Number(value), this.versions[at - 1].total);
      return element(
        `tr${at === this.at && at > 0 ? ".selected" : ""}`,
        null,
        element("td.text.tight", null, at > 0 ? element("a", { href: `#/version/${at}` }, name) : name),
        element("td.number", null, count(spread.runs)),
        element("td.number", null, count(Math.round(total))),
        element("td.number", null, range(spread)),
        element("td.number", null, at > 0 && signedPercent(this.rise(at), 1)),
        element("td.number", null, change && part(change.by_changed_code)),
        element("td.number", null, change && part(Number(change.by_data) + Number(change.below))),
        element(
          "td.text",
          null,
          cause && [
            ownerChip(cause.row),
            breakable(nameOfRow(cause.row)),
            cause.change[2] !== "same" && [" ", codeTag(cause.change[2])],
            ` ${part(cause.change[1])}`,
          ],
          unexplained && element("span.quiet", null, `not explained: ${unexplained}`),
        ),
      );
    });
    return [
      element("h2.below", null, "Versions"),
      fleetTable(
        "versions",
        ["Version", "Runs", "Mean", "Least to greatest", "Change", "By changed code", "Otherwise", "Mostly by"],
        [0, 7],
        rows,
      ),
    ];
  }

  ofVersion() {
    const { change, unexplained } = this.versions[this.at];
    if (change) return super.ofVersion();
    return element(
      "section.panel.findings.blame",
      { id: "of-version" },
      element("h2", null, signedPercent(this.rise(this.at), 1)),
      element("p.quiet", null, `Not explained: ${unexplained}.`),
    );
  }

  /** What methods cost by themselves in each version. */
  costs() {
    const { costs, costs_more: more, metric, by } = this.report;
    const last = this.versions.length - 1;
    const shown = costs.slice(0, this.all ? costs.length : FLEET_ROWS);
    const left = more + costs.length - shown.length;
    const rows = shown.map((row) => {
      const means = row.versions.map(({ mean }) => mean);
      const steps = means.map((mean, at) => (at > 0 ? mean - means[at - 1] : 0));
      const at = steps.reduce((best, step, at) => (Math.abs(step) > Math.abs(steps[best]) ? at : best), 0);
      const ofAll = steps[at] === 0 ? "0.00%" : signedPercent(steps[at], this.versions[at - 1].total);
      return element(
        "tr",
        { "data-method": nameOfRow(row) },
        element("td.text", null, ownerChip(row), breakable(nameOfRow(row))),
        last > 0 && element("td", null, this.course(row)),
        element("td.number", null, count(Math.round(means[0]))),
        last > 0 && [
          element("td.number", null, count(Math.round(means[last]))),
          element("td.number", null, means[0] > 0 ? signedPercent(means[last] - means[0], means[0]) : means[last] > 0 && "new"),
          element(
            "td.text.tight",
            null,
            ofAll !== "0.00%" && [element("a", { href: `#/version/${at}` }, this.versions[at].name), ` ${ofAll} of all`],
          ),
        ],
      );
    });
    const titles =
      last > 0
        ? ["Method", "Course", this.versions[0].name, this.versions[last].name, "Change", "Greatest step"]
        : ["Method", this.versions[0].name];
    return [
      element("h2.below", null, "Methods that cost most by themselves"),
      element(
        "p.quiet",
        null,
        `${metric} of a run, without what they call, by the mean of each ${by}'s runs. Each course has a scale of its own, from 0 to what stands at its right. `,
        ownerKeys(),
      ),
      fleetTable("costs", titles, [0, 5], rows),
      left > 0 &&
        element(
          "p.quiet",
          null,
          `rest: ${counted(left, "method")} `,
          shown.length < costs.length &&
            element(
              "button",
              {
                onclick: () => {
                  this.all = true;
                  this.draw();
                },
              },
              "Show all",
            ),
        ),
    ];
  }

  /** What a method cost from version to version: a line. */
  course(row) {
    const { width, height } = COURSE;
    const most = row.versions.reduce((greatest, { mean }) => Math.max(greatest, mean), 0) || 1;
    const step = width / Math.max(1, row.versions.length - 1);
    const points = row.versions.map(
      ({ mean }, at) => `${length(at * step)} ${length(height - 1 - (mean / most) * (height - 3))}`,
    );
    return drawing(
      `Course of ${nameOfRow(row)}`,
      { width: width + COURSE_SCALE, height },
      drawn("path", { class: "base", d: `M0 ${height}h${width}V0` }),
      drawn("path", { class: "course", d: `M${points.join("L")}` }),
      text(width + 4, 9, rounded(most), { class: "axis quiet" }),
      text(width + 4, height - 1, "0", { class: "axis quiet" }),
    );
  }

  /** Labels whose runs are apart from the others of their version. */
  outliers() {
    const { outliers, by } = this.report;
    const rows = outliers.map(({ version, key, value, with: runs, without, share, method }) =>
      element(
        "tr",
        null,
        element("td.text.tight", null, version),
        element("td.text", null, `${key}=${value}`),
        element("td.number", null, count(runs.runs)),
        element("td.number", null, count(Math.round(runs.mean))),
        element("td.number", null, count(Math.round(without.mean))),
        element("td.number", null, signedPercent(share, 1)),
        element("td.text", null, method && [ownerChip(method), breakable(nameOfRow(method)), ` ${signedCount(Math.round(method.difference))}`]),
      ),
    );
    return [
      element("h2.below", null, "Outliers"),
      rows.length === 0
        ? element("p.quiet", null, `No label sets runs of one ${by} apart from all others of it.`)
        : [
            element(
              "p.quiet",
              null,
              `Each run with the label costs more, or each less, than all others of its ${by}.`,
            ),
            fleetTable(
              "outliers",
              ["Version", "Label", "Runs", "Mean", "Others", "Difference", "Mostly by"],
              [0, 1, 6],
              rows,
            ),
          ],
    ];
  }

  /** Runs that are not compared. */
  leftOut() {
    const { left_out: runs } = this.report;
    if (runs.length === 0) return null;
    const rows = runs.map(({ run, labels, reason }) =>
      element(
        "tr",
        null,
        element("td.text.tight", null, run.slice(0, 12)),
        element(
          "td.text",
          null,
          Object.entries(labels)
            .map(([key, value]) => `${key}=${value}`)
            .join(" "),
        ),
        element("td.text", null, reason),
      ),
    );
    return [
      element("h2.below", null, `Left out: ${counted(runs.length, "run")}`),
      fleetTable("left-out", ["Run", "Labels", "Why"], [0, 1, 2], rows),
    ];
  }
}

/** What the colours before names of methods mean. */
function ownerKeys() {
  const key = ([kind, words]) => element("span.key", null, element(`i.chip.of-${kind}`), words);
  return element("span.kinds", { title: "Colours say whose code it is" }, Object.entries(KINDS).map(key));
}

/** A table with these headings; `texts` are the columns that hold no numbers. */
function fleetTable(id, titles, texts, rows) {
  const headings = titles.map((title, at) => [texts.includes(at) ? "text" : "", title]);
  return plainTable(null, headings, rows, "div.table", { id });
}

/** The least and the greatest of some runs, or the one value that all have. */
function range({ least, greatest }) {
  return least === greatest ? count(least) : `${count(least)} to ${count(greatest)}`;
}

/** What the page of a history shows, of a fleet. */
function asHistory(report) {
  const places = new Map(report.versions.map(({ name }, at) => [name, at]));
  return {
    ...report,
    versions: report.versions.map((version) => ({ ...version, total: version.total.mean, spread: version.total })),
    methods: report.methods.map((row) => ({
      ...row,
      changes: row.changes.map(({ version, difference, code, mostly }) => [
        places.get(version),
        difference,
        code,
        mostly && { callee: mostly.callee, calls: [mostly.calls_before, mostly.calls_after] },
      ]),
    })),
  };
}
