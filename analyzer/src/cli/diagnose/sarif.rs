//! The diagnosis as SARIF.

use std::io::Write;

use analysis::diagnosis::merge::Finding;
use base::number::percent;
use tree::error::Result;
use tree::names::method::Method;
use tree::readable_names::Names;
use tree::views::folding::Extent;
use tree::views::way_in::way_in;

use super::answer::{Answer, fails, is_small};
use super::args::Args;
use super::folder::Recorded;
use super::json::json_finding;
use super::text::SENTENCES;
use crate::cli::json::share;
use crate::cli::paths::often;
use crate::cli::sarif::places::Places;
use crate::cli::sarif::{self, Level, Rule, Step, capital, figures};

/// Prints the answer.
///
/// # Errors
/// If the source files cannot be read, or `out` fails.
pub fn print(
    answer: &Answer<'_>,
    recorded: &Recorded,
    args: &Args,
    out: &mut impl Write,
) -> Result<()> {
    let profiles = recorded.recordings.iter().flat_map(|(_, profiles)| profiles);
    let places = Places::new(profiles.map(|(_, profile)| profile), args.own.source_files()?);
    let places = places.with_names(&recorded.tree.source_files);
    let names = Names::new(answer.program.tree);
    let findings = answer.findings.iter().chain(&answer.small);
    let findings = findings.map(|finding| told(answer, args, &names, finding));
    sarif::print("diagnose", &findings.collect::<Vec<_>>(), &places, out)
}

fn told<'a>(
    answer: &'a Answer<'_>,
    args: &Args,
    names: &Names,
    finding: &'a Finding,
) -> sarif::Finding<'a> {
    let program = answer.program;
    let (tree, lead) = (program.tree, finding.lead());
    let method = &tree.methods[lead.method as usize];
    let shows_in = lead.node.map_or(method, |node| program.method(node));
    sarif::Finding {
        rule: Rule::Waste(lead.kind),
        level: match is_small(program, finding) {
            _ if fails(program, args, answer.against.as_ref(), finding) => Level::Error,
            true => Level::Note,
            false => Level::Warning,
        },
        // What is wrong rather than slow has none.
        share: (!lead.kind.is_defect()).then(|| share(finding.saving(), tree.total())),
        message: message(answer, finding, method),
        place: Step::new(method, lead.line),
        ways: lead.node.map(|node| way(answer, node)).into_iter().collect(),
        detail: shows_in.qualified(),
        figures: figures(&json_finding(finding, answer, names)),
    }
}

/// What is wasted, its proof, and what helps.
fn message(answer: &Answer<'_>, finding: &Finding, method: &Method) -> String {
    let (tree, lead) = (answer.program.tree, finding.lead());
    let mut message = format!("{} in {}", capital(lead.kind.text()), method.qualified());
    if !lead.kind.is_defect() {
        let saving = percent(finding.saving(), tree.total());
        message += &format!(": {saving} of the bytecodes are wasted ({})", lead.sure.text());
    }
    message += ".";
    for one in finding.told(SENTENCES) {
        let sentence = match one.method == lead.method {
            true => capital(&one.sentence),
            false => format!("{}: {}", tree.methods[one.method as usize].qualified(), one.sentence),
        };
        message += &format!(" {sentence}.");
    }
    if let Some(hint) = lead.hint {
        message += &format!(" {}.", capital(hint));
    }
    message
}

/// The way into a context, as people are told it.
fn way<'a>(answer: &'a Answer<'_>, node: u32) -> Vec<Step<'a>> {
    let tree = answer.program.tree;
    let stops = way_in(tree, &answer.program.owners, node, Extent::Telling);
    let step = |stop: &tree::views::way_in::Stop| {
        let method = &tree.methods[stop.frame.method()? as usize];
        let text = stop.calls_each.map_or_else(String::new, |calls| often(calls, stop.inputs));
        Some(Step { text, ..Step::new(method, 0) })
    };
    stops.iter().filter_map(step).collect()
}
