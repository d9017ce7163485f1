//! Random cost graphs against literal definitions.

use std::collections::BTreeSet;

use profile::dataflow::{
    CostGraph, Effect, InstructionKind, Location, LocationUse, Reference, SiteId, TagId,
};
use subsume_analysis::dataflow::adjacency::Adjacency;
use subsume_analysis::dataflow::costs::balance::{Balance, Balances};
use subsume_analysis::dataflow::costs::dead::dead;
use subsume_analysis::dataflow::costs::fields::Fields;
use subsume_analysis::dataflow::costs::graph::Dependences;
use subsume_analysis::dataflow::costs::ranking::Ranking;
use subsume_analysis::dataflow::costs::reach::{sums, sums_within};
use subsume_analysis::dataflow::costs::relative::{Relative, absolute};
use subsume_analysis::dataflow::costs::sketch::standard_error;
use subsume_analysis::dataflow::costs::slice::slice;
use subsume_analysis::dataflow::costs::structures::{HEIGHTS, Structures};

use made_profiles::dataflow::build::{at, effect, node, site, tag};
use support::random::Random;

fn random(seed: u64) -> CostGraph {
    use InstructionKind::{Allocate, Compute, Load, Native, Predicate, Store};
    let mut random = Random(seed);
    let mut graph = CostGraph::default();
    let mut tags = Vec::new();
    for number in 0..2 + random.below(5) {
        let site = site(&mut graph.objects, "C", 100 + number as u16);
        tags.push(tag(&mut graph.objects, site, None, random.below(5)));
    }
    let nodes = 2 + random.below(22);
    for number in 0..nodes {
        let kind = [Compute, Compute, Compute, Load, Store, Allocate, Predicate, Native];
        let kind = kind[random.below(kind.len() as u64) as usize];
        let node = node(&mut graph, number as u16, kind, random.below(50));
        for _ in 0..1 + random.below(2) {
            let name = ["ELM", "f", "g"][random.below(3) as usize];
            let owner = tags[random.below(tags.len() as u64) as usize];
            let location = at(&mut graph.objects, owner, name);
            match kind {
                Load => effect(&mut graph, node, Effect::Loads(location)),
                Store => {
                    effect(&mut graph, node, Effect::Stores(location));
                    let to = tags[random.below(tags.len() as u64) as usize];
                    graph.references.push(Reference { from: location, to });
                    let uses = LocationUse { location, writes: 1, ..LocationUse::default() };
                    graph.locations.push(uses);
                }
                _ => {}
            }
        }
    }
    let any = |random: &mut Random| profile::dataflow::CostNodeId(random.below(nodes) as u32);
    for _ in 0..random.below(3 * nodes) {
        let edge = (any(&mut random), any(&mut random));
        graph.edges.push(edge);
    }
    graph.validate(1).unwrap();
    graph
}

fn kind(graph: &CostGraph, node: u32) -> InstructionKind {
    graph.instruction(profile::dataflow::CostNodeId(node)).kind
}

/// True if there is a path from `a` to `n` on which no node is `forbidden`.
fn path(graph: &CostGraph, a: u32, n: u32, forbidden: impl Fn(u32) -> bool) -> bool {
    let mut seen = BTreeSet::new();
    let mut pending = vec![a];
    while let Some(node) = pending.pop() {
        if forbidden(node) || !seen.insert(node) {
            continue;
        }
        if node == n {
            return true;
        }
        pending.extend(graph.edges.iter().filter(|(from, _)| from.0 == node).map(|(_, to)| to.0));
    }
    false
}

fn sum_of(graph: &CostGraph, chosen: impl Fn(u32) -> bool) -> f64 {
    let nodes = (0..graph.nodes.len() as u32).filter(|&node| chosen(node));
    nodes.map(|node| graph.nodes[node as usize].frequency as f64).sum()
}

fn hrac(graph: &CostGraph, n: u32) -> f64 {
    let reads = |node| kind(graph, node) == InstructionKind::Load;
    sum_of(graph, |a| path(graph, a, n, reads))
}

fn hrab(graph: &CostGraph, n: u32) -> f64 {
    let writes = |node| kind(graph, node) == InstructionKind::Store;
    sum_of(graph, |a| path(graph, n, a, writes))
}

#[test]
fn relative_costs_and_benefits_are_those_of_all_paths() {
    for seed in 0..300 {
        let graph = random(seed);
        let dependences = Dependences::new(&graph);
        let relative = Relative::new(&dependences);
        for node in 0..graph.nodes.len() as u32 {
            let cost = relative.cost.get(&node).map(|sum| sum.value);
            let benefit = relative.benefit.get(&node).map(|sum| sum.value);
            match kind(&graph, node) {
                InstructionKind::Store => assert_eq!(cost, Some(hrac(&graph, node)), "{seed}"),
                InstructionKind::Load => assert_eq!(benefit, Some(hrab(&graph, node)), "{seed}"),
                _ => assert_eq!((cost, benefit), (None, None)),
            }
            let all = sum_of(&graph, |a| path(&graph, a, node, |_| false));
            assert_eq!(absolute(&dependences, &[node])[0].value, all, "seed {seed}");
            assert_eq!(slice(&graph, &dependences, &[node]).cost() as f64, all, "seed {seed}");
            let hop = slice(&graph, &dependences, &[node]).hops[0].cost as f64;
            if kind(&graph, node) != InstructionKind::Load {
                assert_eq!(hop, hrac(&graph, node), "seed {seed}");
                // Reads on the line of the node belong to the hop before.
                let reads = |&node: &u32| kind(&graph, node) == InstructionKind::Load;
                let mut line: Vec<u32> = (0..graph.nodes.len() as u32).filter(reads).collect();
                line.push(node);
                let hop = slice(&graph, &dependences, &line).hops[0].cost as f64;
                assert_eq!(hop, hrac(&graph, node), "seed {seed}");
            }
        }
    }
}

/// Mean of the costs of the nodes that store to a location, or of the benefits
/// of those that load from it.
fn mean(graph: &CostGraph, wanted: Effect, of_node: impl Fn(&CostGraph, u32) -> f64) -> f64 {
    let nodes: BTreeSet<u32> =
        graph.effects.iter().filter(|e| e.effect == wanted).map(|e| e.node.0).collect();
    let sum: f64 = nodes.iter().map(|&node| of_node(graph, node)).sum();
    if nodes.is_empty() { 0.0 } else { sum / nodes.len() as f64 }
}

/// A load of the location reaches a predicate or native before any heap store.
fn is_consumed(graph: &CostGraph, location: Location) -> bool {
    let loads = graph.effects.iter().filter(|e| e.effect == Effect::Loads(location));
    let writes = |node| kind(graph, node) == InstructionKind::Store;
    let consumers = || (0..graph.nodes.len() as u32).filter(|&n| kind(graph, n).consumes());
    loads.into_iter().any(|e| consumers().any(|consumer| path(graph, e.node.0, consumer, writes)))
}

/// The tags in the reference tree of a height, by levels.
fn levels(graph: &CostGraph, tag: TagId, height: usize) -> BTreeSet<TagId> {
    let mut tree = BTreeSet::from([tag]);
    for _ in 1..height {
        let next = graph.references.iter().filter(|r| tree.contains(&r.from.tag)).map(|r| r.to);
        let next: Vec<TagId> = next.collect();
        tree.extend(next);
    }
    tree
}

#[test]
fn structures_are_sums_over_reference_trees() {
    for seed in 0..300 {
        let graph = random(seed);
        let relative = Relative::new(&Dependences::new(&graph));
        let fields = Fields::new(&graph, &relative);
        let structures = Structures::new(&graph, &fields);
        let locations: BTreeSet<Location> = graph
            .effects
            .iter()
            .filter_map(|e| match e.effect {
                Effect::Allocates(_) => None,
                Effect::Stores(location) | Effect::Loads(location) => Some(location),
            })
            .collect();
        for tag in (1..graph.objects.tags.len() as u32).map(TagId) {
            let found = structures.structure(tag);
            for height in 1..=HEIGHTS {
                let tree = levels(&graph, tag, height);
                let counted =
                    locations.iter().filter(|l| tree.contains(&l.tag) && !is_consumed(&graph, **l));
                let (mut cost, mut benefit) = (0.0, 0.0);
                for &location in counted {
                    cost += mean(&graph, Effect::Stores(location), hrac);
                    benefit += mean(&graph, Effect::Loads(location), hrab);
                }
                let near = |a: f64, b: f64| (a - b).abs() <= 1e-9 * (1.0 + a.abs());
                assert!(near(found.cost[height - 1], cost), "seed {seed}: {found:?} {cost}");
                assert!(near(found.benefit[height - 1], benefit), "seed {seed}: {found:?}");
            }
        }
    }
}

#[test]
fn no_instance_is_excess_twice() {
    for seed in 0..300 {
        let mut graph = random(seed);
        let kinds: Vec<_> = (0..graph.nodes.len() as u32).map(|n| kind(&graph, n)).collect();
        // As in a recording: a value leaves the heap as a load's, and consumers
        // make none.
        graph.edges.retain(|(from, to)| {
            let (from, to) = (kinds[from.0 as usize], kinds[to.0 as usize]);
            (from == InstructionKind::Store) == (to == InstructionKind::Load) && !from.consumes()
        });
        let dependences = Dependences::new(&graph);
        let balances = Balances::new(&graph, &dependences);
        let all = dependences.instances() as f64 * (1.0 + 1e-9);
        let sum = |of: fn(&Balance) -> f64| balances.locations.iter().map(of).sum::<f64>();
        assert!(sum(|balance| balance.cost) <= all, "seed {seed}");
        assert!(sum(|balance| balance.benefit) <= all, "seed {seed}");
        for balance in &balances.locations {
            assert!(
                0.0 <= balance.excess && balance.excess <= balance.cost,
                "seed {seed}: {balance:?}"
            );
        }
        let sites = || (0..graph.objects.sites.len() as u32).map(SiteId);
        for height in 1..=HEIGHTS {
            let ranked = Ranking::new(&graph, &balances, height).ranked(sites());
            assert!(ranked.is_sorted_by(|a, b| a.excess >= b.excess), "seed {seed}");
            let listed: f64 = ranked.iter().map(|entry| entry.excess).sum();
            assert!(listed <= sum(|balance| balance.excess) * (1.0 + 1e-9), "seed {seed}");
        }
    }
}

#[test]
fn dead_nodes_reach_no_consumer() {
    for seed in 0..300 {
        let graph = random(seed);
        let found = dead(&Dependences::new(&graph));
        let nodes = graph.nodes.len() as u32;
        let reaches = |node, wanted| {
            (0..nodes).any(|n| kind(&graph, n) == wanted && path(&graph, node, n, |_| false))
        };
        let native = |node| reaches(node, InstructionKind::Native);
        let predicate = |node| reaches(node, InstructionKind::Predicate);
        let is_dead = |node| !native(node) && !predicate(node);
        assert_eq!(found.dead as f64, sum_of(&graph, is_dead), "seed {seed}");
        let only = sum_of(&graph, |node| predicate(node) && !native(node));
        assert_eq!(found.only_predicates as f64, only, "seed {seed}");
        assert_eq!(found.dead_nodes, (0..nodes).filter(|&node| is_dead(node)).count());
        assert_eq!(found.instances as f64, sum_of(&graph, |_| true));
    }
}

#[test]
fn estimates_are_marked_and_near() {
    let mut random = Random(5);
    let nodes = 3_000u32;
    let edges: Vec<(u32, u32)> = (1..nodes)
        .flat_map(|to| [0; 2].map(|_| (to, random.below(u64::from(to)) as u32)))
        .collect();
    let sources = Adjacency::new(nodes as usize, edges.iter().copied());
    let weight: Vec<u64> = (0..nodes).map(|_| random.below(1_000)).collect();
    let left_out = vec![false; nodes as usize];
    let targets: Vec<u32> = (nodes - 500..nodes).collect();
    let exact = sums(&sources, &left_out, &weight, &targets);
    let estimated = sums_within(&sources, &left_out, &weight, &targets, 0);
    assert!(exact.iter().all(|sum| !sum.estimated) && estimated.iter().all(|sum| sum.estimated));
    let error = |(exact, found): (&subsume_analysis::dataflow::costs::reach::Sum, &_)| {
        let found: &subsume_analysis::dataflow::costs::reach::Sum = found;
        (found.value - exact.value) / exact.value
    };
    let errors: Vec<f64> = exact.iter().zip(&estimated).map(error).collect();
    let root_mean_square = (errors.iter().map(|e| e * e).sum::<f64>() / 500.0).sqrt();
    assert!(root_mean_square < 2.0 * standard_error(), "{root_mean_square}");
    assert!(errors.iter().all(|error| error.abs() < 5.0 * standard_error()));
}
