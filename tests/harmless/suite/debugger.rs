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
        // The way to a handler may have a piece of code with the handler's line,
        // where a breakpoint is hit, too.
        let mut recorded: Vec<&str> = recorded.lines().collect();
        recorded.dedup_by(|again, first| again == first && first.starts_with("breakpoint"));
        for (number, (before, after)) in plain.lines().zip(&recorded).enumerate() {
            assert_eq!(before, *after, "line {number} on {jdk}");
        }
        assert_eq!(plain.lines().count(), recorded.len(), "{jdk}");
        assert!(profile.exists(), "{jdk}: nothing was recorded");
    }
}
