//! A debugger beside the agent.

use crate::rig::{Launch, Scratch, artifacts, compiled, jdks};

#[test]
fn breakpoints_steps_and_locals() {
    for jdk in jdks() {
        let scratch = Scratch::new("debugger");
        let classes = compiled("debugger");
        let profile = scratch.file("debugged.subsume");
        let debug = |debugged: String| {
            Launch::new(jdk, "Debugs", scratch.path())
                .class_path(classes.clone())
                .argument(format!("-cp {} {debugged}", classes.display()))
                .run_well()
        };
        let plain = debug(String::new());
        assert!(plain.contains("ended with 0"), "{jdk}: {plain}");
        let agent = &artifacts().agent;
        let recorded = debug(format!("-agentpath:{}=out={}", agent.display(), profile.display()));
        for (number, (before, after)) in plain.lines().zip(recorded.lines()).enumerate() {
            assert_eq!(before, after, "line {number} on {jdk}");
        }
        assert_eq!(plain.lines().count(), recorded.lines().count(), "{jdk}");
        assert!(profile.exists(), "{jdk}: nothing was recorded");
    }
}
