//! What HotSpot compares of constant pools when a recording starts with the JVM: most of
//! what probes need is there already, at the same places, and need not be looked for.

use std::fs;

use support::{Jdk, Launch, Scratch, in_turn};

const PROGRAM: &str = "LanguageFeatures";

/// How many constants of each class were looked for, as HotSpot's log tells it: what is at
/// the same place in both pools comes first (pass 1a), the rest is looked for (1b).
fn looked_for(jdk: &Jdk, options: &str) -> Vec<u32> {
    let scratch = Scratch::new("pools");
    let profile = scratch.file("pools.subsume");
    let log = "-Xlog:redefine+class+constantpool=debug:file=pools.log";
    let options = format!("out={},{options}", profile.display());
    Launch::new(jdk, PROGRAM, scratch.path()).options(&[log]).agent(&options).run_well();
    let log = fs::read_to_string(scratch.file("pools.log")).expect("the JVM has written its log");
    let mut looked_for = Vec::new();
    let mut at_the_same_place = 0;
    for line in log.lines() {
        let Some((_, number)) = line.split_once("scratch_i=") else { continue };
        let number = number.split(',').next().and_then(|number| number.parse().ok());
        let number: u32 = number.expect("the log has numbers there");
        if line.contains("after pass 1a:") {
            at_the_same_place = number;
        } else if line.contains("after pass 1b:") {
            looked_for.push(number - at_the_same_place);
        }
    }
    // A class has no second pass if all its constants were found in the first.
    assert!(looked_for.len() > 100, "{jdk}: {} classes", looked_for.len());
    looked_for
}

fn mean(numbers: &[u32]) -> f64 {
    f64::from(numbers.iter().sum::<u32>()) / numbers.len() as f64
}

#[test]
fn the_names_of_probes_are_there_before_probes_are() {
    for jdk in in_turn() {
        // From JDK 25 on, which verifies what agents return, not for calls alone.
        if jdk.release < 25 {
            let calls = mean(&looked_for(jdk, "mode=calls"));
            assert!(calls < 10.0, "{jdk}: {calls} constants a class");
        }
        let copies = mean(&looked_for(jdk, "mode=copies"));
        assert!(copies < 50.0, "{jdk}: {copies} constants a class");
    }
}
