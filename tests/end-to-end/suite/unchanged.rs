//! A program does the same under the agent as without it: output, errors, exit
//! status, and what it sees of itself.

use support::{Launch, Scratch, jdks, methods};

/// Runs a program plain and under the agent, with every class verified, and
/// compares what came of it.
fn check(program: &str, status: i32) {
    for jdk in jdks() {
        let scratch = Scratch::new(program);
        let launch = || Launch::new(jdk, program, scratch.path()).options(&["-Xverify:all"]);
        let plain = launch().run();
        assert_eq!(plain.status, Some(status), "{program} without the agent on {jdk}: {plain:?}");
        let profile = scratch.file("program.subsume");
        let profiled = launch().profiled(&profile).run();
        assert_eq!(profiled.stdout, plain.stdout, "{program} on {jdk}");
        assert_eq!(profiled.stderr, plain.stderr, "{program} on {jdk}");
        assert_eq!(profiled.status, plain.status, "{program} on {jdk}");
        // Not by exported stacks, which take their depth squared for a recursion.
        let calls = &methods(&profile, program, &["--metric", "calls"])["main"]["calls"];
        assert_eq!(calls, 1, "{program}'s main method on {jdk}");
    }
}

#[test]
fn exits_with_status() {
    check("ExitsWithStatus", 3);
}

#[test]
fn throws_uncaught() {
    check("ThrowsUncaught", 1);
}

#[test]
fn halts() {
    check("Halts", 7);
}

#[test]
fn overflows_stack() {
    check("OverflowsStack", 0);
}

#[test]
fn failing_initialisers() {
    check("FailingInitialisers", 0);
}

#[test]
fn works_in_threads() {
    check("WorksInThreads", 0);
}

#[test]
fn language_features() {
    check("LanguageFeatures", 0);
}

#[test]
fn calls_native() {
    check("CallsNative", 0);
}

#[test]
fn deterministic() {
    check("Deterministic", 0);
}

#[test]
fn members_seen_by_reflection() {
    check("Reflects", 0);
}

#[test]
fn stack_traces() {
    check("StackTraces", 0);
}

#[test]
fn strict_class_loaders() {
    check("LoadsStrictly", 0);
}
