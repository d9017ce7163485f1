//! The ways to bottlenecks, as people read them: from one's own code by each library to what
//! has the cost. Bottlenecks whose ways end alike are one entry.

use std::collections::BTreeSet;

use rustc_hash::FxHashMap;
use tree::Tree;
use tree::owners::{Owner, Owners};
use tree::views::folding::{Extent, Frame};
use tree::views::way_in::{Stop, way_along, way_in};

use super::culprits::Culprit;
use super::interface::{Cost, ProfileInterface};

/// A context stands for all that have its sequence of calls if it has this share of their cost.
const MOST: f64 = 0.5;

/// How a sequence of calls is reached.
#[derive(Debug, Clone, PartialEq)]
pub struct Way {
    /// The costliest context at the end of the sequence; `None` if the tree has none.
    pub context: Option<u32>,
    /// Contexts at the end of the sequence.
    pub contexts: u32,
    /// The way into the costliest context, if it stands for most of the cost; otherwise the
    /// calls of the sequence.
    pub stops: Vec<Stop>,
    /// Where no context stands for the others: for whom the sequence does most.
    pub user: Option<User>,
}

/// For whom a sequence of calls is executed.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct User {
    /// The nearest method above the sequence that is nearer to one's own code: not the JDK's, if
    /// the whole sequence is; otherwise one's own.
    pub method: u32,
    /// Its share of what the sequence costs.
    pub share: f64,
}

/// Finds ways in a tree.
pub struct Ways<'t> {
    tree: &'t Tree,
    owners: &'t Owners,
    inclusive: Vec<u64>,
    extent: Extent,
}

impl<'t> Ways<'t> {
    /// In a tree with these owners of classes; so much of each way is shown.
    pub fn new(tree: &'t Tree, owners: &'t Owners, extent: Extent) -> Self {
        Self { tree, owners, inclusive: tree.inclusive(), extent }
    }

    /// The way to a sequence of methods, the outermost one first.
    pub fn way(&self, sequence: &[u32]) -> Way {
        let ends = self.ends(sequence);
        let cost = |&node: &u32| self.inclusive[node as usize];
        let best = ends.iter().copied().max_by_key(|node| (cost(node), std::cmp::Reverse(*node)));
        let contexts = ends.len() as u32;
        let Some(context) = best else {
            return Way { context: None, contexts, stops: bare(sequence), user: None };
        };
        let all: u64 = ends.iter().map(cost).fold(0, u64::saturating_add);
        if cost(&context) as f64 >= MOST * all as f64 {
            let stops = way_in(self.tree, self.owners, context, self.extent);
            return Way { context: best, contexts, stops, user: None };
        }
        let path = self.tree.path(context);
        let path = &path[path.len() - sequence.len()..];
        let mut stops = way_along(self.tree, self.owners, path, self.extent);
        // These are of one context of many.
        stops.iter_mut().for_each(|stop| stop.calls_each = None);
        Way { context: best, contexts, stops, user: self.user(sequence, &ends, all) }
    }

    /// Contexts of the last method of a sequence whose callers are the others.
    fn ends(&self, sequence: &[u32]) -> Vec<u32> {
        let Some(&last) = sequence.last() else { return Vec::new() };
        let is_end = |&node: &u32| {
            self.tree.method[node as usize] == last && {
                let mut above = self.tree.and_callers(node).map(|n| self.tree.method[n as usize]);
                sequence.iter().rev().all(|&method| above.next() == Some(method))
            }
        };
        (0..self.tree.len() as u32).filter(is_end).collect()
    }

    /// The method for which a sequence with these ends does most.
    fn user(&self, sequence: &[u32], ends: &[u32], all: u64) -> Option<User> {
        let owner = |method: u32| self.owners.owner(&self.tree.methods[method as usize].class);
        let is_jdk = sequence.iter().all(|&method| owner(method) == Owner::Platform);
        let mut known: FxHashMap<u32, bool> = FxHashMap::default();
        let mut is_nearer = |method: u32| {
            *known.entry(method).or_insert_with(|| match owner(method) {
                Owner::Own => true,
                Owner::Library => is_jdk,
                Owner::Platform => false,
            })
        };
        let mut sums: FxHashMap<u32, u64> = FxHashMap::default();
        for &end in ends {
            let above = self.tree.and_callers(end).skip(sequence.len());
            let mut methods = above.map(|node| self.tree.method[node as usize]);
            if let Some(user) = methods.find(|&method| is_nearer(method)) {
                *sums.entry(user).or_default() += self.inclusive[end as usize];
            }
        }
        let (method, cost) =
            sums.into_iter().max_by_key(|&(method, cost)| (cost, std::cmp::Reverse(method)))?;
        Some(User { method, share: cost as f64 / all.max(1) as f64 })
    }

    /// What makes two ways one entry: the methods shown behind those of one's own.
    fn tail(&self, way: &Way) -> Vec<u32> {
        let methods: Vec<u32> = way.stops.iter().filter_map(|stop| stop.frame.method()).collect();
        let owner = |method: u32| self.owners.owner(&self.tree.methods[method as usize].class);
        let behind = methods.iter().rposition(|&m| owner(m) == Owner::Own).map_or(0, |at| at + 1);
        let tail = &methods[behind..];
        // The last method of the JDK alone is not the same thing everywhere.
        let says_enough = tail.len() > 1 || tail.iter().any(|&m| owner(m) == Owner::Library);
        if says_enough && way.user.is_none() { tail.to_vec() } else { methods }
    }
}

/// A sequence without anything known of it.
fn bare(sequence: &[u32]) -> Vec<Stop> {
    let stop =
        |&method: &u32| Stop { frame: Frame::Method(method), calls_each: None, inputs: None };
    sequence.iter().map(stop).collect()
}

/// Culprits with ways that end alike.
#[derive(Debug, Clone)]
pub struct Entry<S> {
    /// What they are together.
    pub culprit: Culprit<S>,
    /// The way to the first of them.
    pub way: Way,
    /// The methods of one's own from which the others are called.
    pub callers: Vec<u32>,
    /// How many of the others have the same methods in their ways from the first to the last.
    pub alike: usize,
}

/// Puts culprits together whose ways end alike; the first of each decides on the order.
pub fn entries<P: ProfileInterface>(
    profile: &P,
    ways: &Ways<'_>,
    culprits: Vec<Culprit<P::Summary>>,
) -> Vec<Entry<P::Summary>> {
    let mut entries: Vec<Entry<P::Summary>> = Vec::new();
    let mut by_tail: FxHashMap<Vec<u32>, usize> = FxHashMap::default();
    for culprit in culprits {
        let way = ways.way(profile.path_of(&culprit.summary));
        let tail = ways.tail(&way);
        let Some(&at) = by_tail.get(&tail) else {
            by_tail.insert(tail, entries.len());
            entries.push(Entry { culprit, way, callers: Vec::new(), alike: 0 });
            continue;
        };
        entries[at].add(culprit, &way, tail.len());
    }
    let mut covered: Cost = 0;
    for entry in &mut entries {
        let culprit = &mut entry.culprit;
        if culprit.pieces.len() > 1 {
            culprit.costs = profile.total_costs_of(&culprit.pieces);
        }
        covered += culprit.added.cum;
        culprit.covered = covered;
    }
    entries
}

impl<S> Entry<S> {
    /// Takes in another culprit, whose way ends in so many of the same methods.
    fn add(&mut self, culprit: Culprit<S>, way: &Way, tail: usize) {
        self.culprit.pieces.extend(culprit.pieces);
        self.culprit.others.extend(culprit.others);
        self.culprit.added.base += culprit.added.base;
        self.culprit.added.cum += culprit.added.cum;
        let callers = |way: &Way| {
            let methods = way.stops.iter().filter_map(|stop| stop.frame.method());
            let mut methods: Vec<u32> = methods.collect();
            methods.truncate(methods.len() - tail);
            methods
        };
        let [mine, others] = [callers(&self.way), callers(way)];
        let known: BTreeSet<u32> = mine.iter().chain(&self.callers).copied().collect();
        match others.last() {
            Some(caller) if !known.contains(caller) => self.callers.push(*caller),
            _ => self.alike += 1,
        }
    }
}
