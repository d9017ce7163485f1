//! Exceptions stay what they are, and those that nobody catches are told apart.

use support::jdks;

use super::met;
use crate::rig::Recording;

#[test]
fn one_that_ends_the_program_is_not_caught() {
    for jdk in jdks() {
        let (plain, recorded) = Recording::new(jdk, "MapLookup", "mode=nulls").run_to_failure();
        assert_eq!(plain, recorded.output, "JDK {}", jdk.release);
        let met = met(&recorded.profile);
        let found = &met["MapLookup.main:14"];
        assert_eq!((found.caught, found.uncaught), (0, 1), "{met:#?}");
        let way = &found.ways[0];
        assert!(way[0].starts_with("null java.util.HashMap.get:"), "{met:#?}");
        assert!(way[1].starts_with("Return java.util.HashMap.get:"), "{met:#?}");
        assert_eq!(way[2..], ["Return MapLookup.find:7"], "{met:#?}");
    }
}

#[test]
fn messages_name_the_same_locals_fields_and_methods() {
    for jdk in jdks() {
        for mode in ["mode=nulls", "mode=copies", "mode=costs", "mode=calls"] {
            let (plain, recorded) = Recording::new(jdk, "Messages", mode).run_to_failure();
            assert!(plain.contains("because"), "{plain}");
            assert_eq!(plain, recorded.output, "JDK {}, {mode}", jdk.release);
        }
    }
}
