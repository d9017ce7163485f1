//! The modes that follow data leave programs as they are, also where the JVM
//! checks more than usual and lays its heap out in another way.

use support::{Launch, Scratch, jdks, subsume};

const MODES: [&str; 6] = ["copies", "costs", "nulls", "loops", "growth", "typestate"];

/// Programs whose ways through the agent differ: threads that are alive at the
/// end, what reflection shows, everything that the language has.
const PROGRAMS: [&str; 3] = ["WorksInThreads", "Reflects", "LanguageFeatures"];

const CHECKED: [&str; 2] = ["-Xcheck:jni", "-Xverify:all"];

/// A collector that moves objects while the program runs.
fn heap(release: u32) -> &'static [&'static str] {
    if release >= 25 {
        &["-XX:+UseShenandoahGC", "-XX:+UseCompactObjectHeaders"]
    } else {
        &["-XX:+UseZGC"]
    }
}

#[test]
fn leaves_programs_as_they_are() {
    for jdk in jdks() {
        for program in PROGRAMS {
            let scratch = Scratch::new("every-mode");
            let launch = || {
                let plain = Launch::new(jdk, program, scratch.path());
                plain.options(&CHECKED).options(heap(jdk.release))
            };
            let plain = launch().run();
            assert_eq!(plain.status, Some(0), "{program} on {jdk}: {plain:?}");
            for mode in MODES {
                let profile = scratch.file("program.subsume");
                let agent = format!("mode={mode},out={}", profile.display());
                let recorded = launch().agent(&agent).run();
                recorded.assert_same_as(&plain, format_args!("{program}, mode={mode} on {jdk}"));
                let summary = subsume(&["info", &profile.display().to_string()]);
                assert!(summary.contains(mode), "{program}, mode={mode} on {jdk}: {summary}");
            }
        }
    }
}
