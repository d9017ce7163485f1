//! Whether the JVM's compilers take what the agent makes of code.

use support::jdks;

use crate::rig::Recording;

/// HotSpot interprets for ever what seems to leave a lock held.
#[test]
fn methods_that_hold_locks_are_compiled() {
    for jdk in jdks() {
        for mode in ["mode=costs", "mode=copies", "mode=nulls", "mode=calls"] {
            let run =
                Recording::new(jdk, "Monitors", mode).with(&["-Xbatch", "-XX:+PrintCompilation"]);
            let output = run.run().output;
            for method in ["Monitors::add", "Inflater::inflate "] {
                let about: Vec<_> = output.lines().filter(|line| line.contains(method)).collect();
                assert!(!about.is_empty(), "{method}, {jdk}, {mode}: {output}");
                let refused = about.iter().find(|line| line.contains("COMPILE SKIPPED"));
                assert_eq!(refused, None, "{jdk}, {mode}");
            }
        }
    }
}
