//! A program taken apart into contexts of which none costs very much.

use std::cmp::Reverse;

use profile::NO_PARENT;

use crate::views::places::{Place, platform_by_itself};
use crate::views::region::Region;

/// A path goes on into a callee that costs at least this share of its part.
const MOST_OF_IT: f64 = 0.5;

/// The parts with at least the cost `least`, the largest first; each context counts
/// once. A context that costs more than `most` is taken apart into its callees and
/// what it costs itself; any other one is a part as a whole, so that the pieces of one
/// defect stay together. What the JDK does by itself for a program is never taken
/// apart. `is_platform` says of each method of the tree whether it is the JDK's.
///
/// The node of a part is the innermost context that costs at least half of it, or
/// where the program calls the JDK for that.
pub fn parts(region: &Region, is_platform: &[bool], least: u64, most: u64) -> Vec<Place> {
    let inclusive = region.inclusive_costs();
    let by_itself = platform_by_itself(region, is_platform);
    let largest_callee = largest_callees(region, &inclusive);
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
        parts.push(Place { node: end as u32, cost, inclusive: inclusive[end] });
    }
    parts.sort_by_key(|part| (Reverse(part.cost), part.node));
    parts
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
