//! What lies below a method, all its contexts merged: as far as it is induced by
//! the method, or all of it.

use profile::NO_PARENT;

use crate::Tree;
use crate::error::Result;
use crate::merge::merge;

/// The contexts below some contexts of a tree, merged path by path.
#[derive(Debug, Default)]
pub struct Region {
    /// Method of each context, in preorder.
    pub method: Vec<u32>,
    /// Parent of each context or [`NO_PARENT`].
    pub parent: Vec<u32>,
    /// Cost of each context itself.
    pub cost: Vec<u64>,
    /// Calls of each context; empty if they were not counted.
    pub calls: Vec<u64>,
}

impl Region {
    /// What the methods for which `opens` is true induce (Maplesden et al. 2015, section 4):
    /// their contexts and all below down to the next method that subsumes. Roots
    /// below which nothing subsumes belong to it if `with_root`.
    ///
    /// # Errors
    /// If the tree is not in preorder.
    pub fn induced(
        tree: &Tree,
        subsumes: &[bool],
        opens: impl Fn(u32) -> bool,
        with_root: bool,
    ) -> Result<Self> {
        Self::collect(tree, |method, above| match (opens(method), above) {
            (true, _) => Belongs::Opens,
            (false, _) if subsumes[method as usize] => Belongs::Not,
            (false, Above::Root) if with_root => Belongs::Opens,
            (false, Above::Inside) => Belongs::Inside,
            _ => Belongs::Not,
        })
    }

    /// All below the outermost contexts of a method.
    ///
    /// # Errors
    /// If the tree is not in preorder.
    pub fn inclusive(tree: &Tree, opened: u32) -> Result<Self> {
        Self::collect(tree, |method, above| match above {
            Above::Inside => Belongs::Inside,
            _ if method == opened => Belongs::Opens,
            _ => Belongs::Not,
        })
    }

    fn collect(tree: &Tree, belongs: impl Fn(u32, Above) -> Belongs) -> Result<Self> {
        const OUTSIDE: u32 = u32::MAX;
        // By node of the tree: its number in the region.
        let mut place = vec![OUTSIDE; tree.len()];
        let mut region = Self::default();
        let calls = tree.calls();
        for node in 0..tree.len() {
            let above = match tree.parent[node] {
                NO_PARENT => Above::Root,
                parent if place[parent as usize] == OUTSIDE => Above::Outside,
                _ => Above::Inside,
            };
            let parent = match belongs(tree.method[node], above) {
                Belongs::Not => continue,
                Belongs::Opens => NO_PARENT,
                Belongs::Inside => place[tree.parent[node] as usize],
            };
            place[node] = region.method.len() as u32;
            region.method.push(tree.method[node]);
            region.parent.push(parent);
            region.cost.push(tree.cost()[node]);
            region.calls.extend(calls.map(|calls| calls[node]));
        }
        region.merged(tree.methods.len())
    }

    /// With contexts of the same path merged into one. A context that opens lies
    /// within the subtree of another one where a method recurses, so the trees are
    /// brought one behind the other first.
    fn merged(self, methods: usize) -> Result<Self> {
        let ordered = self.one_tree_behind_the_other();
        let all = 0..ordered.method.len() as u32;
        let costs = [&ordered.cost[..], &ordered.calls[..]];
        let costs = if ordered.calls.is_empty() { &costs[..1] } else { &costs[..] };
        let merged = merge(&ordered.method, methods, ordered.parent, &[all], costs)?;
        let mut costs = merged.costs.into_iter();
        Ok(Self {
            method: merged.label,
            parent: merged.parent,
            cost: costs.next().unwrap_or_default(),
            calls: costs.next().unwrap_or_default(),
        })
    }

    fn one_tree_behind_the_other(self) -> Self {
        let mut root: Vec<u32> = Vec::with_capacity(self.parent.len());
        for (node, &parent) in (0..).zip(&self.parent) {
            root.push(if parent == NO_PARENT { node } else { root[parent as usize] });
        }
        let mut order: Vec<u32> = (0..self.parent.len() as u32).collect();
        // Stable: nodes of one tree stay in preorder.
        order.sort_by_key(|&node| root[node as usize]);
        let mut new_number = vec![0; order.len()];
        for (number, &node) in (0..).zip(&order) {
            new_number[node as usize] = number;
        }
        let parent = |&node: &u32| match self.parent[node as usize] {
            NO_PARENT => NO_PARENT,
            parent => new_number[parent as usize],
        };
        let column = |values: &[u64]| -> Vec<u64> {
            if values.is_empty() {
                return Vec::new();
            }
            order.iter().map(|&node| values[node as usize]).collect()
        };
        Self {
            method: order.iter().map(|&node| self.method[node as usize]).collect(),
            parent: order.iter().map(parent).collect(),
            cost: column(&self.cost),
            calls: column(&self.calls),
        }
    }

    /// Cost of each context with all below it that belongs to the region.
    pub fn inclusive_costs(&self) -> Vec<u64> {
        let mut costs = self.cost.clone();
        for node in (0..costs.len()).rev() {
            if self.parent[node] != NO_PARENT {
                costs[self.parent[node] as usize] += costs[node];
            }
        }
        costs
    }

    /// The methods from the top of the region to a context.
    pub fn path(&self, node: u32) -> Vec<u32> {
        let parent = |&node: &u32| Some(self.parent[node as usize]).filter(|&p| p != NO_PARENT);
        let mut path: Vec<u32> = std::iter::successors(Some(node), parent).collect();
        path.reverse();
        path
    }
}

/// What a context's caller is.
#[derive(Clone, Copy)]
enum Above {
    /// There is none.
    Root,
    /// A context of the region.
    Inside,
    /// Another context.
    Outside,
}

/// What a context is to the region.
enum Belongs {
    /// One of its tops.
    Opens,
    /// Part of it below its caller.
    Inside,
    /// No part of it.
    Not,
}
