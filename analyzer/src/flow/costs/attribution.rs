//! Costs shared out among those for whom they were.
//!
//! The relative cost of a node adds up all nodes on the way to it, however many
//! other values were made of these: a helper that everybody calls makes each of
//! its callers look expensive. Here what a node costs goes to those who use its
//! value, in proportion to how often they were executed, as profilers share the
//! cost of a function among its callers. Tests take no part of it.

use crate::flow::costs::components::{Components, NONE};
use crate::flow::costs::graph::Dependences;

/// For each of `targets`, the part of its relative cost that was for it. It is
/// never more than that.
pub fn attributed(graph: &Dependences, targets: &[u32]) -> Vec<f64> {
    let components = Components::new(&graph.sources, &graph.reads, &graph.frequency);
    let mut takes = components.weight.clone();
    for (node, &component) in components.of_node.iter().enumerate() {
        if component != NONE && (graph.predicate[node] || graph.native[node]) {
            takes[component as usize] = 0;
        }
    }
    let numbers = 0..components.len() as u32;
    let mut taken = vec![0.0; components.len()];
    for component in numbers.clone() {
        for &source in components.sources.of(component) {
            taken[source as usize] += takes[component as usize] as f64;
        }
    }
    // Those that a component depends on have smaller numbers.
    let mut costs: Vec<f64> = Vec::with_capacity(components.len());
    for component in numbers {
        let part = |&source: &u32| match taken[source as usize] {
            0.0 => 0.0,
            all => costs[source as usize] * takes[component as usize] as f64 / all,
        };
        let from_sources: f64 = components.sources.of(component).iter().map(part).sum();
        costs.push(components.weight[component as usize] as f64 + from_sources);
    }
    let cost = |&target: &u32| match components.of_node[target as usize] {
        NONE => graph.frequency[target as usize] as f64,
        component => costs[component as usize],
    };
    targets.iter().map(cost).collect()
}

#[cfg(test)]
mod tests {
    use profile::dataflow::{CostGraph, CostNode, CostNodeId, Instruction, InstructionKind};

    use super::*;

    /// A helper, executed 1,000 times, whose values two stores use, and a test.
    #[test]
    fn a_popular_helper_costs_each_user_its_part() {
        let kinds = [
            (InstructionKind::Compute, 1000),
            (InstructionKind::Store, 1),
            (InstructionKind::Store, 999),
            (InstructionKind::Predicate, 5000),
        ];
        let instructions = kinds.map(|(kind, _)| Instruction { kind, ..Instruction::default() });
        let nodes = (0u32..).zip(kinds).map(|(number, (_, frequency))| CostNode {
            instruction: profile::dataflow::InstructionId(number),
            frequency,
            ..CostNode::default()
        });
        let edges = [(0, 1), (0, 2), (0, 3)].map(|(from, to)| (CostNodeId(from), CostNodeId(to)));
        let graph = CostGraph {
            instructions: instructions.to_vec(),
            nodes: nodes.collect(),
            edges: edges.to_vec(),
            ..CostGraph::default()
        };
        assert_eq!(attributed(&Dependences::new(&graph), &[1, 2]), [2.0, 1998.0]);
    }
}
