//! A program taken apart into contexts of which none costs very much.

use std::cmp::Reverse;

use profile::NO_PARENT;
use rustc_hash::FxHashMap;

use crate::views::places::{Place, platform_by_itself};
use crate::views::region::Region;

/// A path goes on into a callee that costs at least this share of its part.
const MOST_OF_IT: f64 = 0.5;
/// A method that several contexts of a part call is named if it has this share of it.
const MUCH_OF_IT: f64 = 1.0 / 3.0;

/// A context that costs much, with all below it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Part {
    /// Where most of it is.
    pub place: Place,
    /// What the contexts of the part have in common, beside the path to the place.
    pub spread: Option<Spread>,
}

/// A method that costs much of a part in several contexts together.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Spread {
    /// The method.
    pub method: u32,
    /// Its cost in the part, with all that it calls; recursion counts once.
    pub cost: u64,
    /// Its outermost contexts in the part.
    pub contexts: u32,
}

/// The parts with at least the cost `least`, the largest first; each context counts
/// once. A context that costs more than `most` is taken apart into its callees and
/// what it costs itself; any other one is a part as a whole, so that the pieces of one
/// defect stay together. What the JDK does by itself for a program is never taken
/// apart. `is_platform` says of each method of the tree whether it is the JDK's.
///
/// The node of a part is the innermost context that costs at least half of it, or
/// where the program calls the JDK for that. Beside it stands the method of the program
/// that is called all over the part and has at least a third of its cost: a defect that
/// no single path leads to.
pub fn parts(region: &Region, is_platform: &[bool], least: u64, most: u64) -> Vec<Part> {
    let inclusive = region.inclusive_costs();
    let by_itself = platform_by_itself(region, is_platform);
    let largest_callee = largest_callees(region, &inclusive);
    let ends = subtree_ends(region);
    let mut is_taken_apart = vec![false; inclusive.len()];
    let mut parts = Vec::new();
    for node in 0..inclusive.len() {
        let parent = region.parent[node];
        if parent != NO_PARENT && !is_taken_apart[parent as usize] {
            continue;
        }
        is_taken_apart[node] = inclusive[node] > most && !by_itself[node];
        let cost = if is_taken_apart[node] { region.cost[node] } else { inclusive[node] };
        if cost < least.max(1) {
            continue;
        }
        let mut end = node;
        while let Some(callee) = largest_callee[end].filter(|_| !is_taken_apart[node]) {
            let is_most = inclusive[callee as usize] as f64 >= MOST_OF_IT * cost as f64;
            if by_itself[end] || !is_most {
                break;
            }
            end = callee as usize;
        }
        let place = Place { node: end as u32, cost, inclusive: inclusive[end] };
        let spread = (!is_taken_apart[node]).then(|| {
            let sums = sums_by_method(region, &inclusive, &ends, node);
            let path = region.path(place.node);
            let is_named = |method: u32| {
                is_platform[method as usize]
                    || path.iter().any(|&node| region.method[node as usize] == method)
            };
            most_contexts(&sums, is_named, MUCH_OF_IT * cost as f64)
        });
        let spread = spread.flatten();
        parts.push(Part { place, spread });
    }
    parts.sort_by_key(|part| (Reverse(part.place.cost), part.place.node));
    parts
}

/// What each method costs below a context, in the order of the first contexts.
fn sums_by_method(region: &Region, inclusive: &[u64], ends: &[u32], top: usize) -> Vec<Spread> {
    let mut places: FxHashMap<u32, usize> = FxHashMap::default();
    let mut sums: Vec<Spread> = Vec::new();
    // By sum: the end of the outermost context reached last.
    let mut until: Vec<u32> = Vec::new();
    for node in top as u32..ends[top] {
        let method = region.method[node as usize];
        let place = *places.entry(method).or_insert_with(|| {
            sums.push(Spread { method, cost: 0, contexts: 0 });
            until.push(0);
            sums.len() - 1
        });
        if node >= until[place] {
            until[place] = ends[node as usize];
            sums[place].cost += inclusive[node as usize];
            sums[place].contexts += 1;
        }
    }
    sums
}

/// The method of the most contexts, several at least, that costs at least so much and is
/// not named without that. Of several the one of least cost: if a method calls another
/// one, the callee.
fn most_contexts(sums: &[Spread], is_named: impl Fn(u32) -> bool, least: f64) -> Option<Spread> {
    let is_wanted =
        |sum: &&Spread| sum.contexts > 1 && sum.cost as f64 >= least && !is_named(sum.method);
    sums.iter().filter(is_wanted).max_by_key(|sum| (sum.contexts, Reverse(sum.cost))).copied()
}

/// Context after the last one of the subtree of each.
fn subtree_ends(region: &Region) -> Vec<u32> {
    let mut ends: Vec<u32> = (1..=region.parent.len() as u32).collect();
    for node in (0..ends.len()).rev() {
        let parent = region.parent[node];
        if parent != NO_PARENT {
            ends[parent as usize] = ends[parent as usize].max(ends[node]);
        }
    }
    ends
}

/// Of each context the callee that costs most, the first one of several.
fn largest_callees(region: &Region, inclusive: &[u64]) -> Vec<Option<u32>> {
    let mut largest: Vec<Option<u32>> = vec![None; inclusive.len()];
    for (node, &parent) in (0u32..).zip(&region.parent) {
        if parent != NO_PARENT {
            let largest = &mut largest[parent as usize];
            let cost = |node: u32| inclusive[node as usize];
            if largest.is_none_or(|before| cost(node) > cost(before)) {
                *largest = Some(node);
            }
        }
    }
    largest
}
