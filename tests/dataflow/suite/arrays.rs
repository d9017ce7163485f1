//! Last writers of elements: what they take of the heap, when they are given
//! up, and that arrays never get those of others.

use profile::Profile;
use profile::dataflow::{ElementWriters, Place};
use support::{Jdk, in_turn};

use crate::rig::{Recorded, Recording};

const MODES: [&str; 2] = ["mode=costs", "mode=nulls"];

/// The heap of the second program, in which 65,536 arrays have last writers.
const SMALL_HEAP: &str = "-Xmx24m";

/// What that heap has room for.
const PLACES: usize = 1 << 16;

/// Laps of the ring that the hash of an array tells apart.
const LAPS: usize = 1 << 6;

#[test]
fn dead_arrays_take_nothing_of_the_heap() {
    for jdk in in_turn() {
        for mode in MODES {
            for hashed in ["-Dhashed=false", "-Dhashed=true"] {
                let jvm = ["-XX:+UseSerialGC", "-Xmx64m", hashed];
                let run = Recording::new(jdk, "Dying", mode).with(&jvm).run();
                let grown: i64 = run.lines[0].parse().expect("the program prints a number");
                assert!(grown < 512, "{jdk}, {mode}, {hashed}: {grown} kB");
            }
        }
    }
}

fn idle(jdk: &Jdk, mode: &str, jvm: &[&str]) -> (Recorded, ElementWriters) {
    let jvm = [&["-XX:+UseSerialGC", SMALL_HEAP], jvm].concat();
    let run = Recording::new(jdk, "Idle", mode).with(&jvm).run();
    assert_eq!(run.lines, ["4000"], "{jdk}, {mode} {jvm:?}");
    let flow = &run.profile.dataflow;
    let costs = flow.costs.as_ref().map(|costs| costs.element_writers);
    let writers = costs.or(flow.nulls.as_ref().map(|nulls| nulls.element_writers));
    (run, writers.expect("it was recorded"))
}

/// The methods whose stores are said to have led to what `look` loads.
fn writers(profile: &Profile) -> Vec<&str> {
    let method = |place: Place| {
        let method = &profile.methods[place.method?.0 as usize];
        let class = &profile.classes[method.class.0 as usize];
        (class.name == "Idle").then_some(method.name.as_str())
    };
    let mut places: Vec<(Place, Place)> = Vec::new();
    if let Some(costs) = &profile.dataflow.costs {
        let place = |node| costs.instruction(node).place;
        places.extend(costs.edges.iter().map(|&(from, to)| (place(from), place(to))));
    }
    if let Some(nulls) = &profile.dataflow.nulls {
        let place = |node: u32| nulls.nodes[node as usize].place;
        places.extend(nulls.edges.iter().map(|&(from, to)| (place(from.0), place(to.0))));
    }
    let into = places.iter().filter(|&&(_, to)| method(to) == Some("look"));
    let mut found: Vec<&str> = into.filter_map(|&(from, _)| method(from)).collect();
    found.retain(|&name| name != "look");
    found.sort_unstable();
    found.dedup();
    found
}

#[test]
fn arrays_that_are_used_again_soon_know_who_wrote_them() {
    for jdk in in_turn() {
        for mode in MODES {
            for locked in ["-Dlocked=false", "-Dlocked=true"] {
                let (run, known) = idle(jdk, mode, &[locked]);
                let what = format!("{jdk}, {mode}, {locked}");
                assert_eq!(writers(&run.profile), ["fill"], "{what}");
                assert_eq!((known.forgotten, known.misplaced), (0, 0), "{what}");
                assert!(known.bytes > 0, "{what}");
            }
        }
    }
}

#[test]
fn arrays_that_are_idle_for_long_lose_their_last_writers_and_get_no_others() {
    // In the last one, the place of most belongs to an array with the same bits of
    // the lap in its hash.
    for others in [5 * PLACES, LAPS * PLACES + PLACES / 2] {
        for jdk in in_turn() {
            for mode in MODES {
                for locked in ["-Dlocked=false", "-Dlocked=true"] {
                    let count = format!("-Dothers={others}");
                    let (run, known) = idle(jdk, mode, &[&count, locked]);
                    let what = format!("{jdk}, {mode}, {count} {locked}");
                    assert_eq!(writers(&run.profile), [""; 0], "{what}");
                    assert!(known.forgotten >= 4_000, "{what}: {known:?}");
                    assert_eq!(known.misplaced, 0, "{what}");
                }
            }
        }
    }
}

#[test]
fn arrays_that_lose_their_places_while_they_are_used_get_no_other_writers() {
    for jdk in in_turn() {
        for mode in MODES {
            let (run, known) = idle(jdk, mode, &["-Drounds=100"]);
            let writers = writers(&run.profile);
            let what = format!("{jdk}, {mode}: {writers:?}, {known:?}");
            assert!(writers.contains(&"fill"), "{what}");
            assert!(known.misplaced > 0 || !writers.contains(&"fillOther"), "{what}");
        }
    }
}
