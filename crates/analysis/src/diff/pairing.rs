//! The contexts of two trees, paired by their paths.

use std::mem::replace;

use tree::Tree;

/// What a walk through both trees finds.
pub trait Visitor {
    /// A context that is in both trees; those above have been told.
    fn both(&mut self, base: u32, new: u32);
    /// A context that is in the base only, like all below it, which are not told;
    /// that above, if any, is in both trees and has been told.
    fn base_only(&mut self, node: u32);
    /// A context that is in the new tree only, like all below it, which are not told;
    /// that above, if any, is in both trees and has been told.
    fn new_only(&mut self, node: u32);
}

/// Walks through two trees that share one table of methods, `base_ends` and
/// `new_ends` being their [`Tree::subtree_ends`]. Pairs come in the new tree's
/// preorder, contexts of one tree when those above them have been told.
pub fn walk(
    (base, base_ends): (&Tree, &[u32]),
    (new, new_ends): (&Tree, &[u32]),
    visitor: &mut impl Visitor,
) {
    let mut siblings = Siblings {
        base: (base, base_ends),
        new: (new, new_ends),
        of_method: vec![NONE; base.methods.len()],
    };
    let mut pending = Vec::new();
    siblings.pair([0, base.len() as u32], [0, new.len() as u32], &mut pending, visitor);
    while let Some((old, now)) = pending.pop() {
        visitor.both(old, now);
        let below_old = [old + 1, base_ends[old as usize]];
        let below_now = [now + 1, new_ends[now as usize]];
        siblings.pair(below_old, below_now, &mut pending, visitor);
    }
}

const NONE: u32 = u32::MAX;

/// Pairs siblings by their methods.
struct Siblings<'t> {
    base: (&'t Tree, &'t [u32]),
    new: (&'t Tree, &'t [u32]),
    /// The base's child with each method, among the children at hand.
    of_method: Vec<u32>,
}

impl Siblings<'_> {
    /// Pairs the roots of the subtrees in a range of nodes of each tree. The first
    /// pair is the next to be taken from `pending`.
    fn pair(
        &mut self,
        [base_start, base_end]: [u32; 2],
        [new_start, new_end]: [u32; 2],
        pending: &mut Vec<(u32, u32)>,
        visitor: &mut impl Visitor,
    ) {
        let ((base, base_ends), (new, new_ends)) = (self.base, self.new);
        let mut child = base_start;
        while child < base_end {
            self.of_method[base.method[child as usize] as usize] = child;
            child = base_ends[child as usize];
        }
        let first = pending.len();
        let mut child = new_start;
        while child < new_end {
            match replace(&mut self.of_method[new.method[child as usize] as usize], NONE) {
                NONE => visitor.new_only(child),
                old => pending.push((old, child)),
            }
            child = new_ends[child as usize];
        }
        pending[first..].reverse();
        let mut child = base_start;
        while child < base_end {
            if replace(&mut self.of_method[base.method[child as usize] as usize], NONE) == child {
                visitor.base_only(child);
            }
            child = base_ends[child as usize];
        }
    }
}
