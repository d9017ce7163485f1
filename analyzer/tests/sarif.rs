//! Findings as SARIF: what code scanning asks of a file, on a recording of each kind.
//! `scripts/exchange` holds them against the schema and other programs.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use profile::Profile;
use profile::dataflow::Place;
use serde_json::Value;

use crate::fixture;
use crate::fixture::command::subsume;

/// A command on each recording that has findings.
const QUESTIONS: [[&str; 2]; 8] = [
    ["diagnose", "one"],
    ["loops", "loops.subsume"],
    ["growth", "growth.subsume"],
    ["repeats", "results.subsume"],
    ["typestate", "typestate.subsume"],
    ["temporaries", "for-whom.subsume"],
    ["dead", "costs.subsume"],
    ["costs", "costs.subsume"],
];

/// The files of [`fixture::directory`], and a diagnosis in the folder `one`. It is a repository.
fn directory(name: &str) -> std::path::PathBuf {
    let directory = fixture::directory(name);
    for folder in ["one", ".git"] {
        fs::create_dir(directory.join(folder)).expect("it is not there");
    }
    fs::copy(directory.join("results.subsume"), directory.join("one/results.subsume"))
        .expect("the recording is there");
    directory
}

fn asked(directory: &Path, words: &[&str], code: i32) -> Value {
    let output = subsume(directory, words);
    assert_eq!(output.status.code(), Some(code), "{words:?}: {output:?}");
    let mut log: Value = serde_json::from_slice(&output.stdout).expect("it is JSON");
    assert_eq!(log["version"], "2.1.0");
    let runs = log["runs"].as_array_mut().expect("a log has runs");
    assert_eq!(runs.len(), 1);
    runs.remove(0)
}

fn results(run: &Value) -> &Vec<Value> {
    run["results"].as_array().expect("a run has results")
}

fn text<'v>(value: &'v Value, path: &str) -> &'v str {
    let found = value.pointer(path).and_then(Value::as_str).filter(|text| !text.is_empty());
    found.unwrap_or_else(|| panic!("{path} is not a text of {value}"))
}

/// What GitHub and others ask of a location.
fn check_location(location: &Value) {
    let uri = text(location, "/physicalLocation/artifactLocation/uri");
    assert_eq!(text(location, "/physicalLocation/artifactLocation/uriBaseId"), "%SRCROOT%");
    assert!(!uri.starts_with(['/', '.']) && !uri.contains([':', '\\', ' ']), "{uri}");
    assert!(location["physicalLocation"]["region"]["startLine"].as_u64() >= Some(1), "{location}");
    text(location, "/logicalLocations/0/fullyQualifiedName");
}

#[test]
fn every_finding_has_what_code_scanning_asks_for() {
    let directory = directory("sarif");
    for [command, file] in QUESTIONS {
        let run = asked(&directory, &[command, "--sarif", file], 0);
        let driver = &run["tool"]["driver"];
        assert_eq!(driver["name"], "subsume");
        assert_eq!(run["automationDetails"]["id"], format!("subsume/{command}/"));
        assert!(run["originalUriBaseIds"]["%SRCROOT%"].is_object());
        let rules = driver["rules"].as_array().expect("there are rules");
        for rule in rules {
            for path in ["/id", "/name", "/shortDescription/text", "/fullDescription/text"] {
                text(rule, path);
            }
            text(rule, "/help/text");
        }
        let results = results(&run);
        assert!(!results.is_empty(), "{command} finds nothing");
        let mut fingerprints = BTreeSet::new();
        for result in results {
            let index = result["ruleIndex"].as_u64().expect("a rule has a place") as usize;
            assert_eq!(result["ruleId"], rules[index]["id"]);
            assert!(["warning", "note"].contains(&text(result, "/level")), "{result}");
            assert!(text(result, "/message/text").ends_with('.'), "{result}");
            let fingerprint = text(result, "/partialFingerprints/subsume~1v1");
            assert!(fingerprints.insert(fingerprint), "{command}: {fingerprint} is there twice");
            let figures = result["properties"].as_object().expect("there are figures");
            assert!(figures.values().any(Value::is_u64), "{result}");
            assert!(!figures.values().any(Value::is_array), "{result}");
            check_location(&result["locations"][0]);
            for flow in result["codeFlows"].as_array().into_iter().flatten() {
                let steps = flow["threadFlows"][0]["locations"].as_array().expect("a way");
                assert!(!steps.is_empty());
                for step in steps {
                    check_location(&step["location"]);
                    text(&step["location"], "/message/text");
                }
            }
        }
    }
}

#[test]
fn ways_lead_to_findings() {
    let directory = directory("sarif-ways");
    let steps = |command: &str, file: &str| {
        let run = asked(&directory, &[command, "--sarif", file], 0);
        let flow = &results(&run)[0]["codeFlows"][0]["threadFlows"][0]["locations"];
        let steps = flow.as_array().expect("there is a way").iter();
        let steps = steps.map(|step| text(step, "/location/message/text").to_owned());
        steps.collect::<Vec<_>>()
    };
    assert_eq!(steps("loops", "loops.subsume"), ["com.example.App.main", "com.example.App.sort"]);
    assert_eq!(
        steps("typestate", "typestate.subsume").last().map(String::as_str),
        Some("com.example.App.less: next, then error")
    );
}

/// The same program with `more` lines above its code.
fn moved(mut profile: Profile, more: u16) -> Profile {
    let down = |place: &mut Place| place.line += if place.line > 0 { more } else { 0 };
    let data = &mut profile.dataflow;
    data.growth.iter_mut().flat_map(|all| &mut all.loops).for_each(|one| down(&mut one.place));
    for one in data.loops.iter_mut().flat_map(|all| &mut all.loops) {
        down(&mut one.place);
        one.path.iter_mut().for_each(down);
        for read in &mut one.similar {
            down(&mut read.place);
            read.path.iter_mut().for_each(down);
        }
    }
    profile
}

#[test]
fn fingerprints_outlive_moved_lines() {
    let directory = directory("sarif-moved");
    for (command, profile) in [
        ("growth", made_profiles::recordings::growth()),
        ("loops", made_profiles::recordings::loops()),
    ] {
        let told = |more: u16| {
            let file = format!("{command}-{more}.subsume");
            fixture::write(&moved(profile.clone(), more), &directory.join(&file));
            let run = asked(&directory, &[command, "--sarif", &file], 0);
            let told = results(&run).iter().map(|result| {
                let location = &result["locations"][0]["physicalLocation"];
                let line = location["region"]["startLine"].as_u64().expect("a line");
                (text(result, "/partialFingerprints/subsume~1v1").to_owned(), line)
            });
            told.collect::<Vec<_>>()
        };
        let (before, after) = (told(0), told(40));
        assert!(!before.is_empty());
        assert_eq!(before.len(), after.len());
        for (before, after) in before.iter().zip(&after) {
            assert_eq!(before.0, after.0, "{command}");
            assert_eq!(before.1 + 40, after.1, "{command}");
        }
    }
}

#[test]
fn files_are_those_of_the_repository() {
    let directory = directory("sarif-sources");
    let sources = directory.join("app/src main/com/example");
    fs::create_dir_all(&sources).expect("a folder can be made");
    fs::write(sources.join("App.java"), "package com.example;\nclass App {}\n")
        .expect("it can be written");
    let uri = |words: &[&str]| {
        let run = asked(&directory, words, 0);
        let location = "/locations/0/physicalLocation/artifactLocation/uri";
        text(&results(&run)[0], location).to_owned()
    };
    for [command, file] in [["loops", "loops.subsume"], ["growth", "growth.subsume"]] {
        assert_eq!(uri(&[command, "--sarif", file]), "com/example/App.java");
        assert_eq!(
            uri(&[command, "--sarif", "--sources", "app/src main", file]),
            "app/src%20main/com/example/App.java"
        );
    }
}

#[test]
fn what_breaks_a_limit_is_an_error() {
    let directory = directory("sarif-limits");
    fs::write(directory.join("none.txt"), "").expect("it can be written");
    for words in [
        &["diagnose", "--sarif", "--fail-above", "0", "one"][..],
        &["diagnose", "--sarif", "--baseline", "none.txt", "one"],
        &["loops", "--sarif", "--baseline", "none.txt", "loops.subsume"],
    ] {
        let run = asked(&directory, words, 1);
        assert_eq!(results(&run)[0]["level"], "error", "{words:?}");
    }
    let run = asked(&directory, &["diagnose", "--sarif", "--fail-above", "100", "one"], 0);
    assert_eq!(results(&run)[0]["level"], "warning");
}

#[test]
fn there_is_one_form_of_an_answer() {
    let directory = directory("sarif-forms");
    for words in [
        &["loops", "--sarif", "--json", "loops.subsume"][..],
        &["loops", "--sarif", "--markdown", "loops.subsume"],
        &["growth", "--sarif", "--sources", "no-such-folder", "growth.subsume"],
    ] {
        let output = subsume(&directory, words);
        assert_eq!(output.status.code(), Some(2), "{words:?}: {output:?}");
        let said = String::from_utf8_lossy(&output.stderr);
        assert!(output.stdout.is_empty() && said.lines().count() == 1, "{words:?}: {said}");
    }
}
