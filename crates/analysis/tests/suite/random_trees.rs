//! The analysis agrees with the literal algorithms on random profiles, and
//! keeps the paper's laws.

use crate::common;
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use formats::export::folded::{self, Stacks};
use formats::import::folded::Importer;
use made_profiles::random_trees::{Random, random_profile};
use profile::{NO_PARENT, Profile};
use subsume_analysis::subsuming::characteristics::{characteristics, characteristics_within};
use subsume_analysis::subsuming::{Subsuming, Thresholds};
use support::rounds;
use tree::Tree;
use tree::costs::costs;
use tree::forest::Selection;
use tree::names::pattern::Pattern;
use tree::views::bottom_up::{Limits, bottom_up};
use tree::views::callers::{callers, uses};

fn thresholds(random: &mut Random) -> Thresholds {
    Thresholds { height: random.below(5) as u32, distance: random.below(5) as u32 }
}

#[test]
fn analysis_agrees_with_the_literal_algorithms() {
    let mut random = Random(1);
    let (mut moved, mut virtual_roots, mut single_roots) = (0, 0, 0);
    let trees = rounds(20_000);
    for round in 0..trees {
        let profile = random_profile(&mut random);
        let tree = Tree::merge(vec![("random".into(), profile)], &Selection::default()).unwrap();
        let thresholds = thresholds(&mut random);
        match common::agree(&tree, thresholds) {
            Ok(nodes) => moved += u64::from(nodes > 0),
            Err(difference) => panic!("round {round}, {thresholds:?}: {difference}"),
        }
        virtual_roots += u64::from(tree.has_virtual_root());
        single_roots += u64::from(tree.roots == 1);
    }
    // The trees must be of all kinds, or this proves little.
    assert!(moved > trees / 10, "{moved} trees with recursion to reduce");
    assert!(virtual_roots > trees / 4, "{virtual_roots} trees with a virtual root");
    assert!(single_roots > trees / 40, "{single_roots} trees with a single root");
}

#[test]
fn several_passes_say_the_same_as_one() {
    let mut random = Random(6);
    for _ in 0..2_000 {
        let profile = random_profile(&mut random);
        let tree = Tree::merge(vec![("random".into(), profile)], &Selection::default()).unwrap();
        let capacity = random.below(10) as usize;
        assert_eq!(characteristics_within(&tree, capacity), characteristics(&tree));
    }
}

#[test]
fn induced_costs_add_up_to_the_total() {
    let mut random = Random(2);
    for _ in 0..2_000 {
        let profile = random_profile(&mut random);
        let total: u64 = profile.nodes.metric("bytecodes").unwrap().values.iter().sum();
        let tree = Tree::merge(vec![("random".into(), profile)], &Selection::default()).unwrap();
        let analysis = Subsuming::analyse(&tree, thresholds(&mut random), &Pattern::new(""));
        let induced: u64 = analysis.subsuming().map(|m| analysis.induced[m]).sum();
        assert_eq!(induced + analysis.induced_by_virtual_root, total);
        assert_eq!(analysis.costs.iter().map(|c| c.exclusive).sum::<u64>(), total);
    }
}

#[test]
fn callers_share_out_the_inclusive_cost() {
    let mut random = Random(4);
    for _ in 0..2_000 {
        let profile = random_profile(&mut random);
        let call_sites = random.below(2) == 0;
        let selection = Selection { call_sites, ..Selection::default() };
        let tree = Tree::merge(vec![("random".into(), profile)], &selection).unwrap();
        let costs = costs(&tree);
        let methods: Vec<u32> = (0..tree.methods.len() as u32).collect();
        for (method, uses) in uses(&tree, &methods).into_iter().enumerate() {
            let callers = callers(&tree, &uses);
            assert_eq!(callers.iter().map(|c| c.cost).sum::<u64>(), costs[method].inclusive);
            // No context of a use has the method itself among its callers.
            assert!(callers.iter().all(|caller| caller.method != Some(method as u32)));
        }
    }
}

/// The methods and sites on the paths up from the outermost contexts of a method, each with
/// the contexts at its end. Sites are those of the calls below the methods.
type Paths = BTreeMap<Vec<(u32, u32)>, BTreeSet<u32>>;

fn paths_up(tree: &Tree, method: u32) -> Paths {
    let mut paths = Paths::new();
    for node in (0..tree.len() as u32).filter(|&node| tree.method[node as usize] == method) {
        let path = tree.path(node);
        let (_, above) = path.split_last().unwrap();
        if above.iter().any(|&node| tree.method[node as usize] == method) {
            continue;
        }
        let mut callers = Vec::new();
        for (&caller, &callee) in above.iter().zip(&path[1..]).rev() {
            let site = tree.site.get(callee as usize).copied().unwrap_or(0);
            callers.push((tree.method[caller as usize], site));
            paths.entry(callers.clone()).or_default().insert(caller);
        }
    }
    paths
}

#[test]
fn calls_of_callers_are_those_of_all_contexts_on_their_paths() {
    let mut random = Random(7);
    let limits = Limits { depth: u32::MAX, min_percent: 0.0, top: usize::MAX, class: None };
    let mut several = 0;
    for _ in 0..2_000 {
        let profile = random_profile(&mut random);
        let call_sites = random.below(2) == 0;
        let selection = Selection { call_sites, ..Selection::default() };
        let tree = Tree::merge(vec![("random".into(), profile)], &selection).unwrap();
        let calls = tree.calls().unwrap();
        let methods: Vec<u32> = (0..tree.methods.len() as u32).collect();
        for (method, uses) in (0..).zip(uses(&tree, &methods)) {
            let expected: BTreeMap<_, u64> = paths_up(&tree, method)
                .into_iter()
                .map(|(path, nodes)| {
                    several += u64::from(nodes.len() > 1);
                    (path, nodes.iter().map(|&node| calls[node as usize]).sum())
                })
                .collect();
            let mut paths: Vec<Vec<(u32, u32)>> = Vec::new();
            let mut found = BTreeMap::new();
            for line in bottom_up(&tree, &uses, &limits) {
                let mut path = line.callee.map_or_else(Vec::new, |callee| paths[callee].clone());
                if let Some(caller) = line.caller.method {
                    path.push((caller, line.caller.site));
                    let own_calls = line.caller.own_calls.unwrap();
                    assert_eq!(found.insert(path.clone(), own_calls), None, "a path twice");
                } else {
                    assert_eq!(line.caller.own_calls, None);
                }
                paths.push(path);
            }
            assert_eq!(found, expected);
        }
    }
    assert!(several > 500, "{several} paths end in several contexts");
}

#[test]
fn exported_stacks_come_back_as_the_same_tree() {
    let mut random = Random(5);
    for _ in 0..2_000 {
        let profile = random_profile(&mut random);
        let tree = Tree::merge(vec![("random".into(), profile)], &Selection::default()).unwrap();
        let mut first = Vec::new();
        folded::write(&tree, &Stacks::default(), true, &mut first).unwrap();
        if first.is_empty() {
            continue;
        }
        let mut importer = Importer::default();
        importer.read(Path::new("exported"), &mut first.as_slice()).unwrap();
        let profiles = vec![("exported".to_owned(), importer.finish())];
        let again = Tree::merge(profiles, &Selection::default()).unwrap();
        assert_eq!(again.total(), tree.total());
        let mut second = Vec::new();
        folded::write(&again, &Stacks::default(), true, &mut second).unwrap();
        assert_eq!(String::from_utf8(second).unwrap(), String::from_utf8(first).unwrap());
    }
}

/// Paths with their costs, by way of names: what merging must preserve.
fn paths(
    profile: &Profile,
    threads: &Pattern,
) -> std::collections::BTreeMap<Vec<String>, (u64, u64)> {
    let mut paths = std::collections::BTreeMap::new();
    let nodes = &profile.nodes;
    for thread in profile.threads.iter().filter(|t| threads.matches(&t.name)) {
        for node in thread.nodes.clone() {
            let mut path = Vec::new();
            let mut at = node;
            while at != NO_PARENT {
                let method = &profile.methods[nodes.method[at as usize] as usize];
                let class = &profile.classes[method.class.0 as usize].name;
                path.push(format!("{class}.{}{}", method.name, method.descriptor));
                at = nodes.parent[at as usize];
            }
            path.reverse();
            let sums: &mut (u64, u64) = paths.entry(path).or_default();
            sums.0 += nodes.metric("bytecodes").unwrap().values[node as usize];
            sums.1 += nodes.metric("calls").unwrap().values[node as usize];
        }
    }
    paths
}

#[test]
fn merging_sums_equal_paths_of_threads_and_files() {
    let mut random = Random(3);
    for _ in 0..2_000 {
        let profiles = [random_profile(&mut random), random_profile(&mut random)];
        let pattern = Pattern::new(if random.below(2) == 0 { "*" } else { "thread 0" });
        let mut expected = std::collections::BTreeMap::new();
        for profile in &profiles {
            for (path, (cost, calls)) in paths(profile, &pattern) {
                let sums: &mut (u64, u64) = expected.entry(path).or_default();
                sums.0 += cost;
                sums.1 += calls;
            }
        }
        for call_sites in [false, true] {
            let selection =
                Selection { thread: Some(pattern.clone()), call_sites, ..Selection::default() };
            let given = profiles.iter().map(|p| ("random".to_owned(), p.clone())).collect();
            let tree = Tree::merge(given, &selection).unwrap();
            let mut found = std::collections::BTreeMap::new();
            for node in 0..tree.len() {
                let mut path = Vec::new();
                let mut at = node as u32;
                while at != NO_PARENT {
                    path.push(tree.methods[tree.method[at as usize] as usize].to_string());
                    at = tree.parent[at as usize];
                }
                path.reverse();
                let sums: &mut (u64, u64) = found.entry(path).or_default();
                sums.0 += tree.cost()[node];
                sums.1 += tree.calls().unwrap()[node];
            }
            assert_eq!(found, expected);
            if !call_sites {
                assert_eq!(tree.len(), expected.len(), "a path appears twice");
            }
        }
    }
}
