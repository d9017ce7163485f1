//! Which objects refer to which, as the copy graph tells it.

use std::rc::Rc;

use profile::dataflow::TagId;
use rustc_hash::{FxHashMap, FxHashSet};

use crate::dataflow::adjacency::Adjacency;
use crate::dataflow::copies::graph::CopyGraph;

/// Locations visited to find the owners of a tag, or what it refers to.
const MOST_LOCATIONS: usize = 500;
/// Tags that a structure may have; what else it reaches is left out.
const MOST_TAGS: usize = 300;

/// Reference relations, asked for step by step because the whole relation is
/// too large: an object of a tag refers to another one if a reference produced
/// with the other's tag reached one of its fields, directly or through other
/// locations, and stayed there.
#[derive(Debug)]
pub struct Owners<'a> {
    graph: &'a CopyGraph,
    /// Entries of [`CopyGraph::produced`] by location.
    produced_at: Adjacency,
    owners: FxHashMap<TagId, Rc<[TagId]>>,
    held: FxHashMap<TagId, Rc<[TagId]>>,
    /// Questions whose answers are not whole because there was too much to visit.
    pub cut: usize,
}

impl<'a> Owners<'a> {
    /// The relations of a graph.
    pub fn new(graph: &'a CopyGraph) -> Self {
        let produced = graph.produced.iter().map(|produced| produced.to).zip(0..);
        let produced_at = Adjacency::new(graph.locations.len(), produced);
        let (owners, held) = (FxHashMap::default(), FxHashMap::default());
        Self { graph, produced_at, owners, held, cut: 0 }
    }

    /// The tags of the objects that refer to objects of `tag`, those with the
    /// most references stored directly first.
    pub fn owners(&mut self, tag: TagId) -> Rc<[TagId]> {
        if let Some(known) = self.owners.get(&tag) {
            return Rc::clone(known);
        }
        let graph = self.graph;
        let mut direct: FxHashMap<TagId, u64> = FxHashMap::default();
        let mut start = Vec::new();
        for produced in graph.produced_by(tag) {
            let count = direct.entry(graph.location(produced.to).tag).or_default();
            *count = count.saturating_add(produced.count);
            start.push(produced.to);
        }
        let next = |location, to: &mut Vec<u32>| {
            let leaving = graph.outgoing(location).iter();
            let staying = leaving.filter(|&&edge| !graph.is_replaced(edge));
            to.extend(staying.map(|&edge| graph.edge(edge).to));
        };
        for location in self.reachable(start, next) {
            direct.entry(graph.location(location).tag).or_default();
        }
        let mut owners: Vec<(TagId, u64)> = direct.into_iter().collect();
        owners.retain(|&(owner, _)| owner != TagId::UNKNOWN && owner != tag);
        owners.sort_unstable_by(|a, b| b.1.cmp(&a.1).then(a.0.cmp(&b.0)));
        let owners: Rc<[TagId]> = owners.into_iter().map(|(owner, _)| owner).collect();
        self.owners.insert(tag, Rc::clone(&owners));
        owners
    }

    /// The tags of the objects that objects of `tag` refer to.
    pub fn held_by(&mut self, tag: TagId) -> Rc<[TagId]> {
        if let Some(known) = self.held.get(&tag) {
            return Rc::clone(known);
        }
        let graph = self.graph;
        let next = |location, to: &mut Vec<u32>| {
            let arriving = graph.incoming(location).iter();
            let staying = arriving.filter(|&&edge| !graph.is_replaced(edge));
            to.extend(staying.map(|&edge| graph.edge(edge).from));
        };
        let locations = self.reachable(graph.owned_by(tag).collect(), next);
        let produced = locations.into_iter().flat_map(|location| self.produced_at.of(location));
        let mut held: Vec<TagId> =
            produced.map(|&at| graph.produced[at as usize].tag).filter(|&t| t != tag).collect();
        held.sort_unstable();
        held.dedup();
        held.retain(|&held| held != TagId::UNKNOWN);
        let held: Rc<[TagId]> = held.into();
        self.held.insert(tag, Rc::clone(&held));
        held
    }

    /// `tag`, and what its objects refer to over at most `depth` references.
    pub fn reach(&mut self, tag: TagId, depth: usize) -> FxHashSet<TagId> {
        let mut reached = FxHashSet::from_iter([tag]);
        let mut level = vec![tag];
        for _ in 0..depth {
            let mut next = Vec::new();
            for owner in level {
                for &held in &*self.held_by(owner) {
                    if reached.len() >= MOST_TAGS {
                        self.cut += 1;
                        return reached;
                    }
                    if reached.insert(held) {
                        next.push(held);
                    }
                }
            }
            level = next;
        }
        reached
    }

    fn reachable(&mut self, start: Vec<u32>, next: impl Fn(u32, &mut Vec<u32>)) -> Vec<u32> {
        let mut seen: FxHashSet<u32> = start.iter().copied().collect();
        let mut found: Vec<u32> = seen.iter().copied().collect();
        found.sort_unstable();
        let mut at = 0;
        let mut neighbours = Vec::new();
        while let Some(&location) = found.get(at) {
            at += 1;
            neighbours.clear();
            next(location, &mut neighbours);
            for &neighbour in &neighbours {
                if found.len() >= MOST_LOCATIONS {
                    self.cut += 1;
                    return found;
                }
                if seen.insert(neighbour) {
                    found.push(neighbour);
                }
            }
        }
        found
    }
}
