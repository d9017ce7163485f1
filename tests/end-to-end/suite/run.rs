//! `subsume run`: the program keeps its output and exit code, and the answer
//! follows.

use std::fs;
use std::os::unix::fs::{MetadataExt, PermissionsExt};
use std::path::Path;
use std::process::{Command, Output};

use support::{Scratch, artifacts, compiled, in_turn, oldest, subsume};

fn run(scratch: &Scratch, arguments: &[&str]) -> Output {
    Command::new(&artifacts().command)
        .arg("run")
        .arg("--agent")
        .arg(&artifacts().agent)
        .args(arguments)
        .current_dir(scratch.path())
        .env_remove("JAVA_TOOL_OPTIONS")
        .output()
        .expect("the command can be started")
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

fn profiles(folder: &Path) -> Vec<String> {
    let entries = fs::read_dir(folder).expect("the scratch folder can be read");
    let names = entries.map(|entry| entry.expect("and to its end").file_name());
    let mut names: Vec<String> = names
        .map(|n| n.to_string_lossy().into_owned())
        .filter(|n| n.ends_with(".subsume"))
        .collect();
    names.sort();
    names
}

#[test]
fn a_jvm() {
    for jdk in in_turn() {
        let scratch = Scratch::new("run-jvm");
        let java = jdk.command("java").display().to_string();
        let classes = compiled("main").display().to_string();
        let command = [java.as_str(), "-cp", &classes, "ExitsWithStatus"];
        let plain = Command::new(command[0]).args(&command[1..]).output().expect("java starts");
        let recorded = run(&scratch, &[&["-o", "a.subsume", "--"], &command[..]].concat());
        assert_eq!(recorded.status.code(), plain.status.code(), "{jdk}");
        assert_eq!(text(&recorded.stdout), text(&plain.stdout), "{jdk}");
        let answer = text(&recorded.stderr);
        assert!(
            answer.contains("Repeated patterns") && answer.contains("Next:"),
            "{jdk}: {answer}"
        );
        assert_eq!(profiles(scratch.path()), ["a.subsume"], "{jdk}");
    }
}

#[test]
fn a_script_with_several_jvms() {
    let jdk = oldest();
    let scratch = Scratch::new("run-script");
    let java = jdk.command("java").display().to_string();
    let classes = compiled("main").display().to_string();
    let script = scratch.file("both.sh");
    let line = format!("'{java}' -cp '{classes}' Recursion\n");
    fs::write(&script, format!("#!/bin/sh\n{line}{line}exit 3\n")).expect("a script is written");
    let executable = fs::Permissions::from_mode(0o755);
    fs::set_permissions(&script, executable).expect("its owner may do so");
    let recorded = run(&scratch, &["--top", "0", "--", "./both.sh"]);
    assert_eq!(recorded.status.code(), Some(3), "{}", text(&recorded.stderr));
    let names = profiles(scratch.path());
    assert_eq!(names.len(), 2, "{names:?}");
    let both: Vec<String> = names.iter().map(|n| scratch.file(n).display().to_string()).collect();
    let info = subsume(&["info", &both[0], &both[1]]);
    assert!(info.contains("Recursion"), "{info}");
}

/// The profile of an earlier run is not the answer to one that did not start.
#[test]
fn a_jvm_that_does_not_start() {
    let jdk = oldest();
    let scratch = Scratch::new("run-again");
    let java = jdk.command("java").display().to_string();
    let classes = compiled("main").display().to_string();
    let good = [java.as_str(), "-cp", &classes, "Recursion"];
    // The number of a file that is gone may be given to the next one.
    let written = || {
        let found = fs::metadata(scratch.file("a.subsume")).ok()?;
        Some((found.ino(), found.modified().expect("Linux knows when")))
    };
    for (command, is_recorded) in [(&good[..], true), (&[&java, "-NoSuch"], false), (&good, true)] {
        let before = written();
        let run = run(&scratch, &[&["-o", "a.subsume", "--"], command].concat());
        let said = text(&run.stderr);
        assert_eq!(run.status.success(), is_recorded, "{said}");
        assert_eq!(said.contains("Recorded in a.subsume"), is_recorded, "{said}");
        assert_eq!(said.contains("no profile was written"), !is_recorded, "{said}");
        assert_eq!(before != written(), is_recorded, "{said}");
    }
}

/// A plain run with samples, then the recorded one; each has the program's output.
#[test]
fn twice_with_time() {
    let jdk = oldest();
    let scratch = Scratch::new("run-time");
    let java = jdk.command("java").display().to_string();
    let classes = compiled("main").display().to_string();
    let command = [java.as_str(), "-cp", &classes, "Deterministic"];
    let plain = Command::new(command[0]).args(&command[1..]).output().expect("java starts");
    let both = run(&scratch, &[&["--time", "-o", "a.subsume", "--"], &command[..]].concat());
    let said = text(&both.stderr);
    assert!(both.status.success(), "{said}");
    assert_eq!(text(&both.stdout), text(&plain.stdout).repeat(2));
    assert!(!scratch.file("a.jfr").exists(), "{said}");
    assert!(
        said.contains("samples of an uninstrumented run") || said.contains("no samples"),
        "{said}"
    );
    assert!(said.contains("Recorded in a.subsume"), "{said}");

    for (arguments, says) in [
        (&["--time", "--mode", "nulls", "--", &java, "-version"][..], "a mode with calls"),
        (&["--time", "-o", "a,b.subsume", "--", &java, "-version"], "comma"),
    ] {
        let refused = run(&scratch, arguments);
        let said = text(&refused.stderr);
        assert_eq!(refused.status.code(), Some(2), "{said}");
        assert!(said.contains(says) && said.lines().count() == 1, "{said}");
    }
    // Exit codes of runs that fail are kept, and nothing is run in vain.
    let failing = [java.as_str(), "-cp", &classes, "ExitsWithStatus"];
    let plain = Command::new(failing[0]).args(&failing[1..]).output().expect("java starts");
    let failed = run(&scratch, &[&["--time", "-o", "b.subsume", "--"], &failing[..]].concat());
    assert_eq!(failed.status.code(), plain.status.code());
    assert!(text(&failed.stderr).contains("nothing was recorded"));
    assert!(!scratch.file("b.subsume").exists());
}

#[test]
fn every_mode() {
    let jdk = oldest();
    let scratch = Scratch::new("run-modes");
    let java = jdk.command("java").display().to_string();
    let classes = compiled("main").display().to_string();
    for (mode, next) in [
        ("calls", "summary"),
        ("copies", "copies"),
        ("costs", "costs"),
        ("nulls", "nulls"),
        ("loops", "loops"),
        ("growth", "growth"),
    ] {
        let command = ["-o", "m.subsume", "--mode", mode, "--", &java, "-cp", &classes];
        let run = run(&scratch, &[&command[..], &["Recursion"]].concat());
        let said = text(&run.stderr);
        assert!(run.status.success(), "{mode}: {said}");
        let next = format!("    subsume {next} m.subsume");
        let timed = match mode {
            "calls" => "    subsume run --time --agent ",
            "copies" => "    subsume run --time --mode copies --agent ",
            _ => &next,
        };
        let starts = said.contains(&format!("Next:\n{timed}"));
        assert!(starts && said.contains(&next), "{mode}: {said}");
    }
}

/// The program would have run in vain.
#[test]
fn no_place_for_a_profile() {
    let scratch = Scratch::new("run-no-place");
    fs::create_dir(scratch.file("folder")).expect("a new name");
    for out in ["missing/a.subsume", "folder", "folder/.."] {
        let run = run(&scratch, &["-o", out, "--", "touch", "it-ran"]);
        let said = text(&run.stderr);
        assert_eq!(run.status.code(), Some(2), "{out}: {said}");
        assert!(said.lines().count() == 1 && !scratch.file("it-ran").exists(), "{out}: {said}");
    }
}

#[test]
fn nothing_to_show() {
    let scratch = Scratch::new("run-nothing");
    for (command, status, says) in [
        (&["--", "true"][..], 2, "no profile was written"),
        (&["--", "false"], 1, "no profile was written"),
        (&["--", "./no-such-command"], 2, "no-such-command"),
        (&["-o", "a,b.subsume", "--", "true"], 2, "comma"),
        (&["--"], 2, "COMMAND"),
    ] {
        let run = run(&scratch, command);
        let said = text(&run.stderr);
        assert_eq!(run.status.code(), Some(status), "{command:?}: {said}");
        assert!(said.contains(says) && said.lines().count() == 1, "{command:?}: {said}");
    }
}
