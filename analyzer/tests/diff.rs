//! The difference of two profiles: exact by method and by context.

use std::collections::BTreeMap;
use std::fs::File;
use std::path::{Path, PathBuf};

use crate::fixture::command::subsume;
use crate::random::{Random, random_profile};
use analyzer::diff::blame::{Blamed, blame};
use analyzer::diff::changes::CodeChange;
use analyzer::diff::code::{Code, Sameness};
use analyzer::diff::contexts::{ContextDifference, by_context};
use analyzer::diff::methods::{Fate, by_method};
use analyzer::diff::signatures::Signatures;
use analyzer::names::method::Method;
use analyzer::tree::Tree;
use analyzer::tree::alignment::align;
use analyzer::tree::forest::{MetricChoice, Selection};
use profile::{NO_PARENT, Profile};

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

/// A folder for the profiles of a test.
fn directory(name: &str) -> PathBuf {
    let directory = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    std::fs::create_dir_all(&directory).unwrap();
    directory
}

/// Writes a profile from stacks, with descriptors and hashes of the code of the methods
/// of these names.
fn write_profile(directory: &Path, name: &str, stacks: &str, code: &[(&str, &str, u64)]) {
    let mut importer = analyzer::import::folded::Importer::default();
    importer.read(Path::new(name), &mut stacks.as_bytes()).unwrap();
    let mut profile = importer.finish();
    let known = |name: &str| code.iter().find(|(known, ..)| *known == name);
    profile.code_hashes =
        profile.methods.iter().map(|m| known(&m.name).map_or(0, |known| known.2)).collect();
    for method in &mut profile.methods {
        method.descriptor = known(&method.name).map_or("", |known| known.1).to_owned();
    }
    profile::write(&profile, File::create(directory.join(name)).unwrap()).unwrap();
}

/// The command tells changed code from code that only costs more.
#[test]
fn the_command_says_what_has_become_of_methods() {
    let directory = directory("diff");
    let write = |name: &str, stacks: &str, code: &[(&str, u64)]| {
        let code: Vec<_> = code.iter().map(|&(name, hash)| (name, "", hash)).collect();
        write_profile(&directory, name, stacks, &code);
    };
    write(
        "old",
        "main 10\nmain;a 100\nmain;b 50\nmain;gone 5\n",
        &[("main", 1), ("a", 2), ("b", 3)],
    );
    write(
        "new",
        "main 10\nmain;a 130\nmain;b 70\nmain;fresh 7\n",
        &[("main", 1), ("a", 9), ("b", 3)],
    );
    let output = subsume(&directory, &["diff", "--json", "--contexts", "old", "new"]);
    assert_eq!(output.status.code(), Some(0), "{output:?}");
    let answer: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    let fates: BTreeMap<String, String> = answer["methods"]
        .as_array()
        .unwrap()
        .iter()
        .map(|m| (m["name"].as_str().unwrap().into(), m["code"].as_str().unwrap().into()))
        .collect();
    let expected =
        [("a", "changed"), ("b", "same"), ("fresh", "new"), ("gone", "gone"), ("main", "same")];
    assert_eq!(fates, expected.map(|(a, b)| (a.to_owned(), b.to_owned())).into());
    assert_eq!(answer["totals"]["weight"]["after"], 217);
    assert_eq!(answer["contexts"]["greatest"][0]["difference"], 30);
    let explained: BTreeMap<(&str, &str), i64> = answer["explanation"]["rows"]
        .as_array()
        .unwrap()
        .iter()
        .map(|row| {
            let text = |field: &str| row[field].as_str().unwrap();
            ((text("name"), text("code")), row["difference"].as_i64().unwrap())
        })
        .collect();
    // b has the code that it had, and its caller called it, so b itself did more;
    // what has no hash is not known to have changed.
    let expected = [(("a", "changed"), 30), (("b", "same"), 20), (("main", "same"), 7 - 5)];
    assert_eq!(explained, expected.into());

    for (condition, code) in [
        ("weight>+32%", 0),
        ("weight>+31%", 1),
        ("methods>0", 0),
        ("contexts>=0", 1),
        ("cycles>1", 2),
        ("weight", 2),
    ] {
        let output = subsume(&directory, &["diff", "--fail-if", condition, "old", "new"]);
        assert_eq!(output.status.code(), Some(code), "{condition}: {output:?}");
    }
}

/// A method whose parameters or result have other types is one method that changed,
/// and not one that is gone and one that is new.
#[test]
fn methods_of_other_signatures_are_changed() {
    let directory = directory("diff-signatures");
    write_profile(
        &directory,
        "old",
        "a.B.main 10\na.B.main;a.B.rules 100\na.B.main;a.B.rules;a.B.parse 500\n\
         a.B.main;a.B.lost 30\n",
        &[
            ("main", "()V", 1),
            ("rules", "()Ljava/util/List;", 2),
            ("parse", "()V", 3),
            ("lost", "()V", 4),
        ],
    );
    write_profile(
        &directory,
        "new",
        "a.B.main 10\na.B.main;a.B.rules 90\na.B.main;a.B.rules;a.B.parse 505\n\
         a.B.main;a.B.added 20\n",
        &[
            ("main", "()V", 1),
            ("rules", "()Ljava/util/Map;", 7),
            ("parse", "()V", 3),
            ("added", "()V", 4),
        ],
    );
    let answer = |arguments: &[&str]| -> serde_json::Value {
        let output = subsume(&directory, &[arguments, &["old", "new"]].concat());
        assert_eq!(output.status.code(), Some(0), "{output:?}");
        serde_json::from_slice(&output.stdout).unwrap()
    };
    let found = answer(&["diff", "--json", "--contexts"]);
    let rows: Vec<_> = found["explanation"]["rows"]
        .as_array()
        .unwrap()
        .iter()
        .map(|row| (row["name"].as_str(), row["code"].as_str(), row["difference"].as_i64()))
        .collect();
    let row = |name, code, difference| (Some(name), Some(code), Some(difference));
    let expected = [
        row("lost", "gone", -30),
        row("added", "new", 20),
        row("rules", "signature changed", -100 + 90 - 500 + 505),
    ];
    assert_eq!(rows, expected);
    assert_eq!(found["explanation"]["below"]["methods"], 0);
    let changed = &found["explanation"]["rows"][2];
    assert_eq!(changed["descriptor"], "()Ljava/util/Map;");
    assert_eq!(changed["descriptor_before"], "()Ljava/util/List;");
    assert_eq!((&changed["before"], &changed["after"]), (&600.into(), &595.into()));
    assert_eq!(found["explanation"]["rows"][0]["descriptor_before"], serde_json::Value::Null);
    assert_eq!(found["different"]["signature changed"], 1);
    let listed = found["methods"].as_array().unwrap();
    let rules = listed.iter().find(|method| method["name"] == "rules").unwrap();
    assert_eq!(rules["descriptor_before"], "()Ljava/util/List;");
    assert_eq!((&found["contexts"]["common"], &found["contexts"]["gone"]), (&3.into(), &1.into()));

    let text = subsume(&directory, &["diff", "old", "new"]);
    let text = String::from_utf8(text.stdout).unwrap();
    assert!(text.contains("1 method with another signature"), "{text}");
    assert!(text.contains("signature changed  a.B.rules"), "{text}");

    // On a page the row leads to the method of either profile.
    let page = answer(&["report", "--json"]);
    let section = &page["explanation"];
    let rows = section["changed"]["rows"].as_array().unwrap();
    let row = rows.iter().find(|row| row["change"] == "signature changed").unwrap();
    let place = row["method"].as_u64().unwrap() as usize;
    for (side, profile) in ["base", "new"].into_iter().zip(page["profiles"].as_array().unwrap()) {
        let number = section["methods"][side][place].as_i64().unwrap();
        assert!(number >= 0, "{side}: {section}");
        let name = &profile["methods"]["name"][number as usize];
        assert_eq!(name, "rules", "{side}: {}", profile["methods"]);
    }
    let states = page["diff"]["methods"].as_array().unwrap().iter();
    let states: Vec<_> = states.map(|row| (row["name"].as_str(), row["state"].as_str())).collect();
    assert!(states.contains(&(Some("rules"), Some("signature changed"))), "{states:?}");
    assert_eq!(states.iter().filter(|(name, _)| *name == Some("rules")).count(), 1);
}
