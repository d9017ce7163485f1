//! How much new the subsuming methods show (Table 4's last columns).

use std::cmp::Reverse;

use crate::subsuming::Subsuming;

/// Where the top subsuming methods by induced cost also appear.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Overlap {
    /// Among the top methods by exclusive cost: S(e).
    pub exclusive: usize,
    /// Among the top methods by inclusive cost: S(i).
    pub inclusive: usize,
    /// In neither: S(*). One method may be in both.
    pub new: usize,
}

/// Compares the top `count` subsuming methods by induced cost with the top
/// `count` of all methods by exclusive and by inclusive cost.
pub fn overlap(analysis: &Subsuming, count: usize) -> Overlap {
    let by_induced = top(analysis.subsuming(), count, |m| analysis.induced[m]);
    let by_exclusive = top(analysis.executed(), count, |m| analysis.costs[m].exclusive);
    let by_inclusive = top(analysis.executed(), count, |m| analysis.costs[m].inclusive);
    let mut overlap = Overlap::default();
    for method in by_induced {
        let exclusive = by_exclusive.contains(&method);
        let inclusive = by_inclusive.contains(&method);
        overlap.exclusive += usize::from(exclusive);
        overlap.inclusive += usize::from(inclusive);
        overlap.new += usize::from(!exclusive && !inclusive);
    }
    overlap
}

/// The `count` methods of greatest cost; ties in the order of the methods,
/// which is that of class, name and descriptor.
fn top(
    methods: impl Iterator<Item = usize>,
    count: usize,
    cost: impl Fn(usize) -> u64,
) -> Vec<usize> {
    let mut methods: Vec<usize> = methods.collect();
    methods.sort_by_key(|&method| (Reverse(cost(method)), method));
    methods.truncate(count);
    methods
}
