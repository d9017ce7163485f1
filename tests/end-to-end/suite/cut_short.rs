//! Profiles of programs that do not end by themselves.

use std::fs;
use std::io::{BufRead, BufReader};
use std::os::unix::fs::PermissionsExt;
use std::os::unix::process::ExitStatusExt;
use std::path::Path;

use support::{Launch, Scratch, in_turn, methods, subsume};

/// Says whether `subsume info` tells that the run was cut short.
fn told_as_cut_short(profile: &Path) -> bool {
    let info = subsume(&["info".as_ref(), profile.as_os_str()]);
    info.contains("cut short")
}

#[test]
fn killed() {
    for jdk in in_turn() {
        let scratch = Scratch::new("killed");
        let profile = scratch.file("killed.subsume");
        let launch = Launch::new(jdk, "RunsForever", scratch.path()).profiled(&profile);
        let mut child = launch.start();
        let mut stdout = BufReader::new(child.stdout.take().expect("standard output is piped"));
        let mut line = String::new();
        stdout.read_line(&mut line).expect("the program prints a line");
        assert_eq!(line.trim_end(), "working", "{jdk}");
        let info = subsume(&["info".as_ref(), profile.as_os_str()]);
        let told = format!("it is being recorded by process {}; 'subsume dump", child.id());
        assert!(info.contains(&told) && !info.contains("cut short"), "{jdk}: {info}");
        let json = subsume(&["info".as_ref(), "--json".as_ref(), profile.as_os_str()]);
        assert!(json.contains("\"recording\""), "{jdk}: {json}");
        // SIGKILL leaves the JVM no chance to finish anything.
        child.kill().expect("a running child can be killed");
        let status = child.wait().expect("a killed child can be waited for");
        assert_eq!(status.signal(), Some(9), "{jdk}");

        assert!(told_as_cut_short(&profile), "{jdk}");
        let found = methods(&profile, "RunsForever", &[]);
        // All calls before the announcement are there, and the bytecodes of
        // finished calls: 6 instructions each.
        assert_eq!(found["step"]["calls"], 5000, "{jdk}");
        assert_eq!(found["step"]["exclusive"], 5000 * 6, "{jdk}");
        assert_eq!(found["main"]["calls"], 1, "{jdk}");
    }
}

#[test]
fn halted() {
    for jdk in in_turn() {
        let scratch = Scratch::new("halted");
        let profile = scratch.file("halted.subsume");
        let run = Launch::new(jdk, "Halts", scratch.path()).profiled(&profile).run();
        assert_eq!(run.status, Some(7), "{jdk}: {run:?}");
        let found = methods(&profile, "Halts", &[]);
        assert_eq!(found["step"]["calls"], 1000, "{jdk}");
        assert_eq!(found["step"]["exclusive"], 1000 * 5, "{jdk}");
        assert!(told_as_cut_short(&profile), "{jdk}");
    }
}

/// Names of the program's own methods say nothing.
#[test]
fn halted_below_methods_with_names_of_the_jdk() {
    let ways =
        [("exit", true), ("shutdown", true), ("runHooks", true), ("halt", false), ("-", false)];
    for jdk in in_turn() {
        for (way, is_cut_short) in ways {
            let scratch = Scratch::new("own-names");
            let profile = scratch.file("ended.subsume");
            let launch = Launch::new(jdk, "EndsByOwnNames", scratch.path()).argument(way);
            launch.profiled(&profile).run_well();
            assert_eq!(told_as_cut_short(&profile), is_cut_short, "{way} on {jdk}");
        }
    }
}

#[test]
fn ended_normally() {
    for jdk in in_turn() {
        for (program, status) in [("HandCounted", 0), ("ExitsWithStatus", 3), ("ThrowsUncaught", 1)]
        {
            let scratch = Scratch::new("ended");
            let profile = scratch.file("ended.subsume");
            let run = Launch::new(jdk, program, scratch.path()).profiled(&profile).run();
            assert_eq!(run.status, Some(status), "{program} on {jdk}: {run:?}");
            assert!(!told_as_cut_short(&profile), "{program} on {jdk}");
        }
    }
}

#[test]
fn readable_by_the_owner_only() {
    let mode = |profile: &Path| {
        fs::metadata(profile).expect("the profile is there").permissions().mode() & 0o777
    };
    for jdk in in_turn() {
        let scratch = Scratch::new("file-mode");
        let profile = scratch.file("private.subsume");
        // While the program runs and after it has ended.
        let launch = Launch::new(jdk, "RunsForever", scratch.path()).profiled(&profile);
        let mut child = launch.start();
        let mut stdout = BufReader::new(child.stdout.take().expect("standard output is piped"));
        stdout.read_line(&mut String::new()).expect("the program prints a line");
        let running = mode(&profile);
        child.kill().expect("a running child can be killed");
        child.wait().expect("a killed child can be waited for");
        assert_eq!(running, 0o600, "{jdk}");
        Launch::new(jdk, "HandCounted", scratch.path()).profiled(&profile).run_well();
        assert_eq!(mode(&profile), 0o600, "{jdk}");
    }
}
