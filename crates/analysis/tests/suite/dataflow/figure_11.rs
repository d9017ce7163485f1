//! The paper's example of costs and benefits (Figure 11, section 4.2), as far
//! as its text gives numbers. They count statements.

use profile::dataflow::{InstructionKind, SiteId, TagId};
use subsume_analysis::dataflow::costs::balance::Balances;
use subsume_analysis::dataflow::costs::dead::{by_place, by_site, dead};
use subsume_analysis::dataflow::costs::fields::Fields;
use subsume_analysis::dataflow::costs::graph::Dependences;
use subsume_analysis::dataflow::costs::ranking::Ranking;
use subsume_analysis::dataflow::costs::relative::{Relative, absolute};
use subsume_analysis::dataflow::costs::slice::slice;
use subsume_analysis::dataflow::costs::structures::Structures;

use made_profiles::dataflow::build::{node, profile};
use made_profiles::dataflow::figure_11::figure_11;

#[test]
fn costs_and_benefits_of_the_text() {
    let example = figure_11();
    let graph = &example.graph;
    graph.validate(1).unwrap();
    let dependences = Dependences::new(graph);
    assert_eq!(absolute(&dependences, &[example.call.0])[0].value, 4_007.0, "AC(35)");
    let relative = Relative::new(&dependences);
    assert_eq!(relative.cost[&example.write.0].value, 4_005.0, "HRAC(19)");
    assert_eq!(relative.benefit[&example.read.0].value, 2.0, "HRAB(4)");
    assert_eq!(relative.cost[&example.add.0].value, 2.0, "HRAC(28)");
    assert_eq!(relative.estimated(), 0);

    let fields = Fields::new(graph, &relative);
    let [t] = fields.of(example.holder) else { panic!() };
    assert_eq!((t.cost, t.benefit, t.consumed), (4_005.0, 2.0, false), "RAC, RAB of O33.t");
    let [elements] = fields.of(example.array) else { panic!() };
    assert_eq!((elements.cost, elements.benefit), (2.0, 0.0), "RAC, RAB of O24.ELM");

    let structures = Structures::new(graph, &fields);
    let array = structures.structure(example.array);
    assert_eq!(array.benefit[..2], [0.0, 0.0], "1- and 2-RAB of O24");
    let list = structures.structure(example.list);
    assert_eq!(list.cost, [1.0, 3.0, 3.0, 3.0], "the array counts from the second level on");
    assert_eq!(list.benefit, [0.0; 4]);

    // The array is a part of the list.
    let balances = Balances::new(graph, &dependences);
    let sites = (0..graph.objects.sites.len() as u32).map(SiteId);
    let ranked = Ranking::new(graph, &balances, 4).ranked(sites);
    let order: Vec<(TagId, f64)> = ranked.iter().map(|entry| (entry.worst, entry.excess)).collect();
    assert_eq!(order, [(example.holder, 4_005.0), (example.list, 3.0)]);
}

#[test]
fn the_slice_of_line_35() {
    let example = figure_11();
    let dependences = Dependences::new(&example.graph);
    let slice = slice(&example.graph, &dependences, &[example.call.0]);
    let costs: Vec<u64> = slice.hops.iter().map(|hop| hop.cost).collect();
    // HRAC(35), then the reading of t and all that had been stored in it.
    assert_eq!(costs, [1, 4_006]);
    assert_eq!(slice.cost(), 4_007);
    assert_eq!(slice.hops[0].read.len(), 1);
    assert!(slice.hops[1].read.is_empty());
}

#[test]
fn what_is_kept_and_never_taken_is_dead() {
    let mut example = figure_11();
    let found = dead(&Dependences::new(&example.graph));
    // All but the test of the loop and what it tests.
    assert_eq!(found.instances, 4 + 4_000 + 1_001 + 5);
    assert_eq!((found.dead, found.only_predicates), (4_008, 1_002));
    assert_eq!((found.dead_nodes, found.nodes), (12, 14));
    let lines = by_place(&[(&example.graph, &found)], |place| place);
    assert_eq!((lines[0].place.line, lines[0].dead), (15, 1_000));
    // One store each in the objects of lines 32, 24 and 33.
    let sites = by_site(&example.graph, &found);
    let site = |line| example.graph.objects.sites.iter().position(|s| s.place.line == line);
    let expected = [32, 24, 33].map(|line| (SiteId(site(line).unwrap() as u32), 1));
    assert_eq!(sites, expected);

    // Once the element is printed, only the references in the list are dead.
    let print = node(&mut example.graph, 50, InstructionKind::Native, 1);
    let load = node(&mut example.graph, 49, InstructionKind::Load, 1);
    example.graph.edges.extend([(example.add, load), (load, print)]);
    let profile = profile(profile::dataflow::DataFlow {
        costs: Some(example.graph),
        ..profile::dataflow::DataFlow::default()
    });
    let graph = profile.dataflow.costs.unwrap();
    let found = dead(&Dependences::new(&graph));
    assert_eq!((found.dead, found.only_predicates), (1, 1_001));
}
