//! Programs whose classes cannot have last writers, or get them late.

use profile::Profile;
use support::in_turn;

use crate::rig::Recording;

/// When recording begins: when the JVM starts, or where the program says.
const STARTS: [(&str, &[&str]); 4] = [
    ("", &[]),
    (",start=off", &["-Dstart=first"]),
    (",start=off", &["-Dstart=between"]),
    (",start=off", &["-Dstart=late"]),
];

const FULL: &str = "Crowded$Full";

/// What the profile says of the class that has no room.
fn reasons(profile: &Profile) -> Vec<&str> {
    let of_full = profile.skipped.iter().filter(|skipped| skipped.class == FULL);
    of_full.filter(|skipped| skipped.method.is_empty()).map(|at| at.reason.as_str()).collect()
}

#[test]
fn code_may_name_fields_of_classes_without_room() {
    for jdk in in_turn() {
        let plain = Recording::new(jdk, "Crowded", "mode=calls").run().lines;
        assert_eq!(plain.len(), 5, "{jdk}");
        for mode in ["mode=costs", "mode=nulls"] {
            for (start, jvm) in STARTS {
                let options = format!("{mode}{start}");
                let run = Recording::new(jdk, "Crowded", &options).with(jvm).run();
                assert_eq!(run.lines, plain, "{jdk}, {options} {jvm:?}");
                let reasons = reasons(&run.profile);
                let says = |reason: &&str| reason.contains("do not know who wrote them last");
                assert!(reasons.iter().any(says), "{jdk}, {options}: {reasons:?}");
            }
        }
    }
}

#[test]
fn classes_that_are_left_out_have_last_writers_all_the_same() {
    for jdk in in_turn() {
        let plain = Recording::new(jdk, "Crowded", "mode=calls").run().lines;
        for mode in ["mode=costs", "mode=nulls"] {
            for left_out in ["Crowded$Full", "Crowded$Heir", "Crowded$Neighbour"] {
                let options = format!("{mode},exclude={left_out}");
                let run = Recording::new(jdk, "Crowded", &options).run();
                assert_eq!(run.lines, plain, "{jdk}, {options}");
            }
        }
    }
}
