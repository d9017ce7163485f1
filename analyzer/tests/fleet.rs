//! Fleets: what is added is there, whole or not at all, whatever happens meanwhile.

use crate::fixture;
use made_profiles::jfr as jfr_builder;
use made_profiles::live;
use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::thread::{sleep, yield_now};
use std::time::Instant;
use support::rounds;

use crate::fixture::command::subsume;
use made_profiles::random_trees::{Random, random_profile};
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
    let live = live::live_from(&mut fixture::recording()).bytes();
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

/// Labels that the agent wrote are those of the run, unless the command has others.
#[test]
fn labels_of_profiles_are_taken_over() {
    let directory = fixture::directory("fleet-labels");
    let mut profile = fixture::recording();
    let labels = [("version", "1.2"), ("host", "build-7"), ("program", "shop")];
    profile.run.labels =
        labels.map(|(name, value)| (name.to_owned(), value.to_owned())).into_iter().collect();
    fixture::write(&profile, &directory.join("labelled.subsume"));
    let info = json(&directory, &["info", "--json", "labelled.subsume"]);
    let expected = serde_json::json!({"version": "1.2", "host": "build-7", "program": "shop"});
    assert_eq!(info["files"][0]["labels"], expected);
    let arguments = ["fleet", "add", "fleet", "labelled.subsume", "--label", "version=1.3"];
    let output = subsume(&directory, &[&arguments[..], &["--label", "host=build-7"]].concat());
    assert!(output.status.success());
    assert_eq!(
        String::from_utf8(output.stderr).unwrap(),
        "subsume: note: labelled.subsume: version=1.3 takes the place of its own version=1.2\n"
    );
    let list = json(&directory, &["fleet", "list", "--json", "fleet"]);
    let expected = serde_json::json!({"version": "1.3", "host": "build-7", "program": "shop"});
    assert_eq!(list["runs"][0]["labels"], expected);
    assert_eq!(list["runs"][0]["program"], "shop");
    // Profiles that are merged keep what they have in common.
    profile.run.labels.insert("host".to_owned(), "build-8".to_owned());
    fixture::write(&profile, &directory.join("other.subsume"));
    let merge = ["merge", "labelled.subsume", "other.subsume", "-o", "both.subsume"];
    assert!(subsume(&directory, &merge).status.success());
    let info = json(&directory, &["info", "--json", "both.subsume"]);
    let expected = serde_json::json!({"version": "1.2", "program": "shop"});
    assert_eq!(info["files"][0]["labels"], expected);
}

/// What other tools have sampled is added from folders, and never compared with counts.
#[test]
fn samples_are_added_and_kept_apart() {
    let directory = fixture::directory("fleet-samples");
    let folder = directory.join("samples/host-a");
    fs::create_dir_all(&folder).unwrap();
    let mut recording = jfr_builder::recording(true, 1);
    // When it began, in nanoseconds.
    recording[32..40].copy_from_slice(&1_767_225_600_000_000_000_u64.to_be_bytes());
    fs::write(folder.join("one.jfr"), &recording).unwrap();
    fs::write(folder.join("broken.jfr"), &recording[..recording.len() - 9]).unwrap();
    fs::write(folder.join("notes.txt"), "not for us").unwrap();
    let folded = directory.join("stacks.folded");
    let mut pprof = Vec::new();
    for number in 0..6_u32 {
        // Each is slower than the one before.
        fs::write(&folded, format!("a.Main.main;a.Main.work {}\na.Main.main 5\n", 20 + number))
            .unwrap();
        let name = format!("samples/{number}.pb.gz");
        let import = ["import", "--from", "folded", "stacks.folded", "-o", "stacks.subsume"];
        assert!(subsume(&directory, &import).status.success());
        let export = ["export", "--format", "pprof", "stacks.subsume", "-o", &name];
        assert!(subsume(&directory, &export).status.success());
        pprof.push(name);
    }
    let output = subsume(&directory, &["fleet", "add", "--json", "fleet", "samples"]);
    assert_eq!(output.status.code(), Some(2));
    let error = String::from_utf8(output.stderr).unwrap();
    let broken = "samples/host-a/broken.jfr";
    assert_eq!(error, format!("subsume: {broken}: the recording is cut short\n"));
    let added: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(added["added"].as_array().unwrap().len(), 7);
    assert_eq!(added["refused"][0]["file"], broken);
    let again = subsume(&directory, &["fleet", "add", "--json", "fleet", &pprof[0]]);
    let again: Value = serde_json::from_slice(&again.stdout).unwrap();
    assert_eq!(again["known"][0]["file"], *pprof[0]);

    let list = json(&directory, &["fleet", "list", "--json", "fleet"]);
    let runs = list["runs"].as_array().unwrap();
    assert!(runs.iter().all(|run| run["sampled"] == true));
    let of = |origin: &str| runs.iter().filter(|run| run["origin"] == origin).collect::<Vec<_>>();
    assert_eq!((of("pprof").len(), of("Flight Recorder").len()), (6, 1));
    let recorded = of("Flight Recorder")[0];
    let samples: u64 = jfr_builder::EXPECTED.iter().map(|(_, costs)| costs[0]).sum();
    assert_eq!(
        (recorded["metric"].as_str(), recorded["total"].as_u64()),
        (Some("samples"), Some(samples))
    );
    assert_eq!(recorded["start_millis"], 1_767_225_600_000_u64);
    let text = subsume(&directory, &["fleet", "list", "fleet"]);
    let text = String::from_utf8(text.stdout).unwrap();
    assert!(text.contains("Origin") && text.contains("pprof, sampled"), "{text}");

    // A method that is constant by chance proves nothing; the order of all runs does.
    let (before, after): (Vec<_>, Vec<_>) =
        of("pprof").into_iter().partition(|run| run["total"].as_u64() < Some(28));
    let side = |option: &'static str, runs: &[&Value]| {
        let ids: Vec<&str> = runs.iter().map(|run| run["run"].as_str().unwrap()).collect();
        [option.to_owned(), format!("run={}", ids.join(";"))]
    };
    let sides = [side("--from", &before), side("--to", &after)].concat();
    let sides: Vec<&str> = sides.iter().map(String::as_str).collect();
    let gate = |more: &[&str]| {
        subsume(&directory, &[&["fleet", "gate", "fleet"], &sides[..], more].concat())
    };
    let output = gate(&["--json"]);
    assert_eq!(output.status.code(), Some(1), "{output:?}");
    let verdict: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!((&verdict["sampled"], &verdict["varying"]), (&Value::Bool(true), &Value::from(2)));
    assert_eq!(verdict["constant"], Value::Array(Vec::new()));
    assert_eq!(verdict["above"][0]["name"], "work");
    let text = String::from_utf8(gate(&[]).stdout).unwrap();
    assert!(text.contains("Costs are samples"), "{text}");

    // Beside counts they say nothing.
    assert!(subsume(&directory, &["fleet", "add", "fleet", "recording.subsume"]).status.success());
    for question in [
        &["methods", "fleet"][..],
        &["outliers", "fleet", "--where", "origin=*"],
        &["diff", "fleet", "--from", "origin=recorded", "--to", "origin=pprof"],
    ] {
        let output = subsume(&directory, &[&["fleet"], question].concat());
        assert_eq!((output.status.code(), output.stdout.len()), (Some(2), 0), "{question:?}");
        let error = String::from_utf8(output.stderr).unwrap();
        assert_eq!(error.lines().count(), 1, "{error}");
    }
    let mixed =
        subsume(&directory, &["fleet", "methods", "fleet", "--where", "origin=recorded;pprof"]);
    assert_eq!(
        String::from_utf8(mixed.stderr).unwrap(),
        "subsume: runs of pprof are sampled, those of recorded are counted: select one with \
         --where origin='recorded'\n"
    );
    let sampled = subsume(&directory, &["fleet", "methods", "fleet", "--where", "origin=pprof"]);
    assert!(sampled.status.success(), "{sampled:?}");
    assert_eq!(
        String::from_utf8(sampled.stderr).unwrap(),
        "subsume: note: the costs are samples, which differ from run to run\n"
    );
}

#[test]
fn a_folder_without_files_to_add_is_refused() {
    let directory = fixture::directory("fleet-no-files");
    fs::create_dir_all(directory.join("empty/inner")).unwrap();
    fs::write(directory.join("empty/inner/readme.txt"), "").unwrap();
    let output = subsume(&directory, &["fleet", "add", "fleet", "empty"]);
    assert_eq!(output.status.code(), Some(2));
    let error = String::from_utf8(output.stderr).unwrap();
    assert!(error.starts_with("subsume: empty: no file in it ends in .subsume, "), "{error}");
    let output = subsume(&directory, &["fleet", "add", "fleet", "empty", "recording.subsume"]);
    assert_eq!(output.status.code(), Some(2));
    assert_eq!(runs(&directory, "fleet").len(), 1);
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

/// Kills an add once its first, its second, ... run has arrived, at once or a little later.
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
    let each = start.elapsed() / all.len() as u32;
    // However slow the machine, this goes on until many a kill came in the middle.
    let attempts = rounds(100) as usize;
    let (mut partial, mut seen) = (0, BTreeSet::new());
    for attempt in 0.. {
        let fleet = format!("fleet-{attempt}");
        let table = directory.join(&fleet).join("runs");
        let awaited = attempt % all.len();
        let mut process = add(&fleet);
        while process.try_wait().unwrap().is_none()
            && (!table.is_dir() || files(&table).len() < awaited)
        {
            yield_now();
        }
        sleep(each * (attempt % 5) as u32 / 5);
        process.kill().unwrap();
        process.wait().unwrap();
        let found = runs(&directory, &fleet);
        partial += usize::from(!found.is_empty() && found.len() < all.len());
        seen.insert(found.len());
        for run in &found {
            let got = subsume(&directory, &["fleet", "get", &fleet, run, "-o", "back.subsume"]);
            assert!(got.status.success(), "{attempt}: {got:?}");
        }
        // What is missing can be added as if nothing had happened.
        assert!(add(&fleet).wait().unwrap().success());
        assert_eq!(runs(&directory, &fleet).len(), all.len());
        fs::remove_dir_all(directory.join(&fleet)).unwrap();
        if attempt >= attempts && partial > attempts / 5 {
            break;
        }
        assert!(attempt < 1000, "{partial} of {attempt} left a part: {seen:?}");
    }
}
