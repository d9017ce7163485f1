//! Files of each version that is read still say what they said when that version was new.
//!
//! `tests/versions` has a folder for each version of the format, with profiles of all modes
//! and a fleet, and what commands answered about them: `FILE.COMMAND.json`. Later commands
//! may say more, but nothing else. `SUBSUME_WRITE_VERSION=1` writes the folder of the
//! version of today.

use std::fs;
use std::path::{Path, PathBuf};

use made_profiles::live::live_from;
use profile::layout::{COMPACT_VERSION, LIVE_VERSION, OLDEST_COMPACT_VERSION, OLDEST_LIVE_VERSION};
use serde_json::Value;
use support::copy_folder;

use crate::fixture;
use crate::fixture::command::subsume;

/// Each profile with the commands that read most of it; a fleet's is a folder.
const QUESTIONS: &[(&str, &[&str])] = &[
    ("recording.subsume", &["info", "methods", "tree", "summary"]),
    ("live.subsume", &["info", "methods"]),
    ("copies.subsume", &["info", "copies", "temporaries"]),
    ("costs.subsume", &["info", "costs", "dead"]),
    ("nulls.subsume", &["info", "nulls"]),
    ("loops.subsume", &["info", "loops"]),
    ("growth.subsume", &["info", "growth"]),
    ("results.subsume", &["info", "repeats"]),
    ("typestate.subsume", &["info", "typestate"]),
    ("lines.subsume", &["info", "lines"]),
    ("fleet", &["fleet list", "fleet methods"]),
];

fn versions() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../tests/versions")
}

/// Where it is written down what a command says of a file.
fn stored(folder: &Path, file: &str, command: &str) -> PathBuf {
    folder.join(format!("{file}.{}.json", command.replace(' ', "-")))
}

/// What a command says of a file in a folder.
fn answer(folder: &Path, file: &str, command: &str) -> Value {
    let words: Vec<&str> = command.split(' ').chain(["--json", file]).collect();
    let output = subsume(folder, &words);
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(output.status.success(), "{}: {command} {file}: {said}", folder.display());
    serde_json::from_slice(&output.stdout).expect("the answer is JSON")
}

/// Where `now` contradicts `then`; additional fields are not a difference.
fn difference(then: &Value, now: &Value, at: &str) -> Option<String> {
    match (then, now) {
        (Value::Object(then), Value::Object(now)) => then.iter().find_map(|(key, value)| {
            difference(value, now.get(key).unwrap_or(&Value::Null), &format!("{at}.{key}"))
        }),
        (Value::Array(then), Value::Array(now)) if then.len() == now.len() => {
            let mut pairs = then.iter().zip(now).enumerate();
            pairs.find_map(|(i, (then, now))| difference(then, now, &format!("{at}[{i}]")))
        }
        _ if then == now => None,
        _ => Some(format!("{at}: {then}, now {now}")),
    }
}

/// Writes the files of today's version, and what is said of them.
fn write(folder: &Path) {
    let made = fixture::directory("versions");
    fs::create_dir_all(folder).unwrap();
    let live = live_from(&mut fixture::recording()).bytes();
    fs::write(made.join("live.subsume"), live).unwrap();
    let output = subsume(&made, &["fleet", "add", "fleet", "recording.subsume", "copies.subsume"]);
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    for (file, commands) in QUESTIONS {
        if *file == "fleet" {
            copy_folder(&made.join(file), &folder.join(file));
        } else {
            fs::copy(made.join(file), folder.join(file)).unwrap();
        }
        for command in *commands {
            let answer = serde_json::to_string(&answer(folder, file, command)).unwrap();
            fs::write(stored(folder, file, command), answer + "\n").unwrap();
        }
    }
}

#[test]
fn files_of_each_version_say_what_they_said() {
    let newest = LIVE_VERSION.max(COMPACT_VERSION);
    let oldest = OLDEST_LIVE_VERSION.max(OLDEST_COMPACT_VERSION);
    assert!(newest == 20 || oldest < newest, "the version before {newest} is not read");
    if std::env::var_os("SUBSUME_WRITE_VERSION").is_some() {
        write(&versions().join(format!("format-{newest}")));
    }
    for version in oldest..=newest {
        let folder = versions().join(format!("format-{version}"));
        for (file, commands) in QUESTIONS {
            for command in *commands {
                let stored = stored(&folder, file, command);
                let then =
                    fs::read(&stored).unwrap_or_else(|e| panic!("{}: {e}", stored.display()));
                let then: Value = serde_json::from_slice(&then).expect("it was written as JSON");
                let found = difference(&then, &answer(&folder, file, command), "");
                assert_eq!(found, None, "{}", stored.display());
            }
        }
    }
}
