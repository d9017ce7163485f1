//! The ranking of structures, on graphs written by hand.

use profile::dataflow::{
    Allocations, CostGraph, CostNode, CostNodeId, Effect, FieldId, HeapEffect, Instruction,
    InstructionId, InstructionKind, Location, Reference, Site, SiteId, SiteKind, Tag, TagId,
};
use subsume_analysis::dataflow::costs::balance::Balances;
use subsume_analysis::dataflow::costs::graph::Dependences;
use subsume_analysis::dataflow::costs::ranking::Ranking;

/// A graph with sites of these classes, one object each in one context.
fn graph(classes: &[(&str, u64)]) -> CostGraph {
    let mut graph = CostGraph::default();
    for (number, &(class, objects)) in (1..).zip(classes) {
        let kind = SiteKind::New;
        graph.objects.sites.push(Site { class: class.to_owned(), kind, ..Site::default() });
        graph.objects.tags.push(Tag { site: SiteId(number), slot: 0 });
        graph.objects.allocations.push(Allocations { objects, bytes: 16 * objects });
    }
    graph
}

fn node(graph: &mut CostGraph, kind: InstructionKind, frequency: u64) -> CostNodeId {
    let instruction = InstructionId(graph.instructions.len() as u32);
    graph.instructions.push(Instruction { kind, ..Instruction::default() });
    graph.nodes.push(CostNode { instruction, frequency, ..CostNode::default() });
    CostNodeId(graph.nodes.len() as u32 - 1)
}

fn at(tag: u32, field: u32) -> Location {
    Location { tag: TagId(tag), field: FieldId(field) }
}

/// Computes values and stores them; the computation takes as many instances
/// as the store.
fn store(graph: &mut CostGraph, to: Location, times: u64) {
    let compute = node(graph, InstructionKind::Compute, times);
    let store = node(graph, InstructionKind::Store, times);
    graph.edges.push((compute, store));
    graph.effects.push(HeapEffect { node: store, effect: Effect::Stores(to), times });
}

/// Loads values and tests them.
fn test(graph: &mut CostGraph, from: Location, times: u64) {
    let load = node(graph, InstructionKind::Load, times);
    let test = node(graph, InstructionKind::Predicate, times);
    graph.edges.push((load, test));
    graph.effects.push(HeapEffect { node: load, effect: Effect::Loads(from), times });
}

/// Each entry's class, excess and cost.
fn ranked(graph: &CostGraph) -> Vec<(String, f64, f64)> {
    let balances = Balances::new(graph, &Dependences::new(graph));
    let sites = (0..graph.objects.sites.len() as u32).map(SiteId);
    let ranked = Ranking::new(graph, &balances, 4).ranked(sites);
    let class = |site: SiteId| graph.objects.sites[site.0 as usize].class.clone();
    ranked.iter().map(|entry| (class(entry.site), entry.excess, entry.cost)).collect()
}

fn expect(graph: &CostGraph, expected: &[(&str, f64, f64)]) {
    let expected: Vec<(String, f64, f64)> =
        expected.iter().map(|&(class, w, c)| (class.to_owned(), w, c)).collect();
    assert_eq!(ranked(graph), expected);
}

const SIZE: u32 = 1;
const ITEMS: u32 = 2;
const NEXT: u32 = 3;

#[test]
fn volume_decides_and_not_the_rate() {
    let mut g = graph(&[("Trifle", 1), ("Culprit", 100)]);
    // Never read at all, but little.
    store(&mut g, at(1, SIZE), 5);
    // One value in ten is read.
    store(&mut g, at(2, SIZE), 1_000);
    test(&mut g, at(2, SIZE), 100);
    expect(&g, &[("Culprit", 1_800.0, 2_000.0), ("Trifle", 10.0, 10.0)]);
}

#[test]
fn a_list_only_asked_for_its_size_is_excess_but_for_the_size() {
    let mut g = graph(&[("App", 1), ("List", 10), ("Object[]", 10), ("Item", 1_000)]);
    for (owner, field, to) in [(1, NEXT, 2), (2, ITEMS, 3), (3, 0, 4)] {
        g.references.push(Reference { from: at(owner, field), to: TagId(to) });
    }
    store(&mut g, at(1, NEXT), 10);
    test(&mut g, at(1, NEXT), 10);
    store(&mut g, at(2, ITEMS), 10);
    test(&mut g, at(2, ITEMS), 10);
    store(&mut g, at(2, SIZE), 1_000);
    test(&mut g, at(2, SIZE), 1_010);
    store(&mut g, at(3, 0), 1_000);
    store(&mut g, at(4, SIZE), 1_000);
    // The list is named: not its array, which is a part of it, nor the items
    // that belong to it, nor what refers to it and adds nothing.
    expect(&g, &[("List", 4_000.0, 6_020.0)]);
}

#[test]
fn a_counter_nobody_reads_is_excess_and_one_that_is_read_is_not() {
    for (reads, excess) in [(0, 300.0), (1, 0.0)] {
        let mut g = graph(&[("Counter", 1)]);
        let nodes = [InstructionKind::Load, InstructionKind::Compute, InstructionKind::Store];
        let [load, add, store] = nodes.map(|kind| node(&mut g, kind, 150));
        g.edges.extend([(load, add), (add, store), (store, load)]);
        let effects = [(load, Effect::Loads(at(1, SIZE))), (store, Effect::Stores(at(1, SIZE)))];
        let times = 150;
        g.effects.extend(effects.map(|(node, effect)| HeapEffect { node, effect, times }));
        if reads > 0 {
            test(&mut g, at(1, SIZE), reads);
        }
        expect(&g, &[("Counter", excess, 300.0)]);
    }
}

#[test]
fn code_that_many_share_costs_and_benefits_each_by_its_part() {
    // One store and one load, for 990 objects of which nothing is needed, and
    // for 10 whose values are tested elsewhere.
    let mut g = graph(&[("Rare", 10), ("Frequent", 990)]);
    let compute = node(&mut g, InstructionKind::Compute, 1_000);
    let store = node(&mut g, InstructionKind::Store, 1_000);
    g.edges.push((compute, store));
    for (tag, times) in [(1, 10), (2, 990)] {
        let effect = Effect::Stores(at(tag, SIZE));
        g.effects.push(HeapEffect { node: store, effect, times });
    }
    test(&mut g, at(1, SIZE), 10);
    expect(&g, &[("Frequent", 1_980.0, 1_980.0), ("Rare", 0.0, 20.0)]);
}

#[test]
fn what_structures_have_in_common_counts_once() {
    // Two lists share an array, three quarters of whose references are one's.
    let mut g = graph(&[("Large", 1), ("Small", 1), ("int[]", 4)]);
    for (owner, times) in [(1, 3), (2, 1)] {
        g.references.push(Reference { from: at(owner, ITEMS), to: TagId(3) });
        store(&mut g, at(owner, ITEMS), times);
        test(&mut g, at(owner, ITEMS), times);
    }
    store(&mut g, at(3, 0), 1_000);
    expect(&g, &[("Large", 1_500.0, 1_506.0), ("Small", 500.0, 502.0)]);
}
