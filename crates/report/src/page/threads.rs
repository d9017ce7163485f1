//! The cost of each kind of thread, as metrics of their own: a page shows the same
//! methods and contexts by what one of them cost.

use std::cmp::Reverse;
use std::collections::BTreeMap;
use std::ops::Range;

use profile::{Metric, Profile};

use tree::names::pattern::Pattern;

/// Kinds of threads with costs of their own, at most.
pub const MOST: usize = 3;
/// Kinds with a smaller share have none.
const LEAST_SHARE: f64 = 0.01;

/// The cost by the metric of this name, of each kind of thread that matters, the
/// costliest first; nothing if a single kind does. Threads that differ in numbers only,
/// such as those of a pool, are one kind.
pub fn by_thread(profile: &Profile, metric: &str, selected: Option<&Pattern>) -> Vec<Metric> {
    let Some(cost) = profile.nodes.metric(metric) else { return Vec::new() };
    let sum = |nodes: &Range<u32>| {
        let values = cost.values.get(nodes.start as usize..nodes.end as usize).unwrap_or(&[]);
        values.iter().fold(0u64, |sum, &value| sum.saturating_add(value))
    };
    let mut kinds: BTreeMap<String, (u64, Vec<Range<u32>>)> = BTreeMap::new();
    let threads = profile.threads.iter();
    for thread in threads.filter(|thread| selected.is_none_or(|s| s.matches(&thread.name))) {
        let (total, trees) = kinds.entry(kind(&thread.name)).or_default();
        *total = total.saturating_add(sum(&thread.nodes));
        trees.push(thread.nodes.clone());
    }
    let all = kinds.values().fold(0u64, |all, (total, _)| all.saturating_add(*total));
    let mut kinds: Vec<_> = kinds.into_iter().collect();
    kinds.retain(|(_, (total, _))| *total as f64 >= LEAST_SHARE * all as f64 && *total > 0);
    if kinds.len() < 2 {
        return Vec::new();
    }
    // Stable: ties stay in the order of names.
    kinds.sort_by_key(|(_, (total, _))| Reverse(*total));
    kinds.truncate(MOST);
    let metric = |(name, (_, trees)): (String, (u64, Vec<Range<u32>>))| {
        let mut values = vec![0; cost.values.len()];
        for tree in trees {
            let nodes = tree.start as usize..tree.end as usize;
            if let (Some(to), Some(from)) = (values.get_mut(nodes.clone()), cost.values.get(nodes))
            {
                to.copy_from_slice(from);
            }
        }
        Metric { name: format!("{metric} of {name}"), values }
    };
    kinds.into_iter().map(metric).collect()
}

/// A thread's name with `*` for each number.
fn kind(name: &str) -> String {
    let mut kind = String::with_capacity(name.len());
    for letter in name.chars() {
        match letter {
            '0'..='9' if kind.ends_with('*') => {}
            '0'..='9' => kind.push('*'),
            other => kind.push(other),
        }
    }
    kind
}

#[cfg(test)]
mod tests {
    use profile::{Nodes, ThreadTree};

    use super::*;

    fn profile() -> Profile {
        let thread = |name: &str, nodes| ThreadTree { name: name.into(), threads: 1, nodes };
        Profile {
            threads: vec![thread("main", 0..2), thread("pool-1-thread-1", 2..3)]
                .into_iter()
                .chain([thread("pool-2-thread-12", 3..4), thread("Finalizer", 4..5)])
                .collect(),
            nodes: Nodes {
                metrics: vec![Metric { name: "bytecodes".into(), values: vec![1, 40, 50, 9, 0] }],
                ..Nodes::default()
            },
            ..Profile::default()
        }
    }

    #[test]
    fn threads_of_a_pool_are_one_kind() {
        let found = by_thread(&profile(), "bytecodes", None);
        let expected = [
            ("bytecodes of pool-*-thread-*", vec![0, 0, 50, 9, 0]),
            ("bytecodes of main", vec![1, 40, 0, 0, 0]),
        ];
        let expected = expected.map(|(name, values)| Metric { name: name.into(), values });
        assert_eq!(found, expected);
    }

    #[test]
    fn a_single_kind_has_no_metric_of_its_own() {
        assert_eq!(by_thread(&profile(), "bytecodes", Some(&Pattern::new("main"))), []);
        assert_eq!(by_thread(&profile(), "weight", None), []);
    }
}
