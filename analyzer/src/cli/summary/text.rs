//! The summary for people.

use std::io::Write;

use analysis::summary::{Entry, PLACES_OF_LOOP};
use base::number::{counted, grouped, percent};
use report::painted::Painted;
use tree::Tree;
use tree::error::Result;
use tree::readable_names::columns;
use tree::start_up::StartUp;
use tree::time::TIME;
use tree::time::text::{heading, share as time_share, share_of_cost};
use tree::views::landings::Landing;
use tree::views::own_loops::OwnLoop;
use tree::views::suspicious_calls::SuspiciousCalls;
use tree::views::way_in::{Stop, way_in};

use super::next::Next;
use super::{Answer, Args, moved, repeated};
use crate::cli::painted_names::PaintedNames;
use crate::cli::start::{WITH_START, start_up};
use crate::cli::{paths, terminal};

/// Prints the lists, each with what to type next.
///
/// # Errors
/// If `out` fails.
pub fn print(answer: &Answer<'_>, args: &Args, out: &mut impl Write) -> Result<()> {
    let tree = answer.tree;
    let names = PaintedNames::new(tree, &answer.owners);
    let plain = names.plain();
    let width = terminal::width();
    let share = |cost: u64| leading_share(tree, cost);
    let next = Next::new(answer, args);
    let whole = answer.start.as_ref().filter(|start| start.is_put_aside);
    writeln!(
        out,
        "{}{} {} in {} of {}",
        grouped(tree.total()),
        whole.map_or_else(String::new, |start| format!(" of {}", grouped(start.all))),
        tree.metric(),
        counted(answer.contexts, "context"),
        counted(answer.methods, "method"),
    )?;
    if let Some(sampling) = tree.sampling.as_ref().filter(|_| answer.samples > 0) {
        writeln!(out, "{}", heading(sampling))?;
    }
    if let Some(start) = &answer.start {
        tell_start(start, tree, &names, out)?;
    }

    writeln!(out, "\nPlaces: where the cost lands, the JDK's work for a method included")?;
    let entries = answer.entries();
    for entry in &entries {
        match *entry {
            Entry::Place(landing) => {
                place(landing, answer, &names, width, out)?;
                next.inside(plain.of(Some(landing.method)), out)?;
            }
            Entry::Loop(one) => {
                own_loop(one, answer, &names, width, out)?;
                next.inside(plain.of(Some(one.callee)), out)?;
            }
        }
    }
    nothing(entries.is_empty(), out)?;

    writeln!(
        out,
        "\nRepeated patterns: methods that many places call, and what only they explain"
    )?;
    for &(method, user) in &answer.patterns {
        let costs = &answer.analysis.costs[method as usize];
        let induced = answer.analysis.induced[method as usize];
        let calls = costs.calls.map_or_else(String::new, |calls| counted(calls, "call") + " in ");
        let times = format!("{calls}{}", counted(costs.contexts, "context"));
        two_parts(&share(induced), &names.of(Some(method)), &times, width, out)?;
        if let Some(user) = user {
            let share = percent(user.cost, user.all);
            let name = names.of(Some(user.method));
            let line = phrase(&format!("{share} of it for "), &name, width);
            paths::write("        ", &[line], width, out)?;
        }
        next.callers(plain.of(Some(method)), out)?;
    }
    nothing(answer.patterns.is_empty(), out)?;

    writeln!(out, "\nSuspicious calls: few of a method's calls that take most of its cost")?;
    for found in &answer.calls {
        let call = [found.caller, found.callee].map(|method| names.of(Some(method)));
        paths::write(&share(found.cost), &call, width, out)?;
        writeln!(out, "          {}", proportions(found))?;
        next.callers(plain.of(Some(found.caller)), out)?;
    }
    nothing(answer.calls.is_empty(), out)?;
    moved::print(answer, &names, next.files(), width, out)?;
    repeated::print(answer.repeated.as_ref(), next.files(), width, out)
}

/// A place: its share, the way in, and what has most of the cost.
fn place(
    landing: &Landing,
    answer: &Answer<'_>,
    names: &PaintedNames,
    width: usize,
    out: &mut impl Write,
) -> Result<()> {
    let tree = answer.tree;
    let stops = way_in(tree, &answer.owners, landing.node, terminal::extent());
    let frames: Vec<Painted> = stops.iter().map(|stop| paths::stop(stop, names)).collect();
    let share = leading_share(tree, landing.cost);
    paths::write(&share, &frames, width, out)?;
    let steps = landing.goes_on.iter().enumerate();
    let steps: Vec<Painted> = steps
        .map(|(at, step)| {
            let share = percent(step.cost, landing.cost);
            let of_it = if at == 0 { " of it in" } else { "" };
            phrase(&format!("{share}{of_it} "), &names.of(Some(step.method)), width)
        })
        .collect();
    if !steps.is_empty() {
        paths::write("        ", &steps, width, out)?;
    }
    if let Some(spread) = landing.all_over {
        let share = percent(spread.cost, landing.cost);
        let contexts = counted(u64::from(spread.contexts), "context");
        let name = names.of(Some(spread.method));
        let line = phrase(&format!("{share} of it in {contexts} of "), &name, width);
        paths::write("        ", &[line], width, out)?;
    }
    time_of(answer, landing.time, out)?;
    if !landing.ways.is_empty() {
        let ways = landing.ways.iter().enumerate().map(|(at, way)| {
            let from = if at == 0 { "called " } else { "" };
            let share = percent(way.cost, landing.cost);
            phrase(&format!("{from}{share} by way of "), &names.of(Some(way.method)), width)
        });
        paths::write_list("        ", &ways.collect::<Vec<_>>(), [", ", ""], width, out)?;
    }
    Ok(())
}

/// A share of the time, where there are samples and costs are something else.
fn time_of(answer: &Answer<'_>, time: u64, out: &mut impl Write) -> Result<()> {
    if answer.samples > 0 && answer.tree.metric() != TIME {
        writeln!(out, "          time: {}", time_share(time, answer.samples))?;
    }
    Ok(())
}

/// A loop: its share, and the places below it.
fn own_loop(
    one: &OwnLoop,
    answer: &Answer<'_>,
    names: &PaintedNames,
    width: usize,
    out: &mut impl Write,
) -> Result<()> {
    let total = answer.tree.total();
    let [caller, callee] = [one.caller, one.callee].map(|m| names.of(Some(m)));
    let callee = callee.and(paths::often(one.calls_each, one.inputs));
    let share = leading_share(answer.tree, one.cost);
    paths::write(&share, &[caller, callee], width, out)?;
    for &at in one.places.iter().take(PLACES_OF_LOOP) {
        let landing = &answer.places[at];
        let stops = way_in(answer.tree, &answer.owners, landing.node, terminal::extent());
        // What the entry has said already.
        let is_said =
            |stop: &&Stop| stop.frame.method().is_some_and(|m| m == one.caller || m == one.callee);
        let mut frames: Vec<Painted> =
            stops.iter().skip_while(is_said).map(|stop| paths::stop(stop, names)).collect();
        if frames.is_empty() {
            frames.push("itself".into());
        }
        let share = Painted::from(format!("{} in ", percent(landing.cost, total)));
        let first = frames.remove(0);
        frames.insert(0, share.and(first));
        paths::write("        ", &frames, width, out)?;
    }
    if let Some(more @ 1..) = one.places.len().checked_sub(PLACES_OF_LOOP) {
        let cost: u64 =
            one.places.iter().skip(PLACES_OF_LOOP).map(|&at| answer.places[at].cost).sum();
        let more = counted(more as u64, "more place");
        writeln!(out, "          {} in {more}", percent(cost, total))?;
    }
    let time = one.places.iter().map(|&at| answer.places[at].time).sum();
    time_of(answer, time, out)
}

/// The share that an entry begins with.
fn leading_share(tree: &Tree, cost: u64) -> String {
    format!("{:>7}", share_of_cost(tree, cost, tree.total()))
}

/// Words and a name, which is shortened where both are too long for a line.
fn phrase(words: &str, name: &Painted, width: usize) -> Painted {
    let room = width.saturating_sub(columns(words) + 14);
    Painted::from(words).and(name.shortened(room.max(16)))
}

/// Says how much happens once, for what reasons, and what are large parts of it.
fn tell_start(
    start: &StartUp,
    tree: &Tree,
    names: &PaintedNames,
    out: &mut impl Write,
) -> Result<()> {
    let Some(line) = start_up(start, tree.metric(), WITH_START) else { return Ok(()) };
    writeln!(out, "{line}")?;
    let parts = start.by_reason.iter().filter(|(_, cost)| *cost > 0);
    let parts: Vec<String> = parts
        .map(|(reason, cost)| format!("{} {}", reason.text(), percent(*cost, start.all)))
        .collect();
    writeln!(out, "  {}", parts.join(", "))?;
    let largest: Vec<String> = start
        .largest
        .iter()
        .map(|&(method, cost)| format!("{} {}", names.of(Some(method)), percent(cost, start.all)))
        .collect();
    if !largest.is_empty() {
        writeln!(out, "  largest: {}", largest.join(", "))?;
    }
    Ok(())
}

fn nothing(is_empty: bool, out: &mut impl Write) -> Result<()> {
    if is_empty {
        writeln!(out, "  none of at least 0.5%")?;
    }
    Ok(())
}

/// The share of calls and cost, and the cost of one call beside that of another.
fn proportions(found: &SuspiciousCalls) -> String {
    let each = |cost: u64, calls: u64| match cost.checked_div(calls) {
        // Of few allocations a call not even one may be in each.
        Some(mean) if mean < 10 && cost > 0 => format!("{:.1}", cost as f64 / calls as f64),
        mean => grouped(mean.unwrap_or(0)),
    };
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
    name: &Painted,
    remark: &str,
    width: usize,
    out: &mut impl Write,
) -> Result<()> {
    let left = width.saturating_sub(share.len() + 4 + columns(remark));
    let name = name.shortened(left.max(24));
    writeln!(out, "{share}  {name}  {remark}")?;
    Ok(())
}
