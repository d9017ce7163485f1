//! Classes that the JVM has loaded, but not linked, when recording starts.

use std::fs;

use support::{Launch, Scratch, jdks, methods};

const PROGRAM: &str = "LinkedLater";

#[test]
fn classes_that_are_linked_later_are_counted_from_their_first_call_on() {
    for jdk in jdks() {
        for mode in ["calls", "copies", "calls+costs"] {
            let scratch = Scratch::new("linked");
            let profile = scratch.file("linked.subsume");
            let log = "-Xlog:redefine+class+load=debug,class+load:file=loaded.log";
            let agent = format!("out={},mode={mode}", profile.display());
            let launch = || Launch::new(jdk, PROGRAM, scratch.path());
            let plain = launch().run();
            let recorded = launch().options(&[log]).agent(&agent).run();
            recorded.assert_same_as(&plain, format_args!("mode={mode} on {jdk}"));
            for (class, name, calls) in
                [("java.lang.StringBuffer", "reverse", 5), ("java.lang.Long", "highestOneBit", 7)]
            {
                let found = methods(&profile, class, &["--metric", "calls"]);
                assert_eq!(found[name]["calls"], calls, "{class}.{name}, mode={mode} on {jdk}");
            }
            // Else the test would say nothing of such classes.
            let log = fs::read_to_string(scratch.file("loaded.log")).expect("the JVM wrote it");
            let place = |text: &str| log.find(text).expect("the log has both");
            let rewritten = place("loading name=java.lang.StringBuffer ");
            assert!(place(" LinkedLater source:") < rewritten, "mode={mode} on {jdk}");
        }
    }
}
