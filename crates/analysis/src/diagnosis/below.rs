//! Which callees have most of a finding's cost.

use rustc_hash::FxHashMap;

use super::merge::Finding;
use super::program::Program;

/// A callee is told if it has this part of the finding's cost, ...
const MUCH: f64 = 0.4;
/// ... and so many of them at most, each called by the one before.
const STEPS: usize = 4;
/// A callee that passes this part of its cost on to one callee is passed over.
const SAME: f64 = 0.98;
/// How many calls down the search for the cost goes.
const DEEPEST: usize = 200;

/// A callee with its part of the finding's cost.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Below {
    /// The method.
    pub method: u32,
    /// What it costs there.
    pub cost: u64,
}

/// The methods of the program that have most of a finding's cost, each called by the one
/// before, maybe by way of others; the first and the last ones, where there are many.
pub fn below(program: &Program<'_>, finding: &Finding) -> Vec<Below> {
    let ranges = finding.region.ranges().iter();
    // Of a context alone nothing is below.
    let whole = ranges.filter(|range| program.ends[range.start as usize] <= range.end);
    let mut next: Vec<u32> = whole.map(|range| range.start).collect();
    let mut steps: Vec<Below> = Vec::new();
    for _ in 0..DEEPEST {
        let mut by_method: FxHashMap<u32, (u64, Vec<u32>)> = FxHashMap::default();
        for &callee in &next {
            let of = by_method.entry(program.tree.method[callee as usize]).or_default();
            of.0 += program.inclusive(callee);
            of.1.push(callee);
        }
        let most = by_method.into_iter().max_by_key(|&(method, (cost, _))| (cost, method));
        let Some((method, (cost, callees))) = most else { break };
        if (cost as f64) < MUCH * finding.cost as f64 {
            break;
        }
        next = callees.iter().flat_map(|&node| program.callees(node)).collect();
        if program.is_platform[method as usize] || method == finding.lead().method {
            continue;
        }
        if steps.last().is_some_and(|last| last.method == method) {
            continue;
        }
        steps.push(Below { method, cost });
    }
    let mut told: Vec<Below> = Vec::new();
    for (at, &step) in steps.iter().enumerate() {
        let next = steps.get(at + 1).map_or(0, |next| next.cost);
        let only_passes_on = next as f64 >= SAME * step.cost as f64;
        if !only_passes_on {
            told.push(step);
        }
    }
    // Of many, those that the method calls, and those that have the cost in the end.
    if told.len() > STEPS {
        told.drain(STEPS / 2..told.len() - STEPS / 2);
    }
    told
}
