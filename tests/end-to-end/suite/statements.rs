//! `split=jdbc` with a database: a query in a loop, and a release that makes one more.

use std::path::{Path, PathBuf};

use serde_json::Value;
use support::fetched::drivers_class_path;
use support::{Jdk, Launch, Scratch, compiled, in_turn, subsume};

const QUERY: &str = "prepareStatement: select price from item where id = ?";

fn record(jdk: &Jdk, scratch: &Scratch, release: &str) -> PathBuf {
    let profile = scratch.file(&format!("{release}.subsume"));
    let mut class_path = compiled("statements").into_os_string();
    class_path.push(":");
    class_path.push(drivers_class_path("databases"));
    let class_path = PathBuf::from(class_path);
    let launch = || {
        let launch = Launch::new(jdk, "Statements", scratch.path()).class_path(class_path.clone());
        if release == "taxed" { launch.argument(release) } else { launch }
    };
    let plain = launch().run();
    assert_eq!(plain.status, Some(0), "{jdk}: {plain:?}");
    let agent = format!("split=jdbc,out={}", profile.display());
    launch().agent(&agent).run().assert_same_as(&plain, format_args!("{release} on {jdk}"));
    profile
}

fn json(arguments: &[&str], files: &[&Path]) -> Value {
    let files = files.iter().map(|file| file.display().to_string());
    let words: Vec<String> = arguments.iter().map(|&word| word.to_owned()).chain(files).collect();
    serde_json::from_str(&subsume(&words)).expect("the command prints JSON")
}

#[test]
fn queries_are_counted_and_compared() {
    for jdk in in_turn() {
        let scratch = Scratch::new("statements");
        let before = record(jdk, &scratch, "before");
        let after = record(jdk, &scratch, "taxed");
        // Each of 4 totals asks for each of 50 items.
        let callers = json(&["callers", "--json", QUERY], &[&before]);
        assert_eq!(callers["calls"], 200, "{jdk}: {callers}");
        let lines = callers["callers"].as_array().expect("is an array");
        let total = lines.iter().find(|line| line["name"] == "total");
        let price = lines.iter().find(|line| line["name"] == "price");
        assert!(total.is_some() && price.is_some(), "{jdk}: {callers}");
        let tree = json(&["tree", "--json", "--under", "Statements.total"], &[&before]);
        let calls = |name: &str| {
            let lines = tree["nodes"].as_array().expect("is an array");
            let found = lines.iter().find(|line| line["name"] == name);
            found.unwrap_or_else(|| panic!("{name} is in {tree}"))["calls"].clone()
        };
        assert_eq!((calls("total"), calls(QUERY)), (4.into(), 200.into()), "{jdk}");
        let files = [&before, &after].map(|file| file.display().to_string());
        let diff = subsume(&["diff", &files[0], &files[1]]);
        let more = "executeQuery: select rate from tax where country = ?";
        assert!(diff.contains(more) && diff.contains("new"), "{jdk}: {diff}");
    }
}
