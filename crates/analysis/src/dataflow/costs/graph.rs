//! The cost graph, in a form that can be walked.

use profile::dataflow::{CostGraph, CostNodeId, Effect, InstructionKind};

use crate::dataflow::adjacency::Adjacency;

/// Dependences in both directions, and what each node is.
#[derive(Debug)]
pub struct Dependences {
    /// Nodes that use what a node makes.
    pub uses: Adjacency,
    /// Nodes whose values a node uses.
    pub sources: Adjacency,
    /// How often each node was executed.
    pub frequency: Vec<u64>,
    /// Which nodes read from the heap.
    pub reads: Vec<bool>,
    /// Which nodes write to the heap.
    pub writes: Vec<bool>,
    /// Which nodes are predicates.
    pub predicate: Vec<bool>,
    /// Which nodes are native consumers.
    pub native: Vec<bool>,
}

impl Dependences {
    /// The dependences of a graph.
    pub fn new(graph: &CostGraph) -> Self {
        let nodes = graph.nodes.len();
        let is = |kind| {
            let of_kind = (0..nodes as u32).map(|n| graph.instruction(CostNodeId(n)).kind == kind);
            of_kind.collect::<Vec<bool>>()
        };
        let (mut reads, mut writes) = (is(InstructionKind::Load), is(InstructionKind::Store));
        for effect in &graph.effects {
            match effect.effect {
                Effect::Loads(_) => reads[effect.node.0 as usize] = true,
                Effect::Stores(_) => writes[effect.node.0 as usize] = true,
                Effect::Allocates(_) => {}
            }
        }
        let edges = graph.edges.iter();
        Self {
            uses: Adjacency::new(nodes, edges.clone().map(|(from, to)| (from.0, to.0))),
            sources: Adjacency::new(nodes, edges.map(|(from, to)| (to.0, from.0))),
            frequency: graph.nodes.iter().map(|node| node.frequency).collect(),
            reads,
            writes,
            predicate: is(InstructionKind::Predicate),
            native: is(InstructionKind::Native),
        }
    }

    /// Number of nodes.
    pub fn len(&self) -> usize {
        self.frequency.len()
    }

    /// True if there is no node.
    pub fn is_empty(&self) -> bool {
        self.frequency.is_empty()
    }

    /// The number of instruction instances: all frequencies together.
    pub fn instances(&self) -> u64 {
        self.frequency.iter().fold(0, |sum, &frequency| sum.saturating_add(frequency))
    }
}
