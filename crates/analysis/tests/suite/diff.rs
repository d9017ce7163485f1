//! The difference of two profiles: exact by method and by context.

use std::collections::BTreeMap;

use made_profiles::random_trees::{Random, random_profile};
use profile::{NO_PARENT, Profile};
use subsume_analysis::diff::blame::{Blamed, blame};
use subsume_analysis::diff::changes::CodeChange;
use subsume_analysis::diff::code::{Code, Sameness};
use subsume_analysis::diff::contexts::{ContextDifference, by_context};
use subsume_analysis::diff::methods::{Fate, by_method};
use subsume_analysis::diff::signatures::Signatures;
use tree::Tree;
use tree::alignment::align;
use tree::forest::{MetricChoice, Selection};
use tree::names::method::Method;

fn tree(profile: &Profile) -> Tree {
    let selection = Selection { metric: MetricChoice::Every, ..Selection::default() };
    Tree::merge(vec![("random".into(), profile.clone())], &selection).unwrap()
}

fn random_pair(random: &mut Random) -> (Tree, Tree) {
    let (mut base, mut new) = (tree(&random_profile(random)), tree(&random_profile(random)));
    align([&mut base, &mut new]);
    (base, new)
}

/// The path of a node.
fn path(tree: &Tree, node: u32) -> Vec<u32> {
    let parent = |&node: &u32| Some(tree.parent[node as usize]).filter(|&p| p != NO_PARENT);
    let nodes: Vec<u32> = std::iter::successors(Some(node), parent).collect();
    nodes.into_iter().rev().map(|node| tree.method[node as usize]).collect()
}

fn costs_by_path(tree: &Tree) -> BTreeMap<Vec<u32>, i128> {
    (0..tree.len() as u32).map(|n| (path(tree, n), tree.cost()[n as usize].into())).collect()
}

#[test]
fn contexts_agree_with_a_comparison_of_paths() {
    let mut random = Random(31);
    let (mut both, mut alone) = (0, 0);
    for _ in 0..2_000 {
        let (base, new) = random_pair(&mut random);
        let (of_base, of_new) = (costs_by_path(&base), costs_by_path(&new));
        // In both trees: the exclusive difference. In one only, and the caller
        // in both: everything that the path begins.
        let mut expected: BTreeMap<Vec<u32>, (bool, bool, i128)> = BTreeMap::new();
        let below = |costs: &BTreeMap<Vec<u32>, i128>, path: &[u32]| -> i128 {
            costs.iter().filter(|(p, _)| p.starts_with(path)).map(|(_, cost)| cost).sum()
        };
        for path in of_base.keys().chain(of_new.keys()) {
            let caller = &path[..path.len() - 1];
            let caller_in_both =
                caller.is_empty() || of_base.contains_key(caller) && of_new.contains_key(caller);
            match (of_base.get(path), of_new.get(path)) {
                (Some(old), Some(now)) if old != now => {
                    expected.insert(path.clone(), (true, true, now - old));
                }
                (None, Some(_)) if caller_in_both => {
                    expected.insert(path.clone(), (false, true, below(&of_new, path)));
                }
                (Some(_), None) if caller_in_both => {
                    expected.insert(path.clone(), (true, false, -below(&of_base, path)));
                }
                _ => {}
            }
        }
        let found = by_context(&base, &new, usize::MAX);
        let told = |d: &ContextDifference| {
            let path = match (d.base, d.new) {
                (_, Some(node)) => path(&new, node),
                (Some(node), None) => path(&base, node),
                (None, None) => panic!("a context in neither tree"),
            };
            (path, (d.base.is_some(), d.new.is_some(), d.cost))
        };
        let all: BTreeMap<_, _> = found.greatest.iter().map(told).collect();
        assert_eq!(all, expected);
        assert_eq!(found.found, expected.len() as u64);
        assert_eq!(found.common + found.new, new.len() as u64);
        assert_eq!(found.common + found.gone, base.len() as u64);
        let sum: i128 = found.greatest.iter().map(|d| d.cost).sum();
        assert_eq!(sum, i128::from(new.total()) - i128::from(base.total()));
        assert!(found.greatest.is_sorted_by_key(|d| std::cmp::Reverse(d.cost.unsigned_abs())));
        let few = by_context(&base, &new, 3);
        assert_eq!(few.greatest, found.greatest[..found.greatest.len().min(3)]);
        assert_eq!(few.found, found.found);
        both += expected.values().filter(|(old, now, _)| *old && *now).count();
        alone += expected.values().filter(|(old, now, _)| old != now).count();
    }
    assert!(both > 1_000 && alone > 1_000, "{both} in both, {alone} in one only");
}

/// For each method what it explains, by the definition taken literally: path by
/// path, the nearest certain change; else the first class that only one run has;
/// else the last method up to which the runs are together.
fn blamed_by_paths(
    base: &Tree,
    new: &Tree,
    changes: &[Option<CodeChange>],
) -> BTreeMap<Option<u32>, (i128, i128)> {
    let calls = |tree: &Tree| -> BTreeMap<Vec<u32>, u64> {
        let calls = tree.calls().unwrap_or(&[]);
        let call = |node: u32| calls.get(node as usize).copied().unwrap_or(0);
        (0..tree.len() as u32).map(|node| (path(tree, node), call(node))).collect()
    };
    let (of_base, of_new) = (calls(base), calls(new));
    let counted = base.calls().is_some() && new.calls().is_some();
    let explains = |path: &[u32]| -> Option<u32> {
        let change = |method: &u32| changes[*method as usize];
        let certain = path.iter().rev().find(|m| change(m).is_some_and(CodeChange::is_certain));
        let first = path.iter().find(|m| change(m).is_some());
        if let Some(method) = certain.or(first) {
            return Some(*method);
        }
        let together = (1..=path.len()).take_while(|&length| {
            match (of_base.get(&path[..length]), of_new.get(&path[..length])) {
                (Some(old), Some(now)) => !counted || old == now,
                _ => false,
            }
        });
        together.last().map(|length| path[length - 1])
    };
    let mut sums: BTreeMap<Option<u32>, (i128, i128)> = BTreeMap::new();
    for (path, cost) in costs_by_path(base) {
        sums.entry(explains(&path)).or_default().0 += cost;
    }
    for (path, cost) in costs_by_path(new) {
        sums.entry(explains(&path)).or_default().1 += cost;
    }
    sums
}

#[test]
fn blame_agrees_with_the_definition_and_adds_up() {
    let mut random = Random(34);
    let (mut changed, mut together, mut roots) = (0, 0, 0);
    for round in 0..2_000 {
        let before = random_profile(&mut random);
        let after = match round % 2 {
            0 => with_other_data(&before, &mut random),
            _ => random_profile(&mut random),
        };
        let (mut base, mut new) = (tree(&before), tree(&after));
        align([&mut base, &mut new]);
        let change = |random: &mut Random| match random.below(12) {
            0 => Some(CodeChange::Changed),
            1 => Some(CodeChange::NewClass),
            2 => Some(CodeChange::GoneClass),
            _ => None,
        };
        let changes: Vec<_> = base.methods.iter().map(|_| change(&mut random)).collect();
        let found = blame(&base, &new, &changes);
        let sums: BTreeMap<_, _> = found
            .iter()
            .map(|row| (row.method, (i128::from(row.base), i128::from(row.new))))
            .collect();
        let mut expected = blamed_by_paths(&base, &new, &changes);
        expected.retain(|_, sums| *sums != (0, 0));
        assert_eq!(sums, expected);
        let sum: i128 = found.iter().map(Blamed::difference).sum();
        assert_eq!(sum, i128::from(new.total()) - i128::from(base.total()));
        changed += found.iter().filter(|row| row.change.is_some()).count();
        together += found.iter().filter(|row| row.change.is_none()).count();
        roots += found.iter().filter(|row| row.method.is_none()).count();
    }
    assert!(changed > 500 && together > 500 && roots > 100, "{changed} {together} {roots}");
}

/// The same run with some costs and calls changed.
fn with_other_data(profile: &Profile, random: &mut Random) -> Profile {
    let mut other = profile.clone();
    for metric in &mut other.nodes.metrics {
        for value in &mut metric.values {
            *value += u64::from(random.below(5) == 0);
        }
    }
    other
}

#[test]
fn methods_add_up_and_negate_when_swapped() {
    let mut random = Random(32);
    for _ in 0..2_000 {
        let (base, new) = random_pair(&mut random);
        let (none, signatures) = (Code::default(), Signatures::default());
        let found = by_method((&base, &none), (&new, &none), &signatures);
        for (at, metric) in base.metrics.iter().enumerate() {
            let total =
                |tree: &Tree| tree.metrics[at].values.iter().map(|&v| i128::from(v)).sum::<i128>();
            let sum: i128 = found.iter().map(|m| m.exclusive(at)).sum();
            assert_eq!(sum, total(&new) - total(&base), "{}", metric.name);
        }
        let contexts: u64 = found.iter().map(|m| m.new.contexts).sum();
        assert_eq!(contexts, new.len() as u64);
        let swapped = by_method((&new, &none), (&base, &none), &signatures);
        assert_eq!(found.len(), swapped.len());
        for (one, other) in found.iter().zip(&swapped) {
            assert_eq!((one.method, &one.base, &one.new), (other.method, &other.new, &other.base));
            assert_eq!(one.inclusive(), -other.inclusive());
            let opposite = match one.fate {
                Fate::New => Fate::Gone,
                Fate::Gone => Fate::New,
                fate => fate,
            };
            assert_eq!(other.fate, opposite);
        }
        let same = by_method((&new, &none), (&new, &none), &signatures);
        assert!(same.iter().all(|m| !m.costs_differ()));
    }
}

#[test]
fn code_is_compared_where_it_is_known() {
    let mut random = Random(33);
    let mut base = random_profile(&mut random);
    while base.methods.len() < 4 {
        base = random_profile(&mut random);
    }
    let mut new = base.clone();
    base.code_hashes = (1..=base.methods.len() as u64).collect();
    new.code_hashes = base.code_hashes.clone();
    new.code_hashes[1] = 99;
    new.code_hashes[2] = 0;
    let (before, after) = (Code::of(&base), Code::of(&new));
    let method = |at: usize| Method {
        class: base.classes[base.methods[at].class.0 as usize].name.clone(),
        name: base.methods[at].name.clone(),
        descriptor: base.methods[at].descriptor.clone(),
    };
    assert_eq!(before.compare(&after, &method(0)), Sameness::Same);
    assert_eq!(before.compare(&after, &method(1)), Sameness::Changed);
    assert_eq!(before.compare(&after, &method(2)), Sameness::Unknown);
    assert_eq!(before.compare(&after, &Method::default()), Sameness::Unknown);
    // Two classes of one name, in whatever order: the same as long as both are.
    let twice = |hashes: [u64; 2]| {
        let mut profile = base.clone();
        profile.methods.push(profile.methods[0].clone());
        profile.code_hashes[0] = hashes[0];
        profile.code_hashes.push(hashes[1]);
        Code::of(&profile)
    };
    assert_eq!(twice([5, 6]).compare(&twice([6, 5]), &method(0)), Sameness::Same);
    assert_eq!(twice([5, 5]).compare(&twice([5, 5]), &method(0)), Sameness::Same);
    assert_eq!(twice([5, 6]).compare(&twice([6, 7]), &method(0)), Sameness::Changed);
}
