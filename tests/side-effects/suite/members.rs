//! What reflection shows of the class library.

use std::env;

use crate::same;
use support::{Launch, Scratch, jdks};

/// Modules whose every class is looked at: `java.base`, or the one that
/// `SUBSUME_MODULES` names, where `all` means the whole JDK (some minutes).
fn modules() -> String {
    env::var("SUBSUME_MODULES").unwrap_or_else(|_| "java.base".to_owned())
}

#[test]
fn reflection_shows_the_same_members_of_all_classes() {
    for jdk in jdks() {
        let scratch = Scratch::new("members");
        let launch = || {
            Launch::new(jdk, "DumpsMembers", scratch.path())
                // Immutable sets and identity hashes order some members otherwise in each run.
                .options(&["-XX:+UnlockExperimentalVMOptions", "-XX:hashCode=2"])
                .argument(modules())
        };
        let said = same::check(launch, &scratch.file("members.subsume"));
        assert!(said.lines().count() > 5_000, "{jdk}: only {} classes", said.lines().count());
        assert!(!said.contains("FOUND"), "{jdk}: {said}");
    }
}
