//! The calling context tree that all evidence is brought to: what a recording of calls knows.

use std::ops::Range;

use base::number::counted;
use profile::NO_PARENT;
use rustc_hash::FxHashMap;
use tree::Tree;
use tree::names::method::Method;
use tree::owners::{Owner, Owners};
use tree::time::precision::FEWEST;
use tree::views::landings::{Landing, landings};
use tree::views::movers::MOVED;

use super::LEAST_SHARE;
use super::copying::GrowingCopy;
use super::evidence::Evidence;
use super::region::{Region, Sums};

/// Fewer moved elements than this share of the bytecodes are not worth telling: moving one takes
/// less time than a bytecode.
pub const MANY_MOVED: f64 = 0.02;

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
    /// Copies that grow, as far as the recording tells.
    pub growing: &'t [GrowingCopy],
    /// Sums of the cost, of the samples, and of moved elements.
    cost: Sums,
    time: Sums,
    moved: Sums,
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
        let moved = tree.metrics.iter().find(|metric| metric.name == MOVED);
        Self {
            tree,
            owners: tree.owners(),
            places: landings(tree, &is_platform, least(tree)),
            is_platform,
            ends: tree.subtree_ends(),
            growing: &[],
            cost: Sums::new(tree.cost()),
            time: Sums::new(tree.time().unwrap_or_default()),
            moved: Sums::new(moved.map_or(&[], |metric| &metric.values)),
            numbers: tree.methods.iter().zip(0..).collect(),
            outermost: outermost(tree),
        }
    }

    /// With copies that grow.
    pub fn with_growing(self, growing: &'t [GrowingCopy]) -> Self {
        Self { growing, ..self }
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

    /// All contexts of a method, also those within its own.
    pub fn all_contexts(&self, method: u32) -> Vec<u32> {
        let nodes = (0..).zip(&self.tree.method);
        nodes.filter(|&(_, &of)| of == method).map(|(node, _)| node).collect()
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

    /// Brings the elements that are moved where evidence lies into it. Bytecodes say little where
    /// they outnumber these: if a plain run has enough samples, the rank is by its time there.
    pub fn add_moved(&self, evidence: &mut Evidence) {
        let cost = self.cost(&evidence.region).max(1) as f64;
        let all = evidence.region.sum(&self.moved);
        let part = (evidence.saving as f64 / cost).min(1.0);
        let moved = (all as f64 * part) as u64;
        if evidence.moved == 0 {
            evidence.moved = moved;
            if moved as f64 >= MANY_MOVED * self.tree.total() as f64 {
                let elements = counted(moved, "element");
                evidence.sentence +=
                    &format!("; about {elements} are moved there, without bytecodes");
            }
        }
        let samples = self.time.of(&(0..self.tree.len() as u32));
        if evidence.moved as f64 >= cost * part && samples >= FEWEST {
            let share = self.samples(&evidence.region) as f64 / samples as f64;
            let by_time = evidence.likely as f64 / cost * share * self.tree.total() as f64;
            evidence.likely = evidence.likely.max(by_time as u64);
        }
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
