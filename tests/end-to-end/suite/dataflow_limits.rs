//! What happens where memory or contexts end while data is followed: the program
//! runs on, the file keeps to its bound, and what is missing is said. With as
//! many contexts as may be, data is followed all the same.

use std::collections::BTreeMap;

use profile::Profile;
use profile::dataflow::{CostGraph, LostOrigins, Place};

use crate::limits::{assert_says_what_is_missing, assert_undisturbed, run_after};
use crate::repeatable::REPEATABLE;
use support::{Scratch, in_turn, subsume};

const MODES: [&str; 3] = ["copies", "calls+costs", "calls+nulls"];

/// Origins that were lost, for whatever reason.
fn lost(profile: &Profile) -> &[LostOrigins] {
    let flow = &profile.dataflow;
    let copies = flow.copies.as_ref().map(|copies| &copies.objects.lost);
    let costs = flow.costs.as_ref().map(|costs| &costs.objects.lost);
    let nulls = flow.nulls.as_ref().map(|nulls| &nulls.lost);
    copies.or(costs).or(nulls).expect("data flow was recorded")
}

fn lost_for_room(profile: &Profile) -> u64 {
    let for_room = lost(profile).iter().filter(|lost| lost.reason.contains("had no room"));
    for_room.map(|lost| lost.values).sum()
}

/// How often what was executed or copied in the program's own methods, by method
/// and position.
fn executed(profile: &Profile) -> BTreeMap<String, u64> {
    let mut found = BTreeMap::new();
    let mut add = |place: Place, times: u64| {
        let Some(method) = place.method.map(|method| &profile.methods[method.0 as usize]) else {
            return;
        };
        if profile.classes[method.class.0 as usize].name == "Deterministic" {
            let at = format!("{}{}:{}", method.name, method.descriptor, place.bci);
            *found.entry(at).or_default() += times;
        }
    };
    if let Some(costs) = &profile.dataflow.costs {
        let place = |costs: &CostGraph, node| costs.instruction(node).place;
        for (number, node) in (0..).zip(&costs.nodes) {
            add(place(costs, profile::dataflow::CostNodeId(number)), node.frequency);
        }
    }
    if let Some(copies) = &profile.dataflow.copies {
        for edge in &copies.edges {
            add(copies.stores[edge.store.0 as usize].place, edge.count);
        }
    }
    found
}

#[test]
fn data_is_followed_to_the_end_of_memory_and_beyond_that_of_contexts() {
    for jdk in in_turn() {
        let plain = run_after(":", jdk, REPEATABLE, None);
        for mode in MODES {
            let scratch = Scratch::new("flow-shortage");
            let before = format!("cd {}", scratch.path().display());
            let record = |name: &str, option: &str, lines| {
                let file = scratch.file(name);
                let agent = format!("mode={mode},out={}{option}", file.display());
                let what = format!("mode={mode}{option} on {jdk}");
                let output = run_after(&before, jdk, REPEATABLE, Some(&agent));
                (assert_undisturbed(&output, &plain, lines, &what), file, what)
            };
            let (_, file, what) = record("whole.subsume", "", 0);
            let whole = profile::read_file(&file).expect("the profile was written");
            assert_eq!(lost_for_room(&whole), 0, "{what}");
            assert!(mode == "calls+nulls" || !executed(&whole).is_empty(), "{what}");

            let (said, file, what) = record("contexts.subsume", ",max-contexts=9000", 1);
            assert!(said.contains("max-contexts=9000"), "{what}: {said}");
            let part = assert_says_what_is_missing(&file, "max-contexts=9000", &what);
            assert!(part.nodes.len() < 20_000, "{what}: {}", part.nodes.len());
            assert_eq!(lost_for_room(&part), 0, "{what}");
            assert_eq!(executed(&part), executed(&whole), "{what}");

            let (said, file, what) = record("memory.subsume", ",max-memory=5m", 1);
            assert!(said.contains("max-memory=5242880"), "{what}: {said}");
            let part = assert_says_what_is_missing(&file, "max-memory=5242880", &what);
            assert!(part.run.recording_bytes <= 5 << 20, "{what}: {}", part.run.recording_bytes);
            let info = subsume(&["info".as_ref(), "--json".as_ref(), file.as_os_str()]);
            if mode != "calls+nulls" {
                assert!(lost_for_room(&part) > 0, "{what}");
                assert!(info.contains("had no room for"), "{what}: {info}");
            }
        }
    }
}
