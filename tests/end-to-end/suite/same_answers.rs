//! A deterministic program gets the same answers in every run, also about data
//! flow, whose sites and tags have other numbers each time.

use std::path::Path;

use crate::repeatable::REPEATABLE;
use support::{Jdk, Launch, Scratch, in_turn, rules_programs, subsume};

const COMMANDS: [&str; 5] = ["copies", "chains", "clones", "temporaries", "useless"];

/// What each command lists first of a new run.
fn answers(jdk: &Jdk, scratch: &Scratch) -> Vec<String> {
    let profile = scratch.file("run.subsume");
    Launch::new(jdk, "Repeatedly", scratch.path())
        .class_path(rules_programs())
        .options(REPEATABLE)
        .agent(&format!("mode=copies,out={}", profile.display()))
        .argument("JdkCollections")
        .argument("100")
        .run_well();
    COMMANDS.iter().map(|command| top(command, &profile)).collect()
}

/// The first 20 entries, without the sums over everything, in which the start of
/// the JVM is.
fn top(command: &str, profile: &Path) -> String {
    let answer = subsume(&[command, "--top", "20", &profile.display().to_string()]);
    let parts: Vec<&str> = answer.split("\n\n").skip(1).collect();
    parts.first().map_or(answer.clone(), |entries| (*entries).to_owned())
}

#[test]
fn the_first_twenty_of_each_command() {
    for jdk in in_turn() {
        let scratch = Scratch::new("same");
        let (first, second) = (answers(jdk, &scratch), answers(jdk, &scratch));
        for ((command, first), second) in COMMANDS.iter().zip(first).zip(second) {
            assert_eq!(first, second, "{jdk}: subsume {command}");
        }
    }
}
