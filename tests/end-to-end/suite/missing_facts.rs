//! A HotSpot that does not tell what the agent has to know, as a later one may: the
//! program runs as without the agent, and one line says what is missing.

use std::path::Path;

use support::{Launch, Scratch, compile_native, in_turn};

/// What a JVM can lack, the mode in which it matters, and how it is named.
const FACTS: &[(&str, &str, &str)] = &[
    ("stride", "calls", "table gHotSpotVMStructs"),
    ("JVMFlag.flags", "calls", "field JVMFlag.flags"),
    ("JVMFlag.numFlags", "calls", "field JVMFlag.numFlags"),
    ("JVMFlag._name", "calls", "field JVMFlag._name"),
    ("JVMFlag._addr", "calls", "field JVMFlag._addr"),
    ("JVMFlag._type", "calls", "field JVMFlag._type"),
    ("JVMFlag", "calls", "type JVMFlag"),
    ("intx", "calls", "type intx"),
    ("Arguments._num_jvm_args", "calls", "field Arguments._num_jvm_args"),
    ("Arguments._jvm_args_array", "loops", "field Arguments._jvm_args_array"),
    ("CheckIntrinsics", "calls", "flag CheckIntrinsics"),
    ("OptimizeStringConcat", "calls", "flag OptimizeStringConcat"),
    ("EliminateAutoBox", "nulls", "flag EliminateAutoBox"),
    ("OmitStackTraceInFastThrow", "results", "flag OmitStackTraceInFastThrow"),
    ("hashCode", "copies", "flag hashCode"),
    ("ObjectAlignmentInBytes", "costs", "flag ObjectAlignmentInBytes"),
    ("double hashCode", "copies", "flag hashCode that is a whole number"),
    ("double EliminateAutoBox", "calls", "flag EliminateAutoBox that is a bool"),
    ("double UseSerialGC", "calls", "flag UseSerialGC of type bool"),
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

/// The descriptions are read as they say that they are laid out.
#[test]
fn another_layout_of_the_descriptions_is_read() {
    for jdk in in_turn() {
        let (scratch, lacking) = lacking(jdk, "layout");
        let profile = scratch.file("profile.subsume");
        let launch = Launch::new(jdk, "HandCounted", scratch.path()).options(&[&lacking]);
        launch.profiled(&profile).run_well();
        assert!(!support::methods(&profile, "HandCounted", &[]).is_empty(), "{jdk}");
    }
}

/// A flag that is of another type is left alone where recording goes without it.
#[test]
fn a_flag_of_another_type_is_not_written() {
    for jdk in in_turn() {
        let (scratch, lacking) = lacking(jdk, "double FreqInlineSize");
        let profile = scratch.file("profile.subsume");
        let launch = Launch::new(jdk, "HandCounted", scratch.path()).options(&[&lacking]);
        launch.profiled(&profile).run_well();
        assert!(profile.exists(), "{jdk}");
    }
}

/// Only what follows data asks where fields lie.
#[test]
fn where_offsets_of_fields_are_not_known_only_calls_are_recorded() {
    for jdk in in_turn() {
        let (scratch, lacking) = lacking(jdk, "offsets");
        let launch = || Launch::new(jdk, "LanguageFeatures", scratch.path());
        let plain = launch().run();
        for mode in ["costs", "copies", "nulls", "typestate"] {
            let profile = scratch.file("profile.subsume");
            let options = format!("mode={mode},out={}", profile.display());
            let run = launch().agent(&options).run();
            assert_eq!(run.stderr, plain.stderr, "{mode} on {jdk}, where they are known");
            let mut run = launch().options(&[&lacking]).agent(&options).run();
            let said = std::mem::take(&mut run.stderr);
            assert!(
                said.starts_with("subsume: nothing is recorded: this HotSpot keeps offsets of ")
                    && said.lines().count() == 1,
                "{mode} on {jdk}: {said}"
            );
            run.assert_same_as(&plain, format_args!("{mode} on {jdk}"));
        }
        let profile = scratch.file("calls.subsume");
        launch().options(&[&lacking]).profiled(&profile).run_well();
        assert!(profile.exists(), "{jdk}");
    }
}

/// The option that loads what makes a JVM lack a fact.
fn lacking(jdk: &support::Jdk, fact: &str) -> (Scratch, String) {
    let scratch = Scratch::new("lacking");
    let agent = scratch.file("liblacks_fact.so");
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("programs/native/lacks_fact.c");
    compile_native(jdk, &source, &agent);
    let option = format!("-agentpath:{}={fact}", agent.display());
    (scratch, option)
}
