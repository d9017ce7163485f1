//! `kill -9` at random moments: every file opens, and counts nothing that did
//! not happen.
//!
//! `SUBSUME_KILLS` is the number of kills on each JDK, 5 by default;
//! `SUBSUME_SEED` repeats the moments of a run that has printed it.

use std::env;
use std::io::Read;
use std::path::Path;
use std::thread::sleep;
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use profile::Profile;

use crate::bounds::BelowMain;
use crate::repeatable::REPEATABLE;
use support::random::Random;
use support::{Launch, Scratch, in_turn, subsume};

fn number(variable: &str, otherwise: u64) -> u64 {
    env::var(variable).ok().and_then(|text| text.parse().ok()).unwrap_or(otherwise)
}

/// Where random numbers begin, said so that a failure can be repeated.
fn random() -> Random {
    let now = SystemTime::now().duration_since(UNIX_EPOCH).expect("clocks are past 1970");
    let seed = number("SUBSUME_SEED", now.as_nanos() as u64);
    eprintln!("SUBSUME_SEED={seed}");
    Random(seed)
}

/// Kills a JVM so many milliseconds after its start, and reads its file, if there
/// is one already.
fn killed_after(launch: &Launch<'_>, file: &Path, moment: u64, what: &str) -> Option<Profile> {
    let mut child = launch.start();
    sleep(Duration::from_millis(moment));
    // It may have ended already, which is a moment like any other.
    let _ = child.kill();
    let _ = child.wait().expect("a killed child can be waited for");
    let mut words = String::new();
    let mut stderr = child.stderr.take().expect("standard error is piped");
    stderr.read_to_string(&mut words).expect("the agent writes UTF-8");
    assert_eq!(words, "", "{what}");
    if !file.exists() {
        assert!(moment < 2000, "no file: {what}");
        return None;
    }
    let profile = profile::read_file(file).unwrap_or_else(|error| panic!("{what}: {error}"));
    assert!(profile.validate().is_ok(), "{what}");
    assert_eq!(profile.run.contexts_lost, 0, "{what}");
    subsume(&["info".as_ref(), file.as_os_str()]);
    Some(profile)
}

#[test]
fn every_file_opens_and_counts_no_more_than_the_whole_run() {
    let mut random = random();
    for jdk in in_turn() {
        let scratch = Scratch::new("kills");
        let launch = || Launch::new(jdk, "Deterministic", scratch.path()).options(REPEATABLE);
        let file = scratch.file("whole.subsume");
        let started = Instant::now();
        launch().profiled(&file).run_well();
        let duration = started.elapsed().as_millis() as u64;
        let whole = BelowMain::of(&file, "Deterministic");
        for kill in 0..number("SUBSUME_KILLS", 5) {
            let file = scratch.file(&format!("{kill}.subsume"));
            let moment = random.below(duration);
            let what = format!("{jdk}, killed after {moment} of {duration} ms");
            if killed_after(&launch().profiled(&file), &file, moment, &what).is_none() {
                continue;
            }
            let part = BelowMain::of(&file, "Deterministic");
            part.assert_within(&whole, &what);
            eprintln!("{what}: {} of {} contexts", part.len(), whole.len());
        }
    }
}

/// Commands on data flow, with what a recording needs for them.
const FLOWS: [(&str, &[&str]); 5] = [
    ("copies", &["copies", "chains", "temporaries", "useless"]),
    ("costs", &["costs", "dead"]),
    ("nulls", &["nulls"]),
    ("loops", &["loops", "methods"]),
    ("growth", &["loops", "growth"]),
];

#[test]
fn files_with_data_flow_open_and_answer() {
    let mut random = random();
    for jdk in in_turn() {
        let scratch = Scratch::new("kills-in-flows");
        for (mode, commands) in FLOWS {
            let launch = |file: &Path| {
                let agent = format!("mode={mode},out={}", file.display());
                Launch::new(jdk, "Deterministic", scratch.path()).agent(&agent)
            };
            let whole = scratch.file("whole.subsume");
            let started = Instant::now();
            launch(&whole).run_well();
            let duration = started.elapsed().as_millis() as u64;
            // In the second half, where the program itself runs.
            let moment = duration / 2 + random.below(duration / 2);
            let file = scratch.file(&format!("{mode}-killed.subsume"));
            let what = format!("{jdk}, mode={mode}, killed after {moment} of {duration} ms");
            let Some(profile) = killed_after(&launch(&file), &file, moment, &what) else {
                continue;
            };
            let flow = &profile.dataflow;
            let has_flow = [
                flow.copies.is_some(),
                flow.costs.is_some(),
                flow.nulls.is_some(),
                flow.loops.is_some(),
            ];
            assert!(has_flow.contains(&true), "{what}");
            if let Some(copies) = &flow.copies {
                assert!(!copies.consumed.is_empty(), "{what}: nothing was collected");
            }
            for command in commands {
                subsume(&[command.as_ref(), file.as_os_str()]);
            }
        }
    }
}
