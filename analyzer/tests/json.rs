//! The JSON of `subsume methods` has exactly the promised shape.

use crate::fixture;
use std::path::Path;

use crate::fixture::command::subsume;
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
        vec!["merge", recording, "moves.subsume", "-o", "merged.subsume"],
        vec!["fleet", "add", "fleet", recording, "lines.subsume", "--label", "version=1"],
        vec!["fleet", "add", "fleet", "moves.subsume", "idle.subsume", "--label", "version=2"],
        vec!["fleet", "list", "fleet"],
        vec!["fleet", "methods", "fleet"],
        vec!["fleet", "diff", "fleet", "--from", "version=1", "--to", "version=2"],
        vec!["fleet", "gate", "fleet", "--from", "version=1", "--to", "version=2"],
        vec!["fleet", "outliers", "fleet"],
        vec!["fleet", "report", "fleet"],
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
        vec!["typestate", "typestate.subsume"],
        vec!["repeats", "results.subsume"],
        vec!["lines", "lines.subsume"],
        vec!["history", recording, "moves.subsume", recording],
    ] {
        let words = if arguments[0] == "fleet" { 2 } else { 1 };
        let (words, rest) = arguments.split_at(words);
        let output = subsume(&directory, &[words, &["--json"], rest].concat());
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

/// The same program, then with other code of `App.less`, which costs more, then with
/// calls that cost less.
#[test]
fn a_history_adds_up() {
    let directory = fixture::directory("json-history");
    let mut version = fixture::recording();
    version.code_hashes = (1..=version.methods.len() as u64).collect();
    fixture::write(&version, &directory.join("app-1.subsume"));
    let less = version.methods.iter().position(|method| method.name == "less").unwrap();
    version.code_hashes[less] += 100;
    for (factor, name) in [(3, "app-2.subsume"), (0, "app-3.subsume")] {
        let bytecodes = version.nodes.metrics.iter_mut().find(|m| m.name == "bytecodes").unwrap();
        for (method, value) in version.nodes.method.iter().zip(&mut bytecodes.values) {
            if *method as usize == less {
                *value *= factor;
            }
        }
        fixture::write(&version, &directory.join(name));
    }
    let answer =
        json(&directory, &["history", "--json", "app-1.subsume", "app-2.subsume", "app-3.subsume"]);
    let versions = answer["versions"].as_array().unwrap();
    assert_eq!(versions.iter().map(|v| &v["name"]).collect::<Vec<_>>(), ["1", "2", "3"]);
    for pair in versions.windows(2) {
        let difference = pair[1]["total"].as_i64().unwrap() - pair[0]["total"].as_i64().unwrap();
        assert_ne!(difference, 0);
        let change = &pair[1]["change"];
        let parts = ["by_changed_code", "by_data", "below"];
        let sum: i64 = parts.iter().map(|part| change[part].as_i64().unwrap()).sum();
        assert_eq!(sum, difference);
    }
    assert_eq!(versions[1]["change"]["changed_methods"], 1);
    assert_eq!(versions[2]["change"]["changed_methods"], 0);
    let methods = answer["methods"].as_array().unwrap();
    let less = methods.iter().find(|method| method["name"] == "less").unwrap();
    assert_eq!(less["changes"][0]["version"], "2");
    assert_eq!(less["changes"][0]["code"], "changed");
    let named = |at: usize| -> i64 {
        let of_version = methods.iter().flat_map(|method| method["changes"].as_array().unwrap());
        let of_version = of_version.filter(|change| change["version"] == versions[at]["name"]);
        of_version.map(|change| change["difference"].as_i64().unwrap()).sum()
    };
    for at in [1, 2] {
        let change = &versions[at]["change"];
        let explained =
            change["by_changed_code"].as_i64().unwrap() + change["by_data"].as_i64().unwrap();
        assert_eq!(named(at), explained);
    }
}

/// Programs need not read sentences to know that a profile lacks a method.
#[test]
fn what_a_profile_lacks_is_an_object() {
    let directory = fixture::directory("json-absent");
    let file = "recording.subsume";
    for words in [
        ["methods", "--json", "--under", "nobody.calls", file].as_slice(),
        &["callers", "--json", file, "nobody.calls"],
        &["methods", "--json", "--inside", "nobody.calls", file],
    ] {
        let output = subsume(&directory, words);
        assert_eq!(output.status.code(), Some(2), "{output:?}");
        let answer: Value = serde_json::from_slice(&output.stdout).unwrap();
        assert_eq!(answer["version"], 1);
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(said, format!("subsume: {}\n", answer["absent"].as_str().unwrap()));
        // Other errors are none of what the profile has.
        let missing: Vec<&str> =
            words.iter().map(|&word| if word == file { "missing.subsume" } else { word }).collect();
        let output = subsume(&directory, &missing);
        assert_eq!((output.status.code(), output.stdout.len()), (Some(2), 0), "{output:?}");
    }
}
