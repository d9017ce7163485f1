//! The time of a plain run, by subsuming methods.
//!
//! Bytecodes are exact and the same on every machine, but they are no time. Each sample counts
//! for the lowest subsuming method on its path, as each bytecode does, and for every
//! method on it as part of inclusive time.

use profile::NO_PARENT;
use tree::Tree;
use tree::costs::Labelled;

/// Samples by method.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct SampledTime {
    /// All samples in contexts of the tree.
    pub total: u64,
    /// Per method: samples in which it is the lowest subsuming one.
    pub induced: Vec<u64>,
    /// Samples without a subsuming method on the path.
    pub induced_by_virtual_root: u64,
    /// Per method: samples that have it on the path.
    pub inclusive: Vec<u64>,
    /// Per method: samples of which it is the end.
    pub exclusive: Vec<u64>,
}

impl SampledTime {
    /// Of a tree that has the metric of time; `None` if it does not.
    pub fn of(tree: &Tree, subsumes: &[bool]) -> Option<Self> {
        let time = tree.time()?;
        let columns =
            Labelled { label: &tree.method, parent: &tree.parent, cost: time, calls: None };
        let costs = columns.costs(tree.methods.len());
        let mut sampled = Self {
            total: time.iter().sum(),
            induced: vec![0; tree.methods.len()],
            inclusive: costs.iter().map(|costs| costs.inclusive).collect(),
            exclusive: costs.iter().map(|costs| costs.exclusive).collect(),
            ..Self::default()
        };
        // By node: the lowest subsuming method.
        let mut lowest: Vec<Option<u32>> = Vec::with_capacity(tree.len());
        for (node, (&method, &parent)) in tree.method.iter().zip(&tree.parent).enumerate() {
            let above = if parent == NO_PARENT { None } else { lowest[parent as usize] };
            let here = if subsumes[method as usize] { Some(method) } else { above };
            lowest.push(here);
            match here {
                Some(method) => sampled.induced[method as usize] += time[node],
                None => sampled.induced_by_virtual_root += time[node],
            }
        }
        Some(sampled)
    }
}
