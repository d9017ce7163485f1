//! The profiler of JMH: what operations do, the same in every fork. Names have `maven`
//! in them, as what brings JMH is not asked for on every machine.

use std::ffi::OsStr;
use std::fs;
use std::path::PathBuf;
use std::process::Command;
use std::sync::{Mutex, PoisonError};

use serde_json::Value;
use support::{
    Jdk, Scratch, artifacts, compile, in_turn, java, java_files, oldest, repository, subsume,
    succeed,
};

use crate::time::{command, said};

/// JMH lets one of its processes run at a time.
static ALONE: Mutex<()> = Mutex::new(());

/// The class path of the benchmarks, the profiler and JMH.
fn class_path(scratch: &Scratch) -> String {
    let libraries = scratch.path().join("lib");
    let samples = repository().join("tests/end-to-end/programs/jmh");
    let mut fetch = Command::new("mvn");
    fetch.args(["-B", "-q", "-f"]).arg(samples.join("pom.xml"));
    fetch.arg("org.apache.maven.plugins:maven-dependency-plugin:3.6.1:copy-dependencies");
    succeed(fetch.arg(format!("-DoutputDirectory={}", libraries.display())));
    let libraries = format!("{}/*", libraries.display());
    let classes = scratch.path().join("classes");
    let folders =
        ["tests/end-to-end/programs/jmh", "integrations/jmh/src/main/java", "java-shim/src/api"];
    let sources: Vec<PathBuf> =
        folders.iter().flat_map(|folder| java_files(&repository().join(folder))).collect();
    compile(&sources, &["-cp", &libraries].map(OsStr::new), &classes);
    // A class with the name of a package.
    let named = scratch.path().join("named");
    let source = repository().join("integrations/jmh/src/name/java/subsume.java");
    let seen = format!("{}:{libraries}", classes.display());
    compile(&[source], &["-cp", &seen].map(OsStr::new), &named);
    format!("{}:{seen}", named.display())
}

fn run(jdk: &Jdk, class_path: &str, scratch: &Scratch) -> Vec<Value> {
    let results = scratch.file(&format!("results-{}.json", jdk.release));
    let profiler = format!(
        "subsume:command={};agent={};dir=profiles-{}",
        artifacts().command.display(),
        artifacts().agent.display(),
        jdk.release
    );
    let mut jmh = java(jdk);
    jmh.args(["-cp", class_path, "org.openjdk.jmh.Main", "-prof", &profiler]);
    jmh.args(["-rf", "json", "-rff"]).arg(&results).current_dir(scratch.path());
    succeed(&mut jmh);
    let text = fs::read_to_string(&results).expect("JMH writes its results");
    serde_json::from_str(&text).expect("JMH writes JSON")
}

#[test]
fn operations_of_maven_benchmarks_have_the_same_counts_in_every_fork() {
    let _alone = ALONE.lock().unwrap_or_else(PoisonError::into_inner);
    let scratch = Scratch::new("jmh-maven");
    let class_path = class_path(&scratch);
    for jdk in in_turn() {
        let results = run(jdk, &class_path, &scratch);
        assert_eq!(results.len(), 6, "{jdk}");
        for result in &results {
            for metric in ["bytecodes", "calls", "allocations", "bytes", "moved"] {
                let counted = &result["secondaryMetrics"][format!("subsume.{metric}")];
                let name = &result["benchmark"];
                // Of both forks; JMH gives the raw data of iterations only.
                let of_forks = &counted["scorePercentiles"];
                assert_eq!(of_forks["0.0"], of_forks["100.0"], "{name} {metric} {jdk}");
                assert_eq!(counted["score"], of_forks["0.0"], "{name} {metric} {jdk}");
                assert!(counted["score"].is_number(), "{name} {metric} {jdk}: {counted}");
            }
        }
        by_hand(jdk, &results);
        let profile = |size| {
            let name = format!("samples.Counted.words-AverageTime-size-{size}-fork2.subsume");
            scratch.path().join(format!("profiles-{}", jdk.release)).join(name)
        };
        let (small, large) = (profile(10), profile(100));
        let methods = subsume(&["methods".as_ref(), "--all".as_ref(), large.as_os_str()]);
        assert!(methods.contains("Counted.words"), "{jdk}: {methods}");
        let mut diff = Command::new(&artifacts().command);
        succeed(diff.arg("diff").arg(&small).arg(&large));
        assert!(!large.with_extension("subsume.before").exists(), "{jdk}");
    }
}

/// `subsume diagnose` of a benchmark does the same operations in each run, and again when
/// it is held against what was found.
#[test]
fn a_maven_benchmark_is_diagnosed_by_name() {
    let _alone = ALONE.lock().unwrap_or_else(PoisonError::into_inner);
    let scratch = Scratch::new("jmh-maven-diagnose");
    let class_path = class_path(&scratch);
    let jdk = oldest();
    let java = jdk.command("java").display().to_string();
    let diagnose = |options: &[&str]| {
        let program = ["--", &java, "-cp", &class_path, "org.openjdk.jmh.Main", "-p", "size=100"];
        let name = ["diagnose", "--json", "--benchmark", "Counted.fill"];
        let output = command(&scratch, &[&name, options, &program].concat());
        assert!(output.status.success(), "{}", said(&output));
        (serde_json::from_slice::<Value>(&output.stdout).expect("it is JSON"), said(&output))
    };
    let (before, line) = diagnose(&["-o", "before", "--within", "1s"]);
    assert!(line.contains("operations in each run"), "{line}");
    let words = before["command"].as_array().expect("a list").clone();
    let operations: u64 = words.last().and_then(Value::as_str).unwrap().parse().unwrap();
    // As many as execute 2^31 bytecodes, rounded down to a power of two: however busy the machine.
    assert_eq!(operations, 32_768, "{words:?}");
    // Ten times 5,757.9 bytecodes each, and what JMH does for them.
    let total = before["total"].as_u64().expect("a number");
    assert!(total > 57_500 * operations && total < 60_000 * operations, "{total} {operations}");
    let (after, line) = diagnose(&["-o", "after", "--within", "1s", "--against", "before"]);
    assert!(!line.contains("operations in each run"), "{line}");
    assert_eq!(after["command"], before["command"]);
    for change in after["against"]["findings"].as_array().expect("a list") {
        assert_eq!(change["fate"], "same", "{change}");
    }
    let output = command(
        &scratch,
        &[
            "diagnose",
            "-o",
            "none",
            "--benchmark",
            "no.such",
            "--",
            &java,
            "-cp",
            &class_path,
            "org.openjdk.jmh.Main",
        ],
    );
    assert_eq!(output.status.code(), Some(2));
    assert!(said(&output).contains("JMH did not run no.such"), "{}", said(&output));
}

/// What follows from `javap`.
fn by_hand(jdk: &Jdk, results: &[Value]) {
    let score = |name: &str, size: &str, metric: &str| {
        let is_it = |result: &&Value| {
            result["benchmark"] == format!("samples.Counted.{name}")
                && result["params"]["size"] == size
        };
        let result = results.iter().find(is_it).expect("the benchmark ran");
        result["secondaryMetrics"][format!("subsume.{metric}")]["score"].as_f64()
    };
    for (size, count) in [("10", 10.0), ("100", 100.0)] {
        // 4 before the loop, 10 in each round, 4 to leave it and 2 to return.
        let expected = [("bytecodes", 10.0 * count + 10.0), ("calls", 1.0), ("allocations", 0.0)];
        for (metric, number) in expected {
            assert_eq!(score("sum", size, metric), Some(number), "{metric} on {jdk}");
        }
    }
    // Each word is merged into the table; methods that this one dominates are not it.
    assert!(score("words", "100", "calls") > Some(200.0), "{jdk}");
    // A list and its array; with ten elements the first array is large enough, and small
    // numbers are objects that are there already.
    assert_eq!(score("fill", "10", "allocations"), Some(2.0), "{jdk}");
    // 24 of the list, and 16 and 10 references of its array.
    assert_eq!(score("fill", "10", "bytes"), Some(80.0), "{jdk}");
}
