//! Calls that cost far more than the same method's other calls: the sign of a loop
//! within a loop, or of one caller that hands over much more data.

use std::cmp::Reverse;

use profile::NO_PARENT;
use rustc_hash::FxHashMap;

use crate::tree::Tree;
use crate::views::neighbours::neighbours;

/// A call counts as suspicious if it costs this many times what others cost.
const TIMES: f64 = 3.0;
/// ... and makes at most this share of the method's calls.
const MOST_CALLS: f64 = 0.5;

/// The calls of a method by one caller, and by all others.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct SuspiciousCalls {
    /// The caller.
    pub caller: u32,
    /// The method.
    pub callee: u32,
    /// Calls by the caller; recursive calls count with the outermost one.
    pub calls: u64,
    /// Cost of these calls, with all that they call.
    pub cost: u64,
    /// Calls by all callers.
    pub all_calls: u64,
    /// Cost of all calls.
    pub all_cost: u64,
    /// By how much the calls cost more than as many calls by others.
    pub excess: u64,
}

/// The suspicious calls with an excess of at least `least`, the greatest first;
/// none if calls were not counted.
///
/// What a method does by itself has to cost more, too, not only what it calls:
/// methods that run whatever they are given cost what that costs.
pub fn suspicious_calls(tree: &Tree, least: u64) -> Vec<SuspiciousCalls> {
    let Some(calls) = tree.calls() else { return Vec::new() };
    let mut all: FxHashMap<u32, (u64, u64)> = FxHashMap::default();
    let edges = neighbours(tree).edges;
    for edge in &edges {
        let (calls, cost) = all.entry(edge.callee).or_default();
        *calls += edge.of_callee.calls;
        *cost += edge.of_callee.cost;
    }
    let suspicious = edges.iter().filter_map(|edge| {
        let (caller, part) = (edge.caller?, edge.of_callee);
        let (all_calls, all_cost) = all[&edge.callee];
        let others = [all_calls - part.calls, all_cost - part.cost];
        let excess = excess(others, [part.calls, part.cost])?;
        let callee = edge.callee;
        let (calls, cost) = (part.calls, part.cost);
        let found = SuspiciousCalls { caller, callee, calls, cost, all_calls, all_cost, excess };
        (excess >= least.max(1)).then_some(found)
    });
    let mut suspicious: Vec<SuspiciousCalls> = suspicious.collect();
    let own = own_costs(tree, calls, &suspicious);
    suspicious.retain(|found| {
        let by =
            |caller: Option<u32>| own.get(&(caller, found.callee)).copied().unwrap_or_default();
        let (of_caller, of_all) = (by(Some(found.caller)), by(None));
        let others = [of_all[0] - of_caller[0], of_all[1] - of_caller[1]];
        excess(others, of_caller).is_some()
    });
    suspicious.sort_by_key(|found| (Reverse(found.excess), found.callee, found.caller));
    suspicious
}

/// By how much some calls cost more than as many others, if they are few and cost
/// several times as much; each as calls and cost.
fn excess(others: [u64; 2], some: [u64; 2]) -> Option<u64> {
    let ([other_calls, other_cost], [calls, cost]) = (others, some);
    if other_calls == 0 || calls == 0 {
        return None;
    }
    let of_as_many = other_cost as f64 / other_calls as f64 * calls as f64;
    let few = calls as f64 <= MOST_CALLS * (calls + other_calls) as f64;
    (few && cost as f64 >= TIMES * of_as_many).then(|| cost.saturating_sub(of_as_many as u64))
}

/// Calls and own cost of the callees of suspicious calls: by caller, and under no
/// caller those of all.
fn own_costs(
    tree: &Tree,
    calls: &[u64],
    suspicious: &[SuspiciousCalls],
) -> FxHashMap<(Option<u32>, u32), [u64; 2]> {
    let mut wanted = vec![false; tree.methods.len()];
    for found in suspicious {
        wanted[found.callee as usize] = true;
    }
    let mut own: FxHashMap<(Option<u32>, u32), [u64; 2]> = FxHashMap::default();
    for (node, (&callee, &parent)) in tree.method.iter().zip(&tree.parent).enumerate() {
        if !wanted[callee as usize] || parent == NO_PARENT {
            continue;
        }
        for caller in [Some(tree.method[parent as usize]), None] {
            let sums = own.entry((caller, callee)).or_default();
            sums[0] += calls[node];
            sums[1] += tree.cost()[node];
        }
    }
    own
}
