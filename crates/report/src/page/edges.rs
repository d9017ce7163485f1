//! Callers and callees on a page, in columns.

use std::cmp::Reverse;
use std::collections::BTreeMap;

use serde::Serialize;

use crate::page::count::{Count, column};
use crate::page::digest::Digest;
use crate::page::listing::Listing;
use tree::views::neighbours::{Edge, Part};

/// The costliest pairs of caller and callee.
#[derive(Debug, Serialize)]
pub struct Edges {
    /// -1 above the roots.
    caller: Vec<i64>,
    callee: Vec<u32>,
    /// What the callee costs, among its callers.
    cost: Vec<Count>,
    calls: Option<Vec<Count>>,
    /// What the caller spends, among its callees, where it is something else.
    down: BTreeMap<usize, (Count, Option<Count>)>,
}

impl Edges {
    /// The first `count` edges between methods that are listed.
    pub fn new(digest: &Digest, listing: &Listing<'_>, count: usize) -> Self {
        let numbered = |edge: &'_ Edge| {
            let caller = match edge.caller {
                Some(caller) => i64::from(listing.number(caller)?),
                None => -1,
            };
            Some((caller, listing.number(edge.callee)?, edge.of_callee, edge.of_caller))
        };
        let mut edges: Vec<(i64, u32, Part, Part)> =
            digest.neighbours.edges.iter().filter_map(numbered).collect();
        if edges.len() > count {
            let weight = |up: Part, down: Part| up.cost.max(down.cost);
            edges.sort_unstable_by_key(|&(caller, callee, up, down)| {
                (Reverse(weight(up, down)), Reverse(up.calls.max(down.calls)), caller, callee)
            });
            edges.truncate(count);
        }
        edges.sort_unstable_by_key(|&(caller, callee, up, _)| (caller, Reverse(up.cost), callee));
        let has_calls = digest.has_calls;
        let down = edges.iter().enumerate().filter_map(|(at, &(caller, _, up, down))| {
            let calls = has_calls.then_some(Count(down.calls));
            (caller >= 0 && down != up).then_some((at, (Count(down.cost), calls)))
        });
        Self {
            down: down.collect(),
            caller: edges.iter().map(|&(caller, ..)| caller).collect(),
            callee: edges.iter().map(|&(_, callee, ..)| callee).collect(),
            cost: column(edges.iter().map(|&(_, _, up, _)| up.cost)),
            calls: has_calls.then(|| column(edges.iter().map(|&(_, _, up, _)| up.calls))),
        }
    }
}
