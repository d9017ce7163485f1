//! The JVM in all its variants: collectors, compilers, layouts of objects,
//! checks of its own.
//!
//! Each runs a deterministic program, which must do the same as without the
//! agent and leave the same tree as on the JVM as it is by default. A few
//! variants run by default; `SUBSUME_VARIANTS=all` runs all of them, which takes
//! some minutes for each JDK. `SUBSUME_RUNTIMES` names homes of further
//! runtimes, which need no compiler (`:` between several); one that is too old
//! must be refused.

use std::ops::RangeInclusive;
use std::{env, fs};

use crate::below_main::{BelowMain, differences, read};
use crate::repeatable::REPEATABLE;
use support::{Jdk, Launch, Scratch, jdks};

/// A program that does the same in every run.
const PROGRAM: &str = "Deterministic";

/// A heap that nothing of the program fills, whichever collector it has, and a
/// witness for that.
const ROOMY: &[&str] = &["-Xmx8g", "-Xlog:gc:file=gc.log"];

/// One way to run a JVM.
struct Variant {
    options: &'static [&'static str],
    releases: RangeInclusive<u32>,
    /// Whether it runs when not all are asked for.
    always: bool,
    /// Whether the tree is the same, too.
    same_tree: bool,
}

const fn always(options: &'static [&'static str]) -> Variant {
    Variant { options, releases: 17..=u32::MAX, always: true, same_tree: true }
}

const fn asked(options: &'static [&'static str]) -> Variant {
    Variant { options, releases: 17..=u32::MAX, always: false, same_tree: true }
}

/// Options under which objects have other sizes, so that bytes differ from the default's.
const OTHER_LAYOUT: &[&str] = &[
    "-XX:+UseZGC",
    "-XX:-UseCompressedOops",
    "-XX:-UseCompressedClassPointers",
    "-Xmx40g",
    "-XX:ObjectAlignmentInBytes=16",
    "-XX:+UseCompactObjectHeaders",
];

/// All variants. What a JVM refuses without the agent is passed over, as builds
/// differ in the collectors that they have.
const VARIANTS: &[Variant] = &[
    asked(&["-XX:+UseSerialGC"]),
    asked(&["-XX:+UseParallelGC"]),
    asked(&["-XX:+UseG1GC"]),
    always(&["-XX:+UseZGC"]),
    Variant { releases: 21..=23, ..asked(&["-XX:+UseZGC", "-XX:+ZGenerational"]) },
    always(&["-XX:+UseShenandoahGC"]),
    Variant {
        releases: 25..=u32::MAX,
        // It collects at once, to learn how long that takes.
        ..asked(&[
            "-XX:+UseShenandoahGC",
            "-XX:ShenandoahGCMode=generational",
            "-XX:ShenandoahLearningSteps=0",
        ])
    },
    asked(&["-Xint"]),
    asked(&["-XX:TieredStopAtLevel=1"]),
    always(&["-XX:-TieredCompilation"]),
    // Method handles that count their calls until they get code of their own go on
    // counting where they are compiled before (`MethodHandleImpl.CountingWrapper`),
    // so the class library generates other code for them.
    Variant { same_tree: false, ..asked(&["-Xcomp"]) },
    asked(&["-XX:+BytecodeVerificationLocal", "-XX:+BytecodeVerificationRemote"]),
    asked(&["-Xverify:all"]),
    always(&["-Xcheck:jni"]),
    asked(&["-XX:-UseCompressedOops"]),
    // Later releases say that they will not have the flag for long.
    Variant { releases: 17..=24, ..asked(&["-XX:-UseCompressedClassPointers"]) },
    // More than compressed references can reach.
    asked(&["-Xmx40g"]),
    asked(&["-XX:ObjectAlignmentInBytes=16"]),
    Variant { releases: 25..=u32::MAX, ..always(&["-XX:+UseCompactObjectHeaders"]) },
    Variant { releases: 25..=u32::MAX, ..asked(&["-XX:+UseCompactObjectHeaders", "-XX:+UseZGC"]) },
    asked(&["-Xshare:off"]),
    asked(&["-Xshare:auto"]),
    asked(&["-Xrs"]),
    asked(&["-XX:+UseStringDeduplication"]),
    asked(&["-XX:+PreserveFramePointer"]),
];

fn wanted(jdk: &Jdk) -> impl Iterator<Item = &'static Variant> {
    let all = env::var("SUBSUME_VARIANTS").is_ok_and(|which| which == "all");
    let release = jdk.release;
    VARIANTS
        .iter()
        .filter(move |variant| variant.releases.contains(&release) && (all || variant.always))
}

fn further_runtimes() -> Vec<Jdk> {
    let Some(homes) = env::var_os("SUBSUME_RUNTIMES") else { return Vec::new() };
    env::split_paths(&homes)
        .map(|home| Jdk::runtime(&home).unwrap_or_else(|| panic!("no runtime in {home:?}")))
        .collect()
}

fn launch<'a>(jdk: &'a Jdk, scratch: &Scratch, options: &[&str]) -> Launch<'a> {
    Launch::new(jdk, PROGRAM, scratch.path()).options(REPEATABLE).options(ROOMY).options(options)
}

/// Compares every wanted variant of one JVM with its default.
fn check(jdk: &Jdk) {
    let scratch = Scratch::new("variant");
    let profile = scratch.file("reference.subsume");
    launch(jdk, &scratch, &[]).profiled(&profile).run_well();
    let reference = read(&profile);
    let expected = BelowMain::of(&reference, PROGRAM);
    let without_bytes = BelowMain::of(&reference, PROGRAM).without("bytes");
    assert!(reference.len() > 10_000, "{} contexts on {jdk}", reference.len());

    for Variant { options, same_tree, .. } in wanted(jdk) {
        let plain = launch(jdk, &scratch, options).run();
        if plain.status == Some(1) && !plain.stdout.contains("checksum") {
            eprintln!("{jdk} has no {options:?}");
            continue;
        }
        assert_eq!(plain.status, Some(0), "{options:?} without the agent on {jdk}: {plain:?}");
        let recorded = launch(jdk, &scratch, options).profiled(&profile).run();
        recorded.assert_same_as(&plain, format_args!("{options:?} on {jdk}"));
        let log = fs::read_to_string(scratch.file("gc.log")).expect("the JVM writes its log");
        assert!(!log.contains("Pause"), "a collection ran with {options:?} on {jdk}: {log}");
        let tree = read(&profile);
        if !same_tree {
            continue;
        }
        let recorded = BelowMain::of(&tree, PROGRAM);
        let different = if OTHER_LAYOUT.iter().any(|one| options.contains(one)) {
            differences(&without_bytes, &recorded.without("bytes"))
        } else {
            differences(&expected, &recorded)
        };
        assert!(
            different.is_empty(),
            "{options:?} on {jdk}: {} of {} contexts differ from the default, among them\n{}",
            different.len(),
            reference.len(),
            different[..different.len().min(20)].join("\n")
        );
        eprintln!("{jdk} with {options:?}: {} contexts, the same", tree.len());
    }
}

/// A JVM that is too old ends before main, with one line.
fn check_refused(jdk: &Jdk) {
    let scratch = Scratch::new("refused");
    let profile = scratch.file("refused.subsume");
    let run = Launch::new(jdk, PROGRAM, scratch.path()).profiled(&profile).run();
    assert_eq!((run.status, run.stdout.as_str()), (Some(2), ""), "{jdk}: {run:?}");
    assert_eq!(run.stderr.lines().count(), 1, "{jdk}: {run:?}");
    assert!(run.stderr.contains(&format!("Java {}", jdk.release)), "{jdk}: {run:?}");
    assert!(!profile.exists(), "{jdk}");
}

#[test]
fn same_output_and_tree_on_every_variant_of_the_jvm() {
    for jdk in jdks().iter().chain(&further_runtimes()) {
        if jdk.release < 17 {
            check_refused(jdk);
        } else {
            check(jdk);
        }
    }
}
