//! A program that is run several times reads the same input each time.

use std::fs::{self, File};
use std::io::Write;
use std::path::Path;
use std::process::{Command, Output, Stdio};
use std::thread;

use serde_json::Value;
use support::{Scratch, artifacts, compiled, oldest};

use crate::time::{command, said};

/// Where a program's input comes from.
#[derive(Debug, Clone, Copy)]
enum Source {
    /// A pipe that ends.
    Pipe,
    /// A pipe into which nothing comes, and that does not end.
    Idle,
    /// A file, of which this much was read before.
    File(u64),
}

/// 300,000 bytes, which no pipe holds at once.
fn bytes() -> Vec<u8> {
    (0..300_000u32).map(|at| (at * at % 251) as u8).collect()
}

/// `subsume` with these options, of the program with these arguments, with such input.
fn given(scratch: &Scratch, source: Source, options: &[&str], arguments: &[&str]) -> Output {
    let java = oldest().command("java").display().to_string();
    let classes = compiled("main").display().to_string();
    let mut line = Command::new(&artifacts().command);
    line.args(options).args(["--", &java, "-cp", &classes, "ReadsInput"]).args(arguments);
    line.current_dir(scratch.path()).env("SUBSUME_AGENT", &artifacts().agent);
    line.env_remove("JAVA_TOOL_OPTIONS").stdout(Stdio::piped()).stderr(Stdio::piped());
    if let Source::File(start) = source {
        use std::io::{Seek, SeekFrom};
        let path = scratch.file("given");
        fs::write(&path, bytes()).expect("the scratch folder can be written");
        let mut file = File::open(path).expect("it is there");
        file.seek(SeekFrom::Start(start)).expect("it is a file");
        return line.stdin(file).output().expect("the command can be started");
    }
    let mut child = line.stdin(Stdio::piped()).spawn().expect("the command can be started");
    let mut pipe = child.stdin.take().expect("it is a pipe");
    let writing = thread::spawn(move || {
        if matches!(source, Source::Pipe) {
            // Who reads less closes its end.
            let _ = pipe.write_all(&bytes());
            return None;
        }
        Some(pipe)
    });
    let pipe = writing.join().expect("it was written");
    let output = child.wait_with_output().expect("it ends");
    drop(pipe);
    output
}

/// What the program prints by itself.
fn plain(start: usize, arguments: &[&str]) -> String {
    let mut line = Command::new(oldest().command("java"));
    line.arg("-cp").arg(compiled("main")).arg("ReadsInput").args(arguments);
    let mut child = line.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().expect("it starts");
    let mut pipe = child.stdin.take().expect("it is a pipe");
    let writing = thread::spawn(move || drop(pipe.write_all(&bytes()[start..])));
    let output = child.wait_with_output().expect("it ends");
    writing.join().expect("it was written");
    String::from_utf8(output.stdout).expect("it prints text")
}

#[test]
fn both_runs_of_time_read_all() {
    let scratch = Scratch::new("same-input-time");
    for (source, start) in [(Source::Pipe, 0), (Source::File(0), 0), (Source::File(5), 5)] {
        let run = ["run", "--time", "--top", "0", "-o", "a.subsume"];
        let output = given(&scratch, source, &run, &[]);
        assert!(output.status.success(), "{}", said(&output));
        let printed = String::from_utf8_lossy(&output.stdout).into_owned();
        assert_eq!(printed, plain(start, &[]).repeat(2), "{source:?}");
    }
    // A program that stops early, and one that reads nothing of a pipe that has nothing.
    let run = ["run", "--time", "--top", "0", "-o", "b.subsume"];
    for (source, most) in [(Source::Pipe, "70000"), (Source::Idle, "0")] {
        let output = given(&scratch, source, &run, &[most]);
        assert!(output.status.success(), "{}", said(&output));
        let printed = String::from_utf8_lossy(&output.stdout).into_owned();
        assert_eq!(printed, plain(0, &[most]).repeat(2), "{source:?}");
    }
}

/// Every file of output in a folder.
fn printed(folder: &Path) -> Vec<String> {
    let entries = fs::read_dir(folder).expect("the folder can be read");
    let paths = entries.map(|entry| entry.expect("and to its end").path());
    let outputs = paths.filter(|path| path.extension().is_some_and(|end| end == "out"));
    outputs.map(|path| fs::read_to_string(path).expect("it is text")).collect()
}

#[test]
fn all_runs_of_a_diagnosis_read_all_and_those_after_a_change() {
    let scratch = Scratch::new("same-input-diagnose");
    for (source, folder, start) in [(Source::Pipe, "piped", 0), (Source::File(7), "file", 7)] {
        let options = ["diagnose", "--json", "-o", folder];
        let output = given(&scratch, source, &options, &[]);
        assert!(output.status.success(), "{}", said(&output));
        let answer: Value = serde_json::from_slice(&output.stdout).expect("it is JSON");
        for run in answer["runs"].as_array().expect("runs are a list") {
            assert_ne!(run["same_output"], false, "{source:?}: {run}");
        }
        let expected = plain(start, &[]);
        let found = printed(&scratch.file(folder));
        assert!(found.len() >= 7 && found.iter().all(|one| *one == expected), "{found:?}");
    }
    // The input is in the folder: nobody has to give it again.
    let words = ["diagnose", "--within", "1s", "--against", "piped", "-o", "after"];
    let output = command(&scratch, &words);
    assert!(output.status.success(), "{}", said(&output));
    let (found, expected) = (printed(&scratch.file("after")), plain(0, &[]));
    assert!(found.len() == 2 && found.iter().all(|one| *one == expected), "{found:?}");
}

#[test]
fn nobody_waits_for_input_that_is_not_read() {
    let scratch = Scratch::new("same-input-idle");
    let options = ["diagnose", "--within", "1s", "-o", "idle"];
    let output = given(&scratch, Source::Idle, &options, &["0"]);
    assert!(output.status.success(), "{}", said(&output));
    assert!(!scratch.file("idle/input").exists());
}
