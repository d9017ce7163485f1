//! Runs the commands in `tests/cli/*.transcript` and compares what they print.
//!
//! A line that starts with `$ ` is a command: `subsume` with arguments (in
//! single quotes where they hold spaces), `COLUMNS=N` before it for the width
//! of tables, or `cat FILE`. What follows is its standard output, its standard
//! error with `! ` before each line, and `[CODE]` if the exit code is not 0.
//! Lines that start with `#` are comments. Commands of one file run one after
//! the other in a directory with the files of `tests/cli` and the profiles that
//! [`fixture`] makes. `BLESS=1` rewrites the transcripts.

#![allow(clippy::disallowed_macros, reason = "tests print for whoever reads them")]

use crate::fixture;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

#[test]
fn transcripts() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/cli");
    let mut transcripts: Vec<PathBuf> = fs::read_dir(&folder)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.extension().is_some_and(|e| e == "transcript"))
        .collect();
    transcripts.sort();
    assert!(!transcripts.is_empty());

    let mut different = Vec::new();
    for transcript in transcripts {
        let expected = fs::read_to_string(&transcript).unwrap();
        let name = transcript.file_stem().unwrap().to_string_lossy().into_owned();
        let found = replay(&expected, &fixture::directory(&name));
        if found == expected {
            continue;
        }
        if std::env::var_os("BLESS").is_some() {
            fs::write(&transcript, &found).unwrap();
        } else {
            println!("--- {}: expected\n{expected}--- found\n{found}", transcript.display());
            different.push(name);
        }
    }
    assert!(different.is_empty(), "different: {different:?} (BLESS=1 accepts what was found)");
}

/// The transcript with what the commands print now.
fn replay(transcript: &str, directory: &Path) -> String {
    let mut found = String::new();
    for line in transcript.lines() {
        if let Some(command) = line.strip_prefix("$ ") {
            found += &format!("{line}\n{}", run(command, directory));
        } else if line.starts_with('#') {
            if !found.is_empty() {
                found += "\n";
            }
            found += &format!("{line}\n");
        }
    }
    found
}

fn run(line: &str, directory: &Path) -> String {
    let mut words = words(line).into_iter().peekable();
    let columns = words.next_if(|word| word.starts_with("COLUMNS="));
    let columns = columns.as_deref().map_or("100", |word| &word["COLUMNS=".len()..]).to_owned();
    let program = match words.next().as_deref() {
        Some("subsume") => env!("CARGO_BIN_EXE_subsume"),
        Some("cat") => "cat",
        other => panic!("no such command: {other:?}"),
    };
    let output = Command::new(program)
        .args(words)
        .env("COLUMNS", columns)
        .current_dir(directory)
        .output()
        .unwrap();
    let mut text = String::from_utf8(output.stdout).unwrap();
    for line in String::from_utf8(output.stderr).unwrap().lines() {
        text += &format!("! {line}\n");
    }
    match output.status.code() {
        Some(0) => {}
        Some(code) => text += &format!("[{code}]\n"),
        None => panic!("{line}: ended by a signal"),
    }
    text
}

/// Splits at spaces outside single quotes.
fn words(line: &str) -> Vec<String> {
    let mut words = vec![String::new()];
    let mut quoted = false;
    for c in line.chars() {
        match c {
            '\'' => quoted = !quoted,
            ' ' if !quoted => words.push(String::new()),
            c => words.last_mut().unwrap().push(c),
        }
    }
    words.retain(|word| !word.is_empty());
    words
}
