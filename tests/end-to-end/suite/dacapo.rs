//! `subsume.Callback` in harnesses shaped like those of DaCapo.

use std::collections::BTreeMap;

use serde_json::Value;

use support::{Jdk, Launch, Scratch, compiled, in_turn, methods};

/// Three iterations, of which the last is timed. The class path holds the
/// harness and nothing else.
const OPTIONS: [&str; 4] = ["-c", "subsume.Callback", "-n", "3"];

fn calls(methods: &BTreeMap<String, Value>, name: &str) -> u64 {
    methods.get(name).map_or(0, |method| method["calls"].as_u64().expect("calls is a number"))
}

#[test]
fn harness_of_2006() {
    for jdk in in_turn() {
        let scratch = Scratch::new("harness-2006");
        let profile = scratch.file("mini.subsume");
        let mut launch = Launch::new(jdk, "Harness", scratch.path())
            .class_path(compiled("harness-2006"))
            .agent(&format!("start=off,out={}", profile.display()));
        for option in OPTIONS {
            launch = launch.argument(option);
        }
        let run = launch.run();
        assert_eq!((run.status, run.stdout.as_str()), (Some(0), ""), "{jdk}: {run:?}");
        // The harness's own announcements, with nothing between them.
        let said: Vec<_> =
            run.stderr.lines().map(|line| line.trim_end_matches(char::is_numeric)).collect();
        let expected = [
            "== mini starting warmup ",
            "== mini completed warmup in ",
            "== mini starting warmup ",
            "== mini completed warmup in ",
            "== mini starting ",
            "== mini PASSED in ",
        ];
        assert_eq!(said, expected, "{jdk}");
        let found = methods(&profile, "dacapo.Benchmark", &[]);
        // 250 on the calling thread and 250 on the worker, which is older than
        // the recording; nothing from the two warm-ups or from around them.
        assert_eq!(calls(&found, "unit"), 500, "{jdk}");
        assert_eq!(calls(&found, "iterate"), 1, "{jdk}");
        assert_eq!(calls(&found, "serve"), 1, "{jdk}");
        assert_eq!(calls(&found, "validate"), 0, "{jdk}");
        assert_eq!(calls(&found, "prepare"), 0, "{jdk}");
    }
}

#[test]
fn harness_of_23_11() {
    for jdk in in_turn() {
        let scratch = Scratch::new("harness-23");
        let profile = scratch.file("mini.subsume");
        let mut launch = Launch::new(jdk, "Harness", scratch.path())
            .class_path(compiled("harness-23.11/launcher"))
            .agent(&format!("start=off,out={}", profile.display()))
            .argument(compiled("harness-23.11/harness"));
        for option in OPTIONS {
            launch = launch.argument(option);
        }
        let expected = "== mini starting warmup\n\
            == mini completed warmup\n\
            == mini starting warmup\n\
            == mini completed warmup\n\
            == mini starting\n\
            == mini PASSED\n";
        assert_eq!(launch.run_well(), expected, "{jdk}");
        let found = methods(&profile, "org.dacapo.harness.Benchmark", &[]);
        assert_eq!(calls(&found, "unit"), 500, "{jdk}");
        assert_eq!(calls(&found, "iterate"), 1, "{jdk}");
    }
}

/// What a harness records from the second of three iterations on.
fn from_the_second(jdk: &Jdk, options: &[&str], harness: &str, launcher: &str) -> u64 {
    let scratch = Scratch::new("harness-from");
    let profile = scratch.file("mini.subsume");
    let mut launch = Launch::new(jdk, "Harness", scratch.path())
        .class_path(compiled(launcher))
        .options(&["-Dsubsume.from=2"])
        .agent(&format!("start=off,out={}", profile.display()));
    for option in options {
        launch = launch.argument(option);
    }
    let run = launch.run();
    assert_eq!(run.status, Some(0), "{jdk}: {run:?}");
    calls(&methods(&profile, harness, &[]), "unit")
}

#[test]
fn recording_begins_with_an_iteration_before_the_timed_one() {
    for jdk in in_turn() {
        let found = from_the_second(jdk, &OPTIONS, "dacapo.Benchmark", "harness-2006");
        assert_eq!(found, 1000, "{jdk}");
        let folder = compiled("harness-23.11/harness");
        let folder = folder.to_str().expect("the folder of the tests has a name in UTF-8");
        let options: Vec<&str> = [folder].into_iter().chain(OPTIONS).collect();
        let of_23_11 = "org.dacapo.harness.Benchmark";
        let found = from_the_second(jdk, &options, of_23_11, "harness-23.11/launcher");
        assert_eq!(found, 1000, "{jdk}");
    }
}

#[test]
fn forgotten_start_off_is_told() {
    for jdk in in_turn() {
        let scratch = Scratch::new("harness-startup");
        let profile = scratch.file("mini.subsume");
        let mut launch = Launch::new(jdk, "Harness", scratch.path())
            .class_path(compiled("harness-2006"))
            .profiled(&profile);
        for option in OPTIONS {
            launch = launch.argument(option);
        }
        let run = launch.run();
        assert_eq!(run.status, Some(0), "{jdk}: {run:?}");
        let ours: Vec<_> =
            run.stderr.lines().filter(|line| line.starts_with("subsume: ")).collect();
        assert!(ours.len() == 1 && ours[0].contains("start=off"), "{jdk}: {run:?}");
        // The warm-ups stay out all the same.
        assert_eq!(calls(&methods(&profile, "dacapo.Benchmark", &[]), "unit"), 500, "{jdk}");
    }
}
