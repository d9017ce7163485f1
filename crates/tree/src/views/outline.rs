//! The costliest contexts of a tree, as many as a picture needs.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use profile::NO_PARENT;

use crate::Tree;
use crate::walk::{Visitor, walk};

/// A context with its subtree.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Outlined {
    /// Cost of the subtree.
    pub inclusive: u64,
    /// The context; the earlier one is the greater one where costs are equal, so
    /// that no context is greater than its caller.
    pub node: Reverse<u32>,
    /// Contexts in the subtree, itself included.
    pub contexts: u32,
}

/// The `count` contexts of greatest inclusive cost, the greatest first. A context
/// stands behind its caller, so the first ones are a tree, however many they are.
/// Contexts that cost nothing are left out.
pub fn outline(tree: &Tree, count: usize) -> Vec<Outlined> {
    let mut pass =
        Pass { tree, spent: 0, entered: 0, open: Vec::new(), count, best: BinaryHeap::new() };
    if count > 0 {
        walk(&tree.parent, &mut pass);
    }
    pass.best.into_sorted_vec().into_iter().map(|Reverse(outlined)| outlined).collect()
}

struct Pass<'a> {
    tree: &'a Tree,
    /// Cost of all contexts entered so far, and how many these are.
    spent: u64,
    entered: u32,
    /// What both were when an open context was entered.
    open: Vec<(u64, u32)>,
    count: usize,
    /// The best ones, the least on top.
    best: BinaryHeap<Reverse<Outlined>>,
}

impl Visitor for Pass<'_> {
    fn enter(&mut self, node: u32) {
        self.open.push((self.spent, self.entered));
        self.spent += self.tree.cost()[node as usize];
        self.entered += 1;
    }

    fn leave(&mut self, node: u32) {
        let Some((spent, entered)) = self.open.pop() else { return };
        let inclusive = self.spent - spent;
        let contexts = self.entered - entered;
        let found = Outlined { inclusive, node: Reverse(node), contexts };
        if inclusive == 0 {
            return;
        }
        if self.best.len() < self.count {
            self.best.push(Reverse(found));
        } else if let Some(mut least) = self.best.peek_mut()
            && least.0 < found
        {
            least.0 = found;
        }
    }
}

/// The place of each outlined context's caller among them; `None` for roots.
pub fn callers(tree: &Tree, outlined: &[Outlined]) -> Vec<Option<u32>> {
    let mut places: rustc_hash::FxHashMap<u32, u32> = rustc_hash::FxHashMap::default();
    let of_each = (0..).zip(outlined).map(|(place, outlined)| {
        let Reverse(node) = outlined.node;
        places.insert(node, place);
        match tree.parent[node as usize] {
            NO_PARENT => None,
            parent => places.get(&parent).copied(),
        }
    });
    of_each.collect()
}
