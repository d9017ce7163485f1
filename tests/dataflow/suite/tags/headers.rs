//! Locks, hashes, garbage collections and threads leave tags as they are, and
//! tags leave those as they were.

use support::{Jdk, jdks, ways_in_turn};

use crate::rig::Recording;

fn collectors(jdk: &Jdk) -> Vec<&'static [&'static str]> {
    let mut all: Vec<&[&str]> = vec![
        &["-XX:+UseSerialGC"],
        &["-XX:+UseSerialGC", "-Xint"],
        &["-XX:+UseParallelGC", "-XX:TieredStopAtLevel=1"],
        &["-XX:+UseG1GC"],
        &["-XX:+UseZGC"],
    ];
    if jdk.release >= 25 {
        all.push(&["-XX:+UseSerialGC", "-XX:+UseCompactObjectHeaders"]);
        all.push(&["-XX:+UseG1GC", "-XX:+UseCompactObjectHeaders"]);
    } else {
        all.push(&["-XX:+UseSerialGC", "-XX:+UseBiasedLocking", "-XX:BiasedLockingStartupDelay=0"]);
    }
    all
}

#[test]
fn tags_and_hashes_stay_whatever_happens_to_the_header() {
    for jdk in jdks() {
        for jvm in ways_in_turn(&collectors(jdk), 2) {
            let mut jvm = jvm.to_vec();
            jvm.push("-Xmx512m");
            let recorded = Recording::new(jdk, "Headers", "mode=copies").with(&jvm).run();
            assert_eq!(recorded.lines, ["0 wrong", "hashes differ"], "{jdk} {jvm:?}");
        }
    }
}

#[test]
fn virtual_threads_keep_what_they_are_about_to_make() {
    for jdk in jdks() {
        // With contexts, what a static method makes is told apart by who called it.
        let recorded = Recording::new(jdk, "Virtual", "mode=copies,context=none").run();
        assert_eq!(recorded.lines, ["0 wrong"], "{jdk}");
    }
}
