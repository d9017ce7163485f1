//! A debugger beside the agent.

use kit::{Launch, Scratch, artifacts, compiled, jdks};

#[test]
fn breakpoints_steps_and_locals() {
    for jdk in jdks() {
        let scratch = Scratch::new("debugger");
        let classes = compiled("debugger");
        let profile = scratch.file("debugged.subsume");
        let debug = |debugged: String| {
            Launch::new(jdk.whole(), "Debugs", scratch.path())
                .class_path(classes.clone())
                .argument(jdk.home())
                .argument(format!("-cp {} {debugged}", classes.display()))
                .run_well()
        };
        let plain = debug(String::new());
        assert!(plain.contains("ended with 0"), "{jdk}: {plain}");
        let agent = &artifacts().agent;
        let recorded = debug(format!("-agentpath:{}=out={}", agent.display(), profile.display()));
        // The way to a handler may have a piece of code with the handler's line,
        // where a breakpoint is hit, too.
        let mut recorded = events(&recorded);
        recorded.dedup_by(|again, first| again == first && first[0].starts_with("breakpoint"));
        let plain = events(&plain);
        for (number, (before, after)) in plain.iter().zip(&recorded).enumerate() {
            assert_eq!(before, after, "event {number} on {jdk}");
        }
        assert_eq!(plain.len(), recorded.len(), "{jdk}");
        assert!(profile.exists(), "{jdk}: nothing was recorded");
    }
}

/// Each event with the lines that tell where it happened.
fn events(output: &str) -> Vec<Vec<&str>> {
    let mut events: Vec<Vec<&str>> = Vec::new();
    for line in output.lines() {
        match events.last_mut() {
            Some(event) if line.starts_with(' ') => event.push(line),
            _ => events.push(vec![line]),
        }
    }
    events
}
