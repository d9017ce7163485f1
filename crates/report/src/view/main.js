// Begins when the page is there.

const FONT = getComputedStyle(document.documentElement).fontFamily;

async function begin() {
  const root = document.getElementById("report");
  theme.show();
  try {
    const report = await unpacked(document.getElementById("data").textContent);
    if (report.fleet) new FleetPage(report, root);
    else if (report.history) new HistoryPage(report, root);
    else show(report, root);
    root.dataset.ready = "yes";
  } catch (error) {
    fill(root, element("p.broken", null, `This report cannot be shown: ${error.message}`));
    throw error;
  }
}

/** Shows the report of profiles. */
function show(report, root) {
  START.height = report.thresholds.height;
  START.distance = report.thresholds.distance;
  // Of two profiles one comes for what is new.
  if (report.diff) Object.assign(START, { view: "diff", profile: report.profiles.length - 1 });
  labelProfiles(report.profiles);
  place = placeOf(location.hash);
  learnKinds(report.profiles);
  ownGuess = guessOwn(report.profiles);
  new Shell(report, root);
}

begin();
