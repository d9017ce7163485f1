//! Random copy graphs against literal definitions.

use std::collections::{BTreeMap, BTreeSet};

use profile::dataflow::{Allocations, CopyProfile, Origin, TagId};
use subsume_analysis::dataflow::copies::chains::{Limits, chains};
use subsume_analysis::dataflow::copies::clones::{DEPTH, clones};
use subsume_analysis::dataflow::copies::graph::CopyGraph;
use subsume_analysis::dataflow::copies::temporaries::temporaries;
use subsume_analysis::dataflow::copies::useless::useless;

use made_profiles::dataflow::build::{at, copy, from, recording, site, tag};
use support::random::Random;

const NAMES: [&str; 4] = ["ELM", "f", "g", "Static"];

fn random(seed: u64) -> CopyProfile {
    let mut random = Random(seed);
    let mut copies = CopyProfile::default();
    let sites = 2 + random.below(6);
    let mut tags = vec![TagId::UNKNOWN];
    for number in 0..sites {
        let o = &mut copies.objects;
        let own = site(o, "C", 100 + number as u16);
        for _ in 0..1 + random.below(2) {
            tags.push(tag(o, own, None, random.below(9)));
        }
    }
    let place = |copies: &mut CopyProfile, random: &mut Random| {
        let name = NAMES[random.below(4) as usize];
        let owner = tags[random.below(tags.len() as u64) as usize];
        let owner = if name == "Static" { TagId::UNKNOWN } else { owner };
        at(&mut copies.objects, owner, name)
    };
    for _ in 0..random.below(24) {
        let (source, to) = (place(&mut copies, &mut random), place(&mut copies, &mut random));
        let source = if random.below(3) == 0 {
            Origin::Producer(tags[random.below(tags.len() as u64) as usize])
        } else {
            Origin::Location(source)
        };
        let bytes = 1 << random.below(4);
        let count = 1 + random.below(20);
        copy(&mut copies, source, to, (count, bytes), random.below(3) as u16);
    }
    for _ in 0..random.below(4) {
        let consumed = Origin::Location(place(&mut copies, &mut random));
        copies.consumed.push(consumed);
    }
    let nobody = from(&mut copies.objects, tags[1], "f");
    copies.consumed.push(nobody);
    recording(copies.clone());
    copies
}

/// Every path with at most `length` edges, each at most once.
fn all_paths(graph: &CopyGraph, length: usize) -> Vec<Vec<u32>> {
    let mut paths: Vec<Vec<u32>> = (0..graph.edges.len() as u32).map(|edge| vec![edge]).collect();
    let mut at = 0;
    while at < paths.len() {
        let path = paths[at].clone();
        at += 1;
        if path.len() == length {
            continue;
        }
        let end = graph.edge(path[path.len() - 1]).to;
        for (number, edge) in (0u32..).zip(&graph.edges) {
            if edge.from == end && !path.contains(&number) {
                paths.push([path.as_slice(), &[number]].concat());
            }
        }
    }
    paths
}

fn waste(graph: &CopyGraph, path: &[u32]) -> u64 {
    let least = path.iter().map(|&edge| (graph.edge(edge).count, graph.edge(edge).bytes)).min();
    let (frequency, bytes) = least.unwrap();
    path.len() as u64 * frequency * u64::from(bytes)
}

#[test]
fn chains_are_those_of_an_enumeration() {
    let mut compared = 0;
    for seed in 0..300 {
        let graph = CopyGraph::new(&random(seed));
        let length = 1 + seed as usize % 4;
        let mut paths = all_paths(&graph, length);
        paths.sort_by_key(|path| std::cmp::Reverse((waste(&graph, path), path.len())));
        let mut expected: Vec<Vec<u32>> = Vec::new();
        for path in paths {
            let inside = |host: &Vec<u32>| path.iter().all(|edge| host.contains(edge));
            if !expected.iter().any(inside) {
                expected.push(path);
            }
        }
        let limits = Limits { length, top: usize::MAX, paths: usize::MAX };
        let found = chains(&graph, limits, |_| true);
        assert_eq!(found.missing, None);
        let wastes: Vec<u64> = found.chains.iter().map(|chain| chain.waste).collect();
        let literal: Vec<u64> = expected.iter().map(|path| waste(&graph, path)).collect();
        assert_eq!(wastes, literal, "seed {seed}");
        // Of circles, it does not matter where they start.
        let sorted = |path: Vec<u32>| path.into_iter().collect::<BTreeSet<u32>>();
        let set = |paths: Vec<Vec<u32>>| paths.into_iter().map(sorted).collect::<BTreeSet<_>>();
        let edges = found.chains.into_iter().map(|chain| chain.edges).collect();
        assert_eq!(set(edges), set(expected), "seed {seed}");
        compared += wastes.len();
    }
    assert!(compared > 1_000, "{compared} chains are too few to tell");
}

#[test]
fn a_search_that_is_given_up_says_what_is_missing_at_most() {
    let mut given_up = 0;
    for seed in 0..300 {
        let graph = CopyGraph::new(&random(seed));
        let all = |paths| chains(&graph, Limits { length: 4, top: usize::MAX, paths }, |_| true);
        let (whole, cut) = (all(usize::MAX), all(12));
        let Some(missing) = cut.missing else { continue };
        given_up += 1;
        let found: Vec<u64> = cut.chains.iter().map(|chain| chain.waste).collect();
        let wastes: Vec<u64> = whole.chains.iter().map(|chain| chain.waste).collect();
        assert_eq!(found, wastes[..found.len()], "seed {seed}");
        assert!(wastes[found.len()..].iter().all(|&waste| waste <= missing), "seed {seed}");
    }
    assert!(given_up > 50, "only {given_up} searches were given up");
}

/// 500 places are copied to each of 500 others, and these to one, and on: a
/// quarter of a million chains end with the same copy. What the search
/// does for one of them must not grow with those found before.
#[test]
fn all_of_many_chains_are_found_path_by_path() {
    const SIDE: u64 = 500;
    let mut copies = CopyProfile::default();
    let site = site(&mut copies.objects, "C", 1);
    let tag = tag(&mut copies.objects, site, None, 1);
    let mut places =
        (0..2 * SIDE + 2).map(|number| at(&mut copies.objects, tag, &format!("f{number}")));
    let places: Vec<_> = places.by_ref().collect();
    let (first, second) = places.split_at(SIDE as usize);
    let (second, last) = second.split_at(SIDE as usize);
    for &to in second {
        for &source in first {
            copy(&mut copies, Origin::Location(source), to, (1, 4), 1);
        }
        copy(&mut copies, Origin::Location(to), last[0], (1, 4), 1);
    }
    copy(&mut copies, Origin::Location(last[0]), last[1], (1, 4), 1);
    let graph = CopyGraph::new(&copies);
    let limits = Limits { length: 5, top: usize::MAX, paths: 3_000_000 };
    let found = chains(&graph, limits, |_| true);
    assert_eq!(found.missing, None);
    assert_eq!(found.chains.len() as u64, SIDE * SIDE);
    assert!(found.chains.iter().all(|chain| chain.edges.len() == 3));
    // Every path once: of one, two and three copies.
    let ends = [SIDE * SIDE + SIDE + 1, SIDE * SIDE + SIDE, SIDE * SIDE];
    assert_eq!(found.paths as u64, ends.iter().sum::<u64>());
    assert_eq!(found.parts, 6 * found.chains.len());
    let folded: usize = found.chains.iter().map(|chain| chain.folded).sum();
    assert_eq!(folded, found.paths - found.chains.len());
}

/// Locations that can be reached from `start` over edges.
fn reachable(copies: &CopyProfile, start: Origin) -> BTreeSet<profile::dataflow::Location> {
    let mut reached = BTreeSet::new();
    loop {
        let more: Vec<_> = copies
            .edges
            .iter()
            .filter(|edge| match edge.from {
                Origin::Location(from) => {
                    reached.contains(&from) || start == Origin::Location(from)
                }
                producer @ Origin::Producer(_) => producer == start,
            })
            .map(|edge| edge.to)
            .filter(|to| !reached.contains(to))
            .collect();
        if more.is_empty() {
            return reached;
        }
        reached.extend(more);
    }
}

#[test]
fn useless_locations_reach_no_consumer() {
    let mut compared = 0;
    for seed in 0..300 {
        let copies = random(seed);
        let graph = CopyGraph::new(&copies);
        let mut expected: BTreeMap<profile::dataflow::Location, u64> = BTreeMap::new();
        for edge in &copies.edges {
            let mut onwards = reachable(&copies, Origin::Location(edge.to));
            onwards.insert(edge.to);
            if !onwards.iter().any(|&l| copies.consumed.contains(&Origin::Location(l))) {
                *expected.entry(edge.to).or_default() += edge.count * u64::from(edge.bytes);
            }
        }
        let found = useless(&copies, &graph);
        let locations = found.iter().flat_map(|entry| &entry.locations);
        let found: BTreeMap<_, _> =
            locations.map(|l| (graph.location(l.location), l.bytes)).collect();
        assert_eq!(found, expected, "seed {seed}");
        compared += found.len();
    }
    assert!(compared > 500, "{compared} locations are too few to tell");
}

#[test]
fn temporaries_have_no_edges() {
    for seed in 0..300 {
        let copies = random(seed);
        let stored = |tag| copies.edges.iter().any(|edge| edge.from == Origin::Producer(tag));
        let expected: u64 = (1..copies.objects.tags.len() as u32)
            .filter(|&tag| !stored(TagId(tag)))
            .map(|tag| copies.objects.allocations[tag as usize].objects)
            .sum();
        let found = temporaries(&copies, &CopyGraph::new(&copies));
        let sum: u64 = found.iter().map(|entry| entry.objects).sum();
        assert_eq!(sum, expected, "seed {seed}");
    }
}

#[test]
fn temporaries_are_counted_by_object() {
    let mut copies = CopyProfile::default();
    let own = site(&mut copies.objects, "C", 7);
    tag(&mut copies.objects, own, None, 5);
    copies.assigned = vec![Allocations::default(), Allocations { objects: 2, bytes: 32 }];
    let found = temporaries(&copies, &CopyGraph::new(&copies));
    let found: Vec<_> = found.iter().map(|e| (e.objects, e.bytes, e.all_objects)).collect();
    assert_eq!(found, [(3, 48, 5)]);
}

/// `tag` and what it refers to, directly and over at most so many references.
fn literal_reach(copies: &CopyProfile, tag: TagId, depth: usize) -> BTreeSet<TagId> {
    let tags = (1..copies.objects.tags.len() as u32).map(TagId);
    let holds = |owner: TagId, held: TagId| {
        reachable(copies, Origin::Producer(held)).iter().any(|location| location.tag == owner)
    };
    let mut reached = BTreeSet::from([tag]);
    for _ in 0..depth {
        let more: Vec<TagId> =
            tags.clone().filter(|&held| reached.iter().any(|&owner| holds(owner, held))).collect();
        reached.extend(more);
    }
    reached
}

#[test]
fn clone_volumes_are_sums_over_all_reached_pairs() {
    let mut compared = 0;
    for seed in 0..300 {
        let copies = random(seed);
        let found = clones(&CopyGraph::new(&copies));
        // All copies between what a pair reaches, and those apart from what both reach.
        let volumes = |from: TagId, to: TagId| -> (u64, u64) {
            let sources = literal_reach(&copies, from, DEPTH);
            let targets = literal_reach(&copies, to, DEPTH);
            let (mut reached, mut own) = (0, 0);
            for edge in &copies.edges {
                let Origin::Location(source) = edge.from else { continue };
                let (a, b) = (source.tag, edge.to.tag);
                if sources.contains(&a) && targets.contains(&b) {
                    let bytes = edge.count * u64::from(edge.bytes);
                    reached += bytes;
                    let is_apart = !targets.contains(&a) && !sources.contains(&b);
                    own += if is_apart || (a, b) == (from, to) { bytes } else { 0 };
                }
            }
            (reached, own)
        };
        let mut listed = BTreeSet::new();
        for entry in &found.clones {
            for pair in &entry.pairs {
                let expected = volumes(pair.from, pair.to);
                assert_eq!((pair.reached, entry.volume), expected, "seed {seed}: {pair:?}");
                assert!(listed.insert((pair.from, pair.to)), "seed {seed}: a pair is listed twice");
                compared += 1;
            }
        }
        for edge in &copies.edges {
            if let Origin::Location(from) = edge.from
                && from.tag != TagId::UNKNOWN
                && edge.to.tag != TagId::UNKNOWN
            {
                assert!(listed.contains(&(from.tag, edge.to.tag)), "seed {seed}");
            }
        }
    }
    assert!(compared > 1_000, "{compared} pairs are too few to tell");
}
