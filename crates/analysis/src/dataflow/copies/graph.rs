//! The copy graph, in a form that can be walked.

use profile::dataflow::{CopyProfile, Location, Origin, StoreId, TagId};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::dataflow::adjacency::Adjacency;
use crate::dataflow::copies::replaced::replaced;

/// Heap locations, and what was copied between them.
#[derive(Debug, Default)]
pub struct CopyGraph {
    /// The nodes: every location that something was copied to or from, or
    /// that was consumed. Sorted.
    pub locations: Vec<Location>,
    /// The edges between locations, sorted by their ends.
    pub edges: Vec<Edge>,
    /// The edges from producers, sorted by tag.
    pub produced: Vec<Produced>,
    /// Which locations have an edge to the consumer.
    pub consumed: Vec<bool>,
    /// Producers with an edge to the consumer.
    pub consumed_producers: FxHashSet<TagId>,
    /// Numbers of the edges that leave each location.
    outgoing: Adjacency,
    /// Numbers of the edges that arrive at each location.
    incoming: Adjacency,
    /// Numbers of edges whose values stay at their end for a moment only.
    replaced: FxHashSet<u32>,
}

/// All copies from one location to another of one size.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Edge {
    /// Where the values come from.
    pub from: u32,
    /// Where they are stored.
    pub to: u32,
    /// How many.
    pub count: u64,
    /// Bytes of each.
    pub bytes: u8,
    /// The instruction that stored most of them.
    pub store: StoreId,
}

/// References to new objects that were stored in a location.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Produced {
    /// The objects.
    pub tag: TagId,
    /// The location.
    pub to: u32,
    /// How many references.
    pub count: u64,
    /// Bytes of each.
    pub bytes: u8,
    /// The instruction that stored most of them.
    pub store: StoreId,
}

impl Edge {
    /// Bytes copied in all.
    pub fn volume(&self) -> u64 {
        self.count.saturating_mul(self.bytes.into())
    }
}

impl Produced {
    /// Bytes copied in all.
    pub fn volume(&self) -> u64 {
        self.count.saturating_mul(self.bytes.into())
    }
}

impl CopyGraph {
    /// The graph of some copies.
    pub fn new(copies: &CopyProfile) -> Self {
        let locations = locations(copies);
        let numbers: FxHashMap<Location, u32> = locations.iter().copied().zip(0..).collect();
        let number = |location: &Location| numbers[location];

        let mut consumed = vec![false; locations.len()];
        let mut consumed_producers = FxHashSet::default();
        for origin in &copies.consumed {
            match origin {
                Origin::Location(location) => consumed[number(location) as usize] = true,
                Origin::Producer(tag) => drop(consumed_producers.insert(*tag)),
            }
        }

        let mut between = Vec::new();
        let mut from_producers = Vec::new();
        for edge in &copies.edges {
            let to = number(&edge.to);
            match edge.from {
                Origin::Location(from) => {
                    between.push(((number(&from), to, edge.bytes), edge.store, edge.count));
                }
                Origin::Producer(tag) => {
                    from_producers.push(((tag.0, to, edge.bytes), edge.store, edge.count));
                }
            }
        }
        let replaced = replaced(copies);
        let edges: Vec<Edge> = sum(between)
            .map(|((from, to, bytes), store, count)| Edge { from, to, count, bytes, store })
            .collect();
        let produced = sum(from_producers).map(|((tag, to, bytes), store, count)| Produced {
            tag: TagId(tag),
            to,
            count,
            bytes,
            store,
        });
        Self {
            outgoing: Adjacency::new(locations.len(), edges.iter().map(|e| e.from).zip(0..)),
            incoming: Adjacency::new(locations.len(), edges.iter().map(|e| e.to).zip(0..)),
            produced: produced.collect(),
            consumed,
            consumed_producers,
            replaced: (0..)
                .zip(&edges)
                .filter(|(_, edge)| {
                    let ends = [edge.from, edge.to].map(|at: u32| locations[at as usize]);
                    replaced.contains(&ends.into())
                })
                .map(|(number, _)| number)
                .collect(),
            locations,
            edges,
        }
    }

    /// The edges that leave a location.
    pub fn outgoing(&self, location: u32) -> &[u32] {
        self.outgoing.of(location)
    }

    /// The edges that arrive at a location.
    pub fn incoming(&self, location: u32) -> &[u32] {
        self.incoming.of(location)
    }

    /// An edge by its number.
    pub fn edge(&self, number: u32) -> &Edge {
        &self.edges[number as usize]
    }

    /// True if what an edge copies is replaced at its end, see [`replaced`].
    pub fn is_replaced(&self, number: u32) -> bool {
        self.replaced.contains(&number)
    }

    /// A location by its number.
    pub fn location(&self, number: u32) -> Location {
        self.locations[number as usize]
    }

    /// The edges from the producer of a tag.
    pub fn produced_by(&self, tag: TagId) -> &[Produced] {
        let first = self.produced.partition_point(|p| p.tag < tag);
        let end = self.produced.partition_point(|p| p.tag <= tag);
        &self.produced[first..end]
    }

    /// The numbers of the locations in objects of a tag.
    pub fn owned_by(&self, tag: TagId) -> std::ops::Range<u32> {
        let first = self.locations.partition_point(|l| l.tag < tag);
        let end = self.locations.partition_point(|l| l.tag <= tag);
        first as u32..end as u32
    }

    /// Locations whose values reach the consumer, possibly through others.
    pub fn reaching_consumer(&self) -> Vec<bool> {
        let mut reaching = self.consumed.clone();
        let backwards = self.edges.iter().map(|edge| (edge.to, edge.from));
        Adjacency::new(self.locations.len(), backwards).spread(&mut reaching);
        reaching
    }
}

fn locations(copies: &CopyProfile) -> Vec<Location> {
    let at = |origin: &Origin| match origin {
        Origin::Location(location) => Some(*location),
        Origin::Producer(_) => None,
    };
    let mut locations: Vec<Location> = copies.edges.iter().map(|edge| edge.to).collect();
    locations.extend(copies.edges.iter().filter_map(|edge| at(&edge.from)));
    locations.extend(copies.consumed.iter().filter_map(at));
    locations.sort_unstable();
    locations.dedup();
    locations
}

/// Start, end and bytes of an edge.
type Key = (u32, u32, u8);

/// Sums the counts of equal keys; each comes with its most frequent store, the
/// first of those where several are equal.
fn sum(mut parts: Vec<(Key, StoreId, u64)>) -> impl Iterator<Item = (Key, StoreId, u64)> {
    parts.sort_unstable();
    let mut sums: Vec<(Key, StoreId, u64)> = Vec::new();
    // What one store contributed to the sum at hand, and the most so far.
    let (mut of_store, mut most) = ((StoreId(0), 0u64), 0u64);
    for (key, store, count) in parts {
        let same_edge = sums.last().is_some_and(|&(last, ..)| last == key);
        if !same_edge {
            sums.push((key, store, 0));
            most = 0;
        }
        let before = if same_edge && of_store.0 == store { of_store.1 } else { 0 };
        of_store = (store, before.saturating_add(count));
        let at = sums.len() - 1;
        let (_, most_frequent, sum) = &mut sums[at];
        *sum = sum.saturating_add(count);
        if of_store.1 > most {
            (most, *most_frequent) = (of_store.1, store);
        }
    }
    sums.into_iter()
}

#[cfg(test)]
mod tests {
    use super::{StoreId, sum};

    #[test]
    fn sums_name_the_most_frequent_store() {
        let parts = vec![
            ((0, 1, 4), StoreId(2), 5),
            ((0, 1, 4), StoreId(1), 3),
            ((0, 1, 4), StoreId(1), 4),
            ((0, 1, 2), StoreId(0), 9),
        ];
        let sums: Vec<_> = sum(parts).collect();
        assert_eq!(sums, [((0, 1, 2), StoreId(0), 9), ((0, 1, 4), StoreId(1), 12)]);
    }
}
