//! Costs and benefits of a Java version of the paper's Figure 11, against
//! numbers worked out from its bytecode by hand, by the paper's definitions 4.2
//! to 4.4 taken literally.

use std::collections::BTreeSet;

use interpreter::{Interpreted, Recorded};
use profile::dataflow::{CostGraph, CostNodeId, Effect, InstructionKind};
use support::oldest;

use crate::rig::costs;

type Reaches = fn(&(CostNodeId, CostNodeId)) -> (CostNodeId, CostNodeId);

/// Sum of the frequencies of `node` and of all nodes that reach it (or, along
/// `turned` edges, that it reaches), on paths without a node of kind `without`.
fn sum(
    graph: &CostGraph,
    node: CostNodeId,
    turned: Reaches,
    without: Option<InstructionKind>,
) -> u64 {
    let mut found = BTreeSet::from([node]);
    let mut open = vec![node];
    while let Some(at) = open.pop() {
        for edge in &graph.edges {
            let (from, to) = turned(edge);
            let allowed = Some(graph.instruction(from).kind) != without;
            if to == at && allowed && found.insert(from) {
                open.push(from);
            }
        }
    }
    found.iter().map(|node| graph.nodes[node.0 as usize].frequency).sum()
}

/// The one node with this effect on a field of this name.
fn node(run: &Interpreted<CostGraph>, field: &str, stores: bool) -> CostNodeId {
    let graph = &run.graph;
    let found: Vec<CostNodeId> = graph
        .effects
        .iter()
        .filter(|effect| match effect.effect {
            Effect::Stores(to) => stores && graph.objects.field(to).name == field,
            Effect::Loads(from) => !stores && graph.objects.field(from).name == field,
            Effect::Allocates(_) => false,
        })
        .map(|effect| effect.node)
        .filter(|&node| {
            let method = graph.instruction(node).place.method;
            method.is_some_and(|method| run.methods[method.0 as usize].starts_with("Figure11"))
        })
        .collect();
    assert_eq!(found.len(), 1, "{field}");
    found[0]
}

#[test]
fn costs_and_benefits() {
    let run = costs("Figure11", oldest(), 16, Recorded::default());
    let graph = &run.graph;
    let backward: Reaches = |&(from, to)| (from, to);
    let forward: Reaches = |&(from, to)| (to, from);
    let (load, store) = (Some(InstructionKind::Load), Some(InstructionKind::Store));
    let into_t = node(&run, "t", true);
    let from_t = node(&run, "t", false);
    let into_list = node(&run, "ELM", true);
    // 1,000 times `imul`, `iadd` and `iinc`, and the `putfield`.
    assert_eq!(sum(graph, into_t, backward, load), 3001, "RAC of t");
    // The `getfield`: what it loads is stored at once.
    assert_eq!(sum(graph, from_t, forward, store), 1, "RAB of t");
    // The `iastore`, since it stores what was loaded.
    assert_eq!(sum(graph, into_list, backward, load), 1, "RAC of the elements");
    // All of it: the sum, its store, its load, its store into the list.
    assert_eq!(sum(graph, into_list, backward, None), 3003, "cost of the element");
    // Nobody reads the list.
    let reads = graph
        .locations
        .iter()
        .find(|used| graph.objects.field(used.location).name == "ELM" && used.writes > 0);
    assert_eq!(reads.map(|used| (used.reads, used.writes)), Some((0, 1)));
}
