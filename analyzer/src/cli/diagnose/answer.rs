//! What is shown of a diagnosis.

use analysis::diagnosis::evidence::Recording;
use analysis::diagnosis::merge::Finding;
use analysis::diagnosis::program::Program;
use tree::start_up::StartUp;
use tree::views::landings::Landing;

use super::Diagnosed;
use super::against::{Against, Change, Fate};
use super::args::Args;
use super::folder::{Folder, Notes};
use super::known::Baseline;

/// Findings shown unless the user says otherwise.
const TOP: usize = 10;
/// Expensive places without a finding that explains them, shown unless the user says otherwise.
const TOP_PLACES: usize = 5;
/// What is likely to save less is told in a line each.
pub const SMALL: f64 = 0.005;
/// A place is explained by a finding that has this part of its cost.
const EXPLAINED: f64 = 0.5;

/// All that is shown.
pub struct Answer<'a> {
    pub folder: &'a Folder,
    pub notes: &'a Notes,
    pub program: &'a Program<'a>,
    pub start: &'a StartUp,
    pub recordings: Vec<Recording>,
    /// What is worth a change, the most first.
    pub findings: Vec<&'a Finding>,
    /// What saves little, and findings that `--top` has left out.
    pub small: Vec<&'a Finding>,
    pub more: usize,
    /// How many the baseline lists, which are not shown.
    pub known: usize,
    /// Places that cost much and that no finding explains.
    pub unexplained: Vec<&'a Landing>,
    pub against: Option<Against<'a>>,
}

impl<'a> Answer<'a> {
    /// Of a folder's findings.
    pub fn new(
        new: &'a Diagnosed,
        program: &'a Program<'a>,
        found: &'a [Finding],
        baseline: Option<&Baseline>,
        against: Option<Against<'a>>,
        args: &Args,
    ) -> Self {
        let is_new =
            |finding: &&Finding| baseline.is_none_or(|baseline| !baseline.has(program, finding));
        let class = args.output.class();
        let is_wanted = |finding: &&Finding| {
            class.as_ref().is_none_or(|class| {
                let of = |method: u32| &program.tree.methods[method as usize].class;
                finding.evidence.iter().any(|one| class.matches(of(one.method)))
            })
        };
        let wanted: Vec<&Finding> = found.iter().filter(is_wanted).collect();
        let all = wanted.len();
        let wanted: Vec<&Finding> = wanted.into_iter().filter(is_new).collect();
        let known = all - wanted.len();
        let (small, mut findings): (Vec<_>, Vec<_>) =
            wanted.into_iter().partition(|finding| is_small(program, finding));
        let all = findings.len();
        findings.truncate(args.output.entries(TOP));
        let more = all - findings.len();
        let told: Vec<&Finding> =
            found.iter().filter(|finding| !is_small(program, finding)).collect();
        let unexplained =
            program.places.iter().filter(|place| !is_explained(program, &told, place));
        let unexplained = unexplained.take(args.output.entries(TOP_PLACES)).collect();
        Self {
            folder: &new.folder,
            notes: &new.notes,
            program,
            start: &new.recorded.start,
            recordings: new.recorded.modes(),
            findings,
            small,
            more,
            known,
            unexplained,
            against,
        }
    }
}

/// Whether a finding is among what makes the exit code 1: one that the baseline does not list,
/// or one that saves more than the share that --fail-above says. Compared with an earlier
/// diagnosis, only new and larger ones do. What is likely to save little never does.
pub fn fails(
    program: &Program<'_>,
    args: &Args,
    against: Option<&Against<'_>>,
    finding: &Finding,
) -> bool {
    if is_small(program, finding) {
        return false;
    }
    let Some(percent) = args.fail_above else { return args.baseline.is_some() };
    let lead = finding.lead();
    let method = &program.tree.methods[lead.method as usize];
    let is_worse = |change: &Change| {
        let is_of = change.kind == lead.kind && change.method == *method;
        is_of && matches!(change.fate, Fate::New | Fate::Larger)
    };
    let counts = against.is_none_or(|against| against.changes.iter().any(is_worse));
    counts && finding.saving() as f64 > percent / 100.0 * program.tree.total() as f64
}

/// Whether a finding is likely to save little. A defect is none for what it saves.
pub fn is_small(program: &Program<'_>, finding: &Finding) -> bool {
    let lead = finding.lead();
    !lead.kind.is_defect() && (lead.likely as f64) < SMALL * program.tree.total() as f64
}

/// Whether a finding has most of a place's cost.
fn is_explained(program: &Program<'_>, found: &[&Finding], place: &Landing) -> bool {
    let region = program.region(place.method);
    let cost = program.cost(&region) as f64;
    found.iter().any(|finding| {
        finding.evidence.iter().any(|one| one.method == place.method)
            || program.cost(&finding.region.intersection(&region)) as f64 >= EXPLAINED * cost
    })
}
