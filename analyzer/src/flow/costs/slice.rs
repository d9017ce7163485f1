//! The slice behind a value, hop by hop: each hop goes back to the values that
//! were read from the heap, and the next one to how these were made.

use std::collections::BTreeSet;

use profile::dataflow::{CostGraph, CostNodeId, Effect, Location};

use crate::flow::costs::graph::Dependences;

/// What it took to make some values.
#[derive(Debug, Default)]
pub struct Slice {
    /// The hops, the last one first.
    pub hops: Vec<Hop>,
}

/// Work between reading from the heap and writing to it.
#[derive(Debug, Default)]
pub struct Hop {
    /// Nodes of this hop that no later hop has, in ascending order. Those that
    /// read from the heap belong to the hop before, so that the cost of the last
    /// hop is the HRAC of the seeds.
    pub nodes: Vec<u32>,
    /// Their frequencies together.
    pub cost: u64,
    /// Locations that were read at its beginning.
    pub read: Vec<Location>,
}

impl Slice {
    /// The abstract cost: that of all hops.
    pub fn cost(&self) -> u64 {
        self.hops.iter().fold(0, |sum, hop| sum.saturating_add(hop.cost))
    }
}

/// Slices backwards from some nodes; each node belongs to the hop with the
/// fewest reads on the way.
pub fn slice(graph: &CostGraph, dependences: &Dependences, seeds: &[u32]) -> Slice {
    let mut loads: Vec<(u32, Location)> = Vec::new();
    for effect in &graph.effects {
        if let Effect::Loads(location) = effect.effect {
            loads.push((effect.node.0, location));
        }
    }
    loads.sort_unstable();
    loads.dedup();

    let mut seen = vec![false; dependences.len()];
    let mut slice = Slice::default();
    let mut seeds: Vec<u32> = seeds.to_vec();
    while !seeds.is_empty() {
        let mut hop = Hop::default();
        let mut read = BTreeSet::new();
        let mut before = Vec::new();
        seeds.retain(|&seed| !std::mem::replace(&mut seen[seed as usize], true));
        let mut pending = std::mem::take(&mut seeds);
        while let Some(node) = pending.pop() {
            hop.nodes.push(node);
            hop.cost = hop.cost.saturating_add(dependences.frequency[node as usize]);
            for &source in dependences.sources.of(node) {
                if seen[source as usize] {
                    continue;
                }
                if !dependences.reads[source as usize] {
                    seen[source as usize] = true;
                    pending.push(source);
                    continue;
                }
                let first = loads.partition_point(|&(n, _)| n < source);
                let own = loads[first..].iter().take_while(|&&(n, _)| n == source);
                read.extend(own.map(|&(_, location)| location));
                before.push(source);
            }
        }
        if hop.nodes.is_empty() {
            break;
        }
        hop.nodes.sort_unstable();
        hop.read = read.into_iter().collect();
        slice.hops.push(hop);
        seeds = before;
    }
    slice
}

/// The nodes of a hop that took most, with their frequencies.
pub fn costliest(dependences: &Dependences, hop: &Hop, first: usize) -> Vec<CostNodeId> {
    let mut nodes = hop.nodes.clone();
    nodes.sort_by_key(|&node| (std::cmp::Reverse(dependences.frequency[node as usize]), node));
    nodes.into_iter().take(first).map(CostNodeId).collect()
}
