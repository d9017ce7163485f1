//! The diagnosis for people.

use std::io::Write;

use analysis::diagnosis::below::below;
use analysis::diagnosis::evidence::{Evidence, Recording};
use analysis::diagnosis::merge::Finding;
use analysis::diagnosis::program::Program;
use base::number::{counted, grouped, percent, signed_percent_of};
use report::painted::Painted;
use tree::error::Result;
use tree::readable_names::{Names, columns, shorten};
use tree::time::precision::FEWEST;
use tree::time::text::{heading, share as time_share};
use tree::views::way_in::way_in;

use super::against::{Against, Change, Fate, Side, distinctions};
use super::answer::{Answer, SMALL};
use super::folder::{Folder, Notes, PLAIN, Run, Took, UNSAMPLED};
use super::printed::Printed;
use crate::cli::dataflow::text::{evidence as wrapped, more};
use crate::cli::painted_names::PaintedNames;
use crate::cli::run::{quoted, shown};
use crate::cli::start::start_up;
use crate::cli::{paths, terminal};

/// Sentences of evidence that a finding is told with.
pub const SENTENCES: usize = 3;
/// Findings that save little, of which so many are named.
const NAMED: usize = 5;

/// Prints the findings, each with its proof and what to type next.
///
/// # Errors
/// If `out` fails.
pub fn print(answer: &Answer<'_>, out: &mut impl Write) -> Result<()> {
    let names = PaintedNames::new(answer.program.tree, &answer.program.owners);
    let width = terminal::width();
    head(answer, out)?;
    if let Some(against) = &answer.against {
        print_changes(answer, against, width, out)?;
    }
    writeln!(out, "\nFindings: what the recordings show to be wasted, of the bytecodes")?;
    for (number, finding) in (1..).zip(&answer.findings) {
        print_finding(number, finding, answer, &names, width, out)?;
    }
    if answer.findings.is_empty() {
        writeln!(out, "  none that is likely to save half a percent")?;
    }
    more(answer.more, out)?;
    if answer.known > 0 {
        let known = counted(answer.known as u64, "finding");
        writeln!(out, "  {known} of the baseline left out")?;
    }
    if !answer.small.is_empty() {
        writeln!(out, "\nSmall, or no more than usual in this program")?;
        for finding in answer.small.iter().take(NAMED) {
            let lead = finding.lead();
            let share = percent(finding.saving(), answer.program.tree.total());
            writeln!(out, "    {share:>7}  {}: {}", lead.kind.text(), place(lead, &names))?;
        }
        if answer.small.len() > NAMED {
            writeln!(out, "             and {} more", answer.small.len() - NAMED)?;
        }
    }
    if !answer.unexplained.is_empty() {
        writeln!(out, "\nCosts much, and no finding explains it")?;
        for place in &answer.unexplained {
            let share = percent(place.cost, answer.program.tree.total());
            let stops =
                way_in(answer.program.tree, &answer.program.owners, place.node, terminal::extent());
            let frames: Vec<Painted> = stops.iter().map(|stop| paths::stop(stop, &names)).collect();
            paths::write(&format!("    {share:>7}"), &frames, width, out)?;
        }
    }
    next(answer, out)
}

/// How much was executed, and what it is told from.
fn head(answer: &Answer<'_>, out: &mut impl Write) -> Result<()> {
    let tree = answer.program.tree;
    let whole = if answer.start.is_put_aside {
        format!(" of {}", grouped(answer.start.all))
    } else {
        String::new()
    };
    let modes: Vec<&str> = answer.recordings.iter().map(|one| one.mode()).collect();
    writeln!(
        out,
        "The program executed {}{whole} {}; from {}: {}",
        grouped(tree.total()),
        tree.metric(),
        counted(modes.len() as u64, "recording"),
        modes.join(", ")
    )?;
    if let Some(line) = start_up(answer.start, tree.metric(), "") {
        writeln!(out, "{line}")?;
    }
    if let Some(sampling) = tree.sampling.as_ref().filter(|_| tree.samples() >= FEWEST) {
        writeln!(out, "{}", heading(sampling))?;
    }
    for line in about_outputs(answer) {
        writeln!(out, "{line}")?;
    }
    Ok(())
}

/// Which runs printed something else, and what is known of the reason.
fn about_outputs(answer: &Answer<'_>) -> Vec<String> {
    let runs = answer.notes.runs.iter().filter(|run| run.same_output == Some(false));
    let differ = runs.map(|run| run.mode.as_str()).collect::<Vec<_>>().join(", ");
    let folder = shown(answer.folder.path());
    let printed = answer.notes.plain().and_then(|plain| plain.printed);
    let mut lines = Vec::new();
    if printed == Some(Printed::OtherIfSampled) {
        lines.push(format!(
            "The sampled run without the agent printed something else ({PLAIN}.out in {folder}): the \
             sampler's options and threads show. Recorded runs are compared with one without \
             samples ({UNSAMPLED}.out)"
        ));
    }
    if differ.is_empty() {
        return lines;
    }
    lines.push(match printed {
        Some(Printed::Varies) => format!(
            "The program prints something else in each run, without the agent, too; so it did \
             in: {differ} (see *.out in {folder})"
        ),
        Some(_) => format!(
            "The program printed something else than without the agent in: {differ} (see *.out \
             in {folder})"
        ),
        None => format!(
            "The program printed something else than in the sampled run without the agent in: \
             {differ} (see *.out in {folder})"
        ),
    });
    lines
}

fn print_finding(
    number: usize,
    finding: &Finding,
    answer: &Answer<'_>,
    names: &PaintedNames,
    width: usize,
    out: &mut impl Write,
) -> Result<()> {
    let program = answer.program;
    let (tree, lead) = (program.tree, finding.lead());
    let (saving, of) = match lead.kind.is_defect() {
        true => ("-".to_owned(), String::new()),
        false => {
            let [saving, cost] = [finding.saving(), finding.cost];
            (percent(saving, tree.total()), format!(", of {} here", percent(cost, tree.total())))
        }
    };
    let (kind, sure) = (lead.kind.text(), lead.sure.text());
    writeln!(out, "{number:>3} {saving:>7}  {kind}: {} ({sure}{of})", place(lead, names))?;
    let mut last = lead.method;
    if let Some(node) = lead.node {
        let stops = way_in(tree, &program.owners, node, terminal::extent());
        let frames: Vec<Painted> = stops.iter().map(|stop| paths::stop(stop, names)).collect();
        paths::write("          ", &frames, width, out)?;
        last = stops.iter().rev().find_map(|stop| stop.frame.method()).unwrap_or(last);
    }
    let below: Vec<Painted> = below(program, finding)
        .iter()
        // What the line before ends with is said.
        .filter(|step| step.method != last)
        .map(|step| {
            let share = format!("{} of it in ", percent(step.cost, finding.cost));
            Painted::from(share).and(names.of(Some(step.method)))
        })
        .collect();
    if !below.is_empty() {
        paths::write("          ", &below, width, out)?;
    }
    let indented = |text: &str| wrapped(&format!("        {text}"), width);
    for one in finding.told(SENTENCES) {
        let of = match one.method == lead.method {
            true => String::new(),
            false => format!("{}: ", names.plain().of(Some(one.method))),
        };
        writeln!(out, "{}", indented(&format!("{of}{}", one.sentence)))?;
    }
    if tree.samples() >= FEWEST && !lead.kind.is_defect() {
        let time = time_share(finding.samples_saved(), tree.samples());
        writeln!(out, "            time: {time}")?;
    }
    if let Some(hint) = lead.hint {
        writeln!(out, "{}", indented(&format!("-> {hint}")))?;
    }
    writeln!(out, "            {}", command(lead, answer, names.plain()))?;
    Ok(())
}

/// The command that shows more of some evidence, as one types it.
pub fn command(evidence: &Evidence, answer: &Answer<'_>, names: &Names) -> String {
    command_of(evidence, answer.folder, &answer.recordings, names)
}

/// The command that shows more of some evidence, for a folder with these recordings.
pub fn command_of(
    evidence: &Evidence,
    folder: &Folder,
    recordings: &[Recording],
    names: &Names,
) -> String {
    // Where calls were not recorded by themselves, another one's tree stands for theirs.
    let recording = match recordings.contains(&evidence.recording) {
        true => evidence.recording,
        false => recordings.first().copied().unwrap_or(evidence.recording),
    };
    let file = shown(&folder.file(recording));
    let words = evidence.command.join(" ");
    match evidence.recording {
        Recording::Calls if words.starts_with("callers") => {
            format!("subsume {words} {file} {}", quoted(names.of(Some(evidence.method))))
        }
        _ => format!("subsume {words} {file}"),
    }
}

fn place(evidence: &Evidence, names: &PaintedNames) -> Painted {
    let name = names.of(Some(evidence.method));
    match evidence.line {
        0 => name,
        line => name.and(format!(":{line}")),
    }
}

/// What became of the findings before.
fn print_changes(
    answer: &Answer<'_>,
    against: &Against<'_>,
    width: usize,
    out: &mut impl Write,
) -> Result<()> {
    writeln!(out, "\nAgainst {}", shown(against.folder.path()))?;
    let [before, after] = [against.start.all, answer.start.all];
    let difference = signed_percent(before, after);
    writeln!(out, "    bytecodes {} -> {} ({difference})", grouped(before), grouped(after))?;
    print_times(answer, against, width, out)?;
    let programs = [against.program, answer.program];
    let is_small = |side: Side, program: &Program<'_>| {
        (side.saving as f64) < SMALL * program.tree.total() as f64
    };
    let distinctions = distinctions(&against.changes);
    let all = against.changes.iter().zip(&distinctions);
    let (small, told): (Vec<_>, Vec<_>) = all.partition(|(change, _)| {
        !change.kind.is_defect()
            && is_small(change.before, programs[0])
            && is_small(change.after, programs[1])
    });
    for (change, distinction) in told {
        print_change(change, distinction, programs, width, out)?;
    }
    if !small.is_empty() {
        let small = counted(small.len() as u64, "finding");
        writeln!(out, "  {small} of less than half a percent before and after")?;
    }
    Ok(())
}

/// The time of both programs, measured and estimated.
fn print_times(
    answer: &Answer<'_>,
    against: &Against<'_>,
    width: usize,
    out: &mut impl Write,
) -> Result<()> {
    let took = |notes: &Notes| notes.plain().map(Run::took);
    let mut parts = Vec::new();
    if let (Some(before), Some(after)) = (took(against.notes), took(answer.notes)) {
        let seconds = |millis: u64| format!("{:.2} s", millis as f64 / 1e3);
        let of = |took: Took| match took.runs {
            1 => seconds(took.middle),
            _ => {
                let least = took.least as f64 / 1e3;
                format!("{} ({least:.2} to {})", seconds(took.middle), seconds(took.most))
            }
        };
        let what =
            if before.is_cpu && after.is_cpu { "processor time" } else { "uninstrumented run" };
        let runs = match before.runs.min(after.runs) {
            1 => "one run each".to_owned(),
            runs => format!("{runs} runs each"),
        };
        let difference = signed_percent(before.middle, after.middle);
        parts.push(format!("{what} {} -> {}, {runs} ({difference})", of(before), of(after)));
    }
    if let Some(estimated) = against.estimated {
        let share = signed_percent_of(estimated);
        parts.push(format!("estimated from the bytecodes that differ: {share}"));
    }
    if !parts.is_empty() {
        writeln!(out, "{}", wrapped(&parts.join("; "), width))?;
    }
    Ok(())
}

fn print_change(
    change: &Change,
    distinction: &str,
    programs: [&Program<'_>; 2],
    width: usize,
    out: &mut impl Write,
) -> Result<()> {
    let sides = [change.before, change.after];
    let [before, after] = [0, 1].map(|at| match sides[at].saving {
        0 => "-".to_owned(),
        saving => percent(saving, programs[at].tree.total()),
    });
    let lead =
        format!("  {:<8} {before:>7} -> {after:>7}  {}: ", change.fate.text(), change.kind.text());
    let name = change.method.qualified();
    let behind = match sides.map(|side| side.findings) {
        [0..=1, 0..=1] => distinction.to_owned(),
        [before, 0] => format!("{distinction} ({before} findings)"),
        [before, after] if before == after => format!("{distinction} ({before} findings)"),
        [before, after] => format!("{distinction} ({before} findings, now {after})"),
    };
    let room = width.saturating_sub(lead.len() + columns(&behind)).max(24);
    writeln!(out, "{lead}{}{behind}", shorten(&name, room))?;
    if change.fate == Fate::Same || change.fate == Fate::Unknown {
        return Ok(());
    }
    let [cost, cost_now] = sides.map(|side| grouped(side.cost));
    let mut line = format!("bytecodes of the method and below: {cost} -> {cost_now}");
    let [calls, calls_now] = sides.map(|side| side.calls);
    if calls != calls_now {
        let shown = change.shows_in.qualified();
        let (calls, calls_now) = (grouped(calls), grouped(calls_now));
        line.push_str(&format!("; calls of {shown}: {calls} -> {calls_now}"));
    }
    let samples = programs.map(|program| program.tree.samples());
    if samples.iter().all(|&samples| samples >= FEWEST) {
        let [time, time_now] = [0, 1].map(|at| time_share(sides[at].samples, samples[at]));
        line.push_str(&format!("; time {time} -> {time_now}"));
        if change.before.saving > 0 && change.predicted > 0 {
            let most = time_share(change.predicted, samples[0]);
            line.push_str(&format!(", {most} predicted at most"));
        }
    }
    writeln!(out, "{}", wrapped(&format!("       {line}"), width))?;
    Ok(())
}

/// A difference in percent, with its sign.
fn signed_percent(before: u64, after: u64) -> String {
    match before {
        0 => "-".to_owned(),
        _ => signed_percent_of((after as f64 - before as f64) / before as f64),
    }
}

/// What to type next.
fn next(answer: &Answer<'_>, out: &mut impl Write) -> Result<()> {
    let folder = shown(answer.folder.path());
    writeln!(out, "\nNext:")?;
    let is_complete = answer.recordings.contains(&Recording::Costs);
    let notes = answer.notes;
    if !is_complete && !notes.once && !answer.notes.command.is_empty() {
        writeln!(out, "    subsume diagnose --continue {folder}    with the recordings that lack")?;
    }
    writeln!(out, "    subsume report {folder}    all of it as a page")?;
    if let (Some(process), Some(seconds)) = (notes.attached, notes.for_seconds) {
        writeln!(
            out,
            "    subsume diagnose --for {seconds}s --against {folder} --attach {process}    after a \
             change"
        )?;
    }
    if !answer.notes.command.is_empty() {
        // The same command again, without its words.
        writeln!(out, "    subsume diagnose --against {folder}    after a change")?;
    }
    Ok(())
}
