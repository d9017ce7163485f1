//! Threads kept apart: each has the contexts that it has by itself.

use std::collections::BTreeMap;

use made_profiles::random_trees::{Random, random_profile};
use profile::Profile;
use subsume_tree::Tree;
use subsume_tree::forest::{MetricChoice, Selection};
use subsume_tree::names::pattern::Pattern;

/// Costs by method and call site of each context on a path.
type Costs = BTreeMap<Vec<(u32, u32)>, u64>;

fn merged(profiles: &[Profile], selection: &Selection) -> Tree {
    let profiles = profiles.iter().map(|profile| ("test".to_owned(), profile.clone())).collect();
    Tree::merge(profiles, selection).unwrap()
}

/// Costs of the contexts of a thread, or of all.
fn costs(tree: &Tree, thread: Option<u32>) -> Costs {
    let place = |&node: &u32| {
        let node = node as usize;
        (tree.method[node], tree.site.get(node).copied().unwrap_or(0))
    };
    let nodes = (0..tree.len() as u32)
        .filter(|&node| thread.is_none_or(|thread| tree.thread[node as usize] == thread));
    let mut costs = Costs::new();
    for node in nodes {
        let path = tree.path(node).iter().map(place).collect();
        assert_eq!(costs.insert(path, tree.cost()[node as usize]), None);
    }
    costs
}

#[test]
fn each_thread_is_as_by_itself() {
    let mut random = Random(71);
    let mut threads = 0;
    for at in 0..200 {
        let profiles: Vec<Profile> = (0..1 + at % 3).map(|_| random_profile(&mut random)).collect();
        for call_sites in [false, true] {
            let metric = MetricChoice::Named("bytecodes".into());
            let together = Selection { metric, call_sites, ..Selection::default() };
            let apart = merged(&profiles, &Selection { by_thread: true, ..together.clone() });
            assert_eq!(apart.total(), merged(&profiles, &together).total());
            assert_eq!(apart.thread.len(), apart.len());
            assert_eq!(apart.site.len(), if call_sites { apart.len() } else { 0 });
            for (number, name) in (0..).zip(&apart.thread_names) {
                let thread = Some(Pattern::new(name));
                let alone = merged(&profiles, &Selection { thread, ..together.clone() });
                assert_eq!(costs(&apart, Some(number)), costs(&alone, None), "{name}");
                threads += 1;
            }
        }
    }
    assert!(threads > 500, "{threads}");
}

#[test]
fn threads_are_merged_otherwise() {
    let profile = random_profile(&mut Random(72));
    let tree = merged(&[profile], &Selection::default());
    assert!(tree.thread.is_empty() && tree.thread_names.is_empty());
}
