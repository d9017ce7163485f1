//! The workers.

use std::collections::BTreeMap;
use std::io::Read;
use std::process::{Command, Stdio};
use std::sync::Mutex;
use std::thread;
use std::time::{Duration, Instant};

use crate::build::Built;
use crate::times;
use crate::unit::Unit;

/// The number of slowest tests that are listed.
const SLOWEST: usize = 30;

/// What came of all units.
#[derive(Default)]
pub struct Outcome {
    pub passed: usize,
    pub failed: Vec<String>,
    /// Seconds by names of tests, as far as each ran alone in its unit.
    tests: BTreeMap<String, f64>,
    units: BTreeMap<String, f64>,
}

impl Outcome {
    pub fn print_slowest(&self) {
        times::keep(&self.units);
        let mut slowest: Vec<_> = self.tests.iter().collect();
        slowest.sort_by(|a, b| b.1.total_cmp(a.1));
        println!("the slowest tests:");
        for (name, seconds) in slowest.iter().take(SLOWEST) {
            println!("{seconds:8.1} s  {name}");
        }
    }
}

/// What is left to do and what has come of the rest.
struct State {
    waiting: Vec<Unit>,
    exclusive_runs: bool,
    count: usize,
    done: usize,
    stops: bool,
    outcome: Outcome,
}

/// Runs all units.
pub fn run(units: Vec<Unit>, built: &Built, keeps_going: bool) -> Outcome {
    let state = Mutex::new(State {
        count: units.len(),
        waiting: units,
        exclusive_runs: false,
        done: 0,
        stops: false,
        outcome: Outcome::default(),
    });
    let workers = thread::available_parallelism().map_or(1, usize::from);
    thread::scope(|scope| {
        // One more, since some wait: for the network, for a time.
        for _ in 0..=workers {
            scope.spawn(|| work(&state, built, keeps_going));
        }
    });
    state.into_inner().expect("no worker panics").outcome
}

fn work(state: &Mutex<State>, built: &Built, keeps_going: bool) {
    loop {
        let mut now = state.lock().expect("no worker panics");
        if now.stops || now.waiting.is_empty() {
            return;
        }
        let exclusive_runs = now.exclusive_runs;
        let next = now.waiting.iter().position(|unit| !(unit.is_exclusive && exclusive_runs));
        let Some(next) = next else {
            drop(now);
            thread::sleep(Duration::from_millis(200));
            continue;
        };
        let unit = now.waiting.remove(next);
        now.exclusive_runs |= unit.is_exclusive;
        drop(now);

        let begun = Instant::now();
        let (passes, output, tests) = run_unit(&unit, built);
        let seconds = begun.elapsed().as_secs_f64();

        let mut now = state.lock().expect("no worker panics");
        now.exclusive_runs &= !unit.is_exclusive;
        now.done += 1;
        let verdict = if passes { "" } else { " FAILED" };
        let (done, count) = (now.done, now.count);
        println!("[{done:3}/{count}] {seconds:6.1} s  {}{verdict}", unit.name);
        let named =
            tests.into_iter().map(|(test, seconds)| (format!("{} {test}", unit.name), seconds));
        now.outcome.tests.extend(named);
        now.outcome.units.insert(unit.name.clone(), seconds);
        if passes {
            now.outcome.passed += unit.tests.len();
        } else {
            println!("{output}");
            now.outcome.failed.push(unit.name);
            now.stops |= !keeps_going;
        }
    }
}

/// Runs one unit: whether it passes, all that it printed, and seconds of its tests.
fn run_unit(unit: &Unit, built: &Built) -> (bool, String, Vec<(String, f64)>) {
    let mut command = Command::new(&unit.program);
    command.args(["--exact", "--include-ignored"]).args(&unit.tests);
    command.arg(format!("--test-threads={}", unit.threads));
    command.current_dir(&unit.folder).env("CARGO_MANIFEST_DIR", &unit.folder);
    command.env("SUBSUME_PLACES", "1");
    if std::env::var_os("MAVEN_OPTS").is_none() {
        // Maven's own JVM lives for seconds: C2 and several threads of a collector do not pay.
        command.env("MAVEN_OPTS", "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC");
    }
    if std::env::var_os("SUBSUME_ARTIFACTS").is_none() {
        command.env("SUBSUME_ARTIFACTS", &built.artifacts);
    }
    let compilers = std::env::var("SUBSUME_JDKS").unwrap_or_default();
    if let Ok(runtimes) = std::env::var("SUBSUME_MORE_JDKS")
        && unit.on_runtimes
    {
        command.env("SUBSUME_JDKS", format!("{compilers}:{runtimes}"));
    }
    command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().expect("a test program can be started");
    let mut errors = child.stderr.take().expect("it is piped");
    let errors = thread::spawn(move || {
        let mut text = Vec::new();
        // A pipe that breaks has given what it had.
        let _ = errors.read_to_end(&mut text);
        text
    });
    let mut output = child.stdout.take().expect("it is piped");
    let (mut text, mut tests, mut since) = (Vec::new(), Vec::new(), Instant::now());
    let (mut buffer, mut line) = ([0; 4096], 0);
    while let Ok(count @ 1..) = output.read(&mut buffer) {
        text.extend_from_slice(&buffer[..count]);
        // `test NAME ... ok`: the end of the line comes when the test has ended.
        while let Some(length) = text[line..].iter().position(|&byte| byte == b'\n') {
            let ended = String::from_utf8_lossy(&text[line..line + length]);
            let test = ended.strip_prefix("test ").and_then(|line| line.split_once(" ... "));
            if let Some((name, _)) = test {
                tests.push((name.to_owned(), since.elapsed().as_secs_f64()));
                since = Instant::now();
            }
            line += length + 1;
        }
    }
    let status = child.wait().expect("a started program can be waited for");
    text.extend(errors.join().unwrap_or_default());
    (status.success(), String::from_utf8_lossy(&text).into_owned(), tests)
}
