//! Profiles that are folded one after the other say what they say together.

use crate::fixture;
use crate::fixture::command::subsume;
use made_profiles::random_trees::{Random, random_profile};
use profile::{NO_PARENT, Profile};
use serde_json::Value;
use tree::Tree;
use tree::fold::Fold;
use tree::forest::{MetricChoice, Selection};
use tree::names::pattern::Pattern;

/// Paths with their costs, in the order of the paths: methods and, where they are kept
/// apart, call sites.
fn paths(tree: &Tree) -> Vec<(Vec<String>, Vec<u64>)> {
    let mut names: Vec<Vec<String>> = Vec::new();
    for node in 0..tree.len() {
        let parent = tree.parent[node];
        let mut path =
            if parent == NO_PARENT { Vec::new() } else { names[parent as usize].clone() };
        let method = &tree.methods[tree.method[node] as usize];
        let site = tree.site.get(node).copied().unwrap_or(0).checked_sub(1);
        let site =
            site.map(|site| tree.call_sites[tree.method[parent as usize] as usize][site as usize]);
        path.push(format!("{method} {site:?}"));
        names.push(path);
    }
    let costs = |node: usize| tree.metrics.iter().map(|metric| metric.values[node]).collect();
    let mut paths: Vec<_> =
        names.into_iter().enumerate().map(|(n, path)| (path, costs(n))).collect();
    paths.sort();
    paths
}

fn folded(profiles: &[(String, Profile)]) -> Profile {
    let mut fold = Fold::default();
    for (name, profile) in profiles {
        fold.add(name, profile.clone()).unwrap();
    }
    let mut file = Vec::new();
    fold.write("test", &mut file).unwrap();
    profile::read(&file).unwrap()
}

#[test]
fn the_tree_of_the_fold_is_the_tree_of_all() {
    let mut random = Random(21);
    let mut grown = 0;
    for round in 0..3_000 {
        let count = 1 + random.below(4);
        let profiles: Vec<(String, Profile)> =
            (0..count).map(|_| ("random".to_owned(), random_profile(&mut random))).collect();
        let result = folded(&profiles);
        grown += usize::from(result.nodes.len() > profiles[0].1.nodes.len());
        for call_sites in [false, true] {
            for thread in [None, Some("thread 1")] {
                let selection = Selection {
                    metric: MetricChoice::Every,
                    thread: thread.map(Pattern::new),
                    call_sites,
                    ..Selection::default()
                };
                let together = Tree::merge(profiles.clone(), &selection);
                let alone = Tree::merge(vec![("fold".to_owned(), result.clone())], &selection);
                let (Ok(together), Ok(alone)) = (&together, &alone) else {
                    assert_eq!(together.is_err(), alone.is_err(), "round {round}");
                    continue;
                };
                assert_eq!(paths(together), paths(alone), "round {round}, {selection:?}");
            }
        }
        // Again, with itself: everything twice.
        let twice = [("a".to_owned(), result.clone()), ("b".to_owned(), result.clone())];
        let twice = folded(&twice);
        assert_eq!(twice.nodes.len(), result.nodes.len());
        for (once, twice) in result.nodes.metrics.iter().zip(&twice.nodes.metrics) {
            assert!(once.values.iter().zip(&twice.values).all(|(once, twice)| 2 * once == *twice));
        }
    }
    assert!(grown > 500, "{grown} results larger than the first profile");
}

#[test]
fn commands_say_the_same() {
    let directory = fixture::directory("fold");
    let recordings =
        ["recording.subsume", "lines.subsume", "moves.subsume", "recording.subsume"].as_slice();
    let with_lines = ["lines.subsume", "lines.subsume", "lines.subsume"].as_slice();
    for (question, files) in [
        (&["methods", "--all", "--height", "0", "--distance", "0"][..], recordings),
        (&["methods", "--all", "--metric", "allocations", "--thread", "main"], recordings),
        (&["lines"], with_lines),
        (&["tree", "--call-sites"], recordings),
        (&["export"], recordings),
    ] {
        let merged = subsume(&directory, &[&["merge"], files, &["-o", "all.subsume"]].concat());
        assert!(merged.status.success(), "{merged:?}");
        let json = |files: &[&str]| -> Value {
            let question = [&question[..1], &["--json"], &question[1..], files].concat();
            let output = subsume(&directory, &question);
            assert!(output.status.success(), "{question:?}: {output:?}");
            serde_json::from_slice(&output.stdout).unwrap()
        };
        assert_eq!(json(files), json(&["all.subsume"]), "{question:?}");
    }
    let same = subsume(&directory, &["diff", "--json", "all.subsume", "all.subsume"]);
    assert!(same.status.success(), "{same:?}");
}

#[test]
fn sums_that_leave_64_bits_are_refused() {
    let mut random = Random(4);
    let mut profile = random_profile(&mut random);
    while profile.nodes.is_empty() {
        profile = random_profile(&mut random);
    }
    profile.nodes.metrics[0].values[0] = u64::MAX;
    profile.nodes.metrics[1].values[0] = 1;
    let mut fold = Fold::default();
    fold.add("one", profile.clone()).unwrap();
    let error = fold.add("two", profile).unwrap_err().to_string();
    assert!(error.contains("64 bits"), "{error}");
}
