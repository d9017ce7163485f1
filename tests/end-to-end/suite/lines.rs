//! `lines=on`: executions of source lines, counted by hand, and bytecodes that add up.

use std::collections::BTreeMap;
use std::path::Path;

use analysis::source::line_counts::LineCounts;
use support::{Jdk, Launch, Scratch, in_turn};

const SOURCE: &str = include_str!("../programs/main/CountsLines.java");

/// Executions by line, as the comments of the program say.
fn expected() -> BTreeMap<u16, u64> {
    let said = |line: &str| -> Option<u64> {
        let (_, comment) = line
            .split_once("; // ")
            .or_else(|| line.split_once("{ // "))
            .or_else(|| line.split_once("} // "))?;
        let digits: String =
            comment.chars().filter(|c| *c != ',').take_while(char::is_ascii_digit).collect();
        digits.parse().ok()
    };
    (1..).zip(SOURCE.lines()).filter_map(|(number, line)| Some((number, said(line)?))).collect()
}

fn recorded(jdk: &Jdk, scratch: &Scratch, mode: &str, options: &[&str]) -> profile::Profile {
    let path = scratch.file("lines.subsume");
    let agent = format!("mode={mode},lines=on,out={}", path.display());
    let launch = Launch::new(jdk, "CountsLines", scratch.path()).options(options);
    let plain = launch.run_well();
    let launch = Launch::new(jdk, "CountsLines", scratch.path()).options(options);
    assert_eq!(launch.agent(&agent).run_well(), plain, "{jdk} {mode} {options:?}");
    read(&path)
}

fn read(path: &Path) -> profile::Profile {
    profile::read_file(path).expect("the profile can be read")
}

/// Checks that the lines of each method have the bytecodes that its contexts have. Other
/// threads than the main one may stand in the midst of a method when the JVM ends.
fn adds_up(profile: &profile::Profile, what: &str) {
    let sum = |name: &str| {
        let mut sums = vec![0u64; profile.methods.len()];
        let values = &profile.nodes.metric(name).expect("recordings have the metric").values;
        for (&method, value) in profile.nodes.method.iter().zip(values) {
            sums[method as usize] += value;
        }
        sums
    };
    let (calls, bytecodes) = (sum("calls"), sum("bytecodes"));
    let mut is_active = vec![false; profile.methods.len()];
    for thread in profile.threads.iter().filter(|thread| thread.name != "main") {
        for node in thread.nodes.clone() {
            is_active[profile.nodes.method[node as usize] as usize] = true;
        }
    }
    let mut known = 0;
    for blocks in &profile.blocks {
        let at = blocks.method.0 as usize;
        if is_active[at] {
            continue;
        }
        let lines: u64 = blocks.lines(calls[at]).values().map(|line| line.bytecodes).sum();
        assert_eq!(lines, bytecodes[at], "{} {what}", profile.name(blocks.method));
        known += lines;
    }
    let all: u64 = bytecodes.iter().sum();
    assert!(known > all / 2, "{known} of {all} bytecodes have lines, {what}");
}

#[test]
fn lines_are_executed_as_often_as_they_say() {
    let expected = expected();
    assert_eq!(expected.len(), 64);
    for jdk in in_turn() {
        for (mode, option) in [
            ("calls", "-Xint"),
            ("calls", "-Xcomp"),
            ("calls", "-XX:+UseParallelGC"),
            ("copies", "-XX:TieredStopAtLevel=1"),
            ("calls+costs", "-Xint"),
        ] {
            let scratch = Scratch::new("lines");
            let profile = recorded(jdk, &scratch, mode, &[option]);
            adds_up(&profile, &format!("{jdk} {mode} {option}"));
            let mut found: BTreeMap<u16, u64> = BTreeMap::new();
            for (method, counted) in &LineCounts::new(&profile).methods {
                if method.class.starts_with("CountsLines") {
                    for (&line, count) in counted.lines.iter().filter(|(_, c)| c.executions > 0) {
                        let most = found.entry(line).or_default();
                        *most = count.executions.max(*most);
                    }
                }
            }
            // Constructors that javac adds stand at the class's line.
            found.retain(|line, _| expected.contains_key(line) || !is_declaration(*line));
            assert_eq!(found, expected, "{jdk} {mode} {option}");
        }
    }
}

fn is_declaration(line: u16) -> bool {
    SOURCE.lines().nth(usize::from(line) - 1).is_some_and(|text| text.contains("class "))
}
