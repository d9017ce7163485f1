//! Instruction instances shared out among the values they were for.
//!
//! The relative cost of a node adds up all nodes on the way to it, however many
//! other values were made of these: a helper that everybody calls makes each of
//! its callers look expensive, and each of the values that it uses look useful.
//! Here each instance is counted once. What a node costs goes to those who use
//! its value, in proportion to how often they were executed, as profilers share
//! the cost of a function among its callers; and what is done with values goes
//! back to those who made them in the same way.

use crate::dataflow::adjacency::Adjacency;
use crate::dataflow::costs::components::{Components, NONE};
use crate::dataflow::costs::graph::Dependences;

/// Values that a test or an arithmetic instruction uses at once, at most.
const OPERANDS: f64 = 2.0;

/// What each node was for, in instruction instances.
#[derive(Debug)]
pub struct Attribution {
    /// Of each node, what it took to make its values since they, or what they
    /// are made of, were read from the heap. Tests take no part of it.
    pub cost: Vec<f64>,
    /// Of each node, the work done with its values until the results were written
    /// to the heap. Work whose results nobody needs does not count.
    pub benefit: Vec<f64>,
    /// Of each node, the part of its values that reached a test or native code,
    /// or led somewhere, before any heap store: from 0 to 1.
    pub consumed: Vec<f64>,
}

impl Attribution {
    /// Shares out the instances of a graph.
    pub fn new(graph: &Dependences) -> Self {
        let consumes = |node: usize| graph.predicate[node] || graph.native[node];
        let takes = (0..graph.len()).map(|n| if consumes(n) { 0 } else { graph.frequency[n] });
        let needed = needed(graph);
        let useful = (0..graph.len()).map(|n| if needed[n] { graph.frequency[n] } else { 0 });
        Self {
            cost: shares(
                &graph.sources,
                &graph.reads,
                &graph.frequency,
                &takes.collect::<Vec<u64>>(),
            ),
            benefit: shares(
                &graph.uses,
                &graph.writes,
                &useful.collect::<Vec<u64>>(),
                &graph.frequency,
            ),
            consumed: consumed(graph),
        }
    }
}

/// True for a value that no instruction uses and that is not stored. It leads
/// somewhere: it is the object whose field is accessed, an index, or a length.
/// Slices follow values and not the ways to them, so no dependence says so.
fn leads(graph: &Dependences, node: usize) -> bool {
    graph.uses.of(node as u32).is_empty() && !graph.writes[node]
}

/// Which nodes have values that reach a consumer, or that lead somewhere.
///
/// A field that is only read to compute its own next value (`x = x + 1`) reaches
/// nothing but itself.
fn needed(graph: &Dependences) -> Vec<bool> {
    let is_end = |node| graph.predicate[node] || graph.native[node] || leads(graph, node);
    let mut needed: Vec<bool> = (0..graph.len()).map(is_end).collect();
    graph.sources.spread(&mut needed);
    needed
}

/// For each node, its weight and its parts of what it got from its `sources`,
/// in proportion to what it `takes`. Nodes that are `left_out` have their own
/// weight only. What nobody takes is lost, so the parts never are more than the
/// whole.
fn shares(sources: &Adjacency, left_out: &[bool], weight: &[u64], takes: &[u64]) -> Vec<f64> {
    let components = Components::new(sources, left_out, weight);
    let mut taking = vec![0u64; components.len()];
    for (node, &component) in components.of_node.iter().enumerate() {
        if component != NONE {
            let sum = &mut taking[component as usize];
            *sum = sum.saturating_add(takes[node]);
        }
    }
    let numbers = 0..components.len() as u32;
    let mut taken = vec![0.0; components.len()];
    for component in numbers.clone() {
        for &source in components.sources.of(component) {
            taken[source as usize] += taking[component as usize] as f64;
        }
    }
    // Those that a component depends on have smaller numbers.
    let mut sums: Vec<f64> = Vec::with_capacity(components.len());
    for component in numbers {
        let part = |&source: &u32| match taken[source as usize] {
            0.0 => 0.0,
            all => sums[source as usize] * taking[component as usize] as f64 / all,
        };
        let from_sources: f64 = components.sources.of(component).iter().map(part).sum();
        sums.push(components.weight[component as usize] as f64 + from_sources);
    }
    let share = |(node, &component): (usize, &u32)| match component {
        NONE => weight[node] as f64,
        component => match taking[component as usize] {
            0 => 0.0,
            all => sums[component as usize] * takes[node] as f64 / all as f64,
        },
    };
    components.of_node.iter().enumerate().map(share).collect()
}

/// The part of each node's values that is consumed before any heap store.
///
/// A node uses at most two values each time. If those who make values for it were
/// executed more often than that, their other values went elsewhere.
fn consumed(graph: &Dependences) -> Vec<f64> {
    let components = Components::new(&graph.uses, &graph.writes, &graph.frequency);
    let mut order: Vec<u32> = (0..graph.len() as u32).collect();
    order.retain(|&node| components.of_node[node as usize] != NONE);
    order.sort_by_key(|&node| (components.of_node[node as usize], node));
    let used: Vec<f64> = (0..graph.len())
        .map(|node| {
            let made = graph.sources.of(node as u32).iter();
            let made: f64 = made.map(|&source| graph.frequency[source as usize] as f64).sum();
            match graph.native[node] || made == 0.0 {
                true => 1.0,
                false => (OPERANDS * graph.frequency[node] as f64 / made).min(1.0),
            }
        })
        .collect();
    let mut consumed = vec![0.0; graph.len()];
    let of_node = &components.of_node;
    // Users that are no stores are in a component before, or in the same.
    for members in order.chunk_by(|&a, &b| of_node[a as usize] == of_node[b as usize]) {
        let (mut sum, mut most) = (0.0, 0.0f64);
        for &node in members {
            let at = node as usize;
            if graph.predicate[at] || graph.native[at] || leads(graph, at) {
                (sum, most) = (1.0, 1.0);
            }
            for &user in graph.uses.of(node) {
                let user = user as usize;
                if of_node[user] != of_node[at] {
                    sum += consumed[user] * used[user];
                    most = most.max(consumed[user]);
                }
            }
        }
        // Values in a circle add up to the one that leaves it.
        let part = if members.len() > 1 { most } else { f64::min(sum, 1.0) };
        members.iter().for_each(|&node| consumed[node as usize] = part);
    }
    consumed
}

#[cfg(test)]
mod tests {
    use profile::dataflow::InstructionKind::{self, Compute, Load, Native, Predicate, Store};
    use profile::dataflow::{CostGraph, CostNode, CostNodeId, Instruction, InstructionId};

    use super::*;

    /// What nodes of these kinds and frequencies are for, with these dependences.
    fn attribution(nodes: &[(InstructionKind, u64)], edges: &[(u32, u32)]) -> Attribution {
        let instructions =
            nodes.iter().map(|&(kind, _)| Instruction { kind, ..Default::default() });
        let graph = CostGraph {
            instructions: instructions.collect(),
            nodes: (0u32..)
                .zip(nodes)
                .map(|(number, &(_, frequency))| CostNode {
                    instruction: InstructionId(number),
                    frequency,
                    ..CostNode::default()
                })
                .collect(),
            edges: edges.iter().map(|&(a, b)| (CostNodeId(a), CostNodeId(b))).collect(),
            ..CostGraph::default()
        };
        Attribution::new(&Dependences::new(&graph))
    }

    #[test]
    fn a_popular_helper_costs_each_user_its_part() {
        let nodes = [(Compute, 1_000), (Store, 1), (Store, 999), (Predicate, 5_000)];
        let found = attribution(&nodes, &[(0, 1), (0, 2), (0, 3)]);
        assert_eq!(found.cost[1..3], [2.0, 1_998.0]);
    }

    #[test]
    fn a_popular_user_benefits_each_of_its_sources_by_its_part() {
        // Two loads, a computation that both use, and native code behind it.
        let nodes = [(Load, 10), (Load, 990), (Compute, 1_000), (Native, 1_000)];
        let found = attribution(&nodes, &[(0, 2), (1, 2), (2, 3)]);
        assert_eq!(found.benefit[..2], [30.0, 2_970.0]);
        assert_eq!(found.consumed[..2], [1.0, 1.0]);
    }

    #[test]
    fn what_only_makes_its_own_next_value_has_no_benefit() {
        let nodes = [(Load, 100), (Compute, 100), (Store, 100)];
        let found = attribution(&nodes, &[(0, 1), (1, 2), (2, 0)]);
        assert_eq!((found.benefit[0], found.consumed[0]), (0.0, 0.0));
        assert_eq!(found.cost[2], 200.0);
        // A base reference, an index or a length is not a dependence.
        let found = attribution(&[(Load, 100)], &[]);
        assert_eq!((found.benefit[0], found.consumed[0]), (100.0, 1.0));
    }

    #[test]
    fn few_tests_consume_few_values() {
        let nodes = [(Load, 1_000), (Predicate, 5), (Store, 1_000)];
        let found = attribution(&nodes, &[(0, 1), (0, 2)]);
        assert_eq!(found.consumed[0], 0.01);
        // But what is added up in a loop is consumed with the sum.
        let nodes = [(Load, 1_000), (Compute, 1_000), (Compute, 1_000), (Native, 1)];
        let found = attribution(&nodes, &[(0, 1), (1, 2), (2, 1), (2, 3)]);
        assert_eq!(found.consumed[..3], [1.0; 3]);
    }
}
