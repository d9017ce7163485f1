//! What happens by itself while recording is on: `dump-every`, `dump-keep` and
//! `stop-after`, and `subsume start --for`.

use std::fs;
use std::io::{BufRead, BufReader, Read};
use std::path::{Path, PathBuf};
use std::process::Child;
use std::thread::sleep;
use std::time::{Duration, Instant};

use support::{Jdk, Launch, Scratch, artifacts, in_turn, methods, oldest};

/// A program that calls `count` until it is told to end.
struct Server {
    child: Child,
    end: PathBuf,
}

impl Server {
    fn start(jdk: &Jdk, scratch: &Scratch, options: &str) -> Self {
        let end = scratch.file("end");
        let launch = Launch::new(jdk, "Serves", scratch.path()).argument(end.clone());
        let mut child = launch.agent(options).start();
        let mut line = String::new();
        let stdout = child.stdout.as_mut().expect("standard output is piped");
        BufReader::new(stdout).read_line(&mut line).expect("the program prints a line");
        assert_eq!(line, "ready\n");
        Self { child, end }
    }

    fn id(&self) -> String {
        self.child.id().to_string()
    }

    /// Has the program end, which may have said so much on standard error.
    fn end(mut self, expected: &str) {
        fs::write(&self.end, "").expect("the folder of the test can be written");
        let mut rest = String::new();
        let stdout = self.child.stdout.as_mut().expect("standard output is piped");
        stdout.read_to_string(&mut rest).expect("the program prints UTF-8");
        let output = self.child.wait_with_output().expect("a started child can be waited for");
        let stderr = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(0));
        assert!(stderr.contains(expected) && stderr.lines().count() <= 1, "{stderr}");
    }
}

fn steps(profile: &Path) -> u64 {
    let methods = methods(profile, "Serves", &[]);
    methods.get("count").map_or(0, |count| count["calls"].as_u64().expect("calls is a number"))
}

/// Profiles in the folder whose names say when they were written, oldest first.
fn dumps(scratch: &Scratch) -> Vec<PathBuf> {
    let entries = fs::read_dir(scratch.path()).expect("the folder of the test can be read");
    let mut found: Vec<PathBuf> = entries
        .map(|entry| entry.expect("the folder of the test can be read").path())
        .filter(|path| path.display().to_string().contains("load-20"))
        .collect();
    found.sort();
    found
}

/// Waits until something holds, at most half a minute.
fn wait_until(what: &str, holds: impl Fn() -> bool) {
    let until = Instant::now() + Duration::from_secs(30);
    while !holds() {
        assert!(Instant::now() < until, "{what}");
        sleep(Duration::from_millis(50));
    }
}

fn subsume(arguments: &[&str]) -> String {
    let output = std::process::Command::new(&artifacts().command)
        .args(arguments)
        .output()
        .expect("the command starts");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).expect("it prints UTF-8")
}

#[test]
fn profiles_are_written_again_and_again() {
    for jdk in in_turn() {
        let scratch = Scratch::new("dump-every");
        let profile = scratch.file("load.subsume");
        let options = format!("dump-every=1s,dump-keep=3,out={}", profile.display());
        let server = Server::start(jdk, &scratch, &options);
        wait_until("three profiles", || dumps(&scratch).len() == 3);
        let first = dumps(&scratch);
        // The oldest one goes, none beyond three stays.
        wait_until("a fourth", || !first[0].exists() && dumps(&scratch).len() == 3);
        server.end("");
        let kept = dumps(&scratch);
        let counts: Vec<u64> = kept.iter().map(|path| steps(path)).collect();
        assert!(counts[0] > 0 && counts.is_sorted_by(|a, b| a < b), "{jdk}: {counts:?}");
        assert!(steps(&profile) >= counts[2], "{jdk}");
    }
}

#[test]
fn a_profile_that_cannot_be_written_is_missed_once() {
    let scratch = Scratch::new("dump-fails");
    // A folder that is gone when the first profile is due.
    let folder = scratch.file("gone");
    fs::create_dir(&folder).expect("the folder of the test can be written");
    let profile = folder.join("load.subsume");
    let options = format!("dump-every=1s,out={}", profile.display());
    let server = Server::start(oldest(), &scratch, &options);
    fs::remove_dir_all(&folder).expect("it was made above");
    sleep(Duration::from_secs(3));
    fs::create_dir(&folder).expect("the folder of the test can be written");
    server.end("subsume: a profile that dump-every asks for is missing: ");
    assert!(steps(&profile) > 0);
}

#[test]
fn recording_stops_by_itself() {
    for jdk in in_turn() {
        let scratch = Scratch::new("stop-after");
        let profile = scratch.file("load.subsume");
        let options = format!("stop-after=1s,out={}", profile.display());
        let server = Server::start(jdk, &scratch, &options);
        let id = &server.id();
        let now = scratch.file("now.subsume");
        let count = || {
            subsume(&["dump", "-o", now.to_str().expect("test folders have plain names"), id]);
            steps(&now)
        };
        wait_until("recording ends", || {
            let before = count();
            sleep(Duration::from_millis(300));
            before > 0 && count() == before
        });
        let before = count();
        // Again for as long.
        assert!(subsume(&["start", id]).contains("recording is on"));
        wait_until("something more is recorded", || count() > before);
        wait_until("recording ends again", || {
            let before = count();
            sleep(Duration::from_millis(300));
            count() == before
        });
        let whole = count();
        server.end("");
        assert_eq!(steps(&profile), whole, "{jdk}");
    }
}

#[test]
fn starts_for_a_time() {
    let scratch = Scratch::new("start-for");
    let profile = scratch.file("load.subsume");
    let options = format!("start=off,control=on,out={}", profile.display());
    let server = Server::start(oldest(), &scratch, &options);
    let id = &server.id();
    let begin = Instant::now();
    let said = subsume(&["start", id, "--for", "1s"]);
    assert!(begin.elapsed() >= Duration::from_secs(1));
    let lines: Vec<&str> = said.lines().collect();
    assert_eq!(lines.len(), 2, "{said}");
    assert!(
        lines[0].contains("recording is on") && lines[1].ends_with("recording is off"),
        "{said}"
    );
    assert!(subsume(&["stop", id]).contains("recording was off already"));
    server.end("");
    assert!(steps(&profile) > 0);
}

#[test]
fn an_attached_recording_stops_by_itself() {
    let jdk = oldest();
    let scratch = Scratch::new("attached-stops");
    let end = scratch.file("end");
    let mut child = Launch::new(jdk, "Serves", scratch.path())
        .options(&["-XX:+EnableDynamicAgentLoading"])
        .argument(end.clone())
        .start();
    let mut line = String::new();
    let stdout = child.stdout.as_mut().expect("standard output is piped");
    BufReader::new(stdout).read_line(&mut line).expect("the program prints a line");
    let server = Server { child, end };
    let profile = scratch.file("load.subsume");
    let path = profile.to_str().expect("test folders have plain names");
    subsume(&["attach", &server.id(), "-o", path, "--options", "stop-after=1s,dump-every=1s"]);
    wait_until("the profile is written", || {
        profile.exists()
            && subsume(&["info", path]).contains("while the agent was attached")
            && steps(&profile) > 0
    });
    let counted = steps(&profile);
    server.end("");
    assert_eq!(steps(&profile), counted);
}
