//! A program whose calls, bytecodes and objects were counted by hand.

use std::collections::BTreeMap;
use std::path::Path;

use support::{Launch, Scratch, contexts, in_turn};

/// Path without class names, calls, bytecodes, objects and arrays, counted in
/// what `javap -c` prints, up to and with the instruction that throws.
const EXPECTED: &[(&str, u64, u64, u64)] = &[
    ("main", 1, 56, 3),
    // 4 before the loop, 11 tests of 3, 10 bodies of 4 + 2, 5 sums of 4, 2 after it.
    ("main;loop", 1, 119, 0),
    // 4 for case 0, 6 for case 1, 4 for the default.
    ("main;choose", 3, 14, 0),
    ("main;choose;leaf", 2, 8, 0),
    // One constructor calls another, that one its superclass's, that one Object's.
    ("main;Cell.<init>", 1, 5, 0),
    ("main;Cell.<init>;Cell.<init>", 1, 8, 1),
    ("main;Cell.<init>;Cell.<init>;Base.<init>", 1, 6, 0),
    ("main;Cell.<init>;Cell.<init>;Base.<init>;Object.<init>", 1, 1, 0),
    ("main;Cell.add", 1, 9, 0),
    // The JVM initialises the class where main reads its field.
    ("main;Lazy.<clinit>", 1, 4, 0),
    ("main;Lazy.<clinit>;leaf", 1, 4, 0),
    // 3; 2, as the second call does not return, and 3 in the handler.
    ("main;explicit", 2, 8, 0),
    // 4 for the returned value, 6 up to and with the throw.
    ("main;explicit;positive", 2, 10, 1),
    // 9 + 2 without exception; 6 to the store that throws, 2 in the handler, 2.
    ("main;implicit", 2, 21, 0),
    // 9 through the first copy of the finally block; 2 and 9 through the second.
    ("main;cleanUp", 2, 20, 0),
    // 6; 3, as the third is the division by zero.
    ("main;cleanUp;divide", 2, 9, 0),
];

/// The program's own contexts, without those of the class library.
fn own(profile: &Path, metric: &str) -> BTreeMap<String, u64> {
    contexts(profile, metric)
        .into_iter()
        .map(|(path, cost)| (path.replace("java.lang.Object.", "Object."), cost))
        .filter(|(path, _)| {
            path.split(';')
                .all(|frame| frame.starts_with("HandCounted") || frame == "Object.<init>")
        })
        .map(|(path, cost)| (path.replace("HandCounted$", "").replace("HandCounted.", ""), cost))
        .collect()
}

fn expected(count: impl Fn(&(&str, u64, u64, u64)) -> u64) -> BTreeMap<String, u64> {
    EXPECTED
        .iter()
        .map(|row| (row.0.to_owned(), count(row)))
        .filter(|(_, count)| *count > 0)
        .collect()
}

#[test]
fn every_context() {
    for jdk in in_turn() {
        // Modes in which objects, classes or code lie differently in memory.
        for mode in [
            "-Xint",
            "-Xcomp",
            "-XX:+UseZGC",
            "-XX:-UseCompressedOops",
            "-Xshare:off",
            "-Xverify:all",
        ] {
            let scratch = Scratch::new("hand-counted");
            let profile = scratch.file("hand.subsume");
            Launch::new(jdk, "HandCounted", scratch.path())
                .options(&[mode])
                .profiled(&profile)
                .run_well();
            assert_eq!(own(&profile, "calls"), expected(|row| row.1), "calls, {jdk} {mode}");
            assert_eq!(
                own(&profile, "bytecodes"),
                expected(|row| row.2),
                "bytecodes, {jdk} {mode}"
            );
            assert_eq!(
                own(&profile, "allocations"),
                expected(|row| row.3),
                "allocations, {jdk} {mode}"
            );
        }
    }
}
