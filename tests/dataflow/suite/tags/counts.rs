//! Numbers of objects against those of the program, bytes against what the JVM
//! says that the thread allocated.

use std::collections::BTreeMap;

use profile::dataflow::Allocations;
use support::{in_turn, ways_in_turn};

use super::objects;
use crate::rig::Recording;

#[test]
fn objects_and_bytes_are_exact() {
    for jdk in in_turn() {
        let mut variants: Vec<&[&str]> = vec![&["-XX:+UseSerialGC", "-Xint"], &["-XX:+UseG1GC"]];
        if jdk.release >= 25 {
            variants.push(&["-XX:+UseSerialGC", "-Xint", "-XX:+UseCompactObjectHeaders"]);
        } else {
            variants.push(&["-XX:+UseSerialGC", "-Xint", "-XX:-UseCompressedOops"]);
        }
        for jvm in ways_in_turn(&variants, 1) {
            let recorded = Recording::new(jdk, "Counted", "mode=copies").with(jvm).run();
            let objects = objects(&recorded.profile);
            let mut sums: BTreeMap<&str, Allocations> = BTreeMap::new();
            for (tag, made) in objects.tags.iter().zip(&objects.allocations) {
                let site = &objects.sites[tag.site.0 as usize];
                let is_here = site.place.method.is_some_and(|method| {
                    let class = recorded.profile.methods[method.0 as usize].class;
                    recorded.profile.classes[class.0 as usize].name.starts_with("Counted")
                });
                if is_here {
                    let sum = sums.entry(&site.class).or_default();
                    sum.objects += made.objects;
                    sum.bytes += made.bytes;
                }
            }
            assert_eq!(recorded.lines.len(), 7);
            for line in &recorded.lines {
                let parts: Vec<&str> = line.split('\t').collect();
                let [class, made, bytes] = parts[..] else { panic!("{line}") };
                let mut expected = Allocations {
                    objects: made.parse().expect("a number"),
                    bytes: bytes.parse().expect("a number"),
                };
                let mut found = sums[class];
                if class == "Counted$Twin" {
                    // The first one is not a clone.
                    let one = found.bytes / found.objects;
                    found.objects -= 1;
                    found.bytes -= one;
                }
                if !jvm.contains(&"-Xint") {
                    // Compiled code may make none of an object that nobody keeps, and the
                    // compilers' threads take their own.
                    expected.bytes = found.bytes;
                }
                assert_eq!(found, expected, "{jdk} {jvm:?}: {class}");
            }
        }
    }
}
