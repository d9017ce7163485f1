//! Commands on data flow leave out what happens once, and say so.

use made_profiles::dataflow::for_whom::for_whom;

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
