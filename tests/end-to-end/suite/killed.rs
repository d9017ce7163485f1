//! `kill -9` at random moments: every file opens, and counts nothing that did
//! not happen.
//!
//! `SUBSUME_KILLS` is the number of kills on each JDK, 5 by default;
//! `SUBSUME_SEED` repeats the moments of a run that has printed it.

use std::env;
use std::io::Read;
use std::thread::sleep;
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use crate::bounds::BelowMain;
use crate::repeatable::REPEATABLE;
use crate::rig::{Launch, Scratch, jdks, subsume};

fn number(variable: &str, otherwise: u64) -> u64 {
    env::var(variable).ok().and_then(|text| text.parse().ok()).unwrap_or(otherwise)
}

/// The next of a sequence of random numbers (xorshift).
fn next(state: &mut u64) -> u64 {
    *state ^= *state << 13;
    *state ^= *state >> 7;
    *state ^= *state << 17;
    *state
}

#[test]
fn every_file_opens_and_counts_no_more_than_the_whole_run() {
    let now = SystemTime::now().duration_since(UNIX_EPOCH).expect("clocks are past 1970");
    let seed = number("SUBSUME_SEED", now.as_nanos() as u64) | 1;
    eprintln!("SUBSUME_SEED={seed}");
    let mut random = seed;
    for jdk in jdks() {
        let scratch = Scratch::new("kills");
        let launch = || Launch::new(jdk, "Deterministic", scratch.path()).options(REPEATABLE);
        let file = scratch.file("whole.subsume");
        let started = Instant::now();
        launch().profiled(&file).run_well();
        let duration = started.elapsed().as_millis() as u64;
        let whole = BelowMain::of(&file, "Deterministic");
        for kill in 0..number("SUBSUME_KILLS", 5) {
            let file = scratch.file(&format!("{kill}.subsume"));
            let mut child = launch().profiled(&file).start();
            let moment = next(&mut random) % duration;
            sleep(Duration::from_millis(moment));
            // It may have ended already, which is a moment like any other.
            let _ = child.kill();
            let _ = child.wait().expect("a killed child can be waited for");
            let mut words = String::new();
            let mut stderr = child.stderr.take().expect("standard error is piped");
            stderr.read_to_string(&mut words).expect("the agent writes UTF-8");
            assert_eq!(words, "", "{jdk}");
            if !file.exists() {
                assert!(moment < 2000, "no file after {moment} ms on {jdk}");
                continue;
            }
            let what = format!("{jdk}, killed after {moment} of {duration} ms");
            let read = profile::read_file(&file);
            let profile = read.unwrap_or_else(|error| panic!("{what}: {error}"));
            assert!(profile.validate().is_ok(), "{what}");
            assert_eq!(profile.run.contexts_lost, 0, "{what}");
            subsume(&["info".as_ref(), file.as_os_str()]);
            let part = BelowMain::of(&file, "Deterministic");
            part.assert_within(&whole, &what);
            eprintln!("{what}: {} of {} contexts", part.len(), whole.len());
        }
    }
}
