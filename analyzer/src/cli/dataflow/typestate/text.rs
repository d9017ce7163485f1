//! Typestate histories as text.

use std::io::Write;

use analysis::dataflow::typestate::{Group, Leak, Violation};
use base::number::{counted, grouped};
use report::painted::Painted;
use tree::error::Result;
use tree::readable_names::{columns, printable};

use super::Answer;
use crate::cli::dataflow::names::in_colour;
use crate::cli::dataflow::text::more;
use crate::cli::source::Output;

/// Last events of leaking objects that are shown.
const LAST: usize = 3;

/// Prints the answer for people.
pub fn print(answer: &Answer<'_>, output: &Output, out: &mut dyn Write) -> Result<()> {
    writeln!(out, "{}", heading(answer))?;
    for group in &answer.groups {
        writeln!(out)?;
        let protocol = &answer.graph.protocols[group.protocol as usize].name;
        let site = answer.site(group);
        let site = match answer.made_at(group) {
            Some(place) => in_colour(&site, answer.naming, place),
            None => Painted::from(site),
        };
        let of = Painted::from(format!("{} of ", counted(group.objects, "object"))).and(site);
        if group.broken() > 0 {
            writeln!(out, "{} of {of} broke '{protocol}'", grouped(group.broken()))?;
        } else {
            writeln!(out, "{of} followed '{protocol}'")?;
        }
        for violation in &group.broken {
            history(answer, violation, out)?;
        }
        for leak in &group.leaks {
            left(answer, group, leak, out)?;
        }
    }
    if !answer.groups.is_empty() && answer.more > 0 {
        writeln!(out)?;
    }
    more(answer.more, out)?;
    if answer.objects == 0
        && let Some(hint) = output.hint("object that follows a protocol made in, or")
    {
        writeln!(out, "{hint}")?;
    }
    let notes = notes(answer);
    if !answer.groups.is_empty() && !notes.is_empty() {
        writeln!(out)?;
    }
    for note in notes {
        writeln!(out, "{note}")?;
    }
    Ok(())
}

fn heading(answer: &Answer<'_>) -> String {
    if answer.objects == 0 {
        return "No object followed a protocol".to_owned();
    }
    let of = counted(answer.objects, "object");
    let broken = match answer.broken {
        0 => format!("None of {of} broke its protocol"),
        broken => format!("{} of {of} broke a protocol", grouped(broken)),
    };
    match answer.leaking {
        0 => broken,
        leaking => format!("{broken}, {} never brought to an end", grouped(leaking)),
    }
}

/// The call that broke the protocol, and those that led there.
fn history(answer: &Answer<'_>, violation: &Violation, out: &mut dyn Write) -> Result<()> {
    let node = &answer.graph.nodes[violation.node as usize];
    let state = |state| answer.state(node.protocol, state);
    let event = node.event.as_deref().unwrap_or_default();
    let place = answer.naming.place(node.place);
    let line = format!(
        "  {event} at {place} in state {}: {}",
        state(node.before),
        counted(violation.objects, "object")
    );
    writeln!(out, "{}", printable(&line))?;
    // Instructions of one line that do the same are one row.
    let mut steps: Vec<([&str; 3], String, u64)> = Vec::new();
    for &index in &violation.history {
        let node = &answer.graph.nodes[index as usize];
        // Where objects are made stands above.
        let Some(event) = &node.event else { continue };
        let step = [state(node.before), event.as_str(), state(node.after)];
        let (place, count) = (answer.naming.place(node.place), answer.counts[index as usize]);
        match steps.iter_mut().find(|(known, at, _)| *known == step && *at == place) {
            Some((.., sum)) => *sum = sum.saturating_add(count),
            None => steps.push((step, place, count)),
        }
    }
    let rows: Vec<[String; 4]> = steps
        .into_iter()
        .map(|([before, event, after], place, count)| {
            let place = format!("{place} ({})", grouped(count));
            [before.to_owned(), event.to_owned(), place, after.to_owned()]
        })
        .collect();
    let width = |at: usize| rows.iter().map(|row| columns(&row[at])).max().unwrap_or(0);
    let widths = [width(0), width(1), width(2)];
    for [before, event, place, after] in &rows {
        let [first, second, third] = widths;
        let line = format!("    {before:first$} -- {event:second$}  {place:third$} --> {after}");
        writeln!(out, "{}", printable(&line))?;
    }
    Ok(())
}

/// Objects that leak, and what happened to them last.
fn left(answer: &Answer<'_>, group: &Group, leak: &Leak, out: &mut dyn Write) -> Result<()> {
    let state = answer.state(group.protocol, leak.state);
    let last: Vec<String> = leak
        .last
        .iter()
        .take(LAST)
        .map(|&(node, objects)| {
            let node = &answer.graph.nodes[node as usize];
            let event = match &node.event {
                Some(event) => event.as_str(),
                None if Some(node.place) == site_place(answer, group) => "made at",
                None => "obtained at",
            };
            let count = match leak.last.len() {
                1 => String::new(),
                _ => format!(" ({})", grouped(objects)),
            };
            format!("{event} {}{count}", answer.naming.place(node.place))
        })
        .collect();
    let others = match leak.last.len().saturating_sub(LAST) {
        0 => String::new(),
        others => format!(" and {others} others"),
    };
    let line = format!(
        "  {} left in state {state}, last event {}{others}",
        counted(leak.objects, "object"),
        last.join(", ")
    );
    writeln!(out, "{}", printable(&line))?;
    Ok(())
}

fn site_place(answer: &Answer<'_>, group: &Group) -> Option<profile::dataflow::Place> {
    let site = &answer.graph.sites[group.site? as usize];
    (!site.is_obtained).then_some(site.place)
}

/// What is not shown or was left out, a line for each reason.
fn notes(answer: &Answer<'_>) -> Vec<String> {
    let reasons = [
        (
            answer.leaking_elsewhere,
            "object",
            "of unknown origin never brought to an end: the JDK's own, or made before the \
             recording (--all shows them)",
        ),
        (answer.graph.lost, "event", "of other kinds left out: there were too many kinds"),
        (
            answer.graph.unfollowed,
            "class",
            "with objects that have no room for their state (subsume info --skipped names them)",
        ),
    ];
    let lines = reasons.iter().filter(|(count, ..)| *count > 0);
    lines.map(|&(count, unit, what)| format!("note: {} {what}", counted(count, unit))).collect()
}
