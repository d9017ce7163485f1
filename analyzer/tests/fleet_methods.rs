//! What summaries say of many runs is what the merged tree says.

use crate::fixture;
use std::path::Path;

use crate::fixture::command::subsume;
use analysis::subsuming::{Subsuming, Thresholds};
use fleet::add::{Added, Adder, Keep};
use fleet::analysis::{Analysis, analyse, induced};
use fleet::dataset::Dataset;
use fleet::labels::Labels;
use fleet::run::Run;
use made_profiles::random_trees::{Random, random_profile};
use profile::Profile;
use serde_json::Value;
use support::rounds;
use tree::Tree;
use tree::forest::Selection;
use tree::names::method::Method;
use tree::names::pattern::Pattern;

/// A fleet of random profiles, with the run of each.
fn fleet(directory: &Path, count: usize, random: &mut Random) -> (Dataset, Vec<(Run, Profile)>) {
    let root = directory.join("fleet");
    let mut adder = Adder::new(&root, Keep { tree: true, contexts: false, secrets: true }).unwrap();
    let file = directory.join("random.subsume");
    let mut runs = Vec::new();
    for number in 0..count {
        let mut profile = random_profile(random);
        // Methods are in other places of each table, and some are of generated classes.
        profile.classes[6].name = format!("jdk.proxy{}.$Proxy{number}", number % 3);
        profile.run.process_id = number as u32;
        // Many programs: tables of few methods are shared by those of one.
        let labels: Labels =
            [("program".to_owned(), format!("program {}", number % 5))].into_iter().collect();
        fixture::write(&profile, &file);
        match adder.add(&file, &labels).unwrap() {
            Added::New { run, .. } => runs.push((*run, profile)),
            Added::Known { id, .. } => panic!("{id} is there"),
        }
    }
    (Dataset::open(&root).unwrap(), runs)
}

/// The names of generated classes as a fleet has them.
fn normalised(profile: &Profile) -> Profile {
    let mut profile = profile.clone();
    tree::names::generated::make_comparable(&mut profile);
    profile
}

/// All that both say of a method.
type Facts = (u32, Option<(Option<Method>, u32)>, bool, u64, u64, Option<u64>, bool, u64);

fn facts(methods: &[Method], analysis: &Subsuming) -> Vec<(Method, Facts)> {
    let named = |by: u32| methods[by as usize].clone();
    let of = |method: usize| {
        let (facts, costs) = (&analysis.characteristics[method], &analysis.costs[method]);
        let facts = (
            facts.height,
            facts.dominated.map(|d| (d.by.map(named), d.distance)),
            facts.is_root,
            costs.exclusive,
            costs.inclusive,
            costs.calls,
            analysis.subsumes[method],
            analysis.induced[method],
        );
        (methods[method].clone(), facts)
    };
    analysis.executed().map(of).collect()
}

#[test]
fn summaries_say_what_the_merged_tree_says() {
    let directory = fixture::directory("fleet-methods");
    let mut random = Random(31);
    let (dataset, all) = fleet(&directory, 300, &mut random);
    let (mut subsuming, mut virtual_roots, mut single_roots, mut far) = (0, 0, 0, 0);
    let rounds = rounds(4_000) as usize;
    for round in 0..rounds {
        let chosen: Vec<&(Run, Profile)> =
            (0..1 + random.below(5)).map(|_| &all[random.below(300) as usize]).collect();
        let runs: Vec<Run> = chosen.iter().map(|(run, _)| run.clone()).collect();
        let profiles = chosen.iter().map(|(run, profile)| (run.id.clone(), normalised(profile)));
        let tree = Tree::merge(profiles.collect(), &Selection::default()).unwrap();
        let thresholds =
            Thresholds { height: random.below(5) as u32, distance: random.below(5) as u32 };
        let never = Pattern::new("java.lang.reflect.*");
        let expected = Subsuming::analyse(&tree, thresholds, &never);
        let mut found: Analysis = analyse(&dataset, &runs, thresholds, &never).unwrap();
        induced(&dataset, &runs, &mut found).unwrap();
        assert_eq!(
            facts(&found.methods, &found.subsuming),
            facts(&tree.methods, &expected),
            "round {round}, {thresholds:?}, {runs:?}"
        );
        assert_eq!(found.subsuming.induced_by_virtual_root, expected.induced_by_virtual_root);
        assert_eq!(found.total, tree.total());
        assert_eq!(found.has_virtual_root, tree.has_virtual_root());
        subsuming += expected.subsuming().count();
        virtual_roots += usize::from(tree.has_virtual_root());
        single_roots += usize::from(tree.roots == 1);
        let distances = expected.characteristics.iter().filter_map(|c| c.dominated);
        far += distances.filter(|d| d.by.is_some() && d.distance > 3).count();
    }
    // The trees must be of all kinds, or this proves little.
    assert!(subsuming > rounds, "{subsuming} subsuming methods");
    assert!(virtual_roots > rounds / 4, "{virtual_roots} trees with a virtual root");
    assert!(single_roots > rounds / 40, "{single_roots} trees with a single root");
    assert!(far > rounds / 14, "{far} methods far below what dominates them");
}

/// The command says what `methods` says of the profiles together.
#[test]
fn commands_say_the_same() {
    let directory = fixture::directory("fleet-methods-command");
    let files = ["recording.subsume", "lines.subsume", "cut-short.subsume"];
    let added = subsume(&directory, &[&["fleet", "add", "fleet"], &files[..]].concat());
    assert!(added.status.success(), "{added:?}");
    let json = |arguments: &[&str]| -> Value {
        let output = subsume(&directory, arguments);
        assert!(output.status.success(), "{arguments:?}: {output:?}");
        serde_json::from_slice(&output.stdout).unwrap()
    };
    for bound in ["0", "2", "4"] {
        let bounds = ["--all", "--json", "--height", bound, "--distance", bound];
        let together = json(&[&["methods"], &bounds[..], &files].concat());
        let fleet = json(&[&["fleet", "methods"], &bounds[..], &["fleet"]].concat());
        assert_eq!(together["total"], fleet["total"]);
        let rows = |answer: &Value| {
            let methods = answer["methods"].as_array().unwrap().iter().map(|method| {
                let fields = [
                    "class",
                    "name",
                    "descriptor",
                    "distance",
                    "dominator",
                    "induced",
                    "inclusive",
                    "exclusive",
                    "subsuming",
                ];
                fields.map(|field| method[field].to_string())
            });
            methods.collect::<Vec<_>>()
        };
        assert_eq!(rows(&together), rows(&fleet), "{bound}");
        let summaries =
            json(&[&["fleet", "methods", "--summaries"], &bounds[..], &["fleet"]].concat());
        assert!(summaries["methods"][0]["induced"].is_null());
    }
}

/// Damage to any file of a fleet is told in one line, or does not matter.
#[test]
fn a_damaged_fleet_is_told_of() {
    let directory = fixture::directory("fleet-damage");
    for (file, label) in [
        ("recording.subsume", "host=a"),
        ("lines.subsume", "host=a"),
        ("moves.subsume", "host=b"),
        ("idle.subsume", "host=b"),
    ] {
        let added = subsume(&directory, &["fleet", "add", "fleet", file, "--label", label]);
        assert!(added.status.success(), "{added:?}");
    }
    let mut random = Random(12);
    let mut tables = Vec::new();
    let mut open = vec![directory.join("fleet")];
    while let Some(folder) = open.pop() {
        for entry in std::fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() { open.push(path) } else { tables.push(path) }
        }
    }
    assert!(tables.len() >= 9, "{tables:?}");
    let mut refused = 0;
    for table in &tables {
        let whole = std::fs::read(table).unwrap();
        for round in 0..12 {
            let mut bytes = whole.clone();
            match round {
                0 => bytes.clear(),
                1..6 => bytes.truncate(random.below(whole.len() as u64) as usize),
                _ => bytes[random.below(whole.len() as u64) as usize] ^= 1 << random.below(8),
            }
            std::fs::write(table, &bytes).unwrap();
            for arguments in [
                &["fleet", "list", "fleet"][..],
                &["fleet", "methods", "fleet"],
                &["fleet", "outliers", "fleet"],
                &["fleet", "diff", "fleet", "--from", "host=a", "--to", "host=b"],
                &["fleet", "gate", "fleet", "--from", "host=a", "--to", "host=b"],
            ] {
                let output = subsume(&directory, arguments);
                let error = String::from_utf8(output.stderr).unwrap();
                let is_note = |line: &&str| line.starts_with("subsume: note: ");
                let error: Vec<&str> = error.lines().filter(|line| !is_note(line)).collect();
                let error = error.join("\n");
                let what = format!("{}, round {round}: {error}", table.display());
                match output.status.code() {
                    Some(0) => assert!(error.is_empty(), "{what}"),
                    Some(2) => {
                        refused += 1;
                        assert_eq!(error.lines().count(), 1, "{what}");
                        assert!(error.starts_with("subsume: "), "{what}");
                    }
                    code => panic!("{code:?}: {what}"),
                }
            }
        }
        std::fs::write(table, &whole).unwrap();
    }
    assert!(refused > 100, "{refused} refused");
}

/// Two selections are compared as two profiles are.
#[test]
fn differences_are_those_of_the_profiles() {
    let directory = fixture::directory("fleet-diff");
    let run = |arguments: &[&str]| {
        let output = subsume(&directory, arguments);
        assert!(output.status.success(), "{arguments:?}: {output:?}");
        output.stdout
    };
    // A method makes exceptions, which no file says by itself.
    let mut changed = fixture::recording();
    let thrown = changed.methods.last_mut().unwrap();
    thrown.name = "<init>".to_owned();
    changed.classes[thrown.class.0 as usize].name = "java.lang.Throwable".to_owned();
    fixture::write(&changed, &directory.join("recording.subsume"));
    // Other costs in the same tree, and one run more after than before.
    changed.run.process_id += 1;
    for metric in &mut changed.nodes.metrics {
        metric.values[2] += 1_000_000;
    }
    fixture::write(&changed, &directory.join("changed.subsume"));
    changed.run.process_id += 1;
    fixture::write(&changed, &directory.join("again.subsume"));
    run(&["fleet", "add", "fleet", "recording.subsume", "--label", "version=1"]);
    run(&["fleet", "add", "fleet", "changed.subsume", "--label", "version=2"]);
    let files = ["diff", "--json", "--contexts", "recording.subsume", "changed.subsume"];
    let sides = ["--from", "version=1", "--to", "version=2"];
    let fleet = [&["fleet", "diff", "--json", "--contexts", "fleet"], &sides[..]].concat();
    let together: Value = serde_json::from_slice(&run(&files)).unwrap();
    let found: Value = serde_json::from_slice(&run(&fleet)).unwrap();
    assert_eq!(together, found);
    assert!(found["methods"][0]["after"]["exclusive"]["exceptions"].is_u64(), "{found}");
    // Two runs after: twice the costs of the one before stand beside them.
    run(&["fleet", "add", "fleet", "again.subsume", "--label", "version=2"]);
    let doubled: Value = serde_json::from_slice(&run(&fleet)).unwrap();
    let total = |answer: &Value, side: &str| answer["totals"]["bytecodes"][side].as_u64().unwrap();
    assert_eq!(total(&doubled, "before"), 2 * total(&together, "before"));
    assert_eq!(total(&doubled, "after"), 2 * total(&together, "after"));
}
