//! The summary for people.

use std::io::Write;

use base::number::{counted, grouped, percent};
use base::shown;
use tree::error::Result;
use tree::readable_names::{Names, columns, shorten};
use tree::views::suspicious_calls::SuspiciousCalls;

use super::{Answer, Args, moved, repeated};
use crate::cli::{paths, terminal};

/// Prints the lists, each with what to type next.
///
/// # Errors
/// If `out` fails.
pub fn print(answer: &Answer<'_>, args: &Args, out: &mut impl Write) -> Result<()> {
    let tree = answer.tree;
    let names = Names::new(tree);
    let width = terminal::width();
    let share = |cost: u64| format!("{:>7}", percent(cost, tree.total()));
    let file = args.source.files().first().map(shown);
    let file = file.unwrap_or_default();
    writeln!(
        out,
        "{} {} in {} of {}",
        grouped(tree.total()),
        tree.metric(),
        counted(answer.contexts, "context"),
        counted(answer.methods, "method"),
    )?;

    writeln!(
        out,
        "\nRepeated patterns: methods that many places call, and what only they explain"
    )?;
    for &method in &answer.patterns {
        let costs = &answer.analysis.costs[method as usize];
        let induced = answer.analysis.induced[method as usize];
        let calls = costs.calls.map_or_else(String::new, |calls| counted(calls, "call") + " in ");
        let times = format!("{calls}{}", counted(costs.contexts, "context"));
        two_parts(&share(induced), names.of(Some(method)), &times, width, out)?;
    }
    nothing(answer.patterns.is_empty(), out)?;
    if let Some(&method) = answer.patterns.first() {
        let name = quoted(names.of(Some(method)));
        writeln!(out, "  subsume methods --inside {name} {file}    what it is made of")?;
        writeln!(out, "  subsume callers {file} {name}    who calls it")?;
    }

    writeln!(
        out,
        "\nLargest single places: parts of at most a tenth, or indivisible, with the path to most"
    )?;
    let inclusive = answer.region.inclusive_costs();
    for part in &answer.places {
        let place = &part.place;
        let frames = paths::frames(&answer.region, &answer.is_platform, &inclusive, place, &names);
        paths::write(&share(place.cost), &frames, width, out)?;
        if let Some(spread) = part.spread {
            let of_it = format!("         {} of it in", percent(spread.cost, place.cost));
            let contexts = counted(u64::from(spread.contexts), "context");
            two_parts(&of_it, names.of(Some(spread.method)), &contexts, width, out)?;
        }
    }
    nothing(answer.places.is_empty(), out)?;

    writeln!(out, "\nSuspicious calls: few of a method's calls that take most of its cost")?;
    for found in &answer.calls {
        let call = [found.caller, found.callee].map(|method| names.of(Some(method)).to_owned());
        paths::write(&share(found.cost), &call, width, out)?;
        writeln!(out, "         {}", proportions(found))?;
    }
    nothing(answer.calls.is_empty(), out)?;
    if let Some(found) = answer.calls.first() {
        let name = quoted(names.of(Some(found.caller)));
        writeln!(out, "  subsume callers {file} {name}    who makes them")?;
    }
    moved::print(answer, &names, &file, width, out)?;
    repeated::print(answer.repeated.as_ref(), &file, width, out)
}

fn nothing(is_empty: bool, out: &mut impl Write) -> Result<()> {
    if is_empty {
        writeln!(out, "  none of at least 0.5%")?;
    }
    Ok(())
}

/// The share of calls and cost, and the cost of one call beside that of another.
fn proportions(found: &SuspiciousCalls) -> String {
    let each = |cost: u64, calls: u64| grouped(cost.checked_div(calls).unwrap_or(0));
    format!(
        "{} of its calls, {} of its cost: {} a call, others {}",
        percent(found.calls, found.all_calls),
        percent(found.cost, found.all_cost),
        each(found.cost, found.calls),
        each(found.all_cost - found.cost, found.all_calls - found.calls),
    )
}

/// A share, a name, and a remark at the end of the line, or on the next one.
fn two_parts(
    share: &str,
    name: &str,
    remark: &str,
    width: usize,
    out: &mut impl Write,
) -> Result<()> {
    let left = width.saturating_sub(share.len() + 4 + columns(remark));
    let name = shorten(name, left.max(24));
    writeln!(out, "{share}  {name}  {remark}")?;
    Ok(())
}

/// In quotes, where a shell would take the name apart.
fn quoted(name: &str) -> String {
    let is_plain = |c: char| c.is_alphanumeric() || "._".contains(c);
    if name.chars().all(is_plain) { name.to_owned() } else { format!("'{name}'") }
}
