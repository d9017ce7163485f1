//! The analysis agrees with the literal algorithms on random profiles, and
//! keeps the paper's laws.

mod common;
mod literal;

use std::path::Path;

use analyzer::callers::{callers, uses};
use analyzer::characteristics::{characteristics, characteristics_within};
use analyzer::costs::costs;
use analyzer::export::folded::{self, Stacks};
use analyzer::forest::Selection;
use analyzer::import::folded::Importer;
use analyzer::pattern::Pattern;
use analyzer::subsuming::{Subsuming, Thresholds};
use analyzer::tree::Tree;
use common::Random;
use profile::{
    CallSite, ClassId, ClassInfo, MethodInfo, Metric, NO_PARENT, Nodes, Profile, ThreadTree,
};

/// A profile with several threads, several roots per thread, call sites and
/// recursion. Few methods make long repetitions likely.
fn random_profile(random: &mut Random) -> Profile {
    let method_count = 1 + random.below(8);
    let names = ["a", "b", "c", "d", "e", "f", "g", "java.lang.reflect.Method"];
    let classes = names.map(|name| ClassInfo { name: name.into(), source_file: String::new() });
    let sites = [CallSite { bci: 3, line: 1 }, CallSite { bci: 9, line: 2 }];
    let methods = (0..method_count).map(|m| MethodInfo {
        class: ClassId(7 - m as u32),
        name: "invoke".into(),
        descriptor: if m % 3 == 0 { String::new() } else { "()V".into() },
        access: 0,
        sites: sites.to_vec(),
    });
    let mut nodes = Nodes::default();
    let mut calls = Vec::new();
    let mut cost = Vec::new();
    let mut threads = Vec::new();
    for thread in 0..1 + random.below(3) {
        let start = nodes.len() as u32;
        // One chance in three for a thread without a context, and for a deep one.
        let count = [random.below(60), random.below(12), 0][random.below(3) as usize];
        let drop = 1 + random.below(6);
        let mut open: Vec<u32> = Vec::new();
        // A loop in the program, followed now and then, makes recursion exact.
        let cycle: Vec<u32> =
            (0..1 + random.below(4)).map(|_| random.below(method_count) as u32).collect();
        for _ in 0..count {
            while !open.is_empty() && random.below(drop + 1) == 0 {
                open.pop();
            }
            if random.below(20) == 0 {
                open.clear();
            }
            let node = nodes.len() as u32;
            let parent = open.last().copied().unwrap_or(NO_PARENT);
            let method = if random.below(4) > 0 {
                cycle[open.len() % cycle.len()]
            } else {
                random.below(method_count) as u32
            };
            nodes.method.push(method);
            nodes.parent.push(parent);
            nodes.site.push(if parent == NO_PARENT { 0 } else { random.below(3) as u32 });
            calls.push(random.below(5));
            cost.push(random.below(100));
            open.push(node);
        }
        let nodes = start..nodes.len() as u32;
        threads.push(ThreadTree { name: format!("thread {thread}"), threads: 1, nodes });
    }
    nodes.metrics = vec![
        Metric { name: "calls".into(), values: calls },
        Metric { name: "bytecodes".into(), values: cost },
    ];
    let profile = Profile {
        classes: classes.to_vec(),
        methods: methods.collect(),
        threads,
        nodes,
        ..Profile::default()
    };
    profile.validate().unwrap();
    profile
}

fn thresholds(random: &mut Random) -> Thresholds {
    Thresholds { height: random.below(5) as u32, distance: random.below(5) as u32 }
}

#[test]
fn analysis_agrees_with_the_literal_algorithms() {
    let mut random = Random(1);
    let (mut moved, mut virtual_roots, mut single_roots) = (0, 0, 0);
    for round in 0..20_000 {
        let profile = random_profile(&mut random);
        let tree = Tree::merge(vec![("random".into(), profile)], &Selection::default()).unwrap();
        let thresholds = thresholds(&mut random);
        match common::agree(&tree, thresholds) {
            Ok(nodes) => moved += usize::from(nodes > 0),
            Err(difference) => panic!("round {round}, {thresholds:?}: {difference}"),
        }
        virtual_roots += usize::from(tree.has_virtual_root());
        single_roots += usize::from(tree.roots == 1);
    }
    // The trees must be of all kinds, or this proves little.
    assert!(moved > 2_000, "{moved} trees with recursion to reduce");
    assert!(virtual_roots > 5_000, "{virtual_roots} trees with a virtual root");
    assert!(single_roots > 500, "{single_roots} trees with a single root");
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
