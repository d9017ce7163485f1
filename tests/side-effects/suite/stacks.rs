//! Stack traces and dumps of threads.

use std::ffi::OsStr;
use std::io::{BufRead, BufReader};
use std::process::{ChildStdin, Command, Stdio};

use crate::same;
use support::{Jdk, Launch, Scratch, jdks};

/// What our members and classes are named after.
const OURS: &str = "subsume";

#[test]
fn stack_traces_have_the_same_lines_and_depths() {
    for jdk in jdks() {
        // Often enough for compiled code, where there is any.
        for (mode, rounds) in
            [(&["-Xint"][..], "3"), (&["-XX:TieredStopAtLevel=1"], "300"), (&[], "400")]
        {
            let scratch = Scratch::new("stacks");
            let launch = || {
                Launch::new(jdk, "DumpsStacks", scratch.path())
                    // The agent does it too, since counts depend on it.
                    .options(&["-XX:-OmitStackTraceInFastThrow"])
                    .options(mode)
                    .argument(rounds)
            };
            let said = same::check(launch, &scratch.file("stacks.subsume"));
            assert!(said.contains("depth 204"), "{jdk}: {said}");
        }
    }
}

#[test]
fn stack_traces_of_other_threads_show_no_frame_of_ours() {
    for jdk in jdks() {
        let scratch = Scratch::new("traces");
        let profile = scratch.file("traces.subsume");
        let launch = || Launch::new(jdk, "DumpsThreads", scratch.path()).argument("200");
        for launch in [launch().profiled(&profile), launch().attached(&profile)] {
            let said = launch.run_well();
            assert!(said.contains("DumpsThreads.outer"), "{jdk}: {said}");
            assert!(!said.to_lowercase().contains(OURS), "{jdk}: {said}");
        }
    }
}

/// What a command of the JDK says.
fn tell(jdk: &Jdk, command: &str, arguments: &[&str]) -> String {
    let output = Command::new(jdk.command(command))
        .args(arguments)
        .output()
        .expect("the JDK's commands can be started");
    assert!(output.status.success(), "{command} on {jdk}: {output:?}");
    String::from_utf8(output.stdout).expect("the JDK's commands print UTF-8")
}

/// The names of the threads in a dump, each once, sorted; numbers are left out,
/// since how many threads the compilers and collectors have depends on the moment.
fn threads(dump: &str) -> Vec<String> {
    let mut names: Vec<String> = dump
        .lines()
        .filter_map(|line| line.strip_prefix('"')?.split('"').next())
        .map(|name| name.trim_end_matches(|c: char| c.is_ascii_digit() || c == '#').to_owned())
        .collect();
    names.sort();
    names.dedup();
    names
}

/// Dumps of all threads of a program that calls small methods all the time.
fn dumps(launch: &Launch<'_>, jdk: &Jdk) -> Vec<String> {
    let mut child = launch.start_with(Stdio::piped());
    let mut stdout = BufReader::new(child.stdout.take().expect("standard output is piped"));
    let mut line = String::new();
    stdout.read_line(&mut line).expect("the program prints a line");
    assert_eq!(line, "running\n", "{jdk}");
    let mut dumps = Vec::new();
    let process = child.id().to_string();
    for _ in 0..3 {
        dumps.push(tell(jdk, "jstack", &["-l", &process]));
        dumps.push(tell(jdk, "jcmd", &[&process, "Thread.print"]));
    }
    let stdin: Option<ChildStdin> = child.stdin.take();
    drop(stdin);
    assert!(child.wait().expect("a started child can be waited for").success(), "{jdk}");
    dumps
}

#[test]
fn thread_dumps_show_no_frame_and_no_thread_of_ours() {
    for jdk in jdks() {
        let scratch = Scratch::new("dumps");
        let profile = scratch.file("dumps.subsume");
        let launch = || Launch::new(jdk, "RunsHot", scratch.path());
        // Running a command starts a thread, too.
        let after = || launch().after(&[OsStr::new("true")]);
        for (plain, recorded) in
            [(launch(), launch().profiled(&profile)), (after(), launch().attached(&profile))]
        {
            let plain = dumps(&plain, jdk);
            let recorded = dumps(&recorded, jdk);
            for dump in &recorded {
                assert!(dump.contains("RunsHot.outer"), "{jdk}: {dump}");
                // The command line is not in it.
                assert!(!dump.to_lowercase().contains(OURS), "{jdk}: {dump}");
            }
            assert_eq!(threads(&recorded.concat()), threads(&plain.concat()), "{jdk}");
        }
    }
}
