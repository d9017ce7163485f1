//! Hops behind the values of a line: the first is what `costs` calls the
//! relative cost.

use profile::dataflow::{CostGraph, CostNodeId, Effect, InstructionKind, Location};
use subsume_analysis::dataflow::costs::fields::Fields;
use subsume_analysis::dataflow::costs::graph::Dependences;
use subsume_analysis::dataflow::costs::relative::Relative;
use subsume_analysis::dataflow::costs::slice::{Slice, slice};

use made_profiles::dataflow::build::{at, effect, node, site, tag};

/// `kept.from` is computed 1,000 times; line 7 copies it to `kept.to` 10 times.
struct Copied {
    graph: CostGraph,
    load: CostNodeId,
    store: CostNodeId,
    to: Location,
}

fn copied() -> Copied {
    let mut graph = CostGraph::default();
    let site = site(&mut graph.objects, "Kept", 1);
    let kept = tag(&mut graph.objects, site, None, 1);
    let [from, to] = ["from", "to"].map(|name| at(&mut graph.objects, kept, name));
    let compute = node(&mut graph, 3, InstructionKind::Compute, 1_000);
    let write = node(&mut graph, 4, InstructionKind::Store, 1_000);
    let load = node(&mut graph, 7, InstructionKind::Load, 10);
    let store = node(&mut graph, 7, InstructionKind::Store, 10);
    graph.edges.extend([(compute, write), (write, load), (load, store)]);
    effect(&mut graph, write, Effect::Stores(from));
    effect(&mut graph, load, Effect::Loads(from));
    effect(&mut graph, store, Effect::Stores(to));
    Copied { graph, load, store, to }
}

fn hops(graph: &CostGraph, line: &[CostNodeId]) -> Slice {
    let seeds: Vec<u32> = line.iter().map(|node| node.0).collect();
    slice(graph, &Dependences::new(graph), &seeds)
}

fn costs(slice: &Slice) -> Vec<u64> {
    slice.hops.iter().map(|hop| hop.cost).collect()
}

#[test]
fn the_first_hop_of_a_store_is_the_relative_cost_of_its_field() {
    let Copied { graph, load, store, to } = copied();
    let relative = Relative::new(&Dependences::new(&graph));
    let fields = Fields::new(&graph, &relative);
    let field = fields.fields.iter().find(|field| field.location == to).unwrap();
    assert_eq!(field.cost, 10.0);

    let of_line = hops(&graph, &[load, store]);
    assert_eq!(costs(&of_line), [10, 2_010]);
    assert_eq!(of_line.hops[0].read.len(), 1, "{of_line:?}");
    assert_eq!(of_line.hops[1].read, []);
}

#[test]
fn a_line_that_only_reads_costs_its_reads() {
    let Copied { graph, load, .. } = copied();
    let of_line = hops(&graph, &[load]);
    assert_eq!(costs(&of_line), [10, 2_000]);
    assert_eq!(of_line.hops[0].read.len(), 1);
}

/// What `System.arraycopy` does: one instruction loads and stores.
#[test]
fn what_a_copying_native_reads_lies_before_it() {
    let Copied { mut graph, store, .. } = copied();
    let Effect::Stores(to) = graph.effects[2].effect else { panic!() };
    let first = node(&mut graph, 8, InstructionKind::Store, 5);
    let second = node(&mut graph, 9, InstructionKind::Store, 3);
    graph.edges.extend([(store, first), (first, second)]);
    for copying in [first, second] {
        effect(&mut graph, copying, Effect::Loads(to));
        effect(&mut graph, copying, Effect::Stores(to));
    }
    let relative = Relative::new(&Dependences::new(&graph));
    assert_eq!(relative.cost[&second.0].value, 3.0);
    assert_eq!(relative.cost[&first.0].value, 5.0);
    assert_eq!(costs(&hops(&graph, &[second])), [3, 5, 10, 2_010]);
    assert_eq!(costs(&hops(&graph, &[first])), [5, 10, 2_010]);
}
