//! `--under` and `--without` against their meaning by path, on random profiles.

use std::collections::BTreeMap;

use made_profiles::random_trees::{Random, random_profile};
use profile::{NO_PARENT, Profile};
use subsume_tree::filter::Filter;
use subsume_tree::names::pattern::Pattern;

/// Costs by thread and path of names; those of equal paths one after the other.
fn by_path(profile: &Profile) -> BTreeMap<(usize, Vec<String>), Vec<u64>> {
    let name = |method: u32| {
        let method = &profile.methods[method as usize];
        format!("{}.{}", profile.classes[method.class.0 as usize].name, method.name)
    };
    let mut costs: BTreeMap<(usize, Vec<String>), Vec<u64>> = BTreeMap::new();
    for (thread, tree) in profile.threads.iter().enumerate() {
        for node in tree.nodes.clone() {
            let parent = |&node: &u32| {
                Some(profile.nodes.parent[node as usize]).filter(|&parent| parent != NO_PARENT)
            };
            let nodes: Vec<u32> = std::iter::successors(Some(node), parent).collect();
            assert!(nodes.iter().all(|node| tree.nodes.contains(node)), "a parent elsewhere");
            let path: Vec<String> =
                nodes.iter().rev().map(|&node| name(profile.nodes.method[node as usize])).collect();
            for metric in &profile.nodes.metrics {
                let value = metric.values[node as usize];
                costs.entry((thread, path.clone())).or_default().push(value);
            }
        }
    }
    costs
}

#[test]
fn contexts_stay_by_what_is_on_their_paths() {
    let mut random = Random(61);
    let (mut kept, mut refused) = (0, 0);
    for _ in 0..2_000 {
        let profile = random_profile(&mut random);
        let mut pattern = || match random.below(4) {
            0 => None,
            1 => Some("b.*;c.*"),
            2 => Some("h.invoke;java.lang.reflect.*"),
            _ => Some("*a.invoke"),
        };
        let (under, without) = (pattern(), pattern());
        let matches = |pattern: Option<&str>, path: &[String]| {
            pattern.is_some_and(|p| path.iter().any(|name| Pattern::new(p).matches(name)))
        };
        let all = by_path(&profile);
        let of_interest =
            |path: &[String]| (under.is_none() || matches(under, path)) && !matches(without, path);
        let mut filtered = profile.clone();
        let names_any = under.is_none() || all.keys().any(|(_, path)| matches(under, path));
        let done = Filter::new(under, without).apply(&mut filtered);
        assert_eq!(done.is_ok(), names_any);
        if done.is_err() {
            refused += 1;
            continue;
        }
        let found = by_path(&filtered);
        for ((thread, path), costs) in &found {
            if of_interest(path) {
                assert_eq!(Some(costs), all.get(&(*thread, path.clone())));
                kept += 1;
            } else {
                // On the way to one that is of interest, and free.
                assert!(costs.iter().all(|&cost| cost == 0));
                let below = |(t, p): &(usize, Vec<String>)| {
                    t == thread && p.len() > path.len() && p.starts_with(path) && of_interest(p)
                };
                assert!(found.keys().any(below));
            }
        }
        let expected = all.keys().filter(|(_, path)| of_interest(path)).count();
        assert_eq!(found.keys().filter(|(_, path)| of_interest(path)).count(), expected);
        let columns = &filtered.nodes;
        assert!(columns.metrics.iter().all(|metric| metric.values.len() == columns.len()));
        assert_eq!(columns.site.len(), columns.len());
        assert_eq!(filtered.threads.len(), profile.threads.len());
    }
    assert!(kept > 2_000 && refused > 20, "{kept} {refused}");
}
