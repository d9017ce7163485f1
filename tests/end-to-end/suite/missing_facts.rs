//! A HotSpot that does not tell what the agent has to know, as a later one may: the
//! program runs as without the agent, and one line says what is missing.

use std::path::Path;

use kit::{Launch, Scratch, compile_native, in_turn};

/// What a JVM can lack, the mode in which it matters, and how it is named.
const FACTS: &[(&str, &str, &str)] = &[
    ("JVMFlag.flags", "calls", "field JVMFlag.flags"),
    ("JVMFlag.numFlags", "calls", "field JVMFlag.numFlags"),
    ("JVMFlag._name", "calls", "field JVMFlag._name"),
    ("JVMFlag._addr", "calls", "field JVMFlag._addr"),
    ("JVMFlag", "calls", "type JVMFlag"),
    ("Arguments._num_jvm_args", "calls", "field Arguments._num_jvm_args"),
    ("Arguments._jvm_args_array", "loops", "field Arguments._jvm_args_array"),
    ("CheckIntrinsics", "calls", "flag CheckIntrinsics"),
    ("OptimizeStringConcat", "calls", "flag OptimizeStringConcat"),
    ("EliminateAutoBox", "nulls", "flag EliminateAutoBox"),
    ("OmitStackTraceInFastThrow", "results", "flag OmitStackTraceInFastThrow"),
    ("hashCode", "copies", "flag hashCode"),
    ("ObjectAlignmentInBytes", "costs", "flag ObjectAlignmentInBytes"),
];

#[test]
fn a_hotspot_that_lacks_a_fact_runs_the_program_plain_and_names_it() {
    for jdk in in_turn() {
        let scratch = Scratch::new("missing-facts");
        let agent = scratch.file("liblacks_fact.so");
        let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("programs/native/lacks_fact.c");
        compile_native(jdk, &source, &agent);
        let launch = || Launch::new(jdk, "LanguageFeatures", scratch.path());
        let plain = launch().run();
        assert_eq!(plain.status, Some(0), "{jdk}: {plain:?}");
        for &(fact, mode, named) in FACTS {
            let profile = scratch.file("profile.subsume");
            let lacking = format!("-agentpath:{}={fact}", agent.display());
            let options = format!("mode={mode},out={}", profile.display());
            let mut run = launch().options(&[&lacking]).agent(&options).run();
            let said = std::mem::take(&mut run.stderr);
            assert!(
                said.starts_with("subsume: nothing is recorded: HotSpot ")
                    && said.ends_with(&format!(" lacks what exact counts need: {named}\n"))
                    && said.lines().count() == 1,
                "{fact} on {jdk}: {said}"
            );
            run.assert_same_as(&plain, format_args!("{fact} on {jdk}"));
            assert!(!profile.exists(), "{fact} on {jdk}");
        }
    }
}

/// What only tags of objects need is not asked of the other modes.
#[test]
fn other_modes_do_without_what_tags_need() {
    for jdk in in_turn() {
        let scratch = Scratch::new("facts-of-tags");
        let agent = scratch.file("liblacks_fact.so");
        let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("programs/native/lacks_fact.c");
        compile_native(jdk, &source, &agent);
        let profile = scratch.file("profile.subsume");
        let lacking = format!("-agentpath:{}=hashCode", agent.display());
        let launch = Launch::new(jdk, "LanguageFeatures", scratch.path()).options(&[&lacking]);
        launch.profiled(&profile).run_well();
        assert!(profile.exists(), "{jdk}");
    }
}
