//! `subsume run` with Maven, whose tests run in a JVM of their own, and with a
//! start script that a build tool wrote.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use serde_json::Value;

use support::{Scratch, artifacts, copy_folder, oldest, subsume};

/// Runs a command in a folder, under the agent if `profile` names one.
fn run(folder: &Path, profile: Option<&str>, command: &[&str]) -> Output {
    let java = oldest().command("java");
    let home = java.ancestors().nth(2).expect("java lies in HOME/bin");
    let mut started = match profile {
        Some(profile) => {
            let mut run = Command::new(&artifacts().command);
            run.arg("run").arg("--agent").arg(&artifacts().agent);
            run.args(["--top", "3", "-o", profile, "--"]).args(command);
            run
        }
        None => {
            let mut plain = Command::new(command[0]);
            plain.args(&command[1..]);
            plain
        }
    };
    started
        .current_dir(folder)
        .env("JAVA_HOME", home)
        .env_remove("JAVA_TOOL_OPTIONS")
        .output()
        .expect("the command can be started")
}

/// Calls of a method, in all profiles together.
fn calls(profiles: &[PathBuf], class: &str, name: &str) -> u64 {
    let mut arguments = vec!["methods", "--all", "--json", "--class", class];
    let paths: Vec<String> = profiles.iter().map(|path| path.display().to_string()).collect();
    arguments.extend(paths.iter().map(String::as_str));
    let answer: Value = serde_json::from_str(&subsume(&arguments)).expect("the answer is JSON");
    let methods = answer["methods"].as_array().expect("there is a list of methods");
    let of_name = methods.iter().filter(|method| method["name"] == name);
    of_name.filter_map(|method| method["calls"].as_u64()).sum()
}

#[test]
fn maven_and_what_it_builds() {
    let scratch = Scratch::new("maven");
    let folder = scratch.path();
    copy_folder(&Path::new(env!("CARGO_MANIFEST_DIR")).join("programs/maven"), folder);
    // Brings the plugins, so that the recorded run does nothing but build.
    let plain = run(folder, None, &["mvn", "-q", "-B", "package"]);
    assert!(plain.status.success(), "{plain:?}");

    let recorded = run(folder, Some("build.subsume"), &["mvn", "-o", "-q", "-B", "surefire:test"]);
    let said = String::from_utf8_lossy(&recorded.stderr).into_owned();
    assert!(recorded.status.success(), "{said}");
    // One answer for each JVM, that of the tests first.
    let answers: Vec<&str> = said.split("\nJVM ").skip(1).collect();
    assert_eq!(answers.len(), 2, "{said}");
    assert!(answers[0].contains(", tests: ") && answers[0].contains("surefire"), "{said}");
    assert!(answers[1].contains(", the build tool: "), "{said}");
    assert!(answers.iter().all(|answer| answer.contains("Repeated patterns")), "{said}");
    assert!(answers[1].contains("Next:"), "{said}");
    let entries = fs::read_dir(folder).expect("the scratch folder can be read");
    let mut profiles: Vec<PathBuf> = entries.map(|e| e.expect("and to its end").path()).collect();
    profiles.retain(|path| path.extension().is_some_and(|extension| extension == "subsume"));
    // Maven's own, and that of the JVM that it starts for tests.
    assert_eq!(profiles.len(), 2, "{profiles:?}");
    assert_eq!(calls(&profiles, "shop.*", "testTotal"), 1);
    assert_eq!(calls(&profiles, "shop.*", "add"), 100);
    assert!(calls(&profiles, "org.apache.maven.*", "execute") > 0);

    // A test by its name.
    let mut diagnose = Command::new(&artifacts().command);
    diagnose.args(["diagnose", "--json", "-o", "found", "--within", "1s", "--test"]);
    let test = diagnose.arg("TillTest#testTotal").current_dir(folder);
    let output = test
        .env("SUBSUME_AGENT", &artifacts().agent)
        .env("JAVA_HOME", oldest().command("java").ancestors().nth(2).expect("HOME/bin"))
        .env_remove("JAVA_TOOL_OPTIONS")
        .output()
        .expect("the command can be started");
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(output.status.success(), "{said}");
    let found: Value = serde_json::from_slice(&output.stdout).expect("the answer is JSON");
    assert_eq!(found["command"][3], "-Dtest=TillTest#testTotal", "{found}");
    assert_eq!(calls(&[folder.join("found/calls.subsume")], "shop.*", "testTotal"), 1);

    let script = ["target/appassembler/bin/till", "19", "23"];
    let plain = run(folder, None, &script);
    let recorded = run(folder, Some("till.subsume"), &script);
    assert!(plain.status.success() && recorded.status.success(), "{plain:?} {recorded:?}");
    assert_eq!(recorded.stdout, plain.stdout);
    assert_eq!(String::from_utf8_lossy(&plain.stdout), "total 42\n");
    assert_eq!(calls(&[folder.join("till.subsume")], "shop.*", "add"), 2);
}
