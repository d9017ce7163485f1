//! Costs of methods: exclusive, inclusive, calls and contexts.

use crate::tree::Tree;
use crate::walk::{Visitor, walk};

/// The costs of one method, summed over its contexts.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Costs {
    /// Cost of its own contexts.
    pub exclusive: u64,
    /// Cost of the subtrees of those of its contexts that have no ancestor of
    /// the same method, so that recursion counts once.
    pub inclusive: u64,
    /// Its calls; `None` if the profiles have not counted them.
    pub calls: Option<u64>,
    /// Number of its contexts.
    pub contexts: u64,
}

/// The costs of each method of the tree, in the order of its table.
pub fn costs(tree: &Tree) -> Vec<Costs> {
    let none = Costs { calls: tree.calls().map(|_| 0), ..Costs::default() };
    let mut pass = Pass {
        method: &tree.method,
        cost: tree.cost(),
        calls: tree.calls(),
        spent: 0,
        active: vec![Active::default(); tree.methods.len()],
        costs: vec![none; tree.methods.len()],
    };
    walk(&tree.parent, &mut pass);
    pass.costs
}

/// The activations of one method on the path to the node reached.
#[derive(Clone, Copy, Default)]
struct Active {
    nodes: u32,
    /// What had been spent when the outermost one was entered. In preorder,
    /// what is spent until a node is left is the cost of its subtree.
    since: u64,
}

struct Pass<'a> {
    method: &'a [u32],
    cost: &'a [u64],
    calls: Option<&'a [u64]>,
    /// Cost of all nodes entered so far.
    spent: u64,
    active: Vec<Active>,
    costs: Vec<Costs>,
}

impl Visitor for Pass<'_> {
    fn enter(&mut self, node: u32) {
        let node = node as usize;
        let method = self.method[node] as usize;
        let active = &mut self.active[method];
        if active.nodes == 0 {
            active.since = self.spent;
        }
        active.nodes += 1;
        let costs = &mut self.costs[method];
        costs.exclusive += self.cost[node];
        costs.contexts += 1;
        if let (Some(sum), Some(calls)) = (&mut costs.calls, self.calls) {
            *sum += calls[node];
        }
        self.spent += self.cost[node];
    }

    fn leave(&mut self, node: u32) {
        let method = self.method[node as usize] as usize;
        let active = &mut self.active[method];
        active.nodes -= 1;
        if active.nodes == 0 {
            self.costs[method].inclusive += self.spent - active.since;
        }
    }
}
