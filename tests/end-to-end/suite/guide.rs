//! The tutorials in `docs/tutorial`: every command in them, in order, does what they say
//! there.

use std::env;
use std::fs;
use std::path::Path;
use std::process::Command;

use support::{Scratch, artifacts, oldest};

/// A block of commands and what is shown of their output.
struct Step {
    commands: String,
    shown: String,
}

/// The guide's blocks that are marked `sh`, each with the `text` that follows.
fn steps(guide: &str) -> Vec<Step> {
    let mut steps: Vec<Step> = Vec::new();
    let mut lines = guide.lines();
    while let Some(line) = lines.next() {
        let Some(language) = line.strip_prefix("```") else { continue };
        let block: String =
            lines.by_ref().take_while(|line| *line != "```").map(|l| format!("{l}\n")).collect();
        match (language, steps.last_mut()) {
            ("sh", _) => steps.push(Step { commands: block, shown: String::new() }),
            ("text", Some(step)) => step.shown = block,
            _ => {}
        }
    }
    steps
}

/// What must be found again: names, and lines of the documents' own programs.
/// Numbers and lines of the class library differ a little between builds of the JDK.
fn names(shown: &str) -> impl Iterator<Item = &str> {
    shown
        .split_whitespace()
        .map(|word| word.trim_matches(|c: char| !c.is_alphanumeric()))
        .filter_map(|word| {
            let (name, line) = word.split_once(':').unwrap_or((word, ""));
            let parts: Vec<&str> = name.split('.').collect();
            if parts.len() > 2 && parts.iter().all(|p| p.starts_with(|c: char| c.is_alphabetic())) {
                return Some(name);
            }
            let is_own = name.starts_with(|c: char| c.is_uppercase());
            (is_own && line.starts_with(|c: char| c.is_ascii_digit())).then_some(word)
        })
}

/// Runs the commands of a document in a folder that has copies of these files, and of what
/// these folders hold.
fn follow(document: &str, files: &[&str]) {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let text = fs::read_to_string(root.join(document)).expect("the document is there");
    let steps = steps(&text);
    assert!(steps.len() >= 6, "{document} has few commands");
    assert!(steps.iter().any(|step| names(&step.shown).next().is_some()), "it shows nothing");
    let scratch = Scratch::new("guide");
    for file in files {
        let from = root.join(file);
        if from.is_dir() {
            let mut copy = Command::new("cp");
            let copied = copy.arg("-r").arg(from.join(".")).arg(scratch.path()).status();
            assert!(copied.expect("cp can be started").success(), "{file}");
            continue;
        }
        let name = from.file_name().expect("a file has a name");
        fs::copy(&from, scratch.path().join(name)).expect("the file can be copied");
    }
    let java = oldest().command("java");
    let bin = java.parent().expect("java lies in bin");
    let tools = artifacts().command.parent().expect("the command lies in a folder");
    let old = env::var_os("PATH").unwrap_or_default();
    let path = [bin.to_path_buf(), tools.to_path_buf()];
    let path = env::join_paths(path.into_iter().chain(env::split_paths(&old)))
        .expect("no folder has a colon in its name");
    for step in steps {
        let output = Command::new("sh")
            .args(["-e", "-c", &step.commands])
            .current_dir(scratch.path())
            .env("PATH", &path)
            .env("JAVA_HOME", bin.parent().expect("bin lies in the JDK"))
            .env("COLUMNS", "200")
            .output()
            .expect("sh can be started");
        let said = String::from_utf8_lossy(&output.stdout).into_owned()
            + &String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success(), "{}{said}", step.commands);
        for name in names(&step.shown) {
            assert!(said.contains(name), "{name} is not in the output of {}{said}", step.commands);
        }
    }
}

#[test]
fn every_command_of_the_guide_works() {
    let files = ["pom.xml", "Decimals.java"].map(|name| format!("docs/tutorial/files/{name}"));
    let files = [&*files[0], &files[1], "tests/apps/fop/handbook.fo"];
    follow("docs/tutorial/record-read-fix-check.md", &files);
}

#[test]
fn every_command_on_data_flow_works() {
    follow("docs/tutorial/data-flow.md", &["docs/tutorial/files/Orders.java"]);
}

#[test]
fn every_command_on_slow_tests_works() {
    follow("docs/tutorial/slow-tests.md", &["docs/tutorial/files/shop"]);
}

#[test]
fn every_command_on_a_server_works() {
    follow("docs/tutorial/server.md", &["docs/tutorial/files/Prices.java"]);
}
