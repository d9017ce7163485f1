//! The worked examples of the subsuming methods paper as running programs.

use std::collections::BTreeMap;

use serde_json::{Value, json};

use support::{Launch, Scratch, contexts, in_turn, methods};

/// A figure of every method in the order of `names`.
fn figures(methods: &BTreeMap<String, Value>, names: &[&str], figure: &str) -> Vec<Value> {
    names.iter().map(|name| methods[*name][figure].clone()).collect()
}

#[test]
fn example_1() {
    let names = ["main", "a", "b", "c", "x", "y"];
    for jdk in in_turn() {
        let scratch = Scratch::new("example-1");
        let profile = scratch.file("example.subsume");
        Launch::new(jdk, "Example1", scratch.path()).profiled(&profile).run_well();

        let options = ["--metric", "calls", "--height", "1", "--distance", "1"];
        let found = methods(&profile, "Example1", &options);
        // Table 1's invocations; main and its callees cost what they are called,
        // so exclusive cost is the same column.
        let calls = [1, 2, 3, 6, 12, 2].map(Value::from);
        assert_eq!(figures(&found, &names, "calls"), calls, "{jdk}");
        assert_eq!(figures(&found, &names, "exclusive"), calls, "{jdk}");
        // Table 3. Main is a root, which nothing dominates.
        assert_eq!(figures(&found, &names, "height"), [4, 3, 2, 1, 0, 0].map(Value::from), "{jdk}");
        let distances = [json!(null), json!(1), json!(2), json!(1), json!(2), json!(1)];
        assert_eq!(figures(&found, &names, "distance"), distances, "{jdk}");
        let dominators: Vec<_> = figures(&found, &names, "dominator")
            .iter()
            .map(|dominator| dominator["name"].clone())
            .collect();
        let expected =
            [json!(null), json!("main"), json!("main"), json!("b"), json!("b"), json!("a")];
        assert_eq!(dominators, expected, "{jdk}");
        // Figure 3's choice: main and b, at bounds of 1.
        let subsuming = [true, false, true, false, false, false].map(Value::from);
        assert_eq!(figures(&found, &names, "subsuming"), subsuming, "{jdk}");

        // Figure 1: the same tree, whatever else the JVM did around it.
        let tree: Vec<_> = contexts(&profile, "calls")
            .into_iter()
            .filter(|(path, _)| path.split(';').all(|frame| frame.starts_with("Example1.")))
            .map(|(path, calls)| (path.replace("Example1.", ""), calls))
            .collect();
        let expected = [
            ("main", 1),
            ("main;a", 2),
            ("main;a;b", 2),
            ("main;a;b;c", 4),
            ("main;a;b;c;x", 4),
            ("main;a;b;x", 4),
            ("main;a;y", 2),
            ("main;b", 1),
            ("main;b;c", 2),
            ("main;b;c;x", 2),
            ("main;b;x", 2),
        ]
        .map(|(path, calls)| (path.to_owned(), calls));
        assert_eq!(tree, expected, "{jdk}");
    }
}

#[test]
fn recursion() {
    let names = ["main", "a", "b", "c"];
    for jdk in in_turn() {
        let scratch = Scratch::new("recursion");
        let profile = scratch.file("recursion.subsume");
        Launch::new(jdk, "Recursion", scratch.path()).profiled(&profile).run_well();

        // The third a;b moves up: heights are 5, 4 and 3 instead of 7, 6 and 5.
        let found = methods(&profile, "Recursion", &["--metric", "calls"]);
        assert_eq!(figures(&found, &names, "height"), [5, 4, 3, 0].map(Value::from), "{jdk}");
        let distances = [json!(null), json!(3), json!(1), json!(1)];
        assert_eq!(figures(&found, &names, "distance"), distances, "{jdk}");
        assert_eq!(figures(&found, &names, "inclusive"), [8, 7, 6, 1].map(Value::from), "{jdk}");
        assert_eq!(figures(&found, &names, "calls"), [1, 3, 3, 1].map(Value::from), "{jdk}");
    }
}
