//! The steps from where a null is born to where it is met.

use super::{Met, met, on_each, way};

#[test]
fn of_fields_and_elements_that_nobody_has_set() {
    on_each("NeverSet", |jdk, profile| {
        let met = met(profile);
        let found = &met["NeverSet.length:8"];
        assert_eq!((found.caught, found.uncaught, found.unknown), (3, 0, 0), "{met:#?}");
        let mut ways = found.ways.clone();
        ways.sort();
        let expected = [
            ["Initial NeverSet.held NeverSet.main:16", "Argument argument 1 NeverSet.main:16"],
            ["Initial NeverSet.name NeverSet.main:18", "Argument argument 1 NeverSet.main:18"],
            ["Initial an element NeverSet.main:17", "Argument argument 1 NeverSet.main:17"],
        ];
        assert_eq!(ways, expected, "JDK {}", jdk.release);
    });
}

#[test]
fn of_a_constant_through_calls() {
    on_each("ThroughCalls", |jdk, profile| {
        let met = met(profile);
        let expected = [
            "null ThroughCalls.main:16",
            "Argument argument 1 ThroughCalls.main:19",
            "Argument argument 2 ThroughCalls.first:4",
            "Argument argument 1 ThroughCalls.second:8",
        ];
        assert_eq!(way(&met, "ThroughCalls.third:12", jdk), expected);
        assert_eq!(met.len(), 1, "{met:#?}");
    });
}

#[test]
fn through_the_heap() {
    on_each("StoredAway", |jdk, profile| {
        let met = met(profile);
        let found = &met["StoredAway.meet:15"];
        assert_eq!((found.caught, found.unknown), (7, 0), "{met:#?}");
        let begin = ["null StoredAway.none:10", "Return StoredAway.none:10"];
        let has = |steps: &[&str]| {
            let is_there = found.ways.iter().any(|way| {
                way[..2] == begin && {
                    let rest: Vec<&str> = way[2..].iter().map(String::as_str).collect();
                    rest == steps
                }
            });
            assert!(is_there, "JDK {}: {steps:?} in {met:#?}", jdk.release);
        };
        has(&[
            "Argument argument 1 StoredAway.main:27",
            "Store StoredAway.held StoredAway.set:22",
            "Load StoredAway.held StoredAway.main:28",
            "Argument argument 1 StoredAway.main:28",
        ]);
        has(&[
            "Store StoredAway.kept StoredAway.main:29",
            "Load StoredAway.kept StoredAway.main:30",
            "Argument argument 1 StoredAway.main:30",
        ]);
        has(&[
            "Store an element StoredAway.main:32",
            "Load an element StoredAway.main:33",
            "Argument argument 1 StoredAway.main:33",
        ]);
        has(&[
            "Store an element StoredAway.main:32",
            "Store an element StoredAway.main:34",
            "Load an element StoredAway.main:34",
            "Argument argument 1 StoredAway.main:34",
        ]);
        has(&[
            "Store StoredAway.kept StoredAway.main:43",
            "Load StoredAway.kept StoredAway.main:44",
            "Argument argument 1 StoredAway.main:44",
        ]);
        // What was cloned was stored by who stored it in the original.
        has(&[
            "Argument argument 1 StoredAway.main:27",
            "Store StoredAway.held StoredAway.set:22",
            "Load StoredAway.held StoredAway.main:36",
            "Argument argument 1 StoredAway.main:36",
        ]);
        let list = found.ways.iter().find(|way| {
            way.last().is_some_and(|last| last == "Argument argument 1 StoredAway.main:42")
        });
        let list = list.unwrap_or_else(|| panic!("{met:#?}"));
        assert_eq!(list[..3], [begin[0], begin[1], "Argument argument 1 StoredAway.main:38"]);
        assert!(list.iter().any(|step| step.contains("Store an element java.util.Arrays.copyOf")));
        assert!(list.iter().any(|step| step.starts_with("Return java.util.ArrayList.get:")));
    });
}

#[test]
fn out_of_a_handler_and_by_one_of_two_ways() {
    on_each("Handlers", |jdk, profile| {
        let met = met(profile);
        let expected = ["null Handlers.parsed:8", "Return Handlers.parsed:10"];
        assert_eq!(way(&met, "Handlers.main:21", jdk), expected);
        let found = &met["Handlers.chosen:15"];
        assert_eq!((found.caught, found.uncaught), (0, 1), "JDK {}: {met:#?}", jdk.release);
        let way = way(&met, "Handlers.chosen:15", jdk);
        assert!(way[0].starts_with("null Handlers.lambda$main$"), "{way:?}");
        assert!(way[1].starts_with("Argument argument 2 Handlers.lambda$main$"), "{way:?}");
        assert_eq!(way.len(), 2);
    });
}

#[test]
fn out_of_native_code() {
    on_each("FromNative", |jdk, profile| {
        let met = met(profile);
        assert_eq!(way(&met, "FromNative.main:16", jdk), ["Native FromNative.main:16"]);
        // What code throws itself is not the JVM's; of what natives raise, the
        // number is known.
        assert_eq!(met.values().map(|met: &Met| met.caught).sum::<u64>(), 1, "{met:#?}");
        let nulls = profile.dataflow.nulls.as_ref().expect("nulls were recorded");
        let elsewhere = nulls.lost.iter().find(|lost| lost.reason.contains("natives"));
        assert_eq!(elsewhere.map(|lost| lost.values), Some(1), "{:?}", nulls.lost);
    });
}
