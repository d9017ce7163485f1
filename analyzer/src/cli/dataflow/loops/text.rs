//! Loops as text.

use std::io::Write;

use analysis::dataflow::loops::clusters::{Cluster, mean_ratio};
use analysis::dataflow::loops::explanation::{hint, sentence, summary};
use base::number::{counted, grouped};
use profile::dataflow::{LoopTotals, Place, SimilarRead};
use tree::error::Result;
use tree::readable_names::printable;

use super::Answer;
use crate::cli::dataflow::text::{evidence, more};
use crate::cli::terminal;

/// Ways in which similar values are read that are shown of a loop.
const READS: usize = 3;
/// Calls of a calling path that are shown.
const CALLS: usize = 8;
/// Calls that are shown of the way from a loop to what reads, at both ends.
const FIRST_CALLS: usize = 2;
const LAST_CALLS: usize = 4;

/// Prints the answer for people.
pub fn print(answer: &Answer<'_>, out: &mut dyn Write) -> Result<()> {
    let width = terminal::width();
    writeln!(out, "{}", heading(answer))?;
    for cluster in &answer.clusters {
        writeln!(out)?;
        writeln!(out, "{}", printable(&title(answer, cluster)))?;
        for line in lines(answer, cluster) {
            writeln!(out, "{}", evidence(&line, width))?;
        }
    }
    if answer.clusters.is_empty()
        && let Some(hint) = answer.args.output.table.hint("loop")
    {
        writeln!(out, "{hint}")?;
    }
    if answer.more > 0 {
        writeln!(out)?;
    }
    more(answer.more, out)?;
    for line in left_out(answer) {
        writeln!(out, "{line}")?;
    }
    Ok(())
}

fn heading(answer: &Answer<'_>) -> String {
    let found = answer.clusters.len() + answer.more;
    let new = if answer.args.baseline.is_some() { "new " } else { "" };
    let loops = counted(found as u64, "loop").replacen(' ', &format!(" {new}"), 1);
    match found {
        0 => format!("No {new}loop reads similar values again"),
        _ => {
            format!("{loops} with similar reads; {} read in vain", counted(answer.wasted, "value"))
        }
    }
}

fn title(answer: &Answer<'_>, cluster: &Cluster) -> String {
    format!("{} wasted  {}", grouped(cluster.wasted), answer.naming.place(cluster.place))
}

fn lines(answer: &Answer<'_>, cluster: &Cluster) -> Vec<String> {
    let mut lines = vec![summary(cluster)];
    if let Some(first) = cluster.similar.first() {
        lines.push(sentence(cluster, first, &answer.naming.place(first.place)));
    }
    lines.push(hint(cluster, answer.naming.methods()).text().to_owned());
    lines.push(format!(
        "{} in {}, of {} judged",
        counted(cluster.iterations, "iteration"),
        counted(cluster.reported, "instance"),
        grouped(cluster.judged)
    ));
    if cluster.unjudged > 0 {
        let iterations = counted(cluster.unjudged, "more iteration");
        lines.push(format!("{iterations} not judged (max-accesses)"));
    }
    if let Some((path, _)) = cluster.paths.first() {
        let others = match cluster.paths.len() - 1 {
            0 => String::new(),
            others => format!(", and {} more", counted(others as u64, "path")),
        };
        lines.push(format!("called by {}{others}", callers(answer, path)));
    }
    for read in cluster.similar.iter().take(READS) {
        lines.push(reads(answer, read));
    }
    let rest = cluster.similar.len().saturating_sub(READS) as u64 + cluster.others;
    if rest > 0 {
        lines.push(format!("  and {} more", counted(rest, "instruction")));
    }
    lines
}

/// The calls that led to a loop, the last one first, and the nearest one in one's own code.
fn callers(answer: &Answer<'_>, path: &[Place]) -> String {
    if path.is_empty() {
        return "nobody: it is the thread's first method".to_owned();
    }
    let calls = path.iter().rev().take(CALLS).map(|&place| answer.naming.place(place));
    let mut text = calls.collect::<Vec<_>>().join(" < ");
    let own = answer.found.own_caller(path).filter(|&at| at >= CALLS);
    match own {
        Some(at) if at > CALLS => {
            text += &format!(" < ... {}", counted((at - CALLS) as u64, "call"))
        }
        None if path.len() > CALLS => text += " < ...",
        _ => {}
    }
    if let Some(at) = own {
        text += &format!(" < {}", answer.naming.place(path[path.len() - 1 - at]));
        if at + 1 < path.len() {
            text += " < ...";
        }
    }
    text
}

fn reads(answer: &Answer<'_>, read: &SimilarRead) -> String {
    let mut way: Vec<String> = read.path.iter().map(|&place| answer.naming.place(place)).collect();
    if way.len() > FIRST_CALLS + LAST_CALLS + 1 {
        let left_out = way.len() - FIRST_CALLS - LAST_CALLS;
        let text = format!("({} more)", counted(left_out as u64, "call"));
        way.splice(FIRST_CALLS..FIRST_CALLS + left_out, [text]);
    }
    let way = match way.is_empty() {
        true => String::new(),
        false => format!(" by way of {}", way.join(" > ")),
    };
    let truncated = match read.truncated {
        0 => String::new(),
        sequences => format!(", the first 256 compared in {}", counted(sequences, "sequence")),
    };
    format!(
        "  {} of {} at {}{way}: {} of {} similar, {:.0} % in common{truncated}",
        grouped(read.wasted),
        read.what,
        answer.naming.place(read.place),
        grouped(read.similar),
        counted(read.sequences, "sequence"),
        mean_ratio(read) * 100.0
    )
}

/// What was left out, a line for each reason.
fn left_out(answer: &Answer<'_>) -> Vec<String> {
    let totals: &LoopTotals = &answer.found.totals;
    let contexts = counted(totals.exhausted, "context");
    let unjudged = format!("of loops, in {contexts}, were not judged any more (max-accesses)");
    let reasons = [
        (answer.rare as u64, "loop", "left out: similar in few of many instances (--all)"),
        (totals.lost, "read", "found no memory and were not judged (max-memory)"),
        (totals.forgotten, "write", "were forgotten: what they wrote may pass for outside data"),
        (totals.uncopied, "element", "of large copied arrays were not looked at"),
        (totals.deep, "read", "lie in more than 16 loops: the outermost ones miss them"),
        (totals.unjudged, "iteration", &unjudged),
        (totals.irreducible, "cycle", "in the code are no natural loops and were not judged"),
    ];
    let lines = reasons.iter().filter(|(count, ..)| *count > 0);
    lines.map(|&(count, unit, what)| format!("note: {} {what}", counted(count, unit))).collect()
}
