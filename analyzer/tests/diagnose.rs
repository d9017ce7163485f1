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
    // The page is made of calls, which are not there.
    assert!(!all.contains("subsume report"), "{all}");
    assert!(all.contains("Costs much, and no recording speaks of waste"), "{all}");
    let none = text(&subsume(&directory, &["diagnose", "--class", "no.such.*", "one"]));
    assert!(none.contains("none that is likely to save half a percent"), "{none}");
    let markdown = text(&subsume(&directory, &["diagnose", "--markdown", "one"]));
    assert!(markdown.contains("same result again"), "{markdown}");
    // Against itself all is the same.
    let same = text(&subsume(&directory, &["diagnose", "--against", "one", "one"]));
    assert!(same.contains("(+0.00%)") && same.contains("  same  "), "{same}");
    assert!(!same.contains("  gone") && !same.contains("  new "), "{same}");
}

#[test]
fn limits_decide_on_the_exit_code() {
    let directory = fixture::directory("diagnose-limits");
    of_results(&directory, "one");
    let code = |words: &[&str]| subsume(&directory, words).status.code();
    assert_eq!(code(&["diagnose", "--fail-above", "0", "one"]), Some(1));
    assert_eq!(code(&["diagnose", "--fail-above", "100", "one"]), Some(0));
    // What is as it was is no reason to fail.
    assert_eq!(code(&["diagnose", "--fail-above", "0", "--against", "one", "one"]), Some(0));
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
    let wrong: [(&str, &str); 11] = [
        ("diagnose", "name a folder of recordings, or a command"),
        ("diagnose no-such-folder", "no recording with calls"),
        ("diagnose empty", "no recording with calls"),
        ("diagnose results.subsume", "no recording with calls"),
        ("diagnose noted", "no notes of 'subsume diagnose'"),
        ("diagnose newer", "version 9, this command knows 1"),
        ("diagnose damaged", "results.subsume"),
        ("diagnose --against empty one", "no recording with calls"),
        ("diagnose --fail-above 101 one", "--fail-above takes a number from 0 to 100"),
        ("diagnose --continue one", "it is not known how the program was run"),
        ("diagnose --within never one", "a time is a number above 0"),
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
