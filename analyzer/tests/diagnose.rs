//! `subsume diagnose` of folders of recordings that are there.

use std::fs;
use std::path::Path;
use std::process::Output;

use crate::broken::commands::check;
use crate::fixture;
use crate::fixture::command::subsume;

/// A folder with a recording of results, whose tree stands for that of calls.
fn of_results(directory: &Path, name: &str) {
    let folder = directory.join(name);
    fs::create_dir(&folder).expect("it is not there");
    fs::copy(directory.join("results.subsume"), folder.join("results.subsume"))
        .expect("the recording is there");
}

fn text(output: &Output) -> String {
    assert!(output.status.success(), "{output:?}");
    String::from_utf8_lossy(&output.stdout).into_owned()
}

#[test]
fn a_folder_is_answered_of() {
    let directory = fixture::directory("diagnose");
    of_results(&directory, "one");
    let all = text(&subsume(&directory, &["diagnose", "one"]));
    assert!(all.contains("from 1 recording: results"), "{all}");
    assert!(all.contains("same result again: "), "{all}");
    assert!(all.contains("subsume repeats one/results.subsume"), "{all}");
    assert!(all.contains("subsume report one "), "{all}");
    assert!(all.contains("Costs much, and no finding explains it"), "{all}");
    let none = text(&subsume(&directory, &["diagnose", "--class", "no.such.*", "one"]));
    assert!(none.contains("none that is likely to save half a percent"), "{none}");
    let markdown = text(&subsume(&directory, &["diagnose", "--markdown", "one"]));
    assert!(markdown.contains("same result again"), "{markdown}");
    // Against itself all is the same.
    let same = text(&subsume(&directory, &["diagnose", "--against", "one", "one"]));
    assert!(same.contains("(0.00%)") && same.contains("  same  "), "{same}");
    assert!(!same.contains("  gone") && !same.contains("  new "), "{same}");
}

#[test]
fn limits_decide_on_the_exit_code() {
    let directory = fixture::directory("diagnose-limits");
    of_results(&directory, "one");
    let code = |words: &[&str]| subsume(&directory, words).status.code();
    assert_eq!(code(&["diagnose", "--fail-above", "0", "one"]), Some(1));
    assert_eq!(code(&["diagnose", "--fail-above", "100", "one"]), Some(0));
    // Findings that were there before do not fail the command.
    assert_eq!(code(&["diagnose", "--fail-above", "0", "--against", "one", "one"]), Some(0));
}

#[test]
fn known_findings_are_left_out() {
    let directory = fixture::directory("diagnose-known");
    of_results(&directory, "one");
    let run = |words: &[&str]| subsume(&directory, &[&["diagnose", "--baseline"], words].concat());
    let written = text(&run(&["known.txt", "--write-baseline", "one"]));
    assert!(written.starts_with("known.txt: ") && written.contains(" finding"), "{written}");
    let known = fs::read_to_string(directory.join("known.txt")).expect("it was written");
    assert!(known.contains("same result again | "), "{known}");
    let none = text(&run(&["known.txt", "one"]));
    assert!(none.contains("none that is likely to save half a percent"), "{none}");
    assert!(none.contains("of the baseline left out"), "{none}");
    let json: serde_json::Value =
        serde_json::from_str(&text(&run(&["known.txt", "--json", "one"]))).expect("it is JSON");
    assert!(json["known"].as_u64() > Some(0), "{json}");
    // What the file does not list makes the exit code 1, if it saves enough.
    fs::write(directory.join("none.txt"), "# nothing\n").unwrap();
    let output = run(&["none.txt", "one"]);
    assert_eq!(output.status.code(), Some(1), "{output:?}");
    assert!(String::from_utf8_lossy(&output.stdout).contains("same result again: "));
    assert_eq!(run(&["none.txt", "--fail-above", "100", "one"]).status.code(), Some(0));
}

#[test]
fn a_page_begins_with_the_findings() {
    let directory = fixture::directory("diagnose-page");
    of_results(&directory, "one");
    let page: serde_json::Value =
        serde_json::from_str(&text(&subsume(&directory, &["report", "--json", "one"])))
            .expect("it is JSON");
    let profile = &page["profiles"][0];
    let found = profile["findings"]["found"].as_array().expect("findings are a list");
    let told = text(&subsume(&directory, &["diagnose", "--json", "one"]));
    let told: serde_json::Value = serde_json::from_str(&told).expect("it is JSON");
    let likely = |one: &&serde_json::Value| {
        one["likely"].as_f64() >= told["total"].as_f64().map(|total| 0.005 * total)
    };
    let told: Vec<_> = told["findings"].as_array().expect("a list").iter().filter(likely).collect();
    assert!(!found.is_empty());
    assert_eq!(found.len(), told.len());
    for (found, told) in found.iter().zip(told) {
        let number =
            found["saving"].as_str().map_or(found["saving"].as_u64(), |text| text.parse().ok());
        assert_eq!(number, told["saving"].as_u64());
        assert_eq!(found["command"], told["evidence"][0]["command"]);
    }
    // Of a profile alone nothing is found.
    let alone = text(&subsume(&directory, &["report", "--json", "results.subsume"]));
    let alone: serde_json::Value = serde_json::from_str(&alone).expect("it is JSON");
    assert!(alone["profiles"][0]["findings"].is_null());
    fs::create_dir(directory.join("empty")).expect("it is not there");
    let output = subsume(&directory, &["report", "empty"]);
    check(&output, false, "report empty");
    assert!(String::from_utf8_lossy(&output.stderr).contains("no recording with calls"));
}

#[test]
fn what_is_wrong_is_said_in_a_line() {
    let directory = fixture::directory("diagnose-wrong");
    of_results(&directory, "one");
    of_results(&directory, "noted");
    of_results(&directory, "newer");
    of_results(&directory, "damaged");
    fs::create_dir(directory.join("empty")).expect("it is not there");
    fs::write(directory.join("noted/diagnosis.json"), "{}").unwrap();
    let newer = r#"{"version":9,"command":[],"folder":"","agent_options":"","once":false,"for_seconds":null,"runs":[]}"#;
    fs::write(directory.join("newer/diagnosis.json"), newer).unwrap();
    let path = directory.join("damaged/results.subsume");
    let mut bytes = fs::read(&path).unwrap();
    bytes.truncate(bytes.len() / 2);
    fs::write(&path, bytes).unwrap();
    let wrong: [(&str, &str); 17] = [
        ("diagnose", "name a folder of recordings, or a command"),
        ("diagnose no-such-folder", "does not exist, so there is no recording with calls"),
        ("diagnose empty", "no recording with calls"),
        ("diagnose results.subsume", "a file and no folder, so there is no recording with calls"),
        ("diagnose noted", "no notes of 'subsume diagnose'"),
        ("diagnose newer", "version 9, this command knows 1"),
        ("diagnose damaged", "results.subsume"),
        ("diagnose --against empty one", "no recording with calls"),
        ("diagnose --fail-above 101 one", "--fail-above takes a number from 0 to 100"),
        ("diagnose --continue one", "it is not known how the program was run"),
        ("diagnose --within never one", "a time is a number above 0"),
        ("diagnose --test ATest", "neither a pom.xml nor a build.gradle"),
        ("diagnose --benchmark a.B", "the following required arguments were not provided"),
        ("diagnose --attach 1", "--for"),
        ("diagnose --baseline no-such-file one", "no-such-file"),
        ("diagnose --baseline damaged/results.subsume one", "damaged/results.subsume"),
        ("diagnose --write-baseline one", "--baseline"),
    ];
    for (line, expected) in wrong {
        let words: Vec<&str> = line.split(' ').collect();
        let output = subsume(&directory, &words);
        check(&output, false, line);
        let error = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(error.contains(expected), "{line}: {error}");
    }
    // Recordings that are there are not overwritten.
    let output = subsume(&directory, &["diagnose", "-o", "one", "--", "java", "Shop"]);
    check(&output, false, "-o one");
    assert!(String::from_utf8_lossy(&output.stderr).contains("the folder is not empty"));
}
