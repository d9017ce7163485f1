//! Objects of every kind have the sites that they were made at.

use support::{in_turn, ways_in_turn};

use super::check;
use crate::rig::Recording;

#[test]
fn every_object_says_where_it_was_made() {
    for jdk in in_turn() {
        let mut variants: Vec<&[&str]> = vec![
            &["-XX:+UseSerialGC"],
            &["-XX:+UseG1GC", "-Xint"],
            &["-XX:+UseZGC", "-XX:TieredStopAtLevel=1"],
        ];
        if jdk.release >= 25 {
            variants.push(&["-XX:+UseSerialGC", "-XX:+UseCompactObjectHeaders"]);
        } else {
            variants.push(&["-XX:+UseParallelGC", "-XX:-UseCompressedClassPointers"]);
        }
        for jvm in ways_in_turn(&variants, 1) {
            let recorded = Recording::new(jdk, "Kinds", "mode=copies").with(jvm).run();
            let (last, lines) = recorded.lines.split_last().expect("the program prints");
            assert_eq!(last, "0 is the tag of null");
            assert!(lines.len() > 50, "only {} objects were checked", lines.len());
            let wrong: Vec<String> =
                lines.iter().filter_map(|line| check(&recorded.profile, line)).collect();
            assert!(wrong.is_empty(), "{jdk} {jvm:?}:\n{}", wrong.join("\n"));
        }
    }
}
