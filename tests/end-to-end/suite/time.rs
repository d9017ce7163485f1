//! The time of a plain run beside the counts of a recorded one, and exceptions.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::process::{Command, Output};

use serde_json::Value;
use support::{Launch, Scratch, artifacts, compiled, in_turn, jdks, oldest, subsume};

use crate::attach::{Program, jcmd, text};

/// A program, with options of `subsume` before it.
pub fn command(scratch: &Scratch, arguments: &[&str]) -> Output {
    Command::new(&artifacts().command)
        .args(arguments)
        .current_dir(scratch.path())
        .env("SUBSUME_AGENT", &artifacts().agent)
        .env_remove("JAVA_TOOL_OPTIONS")
        .output()
        .expect("the command can be started")
}

fn answer(arguments: &[&str]) -> Value {
    serde_json::from_str(&subsume(arguments)).expect("answers are JSON")
}

pub fn said(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

/// The methods of a class by name.
fn of_class<'v>(methods: &'v Value, class: &str) -> impl Fn(&str) -> &'v Value {
    let found: Vec<&Value> = methods["methods"]
        .as_array()
        .expect("methods are a list")
        .iter()
        .filter(|method| method["class"] == class)
        .collect();
    move |name| *found.iter().find(|method| method["name"] == name).expect("it was executed")
}

/// The plain run spends three quarters of its time in one method; so says the profile.
fn has_three_quarters(profile: &Path, least: u64) {
    let methods = answer(&["methods", "--all", "--json", text(profile)]);
    let samples = methods["time"]["samples"].as_u64().expect("a number");
    assert!(samples >= least, "{}", methods["time"]);
    let of = of_class(&methods, "Spins");
    let share = |name: &str| {
        let time = &of(name)["time"];
        let error = time["inclusive_error"].as_f64().expect("a number");
        (time["inclusive"].as_u64().expect("a number") as f64 / samples as f64, error)
    };
    // Samples of a busy machine come in bursts: its error may be greater.
    let (three, error) = share("threeQuarters");
    assert!((three - 0.75).abs() <= 3.0 * error + 0.03, "{three} {error}");
    let (one, error) = share("aQuarter");
    assert!((one - 0.25).abs() <= 3.0 * error + 0.03, "{one} {error}");
    assert!(share("turn").0 > 0.9);
}

#[test]
fn a_profile_has_the_time_of_its_plain_run() {
    for jdk in in_turn() {
        let scratch = Scratch::new("time-java");
        let java = jdk.command("java").display().to_string();
        let classes = compiled("main").display().to_string();
        let run = ["run", "--time", "-o", "a.subsume", "--", &java, "-cp", &classes, "Spins"];
        let output = command(&scratch, &run);
        assert!(output.status.success(), "{jdk}: {}", said(&output));
        assert_eq!(output.stdout, b"ready\ndone\nready\ndone\n", "{jdk}");
        assert!(said(&output).contains(" of an uninstrumented run of "), "{}", said(&output));
        let profile = scratch.file("a.subsume");
        has_three_quarters(&profile, 50);
        let info = answer(&["info", "--json", text(&profile)]);
        let time = &info["files"][0]["time"];
        assert!(time["cpu_millis"].as_u64().is_some_and(|millis| millis > 1_500), "{time}");
        let sampler = time["sampler"].as_str().unwrap_or_default();
        assert_eq!(sampler.contains("processor time"), jdk.release >= 25, "{jdk}: {sampler}");
        // It is a metric like others.
        let by_time = subsume(&["summary", "--metric", "time", text(&profile)]);
        assert!(by_time.contains("Spins"), "{by_time}");
    }
}

#[test]
fn each_jvm_of_a_script_has_its_own_time() {
    let jdk = oldest();
    let scratch = Scratch::new("time-script");
    let java = jdk.command("java").display().to_string();
    let classes = compiled("main").display().to_string();
    let script = scratch.file("both.sh");
    let line = |program: &str| format!("'{java}' -cp '{classes}' {program}\n");
    let lines = line("Recursion") + &line("Spins");
    fs::write(&script, format!("#!/bin/sh\n{lines}")).expect("a script is written");
    let executable = fs::Permissions::from_mode(0o755);
    fs::set_permissions(&script, executable).expect("its owner may do so");
    let run = ["run", "--time", "--top", "0", "-o", "a.subsume", "--", "./both.sh"];
    let output = command(&scratch, &run);
    assert!(output.status.success(), "{}", said(&output));
    let entries = fs::read_dir(scratch.path()).expect("the folder can be read");
    let mut found = 0;
    for entry in entries {
        let path = entry.expect("and to its end").path();
        if path.extension().is_none_or(|extension| extension != "subsume") {
            continue;
        }
        let info = answer(&["info", "--json", text(&path)]);
        if info["files"][0]["command_line"].as_str().is_some_and(|line| line.contains("Spins")) {
            has_three_quarters(&path, 50);
            found += 1;
        }
    }
    assert_eq!(found, 1, "{}", said(&output));
}

#[test]
fn a_server_is_sampled_before_it_is_recorded() {
    // The newest one's recorder warns of agents that change its events.
    let all = jdks();
    for jdk in [&all[0], &all[all.len() - 1]] {
        let scratch = Scratch::new("time-attach");
        let end = scratch.file("end");
        let launch = Launch::new(jdk, "Spins", scratch.path()).argument(end.clone());
        let program = Program::start(launch);
        let id = program.id();
        // What others record and keep is not touched.
        jcmd(jdk, &id, "JFR.start name=subsume");
        fs::write(scratch.file("p.jfr"), "theirs").expect("a new file");
        let attach = ["attach", &id, "-o", "p.subsume", "--for", "2s", "--time"];
        let output = command(&scratch, &attach);
        assert!(output.status.success(), "{jdk}: {}", said(&output));
        let stdout = String::from_utf8_lossy(&output.stdout);
        assert!(stdout.contains("Time: ") && stdout.contains("subsume summary "), "{stdout}");
        has_three_quarters(&scratch.file("p.subsume"), 50);
        // Nothing of ours is left in the JVM and beside the profile.
        let left = jcmd(jdk, &id, "JFR.check");
        assert!(left.contains("name=subsume ") && !left.contains("name=subsume-"), "{left}");
        assert_eq!(fs::read(scratch.file("p.jfr")).expect("it is there"), b"theirs");
        let files = fs::read_dir(scratch.path()).expect("the folder can be read").count();
        assert_eq!(files, 2, "{jdk}");
        fs::write(&end, "").expect("the folder of the test can be written");
        assert_eq!(program.end(), "done\n", "{jdk}");
    }
}

#[test]
fn exceptions_are_counted_where_they_are_made() {
    for jdk in in_turn() {
        let scratch = Scratch::new("exceptions");
        let profile = scratch.file("a.subsume");
        let agent = format!("out={}", profile.display());
        let launch = Launch::new(jdk, "MakesExceptions", scratch.path());
        let printed = launch.agent(&agent).run().stdout;
        let read = ["methods", "--all", "--metric", "exceptions", "--json", text(&profile)];
        let methods = answer(&read);
        let of = of_class(&methods, "MakesExceptions");
        for said in printed.trim().split(", ") {
            let (name, made) = said.split_once(' ').expect("a name and a number");
            let made: u64 = made.parse().expect("a number");
            assert_eq!(of(name)["exclusive"], made, "{jdk}: {name}");
        }
        assert!(printed.contains("sell 2000"), "{printed}");
    }
}
