//! `subsume-fleet`: Spark, DuckDB and DataFusion say of a fleet what `subsume fleet` says.

use std::fs;
use std::path::Path;
use std::process::Command;

use serde_json::json;
use support::{Launch, Scratch, artifacts, oldest};

/// Program, options of the agent, and labels.
type Recording = (&'static str, &'static str, &'static [(&'static str, &'static str)]);

/// The sides have different sizes; `r` and `s`
/// have the same methods, and so tables of one name. `s` has no bytes, as older recordings.
const RUNS: [Recording; 11] = [
    ("LanguageFeatures", "", &[("program", "p"), ("version", "1"), ("host", "a1")]),
    ("LanguageFeatures", "", &[("program", "p"), ("version", "1"), ("host", "a2")]),
    ("Deterministic", "", &[("program", "p"), ("version", "1"), ("host", "b")]),
    ("LanguageFeatures", "", &[("program", "p"), ("version", "2"), ("host", "a1")]),
    ("LanguageFeatures", "", &[("program", "p"), ("version", "2"), ("host", "b")]),
    ("Recursion", "", &[("program", "p"), ("version", "2"), ("host", "a2")]),
    (
        "LanguageFeatures",
        ",exclude=java.util.*",
        &[("program", "p"), ("version", "2"), ("host", "c")],
    ),
    ("WorksInThreads", "", &[("program", "q/%"), ("version", "2")]),
    ("HandCounted", "", &[("program", "q/%"), ("version", "1")]),
    ("HandCounted", "", &[("program", "r"), ("version", "1")]),
    ("HandCounted", ",bytes=off", &[("program", "s"), ("version", "1")]),
];

/// The SQL on DuckDB, DataFusion and Spark, what the documents show, what people read, and a
/// fleet in an object store.
#[test]
fn engines_agree_with_the_command() {
    run(&[
        "test_fleet.Questions",
        "test_fleet.Documents",
        "test_fleet.Texts",
        "test_fleet.Stores",
        "test_fleet.Quiet",
    ]);
}

/// All of `subsume-fleet` on Spark in this process, and on a cluster of two workers.
#[test]
#[ignore = "takes four minutes, most of it for the start of JVMs"]
fn spark_agrees_with_the_command() {
    run(&["test_fleet.Commands"]);
}

/// Records a fleet and has some of the tests of the package ask it.
fn run(of_package: &[&str]) {
    let scratch = Scratch::new("fleet-engines");
    let mut profiles = Vec::new();
    for (number, (program, options, labels)) in RUNS.into_iter().enumerate() {
        let file = scratch.file(&format!("{number}.subsume"));
        let agent = format!("out={}{options}", file.display());
        let run = Launch::new(oldest(), program, scratch.path()).agent(&agent).run();
        assert_eq!(run.status, Some(0), "{run:?}");
        let labels: serde_json::Map<_, _> =
            labels.iter().map(|&(key, value)| (key.to_owned(), json!(value))).collect();
        profiles.push(json!({ "file": file, "labels": labels }));
    }
    let given = scratch.file("given.json");
    let told = json!({ "subsume": artifacts().command, "profiles": profiles });
    fs::write(&given, told.to_string()).expect("it can be written");

    let package = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../integrations/spark");
    let tests = package.join("tests");
    // What is fetched stays for the next time.
    let environment = Command::new(tests.join("environment"))
        .arg(artifacts().command.with_file_name("fleet-engines"))
        .output()
        .expect("the script can be started");
    if !environment.status.success() {
        let said = String::from_utf8_lossy(&environment.stderr);
        println!("left out: no environment of Python with the engines: {said}");
        return;
    }
    let python = String::from_utf8_lossy(&environment.stdout).trim().to_owned();
    let run = Command::new(python)
        .args(["-m", "unittest", "-v"])
        .args(of_package)
        .current_dir(&tests)
        .env("PYTHONPATH", &package)
        .env("PYTHONDONTWRITEBYTECODE", "1")
        .env("FLEET_TEST", &given)
        .env("JAVA_HOME", oldest().home())
        .env("SPARK_LOCAL_IP", "127.0.0.1")
        .env("SPARK_CONF_DIR", &tests)
        .output()
        .expect("Python can be started");
    let said = String::from_utf8_lossy(&run.stderr).into_owned();
    println!("{said}");
    assert!(run.status.success(), "{said}{}", String::from_utf8_lossy(&run.stdout));
}
