//! What the `subsume` command says about a profile.

use std::collections::BTreeMap;
use std::ffi::OsStr;
use std::path::Path;
use std::process::Command;

use serde_json::Value;

use crate::artifacts;

/// Runs the command, which must succeed without a word on standard error, and
/// gives its output.
///
/// # Panics
/// If it does otherwise.
pub fn subsume<A: AsRef<OsStr>>(arguments: &[A]) -> String {
    let output = Command::new(&artifacts().command)
        .args(arguments)
        .output()
        .expect("the built command can be started");
    let called: Vec<_> =
        arguments.iter().map(|argument| argument.as_ref().to_string_lossy()).collect();
    let stderr = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "subsume {}: {stderr}", called.join(" "));
    String::from_utf8(output.stdout).expect("the command prints UTF-8")
}

/// Cost of each context by its path, frames from the root on with `;` between
/// them. Contexts that cost nothing are left out by the format.
///
/// # Panics
/// If the command fails.
pub fn contexts(profile: &Path, metric: &str) -> BTreeMap<String, u64> {
    let mut options = ["export", "--format", "folded", "--metric"].map(OsStr::new).to_vec();
    options.extend([OsStr::new(metric), profile.as_os_str()]);
    let folded = subsume(&options);
    let mut contexts = BTreeMap::new();
    for line in folded.lines() {
        let (path, cost) = line.rsplit_once(' ').expect("a folded line ends with its cost");
        let cost: u64 = cost.parse().expect("a cost is a number");
        *contexts.entry(path.to_owned()).or_default() += cost;
    }
    contexts
}

/// What `subsume methods` says of every method of a class, by method name.
///
/// # Panics
/// If the command fails.
pub fn methods(profile: &Path, class: &str, options: &[&str]) -> BTreeMap<String, Value> {
    let mut arguments = ["methods", "--json", "--all"].map(OsStr::new).to_vec();
    arguments.extend(options.iter().map(OsStr::new));
    arguments.push(profile.as_os_str());
    let text = subsume(&arguments);
    let report: Value = serde_json::from_str(&text).expect("the command prints valid JSON");
    let listed = report["methods"].as_array().expect("methods is an array");
    listed
        .iter()
        .filter(|method| method["class"] == class)
        .map(|method| (method["name"].as_str().expect("a name is text").to_owned(), method.clone()))
        .collect()
}

/// What `subsume info` says was taken for one's own code, and why.
///
/// # Panics
/// If the command fails.
pub fn own_code(profile: &Path) -> String {
    let text = subsume(&[OsStr::new("info"), OsStr::new("--json"), profile.as_os_str()]);
    let info: Value = serde_json::from_str(&text).expect("the command prints valid JSON");
    info["files"][0]["own_code"].as_str().expect("it is text").to_owned()
}
