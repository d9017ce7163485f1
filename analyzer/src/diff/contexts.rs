//! The difference by context.
//!
//! Contexts of both trees are paired by their paths. What is in one tree only
//! is told once, with its whole subtree, so the differences told add up to the
//! difference of the trees.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use crate::tree::Tree;

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
    let mut walk = Walk {
        base: Side::new(base),
        new: Side::new(new),
        top,
        heap: BinaryHeap::new(),
        of_method: vec![NONE; base.methods.len()],
        found: Contexts::default(),
    };
    let roots = (0, base.len() as u32, 0, new.len() as u32);
    let mut pending = Vec::new();
    walk.pair_children(roots, &mut pending);
    while let Some((base, new)) = pending.pop() {
        let cost = i128::from(walk.new.cost(new)) - i128::from(walk.base.cost(base));
        walk.found.common += 1;
        walk.note(ContextDifference { base: Some(base), new: Some(new), cost });
        let below = (base + 1, walk.base.ends[base as usize], new + 1, walk.new.ends[new as usize]);
        walk.pair_children(below, &mut pending);
    }
    let mut found = walk.found;
    found.greatest = walk.heap.into_sorted_vec().into_iter().map(|Reverse(key)| key.2).collect();
    found
}

const NONE: u32 = u32::MAX;

/// One of the trees.
struct Side<'t> {
    tree: &'t Tree,
    ends: Vec<u32>,
}

impl<'t> Side<'t> {
    fn new(tree: &'t Tree) -> Self {
        Self { tree, ends: tree.subtree_ends() }
    }

    fn cost(&self, node: u32) -> u64 {
        self.tree.cost()[node as usize]
    }

    fn subtree(&self, node: u32) -> i128 {
        let nodes = node as usize..self.ends[node as usize] as usize;
        self.tree.cost()[nodes].iter().map(|&cost| i128::from(cost)).sum()
    }
}

/// Order of differences: by magnitude, then the first one found.
type Key = (u128, Reverse<u64>, ContextDifference);

struct Walk<'t> {
    base: Side<'t>,
    new: Side<'t>,
    top: usize,
    /// The least one on top.
    heap: BinaryHeap<Reverse<Key>>,
    /// The base's child with each method, among the children at hand.
    of_method: Vec<u32>,
    found: Contexts,
}

impl Walk<'_> {
    /// Pairs the roots of subtrees between two nodes in each tree.
    fn pair_children(
        &mut self,
        (base, base_end, new, new_end): (u32, u32, u32, u32),
        pending: &mut Vec<(u32, u32)>,
    ) {
        let mut child = base;
        while child < base_end {
            self.of_method[self.base.tree.method[child as usize] as usize] = child;
            child = self.base.ends[child as usize];
        }
        let first = pending.len();
        let mut child = new;
        while child < new_end {
            let place = &mut self.of_method[self.new.tree.method[child as usize] as usize];
            match std::mem::replace(place, NONE) {
                NONE => {
                    self.found.new += u64::from(self.new.ends[child as usize] - child);
                    let cost = self.new.subtree(child);
                    self.note(ContextDifference { base: None, new: Some(child), cost });
                }
                in_base => pending.push((in_base, child)),
            }
            child = self.new.ends[child as usize];
        }
        // The first one is the next to be taken.
        pending[first..].reverse();
        let mut child = base;
        while child < base_end {
            let place = &mut self.of_method[self.base.tree.method[child as usize] as usize];
            if std::mem::replace(place, NONE) == child {
                self.found.gone += u64::from(self.base.ends[child as usize] - child);
                let cost = -self.base.subtree(child);
                self.note(ContextDifference { base: Some(child), new: None, cost });
            }
            child = self.base.ends[child as usize];
        }
    }

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
