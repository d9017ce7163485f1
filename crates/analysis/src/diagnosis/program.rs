//! The calling context tree that all evidence is brought to: what a recording of calls knows.

use std::ops::Range;

use profile::NO_PARENT;
use rustc_hash::FxHashMap;
use tree::Tree;
use tree::names::method::Method;
use tree::owners::{Owner, Owners};
use tree::views::landings::{Landing, landings};

use super::LEAST_SHARE;
use super::region::{Region, Sums};

/// The tree of a recording of calls, without its start, and what is asked of it.
#[derive(Debug)]
pub struct Program<'t> {
    /// The tree; its first metric is bytecodes.
    pub tree: &'t Tree,
    /// Whose code classes are.
    pub owners: Owners,
    /// Of each method whether it is the JDK's.
    pub is_platform: Vec<bool>,
    /// Node after the last one of each subtree.
    pub ends: Vec<u32>,
    /// Sums of the cost, and of the samples.
    cost: Sums,
    time: Sums,
    numbers: FxHashMap<&'t Method, u32>,
    /// Outermost contexts of each method.
    outermost: Vec<Vec<u32>>,
    /// The methods in which the cost lands, the greatest first, that are worth telling.
    pub places: Vec<Landing>,
}

impl<'t> Program<'t> {
    /// Of a tree.
    pub fn new(tree: &'t Tree) -> Self {
        let is_platform = tree.are_platform();
        Self {
            tree,
            owners: tree.owners(),
            places: landings(tree, &is_platform, least(tree)),
            is_platform,
            ends: tree.subtree_ends(),
            cost: Sums::new(tree.cost()),
            time: Sums::new(tree.time().unwrap_or_default()),
            numbers: tree.methods.iter().zip(0..).collect(),
            outermost: outermost(tree),
        }
    }

    /// The number of a method, if it was executed.
    pub fn number(&self, method: &Method) -> Option<u32> {
        self.numbers.get(method).copied()
    }

    /// The contexts of a method that none of its own contexts stands above.
    pub fn contexts(&self, method: u32) -> &[u32] {
        &self.outermost[method as usize]
    }

    /// A context with all below it.
    pub fn subtree(&self, node: u32) -> Range<u32> {
        node..self.ends[node as usize]
    }

    /// The contexts of a method with all below them.
    pub fn region(&self, method: u32) -> Region {
        Region::new(self.contexts(method).iter().map(|&node| self.subtree(node)).collect())
    }

    /// What a region costs.
    pub fn cost(&self, region: &Region) -> u64 {
        region.sum(&self.cost)
    }

    /// What a subtree costs.
    pub fn inclusive(&self, node: u32) -> u64 {
        self.cost.of(&self.subtree(node))
    }

    /// Samples of a plain run in a region.
    pub fn samples(&self, region: &Region) -> u64 {
        region.sum(&self.time)
    }

    /// Calls of a method in the contexts of a region.
    pub fn calls(&self, region: &Region, method: u32) -> u64 {
        let calls = self.tree.calls().unwrap_or_default();
        // All of its contexts are there, recursive ones included.
        let below = region.intersection(&self.region(method));
        let nodes = below.ranges().iter().cloned().flatten().map(|node| node as usize);
        let of_method = nodes.filter(|&node| self.tree.method[node] == method);
        of_method.filter_map(|node| calls.get(node)).sum()
    }

    /// The callees of a context.
    pub fn callees(&self, node: u32) -> impl Iterator<Item = u32> + '_ {
        let end = self.ends[node as usize];
        let next = move |&node: &u32| Some(self.ends[node as usize]).filter(|&next| next < end);
        std::iter::successors(Some(node + 1).filter(|&first| first < end), next)
    }

    /// The method of a context.
    pub fn method(&self, node: u32) -> &'t Method {
        &self.tree.methods[self.tree.method[node as usize] as usize]
    }

    /// Whose method a context is of.
    pub fn owner(&self, node: u32) -> Owner {
        self.owners.owner(&self.method(node).class)
    }

    /// The costliest of some contexts.
    pub fn costliest(&self, nodes: &[u32]) -> Option<u32> {
        nodes.iter().copied().max_by_key(|&node| (self.inclusive(node), std::cmp::Reverse(node)))
    }

    /// Of each context: the nearest one, itself or above, that is neither the JDK's nor a
    /// constructor. That method decides to make an object, so it can do without it.
    pub fn workers(&self) -> Vec<u32> {
        let works = self.tree.methods.iter().zip(&self.is_platform);
        let works: Vec<bool> =
            works.map(|(method, is_platform)| !is_platform && method.name != "<init>").collect();
        let mut workers: Vec<u32> = Vec::with_capacity(self.tree.len());
        for (node, (&method, &parent)) in (0..).zip(self.tree.method.iter().zip(&self.tree.parent))
        {
            workers.push(match (works[method as usize], parent) {
                (false, parent) if parent != NO_PARENT => workers[parent as usize],
                _ => node,
            });
        }
        workers
    }
}

/// The least cost in a tree that is worth telling.
pub fn least(tree: &Tree) -> u64 {
    ((LEAST_SHARE * tree.total() as f64) as u64).max(1)
}

/// Of each method the contexts that none of its own stands above.
fn outermost(tree: &Tree) -> Vec<Vec<u32>> {
    let mut contexts = vec![Vec::new(); tree.methods.len()];
    let outermost = tree::views::landings::outermost(tree);
    for (node, (&method, is_outermost)) in (0..).zip(tree.method.iter().zip(outermost)) {
        if is_outermost {
            contexts[method as usize].push(node);
        }
    }
    contexts
}
