//! Typestate histories as SARIF: calls that break a protocol, with those that led there, and
//! sites of objects that leak.

use analysis::dataflow::typestate::{Group, Leak, Violation};
use analysis::diagnosis::kind::Kind;
use base::number::{counted, grouped};

use super::Answer;
use super::json::{json_leak, json_violation};
use crate::cli::sarif::{Finding, Level, Rule, Step, figures};

pub fn findings<'a>(answer: &'a Answer<'a>) -> Vec<Finding<'a>> {
    let of_group = |group: &'a Group| {
        let broken = group.broken.iter().filter_map(|one| misused(answer, group, one));
        broken.chain(group.leaks.iter().filter_map(|leak| never_closed(answer, group, leak)))
    };
    answer.groups.iter().flat_map(of_group).collect()
}

fn misused<'a>(
    answer: &'a Answer<'a>,
    group: &Group,
    violation: &Violation,
) -> Option<Finding<'a>> {
    let graph = answer.graph;
    let node = &graph.nodes[violation.node as usize];
    let event = node.event.as_deref().unwrap_or_default();
    let state = answer.state(node.protocol, node.before);
    let protocol = &graph.protocols[node.protocol as usize].name;
    let step = |&node: &u32| {
        let node = &graph.nodes[node as usize];
        let event = node.event.as_deref().unwrap_or("made");
        let text = format!(": {event}, then {}", answer.state(node.protocol, node.after));
        Some(Step { text, ..Step::at(answer.naming, node.place)? })
    };
    Some(Finding {
        rule: Rule::Waste(Kind::Misused),
        level: Level::Warning,
        share: None,
        message: format!(
            "{} of {} broke '{protocol}': {event} was called in state {state}.",
            counted(violation.objects, "object"),
            answer.site(group),
        ),
        place: Step::at(answer.naming, node.place)?,
        ways: vec![violation.history.iter().filter_map(step).collect()],
        detail: format!("{protocol}|{}|{event}|{state}", class(answer, group)),
        figures: figures(&json_violation(answer, violation)),
    })
}

/// Objects of unknown sites may have been somebody else's to close.
fn never_closed<'a>(answer: &'a Answer<'a>, group: &Group, leak: &Leak) -> Option<Finding<'a>> {
    let site = &answer.graph.sites[group.site? as usize];
    let protocol = &answer.graph.protocols[group.protocol as usize].name;
    let state = answer.state(group.protocol, leak.state);
    let place = Step::at(answer.naming, site.place)?;
    let how = if site.is_obtained { "obtained" } else { "made" };
    Some(Finding {
        rule: Rule::Waste(Kind::NeverClosed),
        level: Level::Warning,
        share: None,
        message: format!(
            "{} of {} of {} {how} in {} are never brought to an end: they are left in state {state}.",
            grouped(leak.objects),
            counted(group.objects, "object"),
            site.class,
            place.method.qualified(),
        ),
        place,
        ways: Vec::new(),
        detail: format!("{protocol}|{}|{state}", site.class),
        figures: figures(&json_leak(answer, group, leak)),
    })
}

/// The class of a group's objects.
fn class<'a>(answer: &'a Answer<'a>, group: &Group) -> &'a str {
    group.site.map_or("", |site| &answer.graph.sites[site as usize].class)
}
