//! Typestate histories as JSON.

use analysis::dataflow::typestate::{Group, Leak, Violation};
use serde::Serialize;

use super::Answer;
use crate::cli::dataflow::names::{JsonPlace, owner};

#[derive(Serialize)]
pub struct Document<'a> {
    sites: Vec<JsonGroup<'a>>,
    /// Entries that `--top` has left out.
    more: usize,
    /// Objects that followed a protocol.
    objects: u64,
    /// Those that broke it.
    broken: u64,
    /// Those of known sites that leak.
    leaking: u64,
    /// Those of unknown sites that do.
    leaking_of_unknown_origin: u64,
    left_out: LeftOut,
}

#[derive(Serialize)]
struct LeftOut {
    /// Different events that found no room.
    events: u64,
    /// Classes of which objects have no room for their state.
    classes: u64,
}

#[derive(Serialize)]
struct JsonGroup<'a> {
    protocol: &'a str,
    /// As the text shows it.
    site: String,
    /// Null of objects of unknown origin.
    class: Option<&'a str>,
    made_at: Option<JsonPlace<'a>>,
    /// Whose code that is; null where it is not known.
    owner: Option<&'static str>,
    /// Whether the objects are what a method returned that is called there.
    is_obtained: bool,
    objects: u64,
    violations: Vec<JsonViolation<'a>>,
    leaks: Vec<JsonLeak<'a>>,
}

#[derive(Serialize)]
pub struct JsonViolation<'a> {
    /// How many objects it happened to.
    objects: u64,
    #[serde(flatten)]
    event: JsonEvent<'a>,
    /// All events from which a way leads there, itself last.
    history: Vec<JsonStep<'a>>,
}

#[derive(Serialize)]
struct JsonStep<'a> {
    #[serde(flatten)]
    event: JsonEvent<'a>,
    /// How often it happened.
    count: u64,
    /// Where in the history the events stand that followed, and how often each did.
    next: Vec<JsonNext>,
}

#[derive(Serialize)]
struct JsonNext {
    step: usize,
    count: u64,
}

#[derive(Serialize)]
struct JsonEvent<'a> {
    #[serde(flatten)]
    place: JsonPlace<'a>,
    /// The method that was called, with its result where that counts; null where the
    /// object was made or obtained.
    event: Option<&'a str>,
    before: &'a str,
    after: &'a str,
}

#[derive(Serialize)]
pub struct JsonLeak<'a> {
    state: &'a str,
    objects: u64,
    last: Vec<JsonLast<'a>>,
}

#[derive(Serialize)]
struct JsonLast<'a> {
    #[serde(flatten)]
    event: JsonEvent<'a>,
    objects: u64,
}

pub fn document<'a>(answer: &'a Answer<'a>) -> Document<'a> {
    Document {
        sites: answer.groups.iter().map(|group| json_group(answer, group)).collect(),
        more: answer.more,
        objects: answer.objects,
        broken: answer.broken,
        leaking: answer.leaking,
        leaking_of_unknown_origin: answer.leaking_elsewhere,
        left_out: LeftOut { events: answer.graph.lost, classes: answer.graph.unfollowed },
    }
}

fn json_group<'a>(answer: &'a Answer<'a>, group: &'a Group) -> JsonGroup<'a> {
    let site = group.site.map(|site| &answer.graph.sites[site as usize]);
    JsonGroup {
        protocol: &answer.graph.protocols[group.protocol as usize].name,
        site: answer.site(group),
        class: site.map(|site| site.class.as_str()),
        made_at: site.map(|site| JsonPlace::new(answer.naming, site.place)),
        owner: answer.made_at(group).map(|place| owner(answer.naming, place)),
        is_obtained: site.is_some_and(|site| site.is_obtained),
        objects: group.objects,
        violations: group.broken.iter().map(|one| json_violation(answer, one)).collect(),
        leaks: group.leaks.iter().map(|leak| json_leak(answer, group, leak)).collect(),
    }
}

fn json_event<'a>(answer: &'a Answer<'a>, node: u32) -> JsonEvent<'a> {
    let node = &answer.graph.nodes[node as usize];
    JsonEvent {
        place: JsonPlace::new(answer.naming, node.place),
        event: node.event.as_deref(),
        before: answer.state(node.protocol, node.before),
        after: answer.state(node.protocol, node.after),
    }
}

pub fn json_violation<'a>(answer: &'a Answer<'a>, violation: &Violation) -> JsonViolation<'a> {
    let history = &violation.history;
    let step = |&node: &u32| {
        let next = answer.graph.edges.iter().filter(|edge| edge.from == Some(node));
        let next = next.filter_map(|edge| {
            let step = history.iter().position(|&other| other == edge.to)?;
            Some(JsonNext { step, count: edge.count })
        });
        let (event, count) = (json_event(answer, node), answer.counts[node as usize]);
        JsonStep { event, count, next: next.collect() }
    };
    JsonViolation {
        objects: violation.objects,
        event: json_event(answer, violation.node),
        history: history.iter().map(step).collect(),
    }
}

pub fn json_leak<'a>(answer: &'a Answer<'a>, group: &Group, leak: &Leak) -> JsonLeak<'a> {
    let last = leak.last.iter();
    let last = last.map(|&(node, objects)| JsonLast { event: json_event(answer, node), objects });
    JsonLeak {
        state: answer.state(group.protocol, leak.state),
        objects: leak.objects,
        last: last.collect(),
    }
}
