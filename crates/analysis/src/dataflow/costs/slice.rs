//! The slice behind the values of a line, hop by hop. A hop goes from reads of
//! the heap to what is made of the values; the hop before it goes from earlier
//! reads to the stores of these values. The first hop is the relative abstract
//! cost of definition 4.3.

use std::collections::BTreeSet;

use profile::dataflow::{CostGraph, CostNodeId, Effect, Location};

use crate::dataflow::costs::graph::Dependences;

/// What it took to make some values.
#[derive(Debug, Default)]
pub struct Slice {
    /// The hops, the last one first.
    pub hops: Vec<Hop>,
}

/// Work between reading from the heap and writing to it.
#[derive(Debug, Default)]
pub struct Hop {
    /// Nodes of this hop that no later hop has, in ascending order. A node that
    /// reads from the heap belongs to the hop before the one that uses its value.
    pub nodes: Vec<u32>,
    /// Their frequencies together. The cost of the first hop is the HRAC of the
    /// seeds.
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

/// Slices backwards from the instructions of a line; each node belongs to the
/// hop with the fewest reads on the way.
///
/// The first hop ends with the instructions that do more than read; those that
/// only read belong to the second one. If all of them only read, these reads are
/// the first hop: HRAC counts a node itself, whatever it does.
pub fn slice(graph: &CostGraph, dependences: &Dependences, seeds: &[u32]) -> Slice {
    let only_reads =
        |seed: &&u32| dependences.reads[**seed as usize] && !dependences.writes[**seed as usize];
    let (reading, making): (Vec<u32>, Vec<u32>) = seeds.iter().partition(only_reads);
    let mut walk = Walk {
        dependences,
        loads: loads(graph),
        seen: vec![false; dependences.len()],
        before: Ends::default(),
        read: BTreeSet::new(),
    };
    let mut ends = Ends { loads: Vec::new(), makers: making };
    if ends.makers.is_empty() {
        ends.makers = reading;
    } else {
        reading.into_iter().for_each(|load| walk.begin_at(load));
    }
    let mut slice = Slice::default();
    while let Some(hop) = walk.hop(ends) {
        slice.hops.push(hop);
        ends = std::mem::take(&mut walk.before);
    }
    slice
}

/// Each load with the locations that it reads, sorted.
fn loads(graph: &CostGraph) -> Vec<(u32, Location)> {
    let mut loads: Vec<(u32, Location)> = Vec::new();
    for effect in &graph.effects {
        if let Effect::Loads(location) = effect.effect {
            loads.push((effect.node.0, location));
        }
    }
    loads.sort_unstable();
    loads.dedup();
    loads
}

/// The last nodes of a hop.
#[derive(Default)]
struct Ends {
    /// Reads of what the hop has stored.
    loads: Vec<u32>,
    /// Nodes that make values of the hop, such as its stores.
    makers: Vec<u32>,
}

struct Walk<'a> {
    dependences: &'a Dependences,
    /// As [`loads`] finds them.
    loads: Vec<(u32, Location)>,
    /// Nodes that are in a hop.
    seen: Vec<bool>,
    /// The last nodes of the hop before the one at hand.
    before: Ends,
    /// Locations read at the beginning of the hop at hand.
    read: BTreeSet<Location>,
}

impl Walk<'_> {
    /// The hop with these last nodes; `None` if other hops have all of them.
    fn hop(&mut self, ends: Ends) -> Option<Hop> {
        let Dependences { sources, reads, frequency, .. } = self.dependences;
        let mut hop = Hop::default();
        let mut add = |node: u32| {
            hop.nodes.push(node);
            hop.cost = hop.cost.saturating_add(frequency[node as usize]);
        };
        let mut makers = ends.makers;
        for load in ends.loads {
            if !std::mem::replace(&mut self.seen[load as usize], true) {
                add(load);
                makers.extend(sources.of(load));
            }
        }
        while let Some(node) = makers.pop() {
            if std::mem::replace(&mut self.seen[node as usize], true) {
                continue;
            }
            add(node);
            if reads[node as usize] {
                // What copies without a load of its own, such as `arraycopy`.
                self.note_locations(node);
                self.before.makers.extend(sources.of(node));
                continue;
            }
            for &source in sources.of(node) {
                if reads[source as usize] {
                    self.begin_at(source);
                } else {
                    makers.push(source);
                }
            }
        }
        hop.nodes.sort_unstable();
        hop.read = std::mem::take(&mut self.read).into_iter().collect();
        (!hop.nodes.is_empty()).then_some(hop)
    }

    /// Begins the hop at hand at a load, unless a hop has the load already.
    fn begin_at(&mut self, load: u32) {
        if !self.seen[load as usize] {
            self.note_locations(load);
            self.before.loads.push(load);
        }
    }

    fn note_locations(&mut self, load: u32) {
        let first = self.loads.partition_point(|&(node, _)| node < load);
        let own = self.loads[first..].iter().take_while(|&&(node, _)| node == load);
        self.read.extend(own.map(|&(_, location)| location));
    }
}

/// The nodes of a hop that took most, with their frequencies.
pub fn costliest(dependences: &Dependences, hop: &Hop, first: usize) -> Vec<CostNodeId> {
    let mut nodes = hop.nodes.clone();
    nodes.sort_by_key(|&node| (std::cmp::Reverse(dependences.frequency[node as usize]), node));
    nodes.into_iter().take(first).map(CostNodeId).collect()
}
