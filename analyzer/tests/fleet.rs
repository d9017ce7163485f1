//! Fleets: what is added is there, whole or not at all, whatever happens meanwhile.

mod fixture;
#[path = "../../profile/tests/suite/live_builder.rs"]
#[allow(dead_code)]
mod live_builder;
mod random;

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::thread::sleep;
use std::time::Instant;

use fixture::command::subsume;
use random::{Random, random_profile};
use serde_json::Value;

fn json(directory: &Path, arguments: &[&str]) -> Value {
    let output = subsume(directory, arguments);
    assert!(output.status.success(), "{arguments:?}: {output:?}");
    serde_json::from_slice(&output.stdout).unwrap()
}

/// Numbers of the runs in a fleet.
fn runs(directory: &Path, fleet: &str) -> Vec<String> {
    let answer = json(directory, &["fleet", "list", "--json", fleet]);
    let runs = answer["runs"].as_array().unwrap();
    runs.iter().map(|run| run["run"].as_str().unwrap().to_owned()).collect()
}

/// Random profiles that all differ, as files.
fn profiles(directory: &Path, count: usize) -> Vec<String> {
    let mut random = Random(9);
    let files = (0..count).map(|number| {
        let mut profile = random_profile(&mut random);
        profile.run.command_line = "org.example.App".to_owned();
        profile.run.start_millis = 1_767_225_600_000 + number as u64;
        let name = format!("random-{number}.subsume");
        fixture::write(&profile, &directory.join(&name));
        name
    });
    files.collect()
}

/// All files below a folder, but for those that are unfinished.
fn files(folder: &Path) -> BTreeSet<PathBuf> {
    let mut found = BTreeSet::new();
    let mut open = vec![folder.to_owned()];
    while let Some(folder) = open.pop() {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.file_name().is_some_and(|name| name == "_unfinished") {
                continue;
            }
            if path.is_dir() {
                open.push(path);
            } else {
                found.insert(path);
            }
        }
    }
    found
}

#[test]
fn what_was_added_comes_back() {
    let directory = fixture::directory("fleet-back");
    let live = live_builder::live_from(&mut fixture::recording()).bytes();
    fs::write(directory.join("live.subsume"), &live).unwrap();
    for name in ["recording", "copies", "costs", "results", "lines", "cut-short", "live"] {
        let file = format!("{name}.subsume");
        let added = json(&directory, &["fleet", "add", "--json", "fleet", &file]);
        let run = added["added"][0]["run"].as_str().unwrap().to_owned();
        assert!(runs(&directory, "fleet").contains(&run), "{name}");
        let got = subsume(&directory, &["fleet", "get", "fleet", &run[..12], "-o", "back.subsume"]);
        assert!(got.status.success(), "{got:?}");
        if name != "live" {
            let both = [&file, "back.subsume"].map(|file| fs::read(directory.join(file)).unwrap());
            assert!(both[0] == both[1], "{name} has other bytes");
        }
        for question in [&["methods", "--all", "--json"][..], &["tree", "--call-sites", "--json"]] {
            let ask = |file: &str| json(&directory, &[question, &[file]].concat());
            assert_eq!(ask(&file), ask("back.subsume"), "{name}: {question:?}");
        }
        let again = json(&directory, &["fleet", "add", "--json", "fleet", &file]);
        assert_eq!(again["known"][0]["run"], *run);
        assert_eq!(again["added"], Value::Array(Vec::new()));
    }
}

#[test]
fn conditions_choose_runs() {
    let directory = fixture::directory("fleet-where");
    let files = profiles(&directory, 4);
    for (file, version, host) in
        [(&files[0], "1", "a"), (&files[1], "1", "b"), (&files[2], "2", "a"), (&files[3], "2", "b")]
    {
        let labels = [format!("version={version}"), format!("host={host}")];
        let arguments =
            ["fleet", "add", "fleet", file, "--label", &labels[0], "--label", &labels[1]];
        assert!(subsume(&directory, &arguments).status.success());
    }
    let found = |conditions: &[&str]| {
        let conditions = conditions.iter().flat_map(|condition| ["--where", condition]);
        let arguments: Vec<&str> =
            ["fleet", "list", "--json", "fleet"].into_iter().chain(conditions).collect();
        json(&directory, &arguments)["runs"].as_array().unwrap().len()
    };
    assert_eq!(found(&[]), 4);
    assert_eq!(found(&["version=1"]), 2);
    assert_eq!(found(&["version=1", "host=b"]), 1);
    assert_eq!(found(&["version=1;2", "host=*"]), 4);
    assert_eq!(found(&["version=3"]), 0);
    assert_eq!(found(&["program=org.example.*", "date=2026-01-01"]), 4);
    assert_eq!(found(&["nothing=*"]), 0);
}

#[test]
fn a_broken_profile_is_refused_and_the_others_are_added() {
    let directory = fixture::directory("fleet-broken");
    let good = profiles(&directory, 2);
    let whole = fs::read(directory.join(&good[1])).unwrap();
    fs::write(directory.join("cut.subsume"), &whole[..whole.len() / 2]).unwrap();
    let arguments = ["fleet", "add", "fleet", &good[0], "cut.subsume", "missing", &good[1]];
    let output = subsume(&directory, &arguments);
    assert_eq!(output.status.code(), Some(2));
    let error = String::from_utf8(output.stderr).unwrap();
    let lines: Vec<&str> = error.lines().collect();
    assert_eq!(lines.len(), 2, "{error}");
    assert!(lines[0].starts_with("subsume: cut.subsume: "), "{error}");
    assert!(lines[1].starts_with("subsume: missing: "), "{error}");
    assert_eq!(runs(&directory, "fleet").len(), 2);
}

/// Two commands that add the same profiles and others at the same time.
#[test]
fn two_adds_at_once_lose_nothing() {
    let directory = fixture::directory("fleet-two");
    let all = profiles(&directory, 24);
    let start = |files: &[String]| {
        Command::new(env!("CARGO_BIN_EXE_subsume"))
            .args(["fleet", "add", "fleet"])
            .args(files)
            .current_dir(&directory)
            .stdout(Stdio::null())
            .spawn()
            .unwrap()
    };
    let (mut one, mut other) = (start(&all[..16]), start(&all[8..]));
    assert!(one.wait().unwrap().success());
    assert!(other.wait().unwrap().success());
    assert_eq!(runs(&directory, "fleet").len(), 24);
    // And it holds just what one command alone would have added of each run.
    let alone =
        [&["fleet", "add", "alone"], &all.iter().map(String::as_str).collect::<Vec<_>>()[..]];
    assert!(subsume(&directory, &alone.concat()).status.success());
    let names = |fleet: &str| -> BTreeSet<PathBuf> {
        let root = directory.join(fleet);
        let tables = ["runs", "trees", "method_runs", "dominators"].map(|table| root.join(table));
        let files = tables.iter().flat_map(|table| files(table));
        files.map(|path| path.strip_prefix(&root).unwrap().to_owned()).collect()
    };
    assert_eq!(names("fleet"), names("alone"));
}

/// Kills an add after more and more of the time that it takes.
#[test]
fn a_killed_add_leaves_a_fleet_that_reads() {
    let directory = fixture::directory("fleet-killed");
    let all = profiles(&directory, 12);
    let add = |fleet: &str| {
        Command::new(env!("CARGO_BIN_EXE_subsume"))
            .args(["fleet", "add", fleet])
            .args(&all)
            .current_dir(&directory)
            .stdout(Stdio::null())
            .spawn()
            .unwrap()
    };
    let start = Instant::now();
    assert!(add("whole").wait().unwrap().success());
    let whole = start.elapsed();
    let (mut partial, mut seen) = (0, BTreeSet::new());
    let points = 60;
    for point in 0..points {
        let fleet = format!("fleet-{point}");
        let mut process = add(&fleet);
        sleep(whole * point / points);
        process.kill().unwrap();
        process.wait().unwrap();
        if !directory.join(&fleet).join("runs").is_dir() {
            // It had not begun.
            continue;
        }
        let found = runs(&directory, &fleet);
        partial += usize::from(!found.is_empty() && found.len() < all.len());
        seen.insert(found.len());
        for run in &found {
            let got = subsume(&directory, &["fleet", "get", &fleet, run, "-o", "back.subsume"]);
            assert!(got.status.success(), "{point}: {got:?}");
        }
        // What is missing can be added as if nothing had happened.
        assert!(add(&fleet).wait().unwrap().success());
        assert_eq!(runs(&directory, &fleet).len(), all.len());
        fs::remove_dir_all(directory.join(&fleet)).unwrap();
    }
    assert!(partial > 10, "{partial} of {points} left a part: {seen:?}");
}
