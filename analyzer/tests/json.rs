//! The JSON of `subsume methods` has exactly the promised shape.

mod fixture;

use std::path::Path;

use fixture::command::subsume;
use serde_json::Value;

fn json(directory: &Path, arguments: &[&str]) -> Value {
    let output = subsume(directory, arguments);
    assert!(output.status.success(), "{output:?}");
    serde_json::from_slice(&output.stdout).unwrap()
}

/// Names of the fields of an object, in their order in the text.
fn fields(value: &Value) -> Vec<&str> {
    value.as_object().unwrap().keys().map(String::as_str).collect()
}

fn sorted(mut names: Vec<&str>) -> Vec<&str> {
    names.sort_unstable();
    names
}

#[test]
fn methods_have_the_promised_fields() {
    let directory = fixture::directory("json");
    let answer = json(&directory, &["methods", "--all", "--json", "recording.subsume"]);
    let top = ["version", "metric", "total", "thresholds", "all", "subsuming", "top20", "methods"];
    assert_eq!(sorted(fields(&answer)), sorted(top.to_vec()));
    assert_eq!(answer["version"], 1);
    assert_eq!(sorted(fields(&answer["thresholds"])), ["distance", "height"]);
    assert_eq!(sorted(fields(&answer["all"])), ["contexts", "methods"]);
    assert_eq!(
        sorted(fields(&answer["subsuming"])),
        ["context_ratio", "contexts", "method_ratio", "methods"]
    );
    assert_eq!(sorted(fields(&answer["top20"])), ["exclusive", "inclusive", "new"]);

    let methods = answer["methods"].as_array().unwrap();
    // Seven executed methods and the virtual root, which has collected less.
    assert_eq!(methods.len(), 8);
    let of_method = [
        "class",
        "name",
        "descriptor",
        "height",
        "distance",
        "dominator",
        "induced",
        "inclusive",
        "exclusive",
        "calls",
        "contexts",
        "subsuming",
    ];
    for method in methods {
        assert_eq!(sorted(fields(method)), sorted(of_method.to_vec()));
        for cost in ["height", "induced", "inclusive", "exclusive", "calls", "contexts"] {
            assert!(method[cost].is_u64(), "{cost} of {method}");
        }
        assert!(method["subsuming"].is_boolean());
        assert_eq!(method["distance"].is_null(), method["dominator"].is_null());
        if let Some(dominator) = method["dominator"].as_object() {
            let names: Vec<&str> = dominator.keys().map(String::as_str).collect();
            assert_eq!(sorted(names), ["class", "descriptor", "name"]);
        }
    }
}

/// Whatever is asked, the version comes first.
#[test]
fn every_answer_has_a_version() {
    let directory = fixture::directory("json-version");
    let recording = "recording.subsume";
    for arguments in [
        vec!["info", recording],
        vec!["methods", recording],
        vec!["methods", "--inside", "App.less", recording],
        vec!["summary", recording],
        vec!["tree", recording],
        vec!["callers", recording, "App.less"],
        vec!["diff", recording, recording],
        vec!["export", recording],
        vec!["search", "--auto", recording],
        vec!["search", "--script", "search.script", recording],
        vec!["import", "example1.folded", "-o", "imported.subsume"],
        vec!["copies", "copies.subsume"],
        vec!["chains", "copies.subsume"],
        vec!["clones", "copies.subsume"],
        vec!["temporaries", "copies.subsume"],
        vec!["useless", "copies.subsume"],
        vec!["graph", "copies.subsume", "Main:39"],
        vec!["costs", "costs.subsume"],
        vec!["dead", "costs.subsume"],
        vec!["cost-of", "costs.subsume", "Main:35"],
        vec!["nulls", "nulls.subsume"],
        vec!["loops", "loops.subsume"],
        vec!["growth", "growth.subsume"],
        vec!["lines", "lines.subsume"],
    ] {
        let output = subsume(&directory, &[&arguments[..1], &["--json"], &arguments[1..]].concat());
        assert!(output.status.success(), "{arguments:?}: {output:?}");
        let text = String::from_utf8(output.stdout).unwrap();
        assert!(!text.is_empty());
        for line in text.lines() {
            assert!(line.starts_with(r#"{"version":1,"#), "{arguments:?}: {line}");
        }
    }
}

#[test]
fn induced_costs_add_up_to_the_total() {
    let directory = fixture::directory("json-total");
    for bound in ["0", "1", "4"] {
        for metric in ["bytecodes", "calls", "allocations"] {
            let arguments = [
                "methods",
                "--json",
                "--metric",
                metric,
                "--height",
                bound,
                "--distance",
                bound,
                "recording.subsume",
            ];
            let answer = json(&directory, &arguments);
            let methods = answer["methods"].as_array().unwrap();
            let sum: u64 = methods.iter().map(|m| m["induced"].as_u64().unwrap()).sum();
            assert_eq!(answer["total"], sum, "{metric} at {bound}");
            assert!(methods.iter().all(|method| method["subsuming"] == true));
        }
    }
}

#[test]
fn ratios_are_shares() {
    let directory = fixture::directory("json-ratios");
    let answer = json(&directory, &["methods", "--json", "recording.subsume"]);
    let ratio = |what: &str| {
        answer["subsuming"][what].as_u64().unwrap() as f64
            / answer["all"][what].as_u64().unwrap() as f64
    };
    assert_eq!(answer["subsuming"]["method_ratio"], ratio("methods"));
    assert_eq!(answer["subsuming"]["context_ratio"], ratio("contexts"));
}
