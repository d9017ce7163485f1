//! The inefficiencies that Xu et al. 2014 found in real programs (sections 1.2, 3.6
//! and 4.3.2), from recording to answer: each is among the first three things that
//! the command for it lists.

use serde_json::Value;

use support::{Jdk, Launch, Scratch, in_turn, rules_programs, subsume};

const FIRST: usize = 3;

/// Runs, so that the program outweighs the start of the JVM.
const TIMES: &str = "400";

/// The first ten entries that a command lists of a program: `key` is the list's
/// name in JSON.
fn listed(jdk: &Jdk, program: &str, mode: &str, command: &str, key: &str) -> Vec<Value> {
    let scratch = Scratch::new("pathology");
    let profile = scratch.file("run.subsume");
    let output = Launch::new(jdk, "Repeatedly", scratch.path())
        .class_path(rules_programs())
        .agent(&format!("mode={mode},out={}", profile.display()))
        .argument(program)
        .argument(TIMES)
        .run_well();
    assert_eq!(output, "done\n", "{jdk}");
    let file = profile.display().to_string();
    let own = format!("{program}*");
    let mut arguments = vec![command, "--json", "--top", "10", &file];
    if program == "ThereAndBack" {
        // All its values are used in the end, so there is no excess cost, and it
        // stands behind everything that has some.
        arguments.extend(["--class", &own]);
    }
    let answer = subsume(&arguments);
    let answer: Value = serde_json::from_str(&answer).expect("the command prints valid JSON");
    answer[key].as_array().unwrap_or_else(|| panic!("no {key} in {answer}")).clone()
}

/// What a command lists first of a program, on each JDK.
fn first(program: &str, mode: &str, command: &str, key: &str, check: impl Fn(&Value) -> bool) {
    for jdk in in_turn() {
        let listed = listed(jdk, program, mode, command, key);
        let found = listed.iter().take(FIRST).any(&check);
        assert!(found, "{program}, {jdk}, subsume {command}: {listed:#?}");
    }
}

/// True if its excess cost is more than a thousandth of the run.
fn has_excess(structure: &Value) -> bool {
    structure["share"].as_f64().is_some_and(|share| share > 0.001)
}

fn is(value: &Value, wanted: &str) -> bool {
    value.as_str().is_some_and(|text| text == wanted)
}

#[test]
fn temporaries_that_carry_data_over_one_call() {
    first("CarryingTemporaries", "copies", "temporaries", "sites", |site| {
        is(&site["class"], "CarryingTemporaries$MethodInfo")
    });
}

#[test]
fn strings_for_an_assertion_that_never_fires() {
    first("UnusedMessages", "copies", "temporaries", "sites", |site| {
        is(&site["kind"], "concat") && site["allocated_at"]["line"] == 11
    });
}

#[test]
fn a_list_built_to_ask_its_size() {
    first("ListForItsSize", "costs", "costs", "structures", |structure| {
        is(&structure["class"], "ListForItsSize$Bag") && has_excess(structure)
    });
}

#[test]
fn a_directory_list_built_to_ask_whether_it_is_empty() {
    first("DirectoryList", "costs", "costs", "structures", |structure| {
        let line = &structure["allocated_at"]["line"];
        is(&structure["class"], "java.util.ArrayList") && *line == 15 && has_excess(structure)
    });
}

#[test]
fn buffers_for_assertions_that_never_fire() {
    // The paper has 46 strings and buffers among the first 50. There are nine places
    // that make buffers, one of which has little to do.
    for jdk in in_turn() {
        let listed = listed(jdk, "BuffersForAssertions", "costs", "costs", "structures");
        let is_text = |entry: &Value| {
            let class = entry["class"].as_str().unwrap_or_default();
            ["java.lang.StringBuffer", "java.lang.String", "byte[]"].contains(&class)
        };
        let are_texts = listed[..8].iter().all(|entry| is_text(entry) && has_excess(entry));
        assert!(are_texts, "{jdk}: {listed:#?}");
    }
}

#[test]
fn a_counter_nobody_reads() {
    first("CounterNobodyReads", "costs", "costs", "structures", |structure| {
        is(&structure["class"], "CounterNobodyReads$Cache") && has_excess(structure)
    });
}

#[test]
fn objects_cloned_to_be_compared() {
    first("ClonesToCompare", "copies", "clones", "clones", |entry| {
        let (from, to) = (&entry["pairs"][0]["from"], &entry["pairs"][0]["to"]);
        is(&from["class"], "ClonesToCompare$Calendar") && is(&to["kind"], "clone")
    });
}

#[test]
fn floats_turned_into_ints_and_back() {
    first("ThereAndBack", "costs", "costs", "structures", |structure| {
        is(&structure["class"], "ThereAndBack$Matrix")
    });
}

#[test]
fn hash_codes_computed_again() {
    first("HashedAgain", "costs", "dead", "methods", |method| {
        is(&method["method"]["class"], "HashedAgain$Word") && is(&method["method"]["name"], "hash")
    });
}

#[test]
fn an_array_written_more_often_than_read() {
    first("WrittenMoreThanRead", "costs", "costs", "structures", |structure| {
        is(&structure["class"], "WrittenMoreThanRead$Statistics") && has_excess(structure)
    });
}
