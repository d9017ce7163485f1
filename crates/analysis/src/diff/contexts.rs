//! The difference by context.
//!
//! Contexts of both trees are paired by their paths. What is in one tree only
//! is told once, with its whole subtree, so the differences told add up to the
//! difference of the trees.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use crate::diff::pairing::{Visitor, walk};
use tree::Tree;

/// A context that costs more or less than before, or a subtree that is only
/// in one of the trees.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct ContextDifference {
    /// Its node in the base, if it is there.
    pub base: Option<u32>,
    /// Its node in the new tree, if it is there.
    pub new: Option<u32>,
    /// The difference: of the exclusive costs if it is in both, else the cost
    /// of the whole subtree.
    pub cost: i128,
}

/// The differences found.
#[derive(Debug, Default)]
pub struct Contexts {
    /// The greatest ones first.
    pub greatest: Vec<ContextDifference>,
    /// How many there are.
    pub found: u64,
    /// Contexts that are in both trees.
    pub common: u64,
    /// Contexts that are only in the new tree.
    pub new: u64,
    /// Contexts that are only in the base.
    pub gone: u64,
}

/// Compares trees that share one table of methods by their first metric, and
/// keeps the `top` greatest differences; ties in favour of what comes first.
pub fn by_context(base: &Tree, new: &Tree, top: usize) -> Contexts {
    let (base_ends, new_ends) = (base.subtree_ends(), new.subtree_ends());
    let mut greatest = Greatest {
        base: Side { tree: base, ends: &base_ends },
        new: Side { tree: new, ends: &new_ends },
        top,
        heap: BinaryHeap::new(),
        found: Contexts::default(),
    };
    walk((base, &base_ends), (new, &new_ends), &mut greatest);
    let mut found = greatest.found;
    let sorted = greatest.heap.into_sorted_vec();
    found.greatest = sorted.into_iter().map(|Reverse(key)| key.2).collect();
    found
}

/// One of the trees.
struct Side<'t> {
    tree: &'t Tree,
    ends: &'t [u32],
}

impl Side<'_> {
    fn cost(&self, node: u32) -> i128 {
        self.tree.cost()[node as usize].into()
    }

    fn subtree(&self, node: u32) -> i128 {
        let nodes = node as usize..self.ends[node as usize] as usize;
        self.tree.cost()[nodes].iter().map(|&cost| i128::from(cost)).sum()
    }

    fn contexts(&self, node: u32) -> u64 {
        u64::from(self.ends[node as usize] - node)
    }
}

/// Order of differences: by magnitude, then the first one found.
type Key = (u128, Reverse<u64>, ContextDifference);

/// The greatest differences of those told so far.
struct Greatest<'t> {
    base: Side<'t>,
    new: Side<'t>,
    top: usize,
    /// The least one on top.
    heap: BinaryHeap<Reverse<Key>>,
    found: Contexts,
}

impl Visitor for Greatest<'_> {
    fn both(&mut self, base: u32, new: u32) {
        let cost = self.new.cost(new) - self.base.cost(base);
        self.found.common += 1;
        self.note(ContextDifference { base: Some(base), new: Some(new), cost });
    }

    fn base_only(&mut self, node: u32) {
        self.found.gone += self.base.contexts(node);
        let cost = -self.base.subtree(node);
        self.note(ContextDifference { base: Some(node), new: None, cost });
    }

    fn new_only(&mut self, node: u32) {
        self.found.new += self.new.contexts(node);
        let cost = self.new.subtree(node);
        self.note(ContextDifference { base: None, new: Some(node), cost });
    }
}

impl Greatest<'_> {
    fn note(&mut self, difference: ContextDifference) {
        if difference.cost == 0 && difference.base.is_some() && difference.new.is_some() {
            return;
        }
        let key = (difference.cost.unsigned_abs(), Reverse(self.found.found), difference);
        self.found.found += 1;
        if self.heap.len() < self.top {
            self.heap.push(Reverse(key));
        } else if let Some(mut least) = self.heap.peek_mut()
            && least.0 < key
        {
            *least = Reverse(key);
        }
    }
}
