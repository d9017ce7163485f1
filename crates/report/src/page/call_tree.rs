//! The call tree and its inversion on a page, in columns.
//!
//! Nodes stand in preorder, those below the same node in order of their costs.
//! What is not shown is what the costs of a node exceed those below it by.

use std::cmp::Reverse;

use serde::Serialize;

use crate::page::by_metric::{Columns, of_contexts};
use crate::page::count::{Count, column};
use crate::page::digest::Digest;
use crate::page::listing::Listing;

/// The costliest contexts.
#[derive(Debug, Serialize)]
pub struct CallTree {
    method: Vec<u32>,
    parent: Vec<i64>,
    inclusive: Vec<Count>,
    exclusive: Vec<Count>,
    calls: Option<Vec<Count>>,
    contexts: Vec<u32>,
    /// Inclusive and exclusive cost by other metrics.
    metrics: Columns,
    rest: RootsLeftOut,
}

/// The roots that are not shown.
#[derive(Debug, Serialize)]
struct RootsLeftOut {
    cost: Count,
    contexts: u64,
}

/// What methods cost by themselves, by callers.
#[derive(Debug, Serialize)]
pub struct InvertedTree {
    method: Vec<u32>,
    parent: Vec<i64>,
    cost: Vec<Count>,
    /// What no other method has called.
    ends: Vec<Count>,
    contexts: Vec<u32>,
    rest: MethodsLeftOut,
}

/// The methods that are not shown on the first level.
#[derive(Debug, Serialize)]
struct MethodsLeftOut {
    cost: Count,
    methods: usize,
}

impl CallTree {
    /// The first `count` contexts, as far as their methods are listed.
    pub fn new(digest: &Digest, listing: &Listing<'_>, count: usize) -> Self {
        let contexts = &digest.contexts[..count.min(digest.contexts.len())];
        let nodes = contexts.iter().map(|c| (listing.number(c.method), c.caller, c.inclusive));
        let order = Preorder::new(nodes);
        let shown = || order.places.iter().map(|&place| &contexts[place as usize]);
        let roots = || shown().filter(|context| context.caller.is_none());
        Self {
            inclusive: column(shown().map(|context| context.inclusive)),
            exclusive: column(shown().map(|context| context.exclusive)),
            calls: digest.has_calls.then(|| column(shown().map(|context| context.calls))),
            contexts: shown().map(|context| context.contexts).collect(),
            metrics: of_contexts(&digest.by_metric, &order.places),
            rest: RootsLeftOut {
                cost: Count(digest.total - roots().map(|root| root.inclusive).sum::<u64>()),
                contexts: digest.shape.contexts
                    - roots().map(|root| u64::from(root.contexts)).sum::<u64>(),
            },
            method: order.method,
            parent: order.parent,
        }
    }
}

impl InvertedTree {
    /// The first `count` nodes, as far as their methods are listed.
    pub fn new(digest: &Digest, listing: &Listing<'_>, count: usize) -> Self {
        let nodes = &digest.inversion.nodes[..count.min(digest.inversion.nodes.len())];
        let each = nodes.iter().map(|n| (listing.number(n.method), n.callee, n.cost));
        let order = Preorder::new(each);
        let shown = || order.places.iter().map(|&place| &nodes[place as usize]);
        let first = || shown().filter(|node| node.callee.is_none());
        Self {
            cost: column(shown().map(|node| node.cost)),
            ends: column(shown().map(|node| node.ends)),
            contexts: shown().map(|node| node.contexts).collect(),
            rest: MethodsLeftOut {
                cost: Count(digest.total - first().map(|node| node.cost).sum::<u64>()),
                methods: digest.inversion.methods - first().count(),
            },
            method: order.method,
            parent: order.parent,
        }
    }
}

/// Nodes brought into preorder, siblings in the order of their costs, without those
/// whose method is not listed and what is below them.
#[derive(Debug)]
pub struct Preorder {
    /// Where each node stood before.
    pub places: Vec<u32>,
    /// Its method's number.
    pub method: Vec<u32>,
    /// The node above it, -1 for none.
    pub parent: Vec<i64>,
}

impl Preorder {
    /// Takes the number of each node's method, if it is listed, the place of the node above it, which must be
    /// an earlier one, and the cost by which nodes below the same one are ordered.
    pub fn new(nodes: impl Iterator<Item = (Option<u32>, Option<u32>, u64)>) -> Self {
        let mut numbers: Vec<Option<u32>> = Vec::new();
        let mut costs: Vec<u64> = Vec::new();
        let mut below: Vec<Vec<u32>> = Vec::new();
        let mut roots = Vec::new();
        for (place, (number, above, cost)) in (0u32..).zip(nodes) {
            costs.push(cost);
            let is_above_shown = above.is_none_or(|above| numbers[above as usize].is_some());
            let number = number.filter(|_| is_above_shown);
            numbers.push(number);
            below.push(Vec::new());
            match above {
                _ if number.is_none() => {}
                Some(above) => below[above as usize].push(place),
                None => roots.push(place),
            }
        }
        // Stable: of equal costs the one that was found first.
        for children in below.iter_mut().chain([&mut roots]) {
            children.sort_by_key(|&place| Reverse(costs[place as usize]));
        }
        let mut order = Self { places: Vec::new(), method: Vec::new(), parent: Vec::new() };
        let mut pending: Vec<(u32, i64)> = roots.into_iter().rev().map(|root| (root, -1)).collect();
        while let Some((place, parent)) = pending.pop() {
            let number = order.places.len() as i64;
            order.places.push(place);
            order.method.extend(numbers[place as usize]);
            order.parent.push(parent);
            let children = std::mem::take(&mut below[place as usize]);
            pending.extend(children.into_iter().rev().map(|child| (child, number)));
        }
        order
    }
}
