//! The inefficiencies that paper 002 found in real programs (sections 1.2, 3.6
//! and 4.3.2), from recording to answer: each is among the first three things that
//! the command for it lists. `costs` is asked about the program's own classes: what
//! the JVM does to start has structures that cost more for what they bring.

use serde_json::Value;

use kit::{Launch, Scratch, jdks, rules_programs, subsume};

const FIRST: usize = 3;

/// Runs, so that the program outweighs the start of the JVM.
const TIMES: &str = "400";

/// What a command lists first of a program, on each JDK: `key` is the list's
/// name in JSON.
fn first(program: &str, mode: &str, command: &str, key: &str, check: impl Fn(&Value) -> bool) {
    for jdk in jdks() {
        let scratch = Scratch::new("pathology");
        let profile = scratch.file("run.subsume");
        let output = Launch::new(jdk, "Repeatedly", scratch.path())
            .class_path(rules_programs())
            .agent(&format!("mode={mode},out={}", profile.display()))
            .argument(program)
            .argument(TIMES)
            .run_well();
        assert_eq!(output, "done\n", "{jdk}");
        let (own, file) = (format!("{program}*"), profile.display().to_string());
        let mut arguments = vec![command, "--json", "--top", "3", &file];
        if command == "costs" {
            arguments.extend(["--class", &own]);
        }
        let answer = subsume(&arguments);
        let answer: Value = serde_json::from_str(&answer).expect("the command prints valid JSON");
        let listed = answer[key].as_array().unwrap_or_else(|| panic!("no {key} in {answer}"));
        let found = listed.iter().take(FIRST).any(&check);
        assert!(found, "{program}, {jdk}, subsume {command}: {listed:#?}");
    }
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
        is(&structure["class"], "ListForItsSize$Item[]")
            || is(&structure["class"], "ListForItsSize$Bag")
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
        is(&structure["class"], "WrittenMoreThanRead$Statistics")
            || is(&structure["class"], "long[]") && structure["allocated_at"]["line"] == 3
    });
}
