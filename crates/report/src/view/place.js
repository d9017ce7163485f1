// Where the reader is: view, profile, selected method, thresholds, zoom. All of
// it stands in the address, so that links, bookmarks and the back button work.

const START = {
  view: "overview",
  profile: 0,
  method: null,
  height: 4,
  distance: 4,
  all: 0,
  filter: "",
  node: 0,
  /** Which of the selected method's occurrences, the costliest being the first. */
  at: 0,
  /** Text in the names of methods that pictures mark. */
  find: "",
  /** What the names of one's own classes begin with; empty for a guess. */
  own: "",
  /** What widths stand for; empty for the metric of the report. */
  metric: "",
  /** Whose code alone pictures show: a kind, a package, or empty for all. */
  only: "",
  /** The part of the difference that one comes for: "flame", "tree" or "methods". */
  part: "",
  /** "below" where the tree leads from methods to their callers. */
  way: "",
  /** 1 where pictures show all frames at the root, also those that lead to one callee each. */
  frames: 0,
  /** 1 where pictures draw recursion as it was, call in call. */
  recursion: 0,
  /** Which blueprint; empty for the first. */
  kind: "",
  /** The package that a structural blueprint is about; empty for the whole run. */
  scope: "",
  /** "own" where blueprints show what methods cost without those that they call. */
  by: "",
};

/** What the address says now. */
function placeOf(hash) {
  const [view, query = ""] = hash.replace(/^#\/?/, "").split("?");
  const place = { ...START, view: view || START.view };
  for (const [name, text] of new URLSearchParams(query)) {
    if (!(name in START) || name === "view") continue;
    if (typeof START[name] === "string") place[name] = text;
    else if (/^\d+$/.test(text)) place[name] = Number(text);
  }
  return place;
}

/** The address of a place; what is as at the start is left out. */
function addressOf(place) {
  const query = new URLSearchParams();
  for (const [name, start] of Object.entries(START)) {
    if (name !== "view" && place[name] !== start && place[name] !== null) {
      query.set(name, place[name]);
    }
  }
  const text = query.toString();
  return `#/${place.view}${text ? `?${text}` : ""}`;
}

let place = placeOf(location.hash);

/** The present place with some things changed. */
function changed(changes) {
  const other = { ...place, ...changes };
  // Another method begins with its first occurrence.
  if (changes.at === undefined && other.method !== place.method) other.at = START.at;
  return other;
}

/** Its address. */
function link(changes) {
  return addressOf(changed(changes));
}

/** Goes somewhere; the back button leads back. */
function go(changes) {
  // The page hears of the new address later; the next step begins here.
  place = changed(changes);
  const address = addressOf(place);
  if (address !== location.hash) location.hash = address;
}

/** Changes the present place, as a slider does: no step for the back button. */
function adjust(changes) {
  place = { ...place, ...changes };
  history.replaceState(null, "", addressOf(place));
  dispatchEvent(new Event("adjusted"));
}
