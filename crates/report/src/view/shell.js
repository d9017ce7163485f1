// What surrounds the views: heading, navigation, the selected method.

const VIEWS = [
  overviewView,
  methodsView,
  ringView,
  flameView,
  treeView,
  invertedView,
  blueprintView,
  methodView,
  sourceView,
  copiesView,
  chainsView,
  clonesView,
  temporariesView,
  uselessView,
  costsView,
  deadView,
  nullsView,
  loopsView,
  growthView,
  repeatsView,
  typestateView,
  diffView,
  sidesView,
  moreView,
];

/** Views of what was called. */
const OF_CALLS = [
  methodsView,
  ringView,
  flameView,
  treeView,
  invertedView,
  blueprintView,
  methodView,
  sourceView,
];

/** Whether a view has nothing to show of a profile. */
function isEmpty(report, profile, view) {
  if (view.dataflow) return (profile.dataflow[view.id] ?? null) === null;
  if (profile.contexts === 0 && OF_CALLS.includes(view)) return true;
  if (view === moreView) return !VIEWS.some((v) => v !== moreView && isEmpty(report, profile, v));
  const isOfTwo = view === diffView || view === sidesView;
  return (view === sourceView && !profile.sources) || (isOfTwo && !report.diff);
}

/** A view's title and what one sees there; views of data flow have their own. */
function headingOf(report, view) {
  // The overview has a sentence of its own for a heading.
  const title = view === overviewView ? "h2" : "h1";
  const words = view.about && [element(title, null, view.heading ?? view.title), element("p.quiet", null, view.about)];
  return [words, whichProfile(report, view)];
}

class Shell {
  constructor(report, root) {
    this.report = report;
    this.profiles = report.profiles.map(() => null);
    report.open = (at) => (this.profiles[at] ??= new Profile(report.profiles[at]));
    this.search = new Search(() => this.profile());
    this.nav = element("nav.views", { "aria-label": "Views" });
    this.selection = element("aside.selection", { "aria-label": "Selected method" });
    this.heading = element("div.about", { role: "region", "aria-label": "About this view" });
    this.main = element("main", { tabindex: -1, id: "view" });
    this.chooser = this.profileChooser();
    fill(
      root,
      element(
        "header.page",
        null,
        element("a.brand", { href: "#/overview" }, "subsume"),
        this.chooser,
        this.search.box,
        element(
          "button.icon",
          {
            title: "Dark or light (t)",
            "aria-label": "Dark or light",
            id: "theme",
            onclick: () => theme.next(),
          },
          "◐",
        ),
        element(
          "button.icon",
          {
            title: "Keys and words (?)",
            "aria-label": "Help",
            id: "help",
            onclick: () => help.open(),
          },
          "?",
        ),
      ),
      this.nav,
      element("div.body", null, this.heading, this.main),
      this.selection,
      element(
        "footer.page",
        null,
        `${report.generator}, ${new Date(report.created).toISOString().slice(0, 16).replace("T", " ")} UTC`,
      ),
      tooltip.box,
      help.box,
    );
    addEventListener("hashchange", () => {
      place = placeOf(location.hash);
      this.show();
    });
    // Links lead from where the reader is now.
    addEventListener("adjusted", () => {
      this.navigate(this.of, this.shown);
      this.select(this.of, this.shown);
    });
    addEventListener("keydown", (event) => this.key(event));
    addEventListener("beforeprint", () => this.view?.print?.());
    this.show();
  }

  /** The profile that is looked at; it is made ready when it is first wanted. */
  profile() {
    const at = Math.min(place.profile, this.profiles.length - 1);
    return this.report.open(at);
  }

  profileChooser() {
    const { profiles } = this.report;
    this.report.change = (at) => this.change(at);
    if (profiles.length === 1)
      return element("span.file", { title: profiles[0].name }, this.profile().brief);
    return element(
      "select",
      {
        id: "profile",
        "aria-label": "Profile",
        onchange: ({ target }) => {
          if (target.value === "diff") showDifference(this.shown);
          else if (target.value === "sides") showSides(this.shown);
          else this.change(Number(target.value));
        },
      },
      profiles.map((profile, at) => element("option", { value: at, title: profile.name }, sideLabel(this.report, at))),
      this.report.diff && [
        element("option", { value: "sides" }, "both, side by side"),
        element("option", { value: "diff" }, "difference of both"),
      ],
    );
  }

  /** Another profile: the same view of the same method, if it has it. */
  change(profile) {
    const before = this.profile();
    const { method } = place;
    const other = this.report.open(profile);
    const same =
      method === null
        ? null
        : other.find(
            before.classOf(method),
            before.methods.name[method],
            before.descriptorOf(method),
          );
    go({ profile, method: same, node: 0, view: ["diff", "sides"].includes(place.view) ? "flame" : place.view });
  }

  /** Shows what the address says. */
  show() {
    const profile = this.profile();
    if (place.method !== null && place.method >= profile.count) place.method = null;
    const view = VIEWS.find((view) => view.id === place.view) ?? overviewView;
    const isOfTwo = this.report.diff && (view === diffView || view === sidesView);
    if (this.chooser.tagName === "SELECT") this.chooser.value = isOfTwo ? view.id : place.profile;
    this.navigate(profile, view);
    this.select(profile, view);
    fill(this.heading, headingOf(this.report, view));
    const drawn = [place.only, place.own, place.metric, place.way, place.frames, place.recursion].join(" ");
    if (this.shown === view && this.of === profile && this.drawn === drawn) {
      this.view.update();
      return;
    }
    this.view?.remove();
    tooltip.hide();
    fill(this.main);
    this.main.dataset.view = view.id;
    this.shown = view;
    this.of = profile;
    this.drawn = drawn;
    document.title = `${view.title} · ${profile.brief} · subsume`;
    scrollTo(0, 0);
    this.view = view.mount(this.main, profile, this.report);
  }

  /** Lists the views that have something to show; the last one tells of the others. */
  navigate(profile, shown) {
    let number = 0;
    const entry = (view) => {
      number += 1;
      const flames = ["ring", "flame", "sides"];
      const same = flames.includes(view.id) && flames.includes(place.view);
      return element(
        "a",
        {
          href: link({ view: view.id, node: same ? place.node : 0 }),
          "aria-current": view === shown ? "page" : null,
          "data-view": view.id,
        },
        view.title,
        number <= 9 && element("kbd", { "aria-hidden": "true" }, number),
      );
    };
    const listed = VIEWS.filter((view) => !isEmpty(this.report, profile, view));
    const flow = listed.filter((view) => view.dataflow);
    const others = listed.filter((view) => !view.dataflow && view !== moreView);
    // What is compared comes first.
    const isOfTwo = (view) => view === diffView || view === sidesView;
    const first = others.filter(isOfTwo);
    const calls = others.filter((view) => !isOfTwo(view));
    this.order = [...first, ...calls, ...flow, ...listed.filter((view) => view === moreView)];
    fill(
      this.nav,
      [...first, ...calls].map(entry),
      flow.length > 0 && element("h2", null, "Data flow"),
      flow.map(entry),
      listed.includes(moreView) && element("div.more", null, entry(moreView)),
    );
  }

  /**
   * The line that says what is selected, and leads to it in every view. It lies
   * over the lower edge of the page: a picture must not move between two clicks.
   */
  select(profile, shown) {
    const { method } = place;
    this.selection.hidden = method === null;
    if (method === null) return;
    const to = (view, text) =>
      element(
        "a",
        {
          href: link({ view: view.id, node: 0 }),
          "aria-current": view === shown ? "page" : null,
          "data-to": view.id,
        },
        text,
      );
    fill(
      this.selection,
      element("span.name", null, profile.nameOf(method)),
      element(
        "span.number",
        null,
        `${percent(Number(profile.methods.inclusive[method]), profile.total)} inclusive`,
      ),
      this.steps(profile, shown),
      element(
        "span.ways",
        null,
        to(methodsView, "table"),
        to(ringView, "rings"),
        to(flameView, "flames"),
        this.report.diff && to(sidesView, "side by side"),
        to(treeView, "tree"),
        to(invertedView, "inverted"),
        element(
          "a",
          {
            href: link({ view: "blueprint", kind: place.kind || "behavioural" }),
            "aria-current": shown === blueprintView ? "page" : null,
            "data-to": "blueprint",
          },
          "blueprint",
        ),
        to(methodView, "callers"),
        profile.sources?.methods[method] && to(sourceView, "source"),
      ),
      element(
        "button.icon",
        {
          title: "Drop the selection (Esc)",
          "aria-label": "Drop the selection",
          onclick: () => go({ method: null }),
        },
        "×",
      ),
    );
  }

  /** In a picture: which occurrence is in sight, and the ways to the others. */
  steps(profile, shown) {
    const number = this.occurrences(profile, shown);
    if (number === null) return null;
    if (number === 0) return element("span.steps.quiet", null, "too small for this picture");
    const step = (by, text, title) =>
      element(
        "button.icon",
        {
          title,
          "aria-label": title,
          disabled: number < 2,
          onclick: () => this.step(by),
        },
        text,
      );
    return element(
      "span.steps",
      null,
      step(-1, "‹", "Previous occurrence (p)"),
      element(
        "span.number",
        null,
        `occurrence ${count(Math.min(place.at, number - 1) + 1)} of ${count(number)}`,
      ),
      step(1, "›", "Next occurrence (n)"),
    );
  }

  /** How often the selected method occurs in the picture; null without a picture. */
  occurrences(profile, shown) {
    if (place.method === null || !shown.treeOf) return null;
    return shown.treeOf(profile).occurrences(place.method).nodes.length;
  }

  /** Goes to another occurrence of the selected method. */
  step(by) {
    const number = this.occurrences(this.of, this.shown);
    if (number > 1) go({ at: (Math.min(place.at, number - 1) + by + number) % number });
  }

  key(event) {
    const typing = event.target.matches?.(
      "input:not([type=range]):not([type=checkbox]), select, textarea",
    );
    if (event.ctrlKey || event.metaKey || event.altKey || typing || help.box.open) {
      if (typing && event.key === "Escape") event.target.blur();
      return;
    }
    if (event.key === "/") this.search.input.focus();
    else if (event.key === "?") help.open();
    else if (event.key === "t") theme.next();
    else if (event.key === "Escape") this.back();
    else if (event.key === "n" || event.key === "p") this.step(event.key === "n" ? 1 : -1);
    else if (/^[1-9]$/.test(event.key)) this.goTo(this.order[Number(event.key) - 1]);
    else if (event.key === "ArrowDown" && event.target === document.body) this.enter();
    else return;
    event.preventDefault();
  }

  goTo(view) {
    if (view) go({ view: view.id, node: 0 });
  }

  /** The first arrow goes into the table or picture. */
  enter() {
    this.main.querySelector("tbody tr[tabindex='0'], .frame[tabindex], .treegrid")?.focus();
  }

  /** One step back: selection, then search, then zoom. */
  back() {
    if (place.method !== null && place.view !== "method") go({ method: null });
    else if (place.find !== "") go({ find: "" });
    else if (place.node > 0) go({ node: 0 });
    else this.view.reset?.();
  }
}
