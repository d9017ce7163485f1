// What surrounds the views: heading, navigation, the selected method.

const VIEWS = [
  overviewView,
  methodsView,
  ringView,
  flameView,
  invertedView,
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
  diffView,
];

/** Views of what was called. */
const OF_CALLS = [methodsView, ringView, flameView, invertedView, methodView, sourceView];

class Shell {
  constructor(report, root) {
    this.report = report;
    this.profiles = report.profiles.map(() => null);
    this.search = new Search(() => this.profile());
    this.nav = element("nav.views", { "aria-label": "Views" });
    this.selection = element("div.selection", { "aria-live": "polite" });
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
      element("div.body", null, this.selection, this.main),
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
    this.profiles[at] ??= new Profile(this.report.profiles[at]);
    return this.profiles[at];
  }

  profileChooser() {
    const { profiles } = this.report;
    if (profiles.length === 1)
      return element("span.file", { title: profiles[0].name }, this.profile().brief);
    return element(
      "select",
      {
        id: "profile",
        "aria-label": "Profile",
        onchange: (event) => this.change(Number(event.target.value)),
      },
      profiles.map((profile, at) => element("option", { value: at }, profile.name)),
    );
  }

  /** Another profile: the same view of the same method, if it has it. */
  change(profile) {
    const before = this.profile();
    const { method } = place;
    const other = (this.profiles[profile] ??= new Profile(this.report.profiles[profile]));
    const same =
      method === null
        ? null
        : other.find(
            before.classOf(method),
            before.methods.name[method],
            before.descriptorOf(method),
          );
    go({ profile, method: same, node: 0 });
  }

  /** Shows what the address says. */
  show() {
    const profile = this.profile();
    if (place.method !== null && place.method >= profile.count) place.method = null;
    const view = VIEWS.find((view) => view.id === place.view) ?? overviewView;
    if (this.chooser.tagName === "SELECT") this.chooser.value = place.profile;
    this.navigate(profile, view);
    this.select(profile, view);
    if (this.shown === view && this.of === profile) {
      this.view.update();
      return;
    }
    this.view?.remove();
    tooltip.hide();
    fill(this.main);
    this.main.dataset.view = view.id;
    this.shown = view;
    this.of = profile;
    document.title = `${view.title} · ${profile.brief} · subsume`;
    scrollTo(0, 0);
    this.view = view.mount(this.main, profile, this.report);
  }

  navigate(profile, shown) {
    let number = 0;
    const entry = (view) => {
      number += 1;
      const same = ["ring", "flame"].includes(view.id) && ["ring", "flame"].includes(place.view);
      return element(
        "a",
        {
          href: link({ view: view.id, node: same ? place.node : 0 }),
          "aria-current": view === shown ? "page" : null,
          "data-view": view.id,
          class: this.isEmpty(profile, view) ? "absent" : null,
        },
        view.title,
        number <= 9 && element("kbd", { "aria-hidden": "true" }, number),
      );
    };
    this.order = VIEWS.filter((view) => !view.dataflow);
    const flow = VIEWS.filter((view) => view.dataflow);
    this.order.push(...flow);
    fill(
      this.nav,
      this.order.filter((view) => !view.dataflow).map(entry),
      element("h2", null, "Data flow"),
      flow.map(entry),
    );
  }

  isEmpty(profile, view) {
    if (view.dataflow) return (profile.dataflow[view.id] ?? null) === null;
    if (profile.contexts === 0 && OF_CALLS.includes(view)) return true;
    return (view === sourceView && !profile.sources) || (view === diffView && !this.report.diff);
  }

  /** The line that says what is selected, and leads to it in every view. */
  select(profile, shown) {
    const { method } = place;
    this.selection.hidden = method === null && shown === overviewView;
    this.selection.classList.toggle("none", method === null);
    // The line stays where it is: a picture must not move between two clicks.
    if (method === null) {
      fill(
        this.selection,
        element(
          "span.quiet",
          null,
          "No method is selected. Click one, or press / and type a part of its name.",
        ),
      );
      return;
    }
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
      element(
        "span.ways",
        null,
        to(methodsView, "table"),
        to(ringView, "rings"),
        to(flameView, "flames"),
        to(invertedView, "inverted"),
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
    else if (/^[1-9]$/.test(event.key)) go({ view: this.order[Number(event.key) - 1].id, node: 0 });
    else if (event.key === "ArrowDown" && event.target === document.body) this.enter();
    else return;
    event.preventDefault();
  }

  /** The first arrow goes into the table or picture. */
  enter() {
    this.main.querySelector("tbody tr[tabindex='0'], .frame[tabindex]")?.focus();
  }

  /** One step back: selection, then zoom. */
  back() {
    if (place.method !== null && place.view !== "method") go({ method: null });
    else if (place.node > 0) go({ node: 0 });
  }
}
