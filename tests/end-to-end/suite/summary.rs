//! The first answer names the cause: of a program with one bug amid other work.

use support::{Launch, Scratch, compiled, in_turn, oldest, subsume};

#[test]
fn a_long_list_that_is_searched_in_a_loop() {
    for jdk in in_turn() {
        let scratch = Scratch::new("summary");
        let profile = scratch.file("run.subsume");
        Launch::new(jdk, "LongListAmongShort", scratch.path())
            .class_path(compiled("main"))
            .agent(&format!("out={}", profile.display()))
            .run_well();
        let file = profile.display().to_string();
        let answer: serde_json::Value =
            serde_json::from_str(&subsume(&["summary", "--json", &file])).expect("it is JSON");
        let calls = &answer["suspicious_calls"][0];
        assert_eq!(calls["caller"]["name"], "withoutDuplicates", "{jdk}: {answer}");
        assert_eq!(calls["callee"]["class"], "java.util.ArrayList", "{jdk}: {answer}");
        assert_eq!(calls["callee"]["name"], "contains", "{jdk}: {answer}");
        assert_eq!(calls["calls"], 600, "{jdk}: {answer}");

        let path = |place: &serde_json::Value| -> Vec<String> {
            let frames = place["path"].as_array().expect("a place has a path");
            frames.iter().filter_map(|f| Some(f["name"].as_str()?.to_owned())).collect()
        };
        let first = &answer["places"][0];
        assert_eq!(path(first), ["main", "withoutDuplicates"], "{jdk}: {answer}");
        assert_eq!(first["goes_on"][0]["name"], "contains", "{jdk}: {answer}");

        // Other commands leave the same out, if they are asked to.
        let total = |command: &[&str]| -> u64 {
            let answer: serde_json::Value =
                serde_json::from_str(&subsume(&[command, &["--json", &file]].concat()))
                    .expect("JSON");
            answer["total"].as_u64().expect("a number")
        };
        assert_eq!(answer["start_up"]["is_left_out"], true, "{jdk}: {answer}");
        for command in ["methods", "tree"] {
            assert_eq!(total(&[command, "--without-start"]), answer["total"], "{command} on {jdk}");
            assert_eq!(total(&[command]), answer["start_up"]["of"], "{command} on {jdk}");
        }

        // And opened, row by row, the caller's cost is the search.
        let inside = subsume(&["methods", "--inside", "withoutDuplicates", "--json", &file]);
        let inside: serde_json::Value = serde_json::from_str(&inside).expect("it is JSON");
        let place = &inside["places"][0];
        assert_eq!(path(place), ["withoutDuplicates", "contains"], "{jdk}: {inside}");
        let share = place["cost"].as_f64().unwrap_or(0.0) / inside["cost"].as_f64().unwrap_or(1.0);
        assert!(share > 0.5, "{jdk}: {inside}");
    }
}

/// Where results are recorded, the loop says with how many arguments it asks.
#[test]
fn a_query_in_a_loop_with_its_arguments() {
    let scratch = Scratch::new("summary-loop-results");
    let profile = scratch.file("a.subsume");
    let agent = format!("mode=results,out={}", profile.display());
    Launch::new(oldest(), "AsksInALoop", scratch.path()).agent(&agent).run();
    let file = profile.display().to_string();
    let answer = subsume(&["summary", "--wide", &file]);
    let expected = "AsksInALoop.totals > AsksInALoop.totalOf \
                    (50 times each, with 50 different arguments in 2,000 calls)";
    assert!(answer.contains(expected), "{answer}");
}

/// A query in a loop is one entry, with the loop, and not three with what a query does.
#[test]
fn a_query_in_a_loop() {
    let scratch = Scratch::new("summary-loop");
    let profile = scratch.file("a.subsume");
    let agent = format!("out={}", profile.display());
    Launch::new(oldest(), "AsksInALoop", scratch.path()).agent(&agent).run();
    let file = profile.display().to_string();
    let answer = subsume(&["summary", "--wide", &file]);
    assert!(
        answer.contains("AsksInALoop.totals > AsksInALoop.totalOf (50 times each)"),
        "{answer}"
    );
    for place in ["parse", "execute", "fetch"] {
        assert!(answer.contains(&format!(" in AsksInALoop.{place}")), "{place}: {answer}");
    }
    // What it says to type next can be typed.
    let next = answer.lines().find(|line| line.contains("--inside AsksInALoop.totalOf"));
    let words: Vec<&str> = next.expect("each entry has it").split_whitespace().skip(1).collect();
    assert!(subsume(&words).contains("AsksInALoop.totalOf"));
}
