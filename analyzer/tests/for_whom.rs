//! Commands on data flow leave out what happens once, and say so.

use made_profiles::dataflow::for_whom::for_whom;
use serde_json::Value;

use crate::fixture;
use crate::fixture::command::subsume;

/// What a command prints first of a recording.
fn said(name: &str, keep: &[usize], command: &[&str]) -> String {
    let directory = fixture::directory(name);
    let mut profile = for_whom();
    for metric in &mut profile.nodes.metrics {
        for (node, value) in metric.values.iter_mut().enumerate() {
            *value *= u64::from(keep.contains(&node));
        }
    }
    fixture::write(&profile, &directory.join("changed.subsume"));
    let output = subsume(&directory, &[command, &["changed.subsume"]].concat());
    assert!(output.status.success(), "{output:?}");
    String::from_utf8(output.stdout).unwrap()
}

/// A program of which nothing is left is shown with its start.
#[test]
fn what_is_nearly_all_start_up_stays() {
    // The static initialiser with what it calls: 80 of 84 copies, all 45 allocations, and
    // 1,500 of 1,600 bytecodes.
    let start = [0, 6, 7, 8];
    for (command, share) in [
        ("copies", "95.24% of the copies"),
        ("temporaries", "100.00% of the allocations"),
        ("repeats", "93.75% of the bytecodes"),
    ] {
        let said = said(&format!("all-start-{command}"), &start, &[command]);
        let line = format!("Start-up and first calls are {share}, so nothing is left out");
        assert!(said.contains(&line), "{said}");
        assert!(said.contains("java.util.Arrays"), "{said}");
    }
}

/// Without a start there is no line.
#[test]
fn what_has_no_start_says_nothing_of_it() {
    for command in ["copies", "temporaries", "repeats"] {
        let said = said(&format!("no-start-{command}"), &[0, 1, 2, 3, 4, 5], &[command]);
        assert!(!said.contains("tart-up"), "{said}");
    }
}

/// With `--own`, what is for others' code is for the nearest method of one's own.
#[test]
fn the_user_says_for_whose_methods_code_works() {
    let directory = fixture::directory("for-own");
    fixture::write(&for_whom(), &directory.join("of.subsume"));
    let asked = |command: &str, own: &[&str]| -> Value {
        let words = [&[command, "--json", "--top", "0", "of.subsume"], own].concat();
        let output = subsume(&directory, &words);
        assert!(output.status.success(), "{output:?}");
        serde_json::from_slice(&output.stdout).unwrap()
    };
    let names = |list: &Value| -> Vec<String> {
        let of = |part: &Value| match part["method"]["name"].as_str() {
            Some(name) => format!("{}.{name}", part["method"]["class"].as_str().unwrap()),
            None => part["whom"].as_str().unwrap().to_owned(),
        };
        list.as_array().unwrap().iter().map(of).collect()
    };
    let all = asked("copies", &[]);
    assert_eq!(
        names(&all["for_whom"]),
        ["app.Main.line", "app.Report.print", "jdk", "app.Main.main"]
    );
    let own = asked("copies", &["--own", "app.Main"]);
    // What Report.print has copied it has copied for Main.main.
    assert_eq!(names(&own["for_whom"]), ["app.Main.line", "app.Main.main", "others"]);
    let share = |answer: &Value, at: usize| answer["for_whom"][at]["share"].as_f64().unwrap();
    assert!((share(&own, 1) - share(&all, 1) - share(&all, 3)).abs() < 1e-5);
    for command in ["chains", "clones", "temporaries", "useless", "repeats", "dead"] {
        let said = asked(command, &["--own", "app.Main"]).to_string();
        assert!(!said.contains("\"whom\":\"jdk\""), "{command}: {said}");
    }
    let said = subsume(&directory, &["copies", "--own", "app.Main", "of.subsume"]);
    let said = String::from_utf8(said.stdout).unwrap();
    assert!(said.contains("the nearest method of your own code"), "{said}");
    assert!(said.contains("code of others alone"), "{said}");
}
