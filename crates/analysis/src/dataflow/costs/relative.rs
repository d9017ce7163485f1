//! Relative costs and benefits of nodes, definitions 4.2 to 4.4.

use rustc_hash::FxHashMap;

use crate::dataflow::costs::graph::Dependences;
use crate::dataflow::costs::reach::{Sum, sums};

/// Heap-relative costs of the nodes that write to the heap, heap-relative
/// benefits of those that read from it.
#[derive(Debug)]
pub struct Relative {
    /// HRAC of each node that writes: what it took to make the values since
    /// they, or what they are made of, were read from the heap.
    pub cost: FxHashMap<u32, Sum>,
    /// HRAB of each node that reads: what was made of the values until the
    /// results were written to the heap.
    pub benefit: FxHashMap<u32, Sum>,
    /// Which nodes have values that reach a predicate or a native before any
    /// heap store.
    pub consumed: Vec<bool>,
}

impl Relative {
    /// Computes them all.
    pub fn new(graph: &Dependences) -> Self {
        let writing: Vec<u32> = numbers(&graph.writes);
        let reading: Vec<u32> = numbers(&graph.reads);
        let costs = sums(&graph.sources, &graph.reads, &graph.frequency, &writing);
        let benefits = sums(&graph.uses, &graph.writes, &graph.frequency, &reading);
        Self {
            cost: writing.into_iter().zip(costs).collect(),
            benefit: reading.into_iter().zip(benefits).collect(),
            consumed: consumed(graph),
        }
    }

    /// How many of the sums are estimated.
    pub fn estimated(&self) -> usize {
        self.cost.values().chain(self.benefit.values()).filter(|sum| sum.estimated).count()
    }

    /// How many sums there are.
    pub fn len(&self) -> usize {
        self.cost.len() + self.benefit.len()
    }

    /// True if no node reads or writes.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
}

/// The abstract cost of nodes (definition 4.2): all frequencies on the way to
/// them, from the beginning of the run.
pub fn absolute(graph: &Dependences, nodes: &[u32]) -> Vec<Sum> {
    sums(&graph.sources, &vec![false; graph.len()], &graph.frequency, nodes)
}

fn consumed(graph: &Dependences) -> Vec<bool> {
    let mut consumed: Vec<bool> =
        graph.predicate.iter().zip(&graph.native).map(|(p, n)| p | n).collect();
    let mut pending = numbers(&consumed);
    while let Some(node) = pending.pop() {
        for &source in graph.sources.of(node) {
            // A value that is stored is not consumed by what is loaded later.
            let passes = !graph.writes[source as usize];
            if passes && !std::mem::replace(&mut consumed[source as usize], true) {
                pending.push(source);
            }
        }
    }
    consumed
}

fn numbers(marked: &[bool]) -> Vec<u32> {
    (0u32..).zip(marked).filter(|(_, m)| **m).map(|(number, _)| number).collect()
}
