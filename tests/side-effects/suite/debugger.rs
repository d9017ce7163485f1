//! A debugger beside the agent.

use std::ffi::OsString;

use support::{Jdk, Launch, Scratch, after_command, artifacts, attach, compiled, jdks};

#[test]
fn breakpoints_steps_and_locals() {
    for jdk in jdks() {
        let scratch = Scratch::new("debugger");
        let classes = compiled("debugger");
        let profile = scratch.file("debugged.subsume");
        let debug = |options: String, main: &str| {
            let said = Launch::new(jdk.whole(), "Debugs", scratch.path())
                .class_path(classes.clone())
                .argument(jdk.home())
                .argument(options)
                .argument(main)
                .run_well();
            assert!(said.contains("ended with 0"), "{jdk}: {said}");
            said
        };
        let path = format!("-cp {}", classes.display());
        let plain = debug(path.clone(), "Debugged");
        let agent = &artifacts().agent;
        let from_start = format!("{path} -agentpath:{}=out={}", agent.display(), profile.display());
        let recorded = debug(from_start, "Debugged");
        assert_same(&plain, &recorded, jdk);
        assert!(profile.exists(), "{jdk}: nothing was recorded");

        // The same in a JVM that the agent is attached to while the debugger looks on.
        let after = |command: &[OsString]| {
            let words: Vec<_> = command.iter().map(|word| word.to_string_lossy()).collect();
            let path = after_command(&classes);
            let options = format!("-cp {} -XX:+EnableDynamicAgentLoading", path.display());
            debug(options, &format!("AfterCommand {} {} Debugged", words.len(), words.join(" ")))
        };
        let profile = scratch.file("attached.subsume");
        let plain = after(&["true".into()]);
        let recorded = after(&attach(&profile, None));
        assert_same(&plain, &recorded, jdk);
        let read = profile::read_file(&profile).expect("the profile was written");
        assert!(read.run.is_attached, "{jdk}");
    }
}

/// Demands that a debugger has seen the same.
fn assert_same(plain: &str, recorded: &str, jdk: &Jdk) {
    // The way to a handler may have a piece of code with the handler's line,
    // where a breakpoint is hit, too.
    let mut recorded = events(recorded);
    recorded.dedup_by(|again, first| again == first && first[0].starts_with("breakpoint"));
    let plain = events(plain);
    for (number, (before, after)) in plain.iter().zip(&recorded).enumerate() {
        assert_eq!(before, after, "event {number} on {jdk}");
    }
    assert_eq!(plain.len(), recorded.len(), "{jdk}");
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
