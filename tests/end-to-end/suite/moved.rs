//! A program that moves elements without bytecodes, counted by hand.

use support::{Launch, Scratch, contexts, in_turn};

/// The last frames of a path, and how many elements its last one moves.
const EXPECTED: &[(&str, u64)] = &[
    ("Moves.copy", 15),
    ("Moves.clones", 7 + 3),
    // 9 + 8 + 7 + 6 + 5.
    ("Moves.remove;java.util.ArrayList.remove;java.util.ArrayList.fastRemove", 35),
];

#[test]
fn elements_moved() {
    for jdk in in_turn() {
        for mode in ["-Xint", "-Xcomp"] {
            for recording in ["calls", "copies"] {
                let scratch = Scratch::new("moved");
                let profile = scratch.file("moves.subsume");
                let options = format!("mode={recording},out={}", profile.display());
                Launch::new(jdk, "Moves", scratch.path())
                    .options(&[mode])
                    .agent(&options)
                    .run_well();
                let contexts = contexts(&profile, "moved");
                let of = |path: &str| {
                    let found = contexts.iter().filter(|(at, _)| at.ends_with(path));
                    found.map(|(_, moved)| moved).sum::<u64>()
                };
                for &(path, moved) in EXPECTED {
                    assert_eq!(of(path), moved, "{path}, {jdk} {mode} {recording}");
                }
                // What throws has not moved all, and is not counted.
                for path in ["Moves.tooFar", "Moves.wrongType"] {
                    assert_eq!(of(path), 0, "{path}, {jdk} {mode} {recording}");
                }
                let below = |path: &str| {
                    let found = contexts.iter().filter(|(at, _)| at.contains(path));
                    found.map(|(_, moved)| moved).sum::<u64>()
                };
                // New memory is set to zeros.
                let direct = below("Moves.direct;java.nio.ByteBuffer.allocateDirect;");
                assert_eq!(direct, 4096, "{jdk} {mode} {recording}");
                assert_eq!(below("Moves.fill"), 700, "{jdk} {mode} {recording}");
            }
        }
    }
}
