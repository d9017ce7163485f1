//! The agent's options, as a user mistypes and uses them.

use std::fs;

use support::{Launch, Scratch, api_classes, compiled, contexts, in_turn};

#[test]
fn wrong_options_stop_the_jvm_before_main() {
    for (options, named) in [
        ("outt=x.subsume", "outt"),
        ("mode=copies,mode=costs", "twice"),
        ("mode=nonsense", "nonsense"),
        ("start=later", "later"),
        ("max-contexts=-1", "-1"),
        ("max-memory=10", "10"),
        ("out=%q.subsume", "%"),
        ("out", "out"),
        ("include=java/util", "java/util"),
        ("label.=1", "name of a label"),
        ("labels=everything", "everything"),
        ("compilers=c2", "c2"),
    ] {
        for jdk in in_turn() {
            let scratch = Scratch::new("wrong-options");
            let run = Launch::new(jdk, "ExitsWithStatus", scratch.path()).agent(options).run();
            assert_eq!((run.status, run.stdout.as_str()), (Some(2), ""), "{options} on {jdk}");
            // One line, and none of the JVM's own about an agent that failed.
            assert_eq!(run.stderr.lines().count(), 1, "{options} on {jdk}: {}", run.stderr);
            assert!(run.stderr.starts_with("subsume: "), "{options} on {jdk}: {}", run.stderr);
            assert!(run.stderr.contains(named), "{options} on {jdk}: {}", run.stderr);
            let left = fs::read_dir(scratch.path()).expect("the folder is still there").count();
            assert_eq!(left, 0, "{options} left files behind on {jdk}");
        }
    }
}

#[test]
fn help() {
    for jdk in in_turn() {
        let scratch = Scratch::new("help");
        let run = Launch::new(jdk, "ExitsWithStatus", scratch.path()).agent("help").run();
        assert_eq!((run.status, run.stderr.as_str()), (Some(0), ""), "{jdk}: {run:?}");
        assert!(!run.stdout.contains("before"), "main ran on {jdk}");
        let keys =
            ["out=", "mode=", "include=", "exclude=", "start=", "max-contexts=", "max-memory="];
        for key in
            keys.into_iter().chain(["control=", "label.NAME=", "labels=", "help", "%p", "%t"])
        {
            assert!(run.stdout.contains(key), "no {key} in the help on {jdk}: {}", run.stdout);
        }
    }
}

/// True if a frame of this class was recorded.
fn recorded(contexts: &std::collections::BTreeMap<String, u64>, class: &str) -> bool {
    let prefix = format!("{class}.");
    contexts.keys().any(|path| path.split(';').any(|frame| frame.starts_with(&prefix)))
}

#[test]
fn include_and_exclude() {
    for jdk in in_turn() {
        for (options, expected) in [
            ("include=HandCounted", [true, false, false]),
            ("include=HandCounted*", [true, true, false]),
            ("include=Hand*;java.lang.Object;java.util.*", [true, true, true]),
            ("exclude=HandCounted$Cell;java.util.*", [true, false, false]),
            ("include=*,exclude=*", [false, false, false]),
        ] {
            let scratch = Scratch::new("include");
            let profile = scratch.file("part.subsume");
            let options = format!("{options},out={}", profile.display());
            Launch::new(jdk, "HandCounted", scratch.path()).agent(&options).run_well();
            let contexts = contexts(&profile, "calls");
            let found = ["HandCounted", "HandCounted$Cell", "java.util.HashMap"]
                .map(|class| recorded(&contexts, class));
            assert_eq!(found, expected, "{options} on {jdk}");
        }
    }
}

#[test]
fn output_name() {
    for jdk in in_turn() {
        let scratch = Scratch::new("output-name");
        let launch =
            Launch::new(jdk, "HandCounted", scratch.path()).agent("out=a-%p-%t-%%.subsume");
        let child = launch.start();
        let process = child.id().to_string();
        let output = child.wait_with_output().expect("a started child can be waited for");
        assert!(output.status.success(), "{jdk}: {output:?}");
        let entries = fs::read_dir(scratch.path()).expect("the folder is still there");
        let names: Vec<_> = entries
            .map(|entry| entry.expect("the folder can be listed").file_name().into_string())
            .map(|name| name.expect("the name is UTF-8"))
            .collect();
        assert_eq!(names.len(), 1, "{names:?} on {jdk}");
        let time = names[0]
            .strip_prefix(&format!("a-{process}-"))
            .and_then(|rest| rest.strip_suffix("-%.subsume"))
            .unwrap_or_else(|| panic!("{names:?} on {jdk}"));
        assert!(time.len() >= 8 && time.chars().all(|c| c.is_ascii_digit() || c == '-'), "{time}");
    }
}

#[test]
fn default_output_name() {
    for jdk in in_turn() {
        let scratch = Scratch::new("default-name");
        let launch = Launch::new(jdk, "HandCounted", scratch.path()).agent("");
        let child = launch.start();
        let profile = scratch.file(&format!("{}.subsume", child.id()));
        let output = child.wait_with_output().expect("a started child can be waited for");
        assert!(output.status.success(), "{jdk}: {output:?}");
        assert!(recorded(&contexts(&profile, "calls"), "HandCounted"), "{jdk}");
    }
}

/// Labels come from the options, and from the environment only if it is asked for.
#[test]
fn labels() {
    let host = fs::read_to_string("/proc/sys/kernel/hostname").expect("Linux has a host name");
    let host = host.trim();
    for jdk in in_turn() {
        for (options, expected) in [
            ("label.version=1.2,label.team=a b", [Some("1.2"), Some("a b"), None, None]),
            ("labels=environment", [None, None, Some(host), Some("4f2a")]),
            ("label.host=mine,labels=environment", [None, None, Some("mine"), Some("4f2a")]),
            ("lines=off", [None; 4]),
        ] {
            let scratch = Scratch::new("labels");
            let profile = scratch.file("labels.subsume");
            let options = format!("{options},out={}", profile.display());
            Launch::new(jdk, "HandCounted", scratch.path())
                .environment("GITHUB_SHA", "4f2a")
                .agent(&options)
                .run_well();
            let read = profile::read_file(&profile).expect("the profile is whole");
            let labels =
                ["version", "team", "host", "commit"].map(|name| read.run.labels.get(name));
            let labels = labels.map(|value| value.map(String::as_str));
            assert_eq!(labels, expected, "{options} on {jdk}");
        }
    }
}

/// Levels at which the JVM compiled something, as it says with `-XX:+PrintCompilation`:
/// time, number, marks, level, method.
fn levels(printed: &str) -> std::collections::BTreeSet<&str> {
    printed
        .lines()
        .filter_map(|line| line.split_once("::")?.0.rsplit_once(' ')?.0.split_whitespace().last())
        .filter(|word| ["1", "2", "3", "4"].contains(word))
        .collect()
}

/// `compilers=c1` leaves C2 out, and counts are the same.
#[test]
fn without_c2() {
    let prints = ["-XX:+PrintCompilation", "-XX:CompileThresholdScaling=0.02"];
    for jdk in in_turn() {
        let scratch = Scratch::new("compilers");
        let run = |name: &str, given: &str| {
            let profile = scratch.file(name);
            let agent = format!("{given}out={}", profile.display());
            let launch = Launch::new(jdk, "HandCounted", scratch.path()).agent(&agent);
            let run = launch.options(&prints).run();
            assert_eq!((run.status, run.stderr.as_str()), (Some(0), ""), "{jdk}: {run:?}");
            (run.stdout, contexts(&profile, "bytecodes"))
        };
        let (usual, counts) = run("usual", "");
        assert!(levels(&usual).contains("4"), "C2 compiles nothing on {jdk}: {usual}");
        let (with_c1, same_counts) = run("c1", "compilers=c1,");
        assert_eq!(levels(&with_c1).into_iter().collect::<Vec<_>>(), ["1"], "{jdk}: {with_c1}");
        let own = |counts: &std::collections::BTreeMap<String, u64>| -> Vec<(String, u64)> {
            let own = counts.iter().filter(|(path, _)| path.contains("HandCounted.main"));
            own.map(|(path, count)| (path.clone(), *count)).collect()
        };
        assert_eq!(own(&counts), own(&same_counts), "{jdk}");
        assert!(!own(&counts).is_empty(), "{jdk}");

        let agent = format!("compilers=c1,out={}", scratch.file("tiers").display());
        let launch = Launch::new(jdk, "HandCounted", scratch.path()).agent(&agent);
        let run = launch.options(&["-XX:-TieredCompilation"]).run();
        let says = "subsume: compilers=c1 has no effect: this JVM does not compile in tiers\n";
        assert_eq!((run.status, run.stderr.as_str()), (Some(0), says), "{jdk}");
    }
}

/// By default C2 compiles the hottest methods only; afterwards the flags are the JVM's again.
#[test]
fn c2_for_the_hottest() {
    let options = [
        "-Xbatch",
        "-XX:+PrintCompilation",
        "-XX:CompileCommand=quiet",
        "-XX:CompileCommand=dontinline,CompilesTheHottest::*",
        "-XX:+UnlockDiagnosticVMOptions",
    ];
    for jdk in in_turn() {
        let scratch = Scratch::new("hottest");
        let run = |given: &str, more: &[&str]| {
            let agent = format!("compilers={given},out={}", scratch.file("c2.subsume").display());
            let classes = [compiled("main"), api_classes()];
            let classes = std::env::join_paths(classes).expect("no ':' in them");
            let launch = Launch::new(jdk, "CompilesTheHottest", scratch.path());
            let launch = launch.class_path(classes.into()).agent(&agent);
            let run = launch.options(&options).options(more).run();
            assert_eq!((run.status, run.stderr.as_str()), (Some(0), ""), "{jdk}");
            let lines = |word: &str| -> Vec<&str> {
                run.stdout.lines().filter(|line| line.contains(word)).collect()
            };
            let levels_of = |method: &str| -> String {
                let name = format!("CompilesTheHottest::{method} ");
                levels(&lines(&name).join("\n")).into_iter().collect()
            };
            let flags: Vec<String> = lines("flags: ").into_iter().map(str::to_owned).collect();
            (levels_of("warm"), levels_of("hot"), flags)
        };
        let [all, hottest] = ["both", "hottest"].map(|given| run(given, &[]));
        assert_eq!(all.2, ["flags: 5 1000 11 14"; 2], "{jdk}");
        assert!(all.0.ends_with('4') && all.1.ends_with('4'), "{jdk}: {all:?}");
        assert_eq!(hottest.2, ["flags: -1 16777216 15 17", "flags: 5 1000 11 14"], "{jdk}");
        assert_eq!((&*hottest.0, &*hottest.1), ("2", "234"), "{jdk}");
        // A user's own values are kept, and what C1 cannot count is not asked for.
        let own = ["-XX:Tier2InvokeNotifyFreqLog=26", "-XX:Tier3DelayOn=7"];
        let (.., flags) = run("hottest", &own);
        assert_eq!(flags, ["flags: -1 16777216 26 17", "flags: 7 1000 26 14"], "{jdk}");
        let (.., flags) = run("hottest", &["-XX:-TieredCompilation"]);
        assert_eq!(flags[0], flags[1], "{jdk}");
    }
}
