//! The summary for programs.

use std::io::Write;

use serde::Serialize;
use tree::error::Result;

use super::Answer;
use crate::cli::json::{self, Name};
use crate::cli::paths::PlaceDocument;

#[derive(Serialize)]
struct Document<'a> {
    metric: &'a str,
    total: u64,
    contexts: u64,
    methods: u64,
    patterns: Vec<Pattern<'a>>,
    places: Vec<PartDocument<'a>>,
    suspicious_calls: Vec<Calls<'a>>,
    moved: Vec<Moved<'a>>,
    /// Candidates for a cache, where results were recorded.
    repeated: Vec<Repeated<'a>>,
}

#[derive(Serialize)]
struct PartDocument<'a> {
    #[serde(flatten)]
    place: PlaceDocument<'a>,
    /// A method that several of its contexts call.
    shared: Option<Shared<'a>>,
}

#[derive(Serialize)]
struct Shared<'a> {
    #[serde(flatten)]
    name: Name<'a>,
    cost: u64,
    contexts: u32,
}

#[derive(Serialize)]
struct Repeated<'a> {
    method: Name<'a>,
    returned: u64,
    hits: u64,
    saving: u64,
    saving_error: u64,
    spared: u64,
}

#[derive(Serialize)]
struct Moved<'a> {
    method: Name<'a>,
    /// The method of the JDK by which; null if the method moves elements itself.
    through: Option<Name<'a>>,
    elements: u64,
}

#[derive(Serialize)]
struct Pattern<'a> {
    #[serde(flatten)]
    name: Name<'a>,
    induced: u64,
    inclusive: u64,
    /// Null if the profiles have not counted calls.
    calls: Option<u64>,
    contexts: u64,
}

#[derive(Serialize)]
struct Calls<'a> {
    caller: Name<'a>,
    callee: Name<'a>,
    calls: u64,
    cost: u64,
    /// Of all callers together.
    all_calls: u64,
    all_cost: u64,
    /// By how much the calls cost more than as many calls by others.
    excess: u64,
}

/// Prints the answer as one JSON object.
///
/// # Errors
/// If `out` fails.
pub fn print(answer: &Answer<'_>, out: &mut impl Write) -> Result<()> {
    let tree = answer.tree;
    let pattern = |&method: &u32| {
        let costs = &answer.analysis.costs[method as usize];
        Pattern {
            name: Name::of(tree, Some(method)),
            induced: answer.analysis.induced[method as usize],
            inclusive: costs.inclusive,
            calls: costs.calls,
            contexts: costs.contexts,
        }
    };
    let document = Document {
        metric: tree.metric(),
        total: tree.total(),
        contexts: answer.contexts,
        methods: answer.methods,
        patterns: answer.patterns.iter().map(pattern).collect(),
        places: answer
            .places
            .iter()
            .map(|part| PartDocument {
                place: PlaceDocument::new(tree, &answer.region, &part.place),
                shared: part.spread.map(|spread| Shared {
                    name: Name::of(tree, Some(spread.method)),
                    cost: spread.cost,
                    contexts: spread.contexts,
                }),
            })
            .collect(),
        suspicious_calls: answer
            .calls
            .iter()
            .map(|found| Calls {
                caller: Name::of(tree, Some(found.caller)),
                callee: Name::of(tree, Some(found.callee)),
                calls: found.calls,
                cost: found.cost,
                all_calls: found.all_calls,
                all_cost: found.all_cost,
                excess: found.excess,
            })
            .collect(),
        moved: answer
            .movers
            .iter()
            .map(|mover| Moved {
                method: Name::of(tree, Some(mover.method)),
                through: mover.through.map(|method| Name::of(tree, Some(method))),
                elements: mover.moved,
            })
            .collect(),
        repeated: answer.repeated.as_ref().map_or_else(Vec::new, repeated),
    };
    json::print(&document, out)
}

fn repeated(found: &super::Repeated) -> Vec<Repeated<'_>> {
    let entry = |&at: &usize| {
        let one = &found.results.followed[at];
        Repeated {
            method: Name::new(found.results.method(one)),
            returned: one.exact.returned,
            hits: one.exact.hits,
            saving: one.exact.saving,
            saving_error: one.exact.saving_error,
            spared: one.spared(&one.exact).likely,
        }
    };
    found.candidates.iter().map(entry).collect()
}
