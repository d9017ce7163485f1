//! Costs of methods: exclusive, inclusive, calls and contexts.

use std::cmp::Reverse;

use crate::Tree;
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
    let columns = Labelled {
        label: &tree.method,
        parent: &tree.parent,
        cost: tree.cost(),
        calls: tree.calls(),
    };
    columns.costs(tree.methods.len())
}

/// The executed methods, that of greatest inclusive cost first.
pub fn by_inclusive_cost(costs: &[Costs]) -> Vec<u32> {
    let mut order: Vec<u32> =
        (0..).zip(costs).filter(|(_, c)| c.contexts > 0).map(|(m, _)| m).collect();
    order.sort_by_key(|&method| {
        let costs = &costs[method as usize];
        (Reverse(costs.inclusive), Reverse(costs.exclusive), Reverse(costs.calls), method)
    });
    order
}

/// Columns of a tree, or of several, whose nodes have labels.
#[derive(Debug, Clone, Copy)]
pub struct Labelled<'a> {
    /// What the costs are summed by.
    pub label: &'a [u32],
    /// Parent of each node or [`profile::NO_PARENT`], in preorder.
    pub parent: &'a [u32],
    /// Cost of each node.
    pub cost: &'a [u64],
    /// Calls of each node, if they were counted.
    pub calls: Option<&'a [u64]>,
}

impl Labelled<'_> {
    /// The costs of each label; labels are numbers below `labels`.
    pub fn costs(self, labels: usize) -> Vec<Costs> {
        let none = Costs { calls: self.calls.map(|_| 0), ..Costs::default() };
        let mut pass = Pass {
            columns: self,
            spent: 0,
            active: vec![Active::default(); labels],
            costs: vec![none; labels],
        };
        walk(self.parent, &mut pass);
        pass.costs
    }
}

/// The activations of one label on the path to the node reached.
#[derive(Clone, Copy, Default)]
struct Active {
    nodes: u32,
    /// What had been spent when the outermost one was entered. In preorder,
    /// what is spent until a node is left is the cost of its subtree.
    since: u64,
}

struct Pass<'a> {
    columns: Labelled<'a>,
    /// Cost of all nodes entered so far.
    spent: u64,
    active: Vec<Active>,
    costs: Vec<Costs>,
}

impl Visitor for Pass<'_> {
    fn enter(&mut self, node: u32) {
        let node = node as usize;
        let label = self.columns.label[node] as usize;
        let active = &mut self.active[label];
        if active.nodes == 0 {
            active.since = self.spent;
        }
        active.nodes += 1;
        let costs = &mut self.costs[label];
        costs.exclusive += self.columns.cost[node];
        costs.contexts += 1;
        if let (Some(sum), Some(calls)) = (&mut costs.calls, self.columns.calls) {
            *sum += calls[node];
        }
        self.spent += self.columns.cost[node];
    }

    fn leave(&mut self, node: u32) {
        let label = self.columns.label[node as usize] as usize;
        let active = &mut self.active[label];
        active.nodes -= 1;
        if active.nodes == 0 {
            self.costs[label].inclusive += self.spent - active.since;
        }
    }
}
