//! Iterations of loops that have an effect, and those that have none.

use analysis::dataflow::growth::idle::Idle;
use profile::dataflow::LoopEffects;
use support::{each, in_turn, ways_in_turn};

use crate::growth::{JVMS, loops_of};

/// Methods of `GoesOn`, and of the first loop of each: instances without effect, and of
/// each other instance, iterations behind the last effect. The header is executed once
/// more than the body.
const EXPECTED: [(&str, u64, u64, Option<Idle>); 11] = [
    ("sum", 0, 1, None),
    ("finds", 0, 90, Some(Idle::CouldStopEarly)),
    ("findsInList", 0, 90, Some(Idle::CouldStopEarly)),
    ("contains", 20, 0, Some(Idle::Search)),
    ("ignores", 20, 0, Some(Idle::NoResult)),
    ("makes", 20, 0, Some(Idle::NoResult)),
    ("boxes", 20, 0, Some(Idle::NoResult)),
    ("yields", 0, 50, Some(Idle::CouldStopEarly)),
    ("calls", 0, 1, None),
    ("doubles", 0, 99, Some(Idle::CouldStopEarly)),
    ("largestRow", 0, 12, None),
];

#[test]
fn iterations_without_effect_are_counted() {
    for jdk in in_turn() {
        each(&ways_in_turn(&JVMS, 1), |jvm| {
            let found = loops_of(jdk, "GoesOn", jvm);
            let effects = |name: &str| -> LoopEffects {
                let name = format!("GoesOn.{name}");
                let one = found.iter().find(|(method, _)| *method == name);
                one.unwrap_or_else(|| panic!("no loop of {name}, {jdk} {jvm:?}")).1.effects
            };
            for (name, without, behind, verdict) in EXPECTED {
                let iterations = if name == "largestRow" { 13 } else { 100 };
                let expected = LoopEffects {
                    has_one_exit: name != "contains",
                    instances: 20,
                    iterations: 20 * iterations,
                    instances_without: without,
                    iterations_without: without * iterations,
                    iterations_behind: (20 - without) * behind,
                };
                assert_eq!(effects(name), expected, "{name}, {jdk} {jvm:?}");
                assert_eq!(Idle::of(&expected), verdict, "{name}");
            }
            assert_eq!(effects("startsWith").instances, 0, "{jdk} {jvm:?}");
        });
    }
}
