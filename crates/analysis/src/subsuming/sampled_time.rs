//! The time of a plain run, by the subsuming methods of an exact one.
//!
//! Bytecodes are exact and the same on every machine, but they are no time. A
//! sampling profiler sees time, in a run that nothing slows down, but no structure
//! beyond its stacks. Each sample counts for the lowest subsuming method on its
//! stack, as each bytecode does, and for every method as part of inclusive time.

use profile::NO_PARENT;
use rustc_hash::FxHashMap;

use tree::Tree;
use tree::costs::Labelled;
use tree::names::method::Method;

/// Samples of a plain run by the methods of an exact tree.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct SampledTime {
    /// All samples.
    pub total: u64,
    /// Per method of the exact tree: samples in which it is the lowest subsuming one.
    pub induced: Vec<u64>,
    /// Samples without a subsuming method on the stack.
    pub induced_by_virtual_root: u64,
    /// Per method: samples that have it on the stack.
    pub inclusive: Vec<u64>,
    /// Per method: samples of which it is the top.
    pub exclusive: Vec<u64>,
    /// Samples whose lowest frame is none that a thread begins with in the exact
    /// tree: the sampler cut these stacks, or the runs did different things.
    pub without_root: u64,
    /// Samples in methods that the exact run did not execute.
    pub unknown: u64,
}

/// Lays the samples of `time`, its first metric, over an exact tree.
pub fn sampled_time(exact: &Tree, subsumes: &[bool], time: &Tree) -> SampledTime {
    let unknown = exact.methods.len() as u32;
    let methods = same_methods(exact, subsumes, time);
    let label: Vec<u32> =
        time.method.iter().map(|&method| methods[method as usize].unwrap_or(unknown)).collect();
    let columns = Labelled { label: &label, parent: &time.parent, cost: time.cost(), calls: None };
    let mut costs = columns.costs(exact.methods.len() + 1);
    let of_unknown = costs.pop().unwrap_or_default();

    let mut is_root = vec![false; exact.methods.len() + 1];
    for (&method, _) in exact.method.iter().zip(&exact.parent).filter(|(_, p)| **p == NO_PARENT) {
        is_root[method as usize] = true;
    }
    let mut sampled = SampledTime {
        total: time.total(),
        induced: vec![0; exact.methods.len()],
        inclusive: costs.iter().map(|costs| costs.inclusive).collect(),
        exclusive: costs.iter().map(|costs| costs.exclusive).collect(),
        unknown: of_unknown.exclusive,
        ..SampledTime::default()
    };
    // By node: the lowest subsuming method, and whether the stack begins as in the
    // exact run.
    let mut lowest: Vec<u32> = Vec::with_capacity(time.len());
    let mut rooted: Vec<bool> = Vec::with_capacity(time.len());
    for (node, (&method, &parent)) in label.iter().zip(&time.parent).enumerate() {
        let subsuming = subsumes.get(method as usize).copied().unwrap_or(false);
        let above = match parent {
            NO_PARENT => (unknown, is_root[method as usize]),
            parent => (lowest[parent as usize], rooted[parent as usize]),
        };
        lowest.push(if subsuming { method } else { above.0 });
        rooted.push(above.1);
        let samples = time.cost()[node];
        match sampled.induced.get_mut(lowest[node] as usize) {
            Some(induced) => *induced += samples,
            None => sampled.induced_by_virtual_root += samples,
        }
        sampled.without_root += if rooted[node] { 0 } else { samples };
    }
    sampled
}

/// For each method of the sampled tree that of the exact tree. Samplers that leave
/// out descriptors do not tell methods of one name apart: the one that subsumes is
/// taken, or else the first.
fn same_methods(exact: &Tree, subsumes: &[bool], time: &Tree) -> Vec<Option<u32>> {
    let mut executed = vec![false; exact.methods.len()];
    for &method in &exact.method {
        executed[method as usize] = true;
    }
    let mut by_name: FxHashMap<(&str, &str), u32> = FxHashMap::default();
    for (number, method) in (0u32..).zip(&exact.methods) {
        if !executed[number as usize] {
            continue;
        }
        let name = (method.class.as_str(), method.name.as_str());
        let known = by_name.entry(name).or_insert(number);
        if subsumes[number as usize] && !subsumes[*known as usize] {
            *known = number;
        }
    }
    let same = |method: &Method| {
        if let Ok(number) = exact.methods.binary_search(method) {
            return Some(number as u32);
        }
        let name = (method.class.as_str(), method.name.as_str());
        by_name.get(&name).copied().filter(|_| method.descriptor.is_empty())
    };
    time.methods.iter().map(same).collect()
}
