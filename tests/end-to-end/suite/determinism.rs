//! The tree of a deterministic program does not depend on how the JVM runs it.

use std::collections::BTreeMap;

use crate::rig::{Jdk, Launch, Scratch, contexts, jdks};

/// A young generation that the program does not fill, so that no collection
/// clears the class library's weak tables.
const HEAP: &[&str] = &["-Xmx2g", "-Xms2g", "-Xmn1500m", "-Xlog:gc:file=gc.log"];

/// Calls and bytecodes of every context below main.
fn tree(jdk: &Jdk, options: &[&str]) -> BTreeMap<String, (u64, u64)> {
    let scratch = Scratch::new("determinism");
    let profile = scratch.file("program.subsume");
    Launch::new(jdk, "Deterministic", scratch.path())
        .options(HEAP)
        .options(options)
        .profiled(&profile)
        .run_well();
    let log = std::fs::read_to_string(scratch.file("gc.log")).expect("the JVM writes its log");
    assert!(!log.contains("Pause"), "a collection ran with {options:?} on {jdk}: {log}");

    let below_main = |(path, cost): (String, u64)| {
        path.find("Deterministic.main").map(|at| (path[at..].to_owned(), cost))
    };
    let mut tree = BTreeMap::<String, (u64, u64)>::new();
    for (path, calls) in contexts(&profile, "calls").into_iter().filter_map(below_main) {
        tree.entry(path).or_default().0 += calls;
    }
    for (path, bytecodes) in contexts(&profile, "bytecodes").into_iter().filter_map(below_main) {
        tree.entry(path).or_default().1 += bytecodes;
    }
    tree
}

/// Compares node by node and shows the first differences.
fn assert_same(
    expected: &BTreeMap<String, (u64, u64)>,
    found: &BTreeMap<String, (u64, u64)>,
    what: &str,
) {
    let paths = expected.keys().chain(found.keys().filter(|path| !expected.contains_key(*path)));
    let different: Vec<_> = paths
        .filter(|path| expected.get(*path) != found.get(*path))
        .map(|path| format!("{path}: {:?} and {:?}", expected.get(path), found.get(path)))
        .collect();
    assert!(
        different.is_empty(),
        "{what}: {} of {} contexts differ in (calls, bytecodes), among them\n{}",
        different.len(),
        expected.len(),
        different[..different.len().min(20)].join("\n")
    );
}

#[test]
fn same_tree_in_every_mode() {
    for jdk in jdks() {
        let expected = tree(jdk, &["-XX:+UseSerialGC", "-Xint"]);
        // The program has some 40 methods of its own and uses hundreds of others.
        assert!(expected.len() > 2000, "{} contexts on {jdk}", expected.len());
        for options in [
            &["-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1"][..],
            &["-XX:+UseSerialGC"],
            &["-XX:+UseParallelGC"],
            &["-XX:+UseG1GC"],
        ] {
            assert_same(&expected, &tree(jdk, options), &format!("-Xint and {options:?} on {jdk}"));
        }
    }
}
