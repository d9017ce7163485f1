//! The diagnosis for programs.

use std::io::Write;

use analysis::diagnosis::below::below;
use analysis::diagnosis::evidence::Evidence;
use analysis::diagnosis::merge::Finding;
use serde::Serialize;
use tree::error::Result;
use tree::readable_names::Names;
use tree::views::folding::Extent;
use tree::views::landings::Landing;
use tree::views::way_in::way_in;

use super::against::Against;
use super::answer::Answer;
use super::folder::Run;
use super::text::command;
use crate::cli::json::{self, Name, share};
use crate::cli::start::JsonStart;
use crate::cli::time::TimeOfRun;

#[derive(Serialize)]
struct Document<'a> {
    /// Bytecodes without what happens once.
    total: u64,
    start_up: JsonStart,
    recordings: Vec<&'static str>,
    /// How the program was run; empty if the recordings were made by hand.
    command: &'a [String],
    runs: &'a [Run],
    /// The plain run's samples; only where there are some.
    #[serde(skip_serializing_if = "Option::is_none")]
    time: Option<TimeOfRun<'a>>,
    findings: Vec<JsonFinding<'a>>,
    /// Findings that `--top` has left out.
    more: usize,
    /// Findings that the baseline lists, which are left out.
    known: usize,
    unexplained: Vec<JsonPlace<'a>>,
    /// Null without --against.
    against: Option<JsonAgainst<'a>>,
}

#[derive(Serialize)]
pub struct JsonFinding<'a> {
    kind: &'static str,
    method: Name<'a>,
    /// The line in it; 0 if it is not known.
    line: u16,
    way_in: Vec<JsonStop<'a>>,
    /// Callees with most of the cost, each called by the one before, maybe by way of others.
    below: Vec<JsonBelow<'a>>,
    /// What the place costs, and what a change saves at most.
    cost: u64,
    saving: u64,
    share: f64,
    /// What findings are ranked by.
    likely: u64,
    sure: &'static str,
    /// Samples of the plain run that go with the saving.
    samples: u64,
    /// Elements that it spares from being moved.
    moved: u64,
    hint: Option<&'static str>,
    evidence: Vec<JsonEvidence<'a>>,
}

#[derive(Serialize)]
struct JsonStop<'a> {
    #[serde(flatten)]
    name: Name<'a>,
    /// How often each call of the caller calls it, where that is often.
    calls_each: Option<u64>,
}

#[derive(Serialize)]
struct JsonBelow<'a> {
    #[serde(flatten)]
    name: Name<'a>,
    cost: u64,
}

#[derive(Serialize)]
struct JsonEvidence<'a> {
    kind: &'static str,
    recording: &'static str,
    method: Name<'a>,
    line: u16,
    sentence: &'a str,
    saving: u64,
    moved: u64,
    sure: &'static str,
    command: String,
}

#[derive(Serialize)]
struct JsonPlace<'a> {
    #[serde(flatten)]
    name: Name<'a>,
    cost: u64,
    way_in: Vec<JsonStop<'a>>,
}

#[derive(Serialize)]
struct JsonAgainst<'a> {
    /// Bytecodes of all the program, its start included.
    before: u64,
    after: u64,
    /// How the program was run before.
    runs: &'a [Run],
    /// Samples of the plain runs, then and now.
    samples_before: u64,
    samples_after: u64,
    /// The difference of the time as a share of what it was, estimated from the bytecodes that
    /// differ; null without samples.
    estimated_time: Option<f64>,
    findings: Vec<JsonChange<'a>>,
}

#[derive(Serialize)]
struct JsonChange<'a> {
    fate: &'static str,
    kind: &'static str,
    method: Name<'a>,
    /// How many findings it stands for.
    findings_before: u64,
    findings_after: u64,
    /// Bytecodes that a change would have saved, and those that one would save now.
    before: u64,
    after: u64,
    /// Bytecodes of the method with all that it calls, then and now.
    cost_before: u64,
    cost_after: u64,
    /// Samples there.
    samples_before: u64,
    samples_after: u64,
    /// The method in which it shows, and its calls there.
    shows_in: Name<'a>,
    calls_before: u64,
    calls_after: u64,
    /// Samples that go with what the finding says.
    predicted: u64,
}

/// Prints the answer.
///
/// # Errors
/// If `out` fails.
pub fn print(answer: &Answer<'_>, out: &mut (impl Write + ?Sized)) -> Result<()> {
    let tree = answer.program.tree;
    let names = Names::new(tree);
    let findings = answer.findings.iter().chain(&answer.small);
    let document = Document {
        total: tree.total(),
        start_up: JsonStart::new(answer.start),
        recordings: answer.recordings.iter().map(|one| one.mode()).collect(),
        command: &answer.notes.command,
        runs: &answer.notes.runs,
        time: tree.sampling.as_ref().map(TimeOfRun::of),
        findings: findings.map(|finding| json_finding(finding, answer, &names)).collect(),
        more: answer.more,
        known: answer.known,
        unexplained: answer.unexplained.iter().map(|place| json_place(place, answer)).collect(),
        against: answer.against.as_ref().map(|against| json_against(against, answer)),
    };
    json::print(&document, out)
}

pub fn json_finding<'a>(
    finding: &'a Finding,
    answer: &'a Answer<'_>,
    names: &Names,
) -> JsonFinding<'a> {
    let program = answer.program;
    let (tree, lead) = (program.tree, finding.lead());
    let steps = below(program, finding).into_iter();
    JsonFinding {
        kind: lead.kind.key(),
        method: Name::of(tree, Some(lead.method)),
        line: lead.line,
        way_in: lead.node.map_or_else(Vec::new, |node| stops(answer, node)),
        below: steps
            .map(|step| JsonBelow { name: Name::of(tree, Some(step.method)), cost: step.cost })
            .collect(),
        cost: finding.cost,
        saving: finding.saving(),
        share: share(finding.saving(), tree.total()),
        likely: lead.likely,
        sure: lead.sure.text(),
        samples: finding.samples_saved(),
        moved: lead.moved,
        hint: lead.hint,
        evidence: finding.evidence.iter().map(|one| json_evidence(one, answer, names)).collect(),
    }
}

fn json_evidence<'a>(one: &'a Evidence, answer: &'a Answer<'_>, names: &Names) -> JsonEvidence<'a> {
    JsonEvidence {
        kind: one.kind.key(),
        recording: one.recording.mode(),
        method: Name::of(answer.program.tree, Some(one.method)),
        line: one.line,
        sentence: &one.sentence,
        saving: one.saving,
        moved: one.moved,
        sure: one.sure.text(),
        command: command(one, answer, names),
    }
}

/// Every call of the way into a context: programs fold as they like.
fn stops<'a>(answer: &'a Answer<'_>, node: u32) -> Vec<JsonStop<'a>> {
    let tree = answer.program.tree;
    let stops = way_in(tree, &answer.program.owners, node, Extent::Whole);
    let told = stops.iter().filter_map(|stop| {
        let name = Name::of(tree, Some(stop.frame.method()?));
        Some(JsonStop { name, calls_each: stop.calls_each })
    });
    told.collect()
}

fn json_place<'a>(place: &Landing, answer: &'a Answer<'_>) -> JsonPlace<'a> {
    let name = Name::of(answer.program.tree, Some(place.method));
    JsonPlace { name, cost: place.cost, way_in: stops(answer, place.node) }
}

fn json_against<'a>(against: &'a Against<'_>, answer: &Answer<'_>) -> JsonAgainst<'a> {
    let changes = against.changes.iter().map(|change| JsonChange {
        fate: change.fate.text(),
        kind: change.kind.key(),
        method: Name::new(&change.method),
        findings_before: change.before.findings,
        findings_after: change.after.findings,
        before: change.before.saving,
        after: change.after.saving,
        cost_before: change.before.cost,
        cost_after: change.after.cost,
        samples_before: change.before.samples,
        samples_after: change.after.samples,
        shows_in: Name::new(&change.shows_in),
        calls_before: change.before.calls,
        calls_after: change.after.calls,
        predicted: change.predicted,
    });
    JsonAgainst {
        before: against.start.all,
        after: answer.start.all,
        runs: &against.notes.runs,
        samples_before: against.program.tree.samples(),
        samples_after: answer.program.tree.samples(),
        estimated_time: against.estimated,
        findings: changes.collect(),
    }
}
