//! The tree of a deterministic program does not depend on how the JVM runs it.

use tree::Tree;

use crate::below_main::{BelowMain, differences, read};
use crate::repeatable::REPEATABLE;
use support::{Jdk, Launch, Scratch, jdks};

/// Runs the program with these JVM options and reads the profile, all threads
/// merged.
fn record(jdk: &Jdk, options: &[&str]) -> Tree {
    let scratch = Scratch::new("determinism");
    let profile = scratch.file("program.subsume");
    Launch::new(jdk, "Deterministic", scratch.path())
        .options(REPEATABLE)
        .options(&["-Xlog:gc:file=gc.log"])
        .options(options)
        .profiled(&profile)
        .run_well();
    let log = std::fs::read_to_string(scratch.file("gc.log")).expect("the JVM writes its log");
    assert!(!log.contains("Pause"), "a collection ran with {options:?} on {jdk}: {log}");
    read(&profile)
}

#[test]
fn same_tree_in_every_mode() {
    for jdk in jdks() {
        let interpreted = record(jdk, &["-XX:+UseSerialGC", "-Xint"]);
        let expected = BelowMain::of(&interpreted, "Deterministic");
        assert!(interpreted.len() > 10_000, "{} contexts on {jdk}", interpreted.len());
        for metric in ["calls", "bytecodes", "allocations"] {
            assert!(interpreted.metrics.iter().any(|m| m.name == metric), "{metric} on {jdk}");
        }
        for options in [
            &["-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1"][..],
            &["-XX:+UseParallelGC"],
            &["-XX:+UseG1GC"],
        ] {
            let compiled = record(jdk, options);
            let different = differences(&expected, &BelowMain::of(&compiled, "Deterministic"));
            assert!(
                different.is_empty(),
                "-Xint and {options:?} on {jdk}: {} of {} contexts differ, among them\n{}",
                different.len(),
                interpreted.len(),
                different[..different.len().min(20)].join("\n")
            );
        }
    }
}
