//! Who calls a method and what it calls, of all methods at once.
//!
//! Recursion counts once, as in inclusive cost: only contexts of a method that
//! have no ancestor of the same method are looked at, whether it is seen as the
//! callee or as the caller.

use profile::NO_PARENT;
use rustc_hash::FxHashMap;

use crate::Tree;
use crate::walk::{Visitor, walk};

/// Calls and what they cost.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Part {
    /// Contexts that were called.
    pub contexts: u32,
    /// Cost of their subtrees.
    pub cost: u64,
    /// Their calls, 0 if calls were not counted.
    pub calls: u64,
}

/// All calls of one method by another one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Edge {
    /// The caller; `None` above the roots.
    pub caller: Option<u32>,
    /// The callee.
    pub callee: u32,
    /// What the callee costs there, among its callers.
    pub of_callee: Part,
    /// What the caller spends there, among its callees.
    pub of_caller: Part,
}

/// The edges between all methods.
#[derive(Debug, Default)]
pub struct Neighbours {
    /// In the order of caller and callee.
    pub edges: Vec<Edge>,
    /// Per method: cost of its outermost contexts themselves. With what it
    /// spends on its callees this makes its inclusive cost.
    pub own: Vec<u64>,
}

/// The neighbours of each method of the tree.
pub fn neighbours(tree: &Tree) -> Neighbours {
    let mut pass = Pass {
        tree,
        calls: tree.calls(),
        spent: 0,
        active: vec![0; tree.methods.len()],
        open: Vec::new(),
        own: vec![0; tree.methods.len()],
        parts: FxHashMap::default(),
    };
    walk(&tree.parent, &mut pass);
    let edges = pass.parts.into_iter().map(|((caller, callee), (of_callee, of_caller))| Edge {
        caller: (caller != NO_PARENT).then_some(caller),
        callee,
        of_callee,
        of_caller,
    });
    let mut edges: Vec<Edge> = edges.collect();
    edges.sort_unstable_by_key(|edge| (edge.caller, edge.callee));
    Neighbours { edges, own: pass.own }
}

/// A context that has been entered and not left.
struct Open {
    is_outermost: bool,
    /// What had been spent when it was entered. In preorder, what is spent
    /// until it is left is the cost of its subtree.
    since: u64,
}

struct Pass<'a> {
    tree: &'a Tree,
    calls: Option<&'a [u64]>,
    /// Cost of all contexts entered so far.
    spent: u64,
    /// Open contexts of each method.
    active: Vec<u32>,
    open: Vec<Open>,
    own: Vec<u64>,
    /// By caller, [`NO_PARENT`] above the roots, and callee: the parts as seen
    /// by the callee and by the caller.
    parts: FxHashMap<(u32, u32), (Part, Part)>,
}

impl Visitor for Pass<'_> {
    fn enter(&mut self, node: u32) {
        let node = node as usize;
        let method = self.tree.method[node] as usize;
        let is_outermost = self.active[method] == 0;
        self.active[method] += 1;
        if is_outermost {
            self.own[method] += self.tree.cost()[node];
        }
        self.open.push(Open { is_outermost, since: self.spent });
        self.spent += self.tree.cost()[node];
    }

    fn leave(&mut self, node: u32) {
        let node = node as usize;
        let method = self.tree.method[node];
        self.active[method as usize] -= 1;
        let Some(open) = self.open.pop() else { return };
        let of_outermost = self.open.last().is_some_and(|caller| caller.is_outermost);
        if !open.is_outermost && !of_outermost {
            return;
        }
        let caller = match self.tree.parent[node] {
            NO_PARENT => NO_PARENT,
            parent => self.tree.method[parent as usize],
        };
        let (of_callee, of_caller) = self.parts.entry((caller, method)).or_default();
        let calls = self.calls.map_or(0, |calls| calls[node]);
        let cost = self.spent - open.since;
        let wanted = [(open.is_outermost, of_callee), (of_outermost, of_caller)];
        for (_, part) in wanted.into_iter().filter(|(wanted, _)| *wanted) {
            part.contexts += 1;
            part.cost += cost;
            part.calls += calls;
        }
    }
}
