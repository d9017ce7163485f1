//! What costs say of a program that does the same in every run.

use analysis::dataflow::costs::balance::Balances;
use analysis::dataflow::costs::dead::{by_place, dead};
use analysis::dataflow::costs::graph::Dependences;
use analysis::dataflow::costs::ranking::Ranking;
use analysis::dataflow::costs::structures::HEIGHTS;
use profile::Profile;
use profile::dataflow::{CostGraph, Place, SiteId};
use support::in_turn;

use crate::rig::Recording;

/// Entries that are looked at.
const TOP: usize = 20;

#[test]
fn what_comes_first_is_the_same_in_every_run() {
    for jdk in in_turn() {
        let [one, other] = [0, 1].map(|_| Recording::new(jdk, "Orders", "mode=costs").run());
        assert_eq!(one.lines, other.lines, "{jdk}");
        let [(structures, methods), again] = [&one, &other].map(|run| first(&run.profile));
        assert_eq!(structures, again.0, "{jdk}");
        assert_eq!(methods, again.1, "{jdk}");
        assert_eq!((structures.len(), methods.len()), (TOP, TOP), "{jdk}");
    }
}

#[test]
fn arrays_too_large_for_a_last_writer_of_each_element_are_counted() {
    for jdk in in_turn() {
        let run = Recording::new(jdk, "Orders", "mode=costs").run();
        let shared = graph(&run.profile).shared;
        assert_eq!((shared.arrays, shared.elements), (1, 100_000), "{jdk}");
    }
}

/// Every context as its path and costs, sorted.
fn contexts(profile: &Profile) -> Vec<(String, Vec<u64>)> {
    let nodes = &profile.nodes;
    let names: Vec<String> = profile.names().map(|name| format!("{name:#}")).collect();
    let mut paths: Vec<String> = Vec::new();
    for (at, &method) in nodes.method.iter().enumerate() {
        let parent = paths.get(nodes.parent[at] as usize).map_or("", String::as_str);
        let path = format!("{parent};{}:{}", nodes.site[at], names[method as usize]);
        paths.push(path);
    }
    let costs = (0..nodes.len()).map(|at| nodes.metrics.iter().map(|m| m.values[at]).collect());
    let mut all: Vec<_> = paths.into_iter().zip(costs).collect();
    // Hash tables of the JDK take other steps where identity hashes are others.
    all.retain(|(path, _)| {
        let (_, method) = path.rsplit_once(':').expect("a path ends with a method");
        method.starts_with("Orders") && path.starts_with(";0:Orders.main")
    });
    all.sort();
    all
}

/// Executions of each instruction of the program, by method, position and kind.
fn frequencies(profile: &Profile) -> Vec<(String, u64)> {
    let graph = graph(profile);
    let names: Vec<String> = profile.names().map(|name| format!("{name:#}")).collect();
    let mut all: Vec<(String, u64)> = Vec::new();
    for info in &graph.nodes {
        let instruction = &graph.instructions[info.instruction.0 as usize];
        let place = instruction.place;
        let Some(method) = place.method.map(|method| &names[method.0 as usize]) else { continue };
        if method.starts_with("Orders") {
            let slot = info.slot;
            let what = format!("{method}:{} {:?} {slot:?}", place.bci, instruction.kind);
            all.push((what, info.frequency));
        }
    }
    all.sort();
    all
}

#[test]
fn calls_and_costs_are_the_same_together_and_apart() {
    for jdk in in_turn() {
        // Bytes are not counted beside costs, which add fields to objects.
        let [calls, costs, both] = ["mode=calls,bytes=off", "mode=costs", "mode=calls+costs"]
            .map(|mode| Recording::new(jdk, "Orders", mode).run().profile);
        assert!(costs.nodes.is_empty() && costs.nodes.metrics.is_empty(), "{jdk}");
        let both_contexts = contexts(&both);
        assert!(both_contexts.len() >= 3, "{jdk}");
        assert_eq!(both_contexts, contexts(&calls), "{jdk}");
        let both_frequencies = frequencies(&both);
        assert!(both_frequencies.len() > 20, "{jdk}");
        assert_eq!(both_frequencies, frequencies(&costs), "{jdk}");
    }
}

fn graph(profile: &Profile) -> &CostGraph {
    profile.dataflow.costs.as_ref().expect("costs were recorded")
}

/// The first structures, and the first methods that make dead values.
fn first(profile: &Profile) -> (Vec<String>, Vec<String>) {
    let graph = graph(profile);
    let name = |place: Place| {
        let method = place.method.map(|method| &profile.methods[method.0 as usize]);
        let named = method.map(|method| {
            let class = &profile.classes[method.class.0 as usize].name;
            format!("{class}.{}{}", method.name, method.descriptor)
        });
        format!("{}:{}", named.unwrap_or_default(), place.bci)
    };
    let dependences = Dependences::new(graph);
    let balances = Balances::new(graph, &dependences);
    let sites = (0..graph.objects.sites.len() as u32).map(SiteId);
    let ranked = Ranking::new(graph, &balances, HEIGHTS).ranked(sites);
    let structures = ranked.iter().take(TOP).map(|entry| {
        let site = &graph.objects.sites[entry.site.0 as usize];
        format!("{} at {}", site.class, name(site.place))
    });
    let dead = dead(&dependences);
    let of_method = |place: Place| Place { bci: 0, line: 0, ..place };
    let places = by_place(&[(graph, &dead)], of_method);
    let methods = places.iter().take(TOP).map(|at| format!("{} {}", name(at.place), at.dead));
    (structures.collect(), methods.collect())
}

#[test]
fn reflection_sees_no_last_writers_whether_recording_is_on_or_off() {
    for jdk in in_turn() {
        let plain = Recording::new(jdk, "Reflected", "mode=calls").run().lines;
        assert_eq!(plain.last().map(String::as_str), Some("first second third"), "{jdk}");
        for agent in ["mode=costs", "mode=costs,start=off"] {
            assert_eq!(
                Recording::new(jdk, "Reflected", agent).run().lines,
                plain,
                "{jdk}, {agent}"
            );
        }
    }
}
