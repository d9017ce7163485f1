//! `subsume diagnose` tells apart what looks alike: copies that grow and copies of one length,
//! searches for something equal and comparisons of all pairs.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use serde_json::Value;
use support::{Launch, Scratch, compiled, in_turn, oldest};

use crate::time::{command, said};

/// The answer of `subsume diagnose` with these arguments.
fn diagnosed(scratch: &Scratch, arguments: &[&str]) -> Value {
    let output = command(scratch, &[&["diagnose", "--json"], arguments].concat());
    assert!(output.status.success(), "{}", said(&output));
    serde_json::from_slice(&output.stdout).unwrap_or_else(|_| panic!("{}", said(&output)))
}

/// The evidence of a kind in an answer.
fn evidence<'v>(answer: &'v Value, kind: &str) -> Vec<&'v Value> {
    let findings = answer["findings"].as_array().expect("findings are a list");
    let all = findings.iter().flat_map(|one| one["evidence"].as_array().into_iter().flatten());
    all.filter(|one| one["kind"] == kind).collect()
}

/// Lines of a program in the folder `main` that have this comment.
fn lines_with(comment: &str, program: &str) -> BTreeSet<u64> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("programs/main");
    let source = fs::read_to_string(folder.join(program)).expect("the project has its source");
    let lines = (1..).zip(source.lines());
    lines.filter(|(_, text)| text.contains(comment)).map(|(line, _)| line).collect()
}

#[test]
fn values_that_grow_by_copying_themselves_are_found() {
    let expected = lines_with("// grows", "CopiesItself.java");
    assert_eq!(expected.len(), 9);
    for jdk in in_turn() {
        let scratch = Scratch::new("diagnose-copies");
        let java = jdk.command("java").display().to_string();
        let classes = compiled("main").display().to_string();
        let program = ["--", &java, "-cp", &classes, "CopiesItself"];
        let answer =
            diagnosed(&scratch, &[&["--within", "1s", "-o", "all"][..], &program].concat());
        let found = evidence(&answer, "growing_copy");
        let lines: BTreeSet<u64> = found.iter().filter_map(|one| one["line"].as_u64()).collect();
        assert_eq!(lines, expected, "{jdk}: {found:#?}");
        assert_eq!(found.len(), expected.len(), "{jdk}: {found:#?}");
        for one in found {
            // Half of what is moved at the end of each round, in a thousand steps at least.
            let moved = one["moved"].as_u64().expect("a number");
            assert!(moved >= 4 * 999 * 1_000 / 2, "{jdk}: {one}");
            assert!(one["saving"].as_u64() < Some(moved), "{jdk}: {one}");
        }
        let sentence = evidence(&answer, "growing_copy")
            .iter()
            .find(|one| one["method"]["name"] == "enlarged")
            .map(|one| one["sentence"].clone());
        let expected = "each of 4,000 steps copies an array of 500 elements on average, 1,998,000 \
                        elements in all: so does an array that grows from nothing by one element \
                        in each step";
        assert_eq!(sentence, Some(expected.into()), "{jdk}");
    }
}

#[test]
fn a_stream_over_all_pairs_is_no_search() {
    let scratch = Scratch::new("diagnose-pairs");
    let folder = scratch.file("all");
    fs::create_dir(&folder).expect("it is not there");
    for mode in ["calls", "loops"] {
        let profile = folder.join(format!("{mode}.subsume"));
        let options = format!("mode={mode},out={}", profile.display());
        Launch::new(oldest(), "ComparesPairs", scratch.path()).agent(&options).run_well();
    }
    let answer = diagnosed(&scratch, &["all"]);
    let found = evidence(&answer, "reread");
    let methods: Vec<_> = found.iter().map(|one| one["method"]["name"].as_str()).collect();
    assert_eq!(methods, [Some("equal")], "{found:#?}");
    let findings = answer["findings"].as_array().expect("findings are a list");
    let hints: Vec<&str> = findings.iter().filter_map(|one| one["hint"].as_str()).collect();
    assert!(hints.iter().any(|hint| hint.contains("set or map")), "{hints:?}");
}
