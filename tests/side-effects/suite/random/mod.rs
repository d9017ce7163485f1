//! Random programs do the same under the agent, in every mode: what reflection, handles,
//! proxies, serialisation, locks and all else show them is what they see without it.
//!
//! `SUBSUME_HARMLESS_SEEDS` says how many, each in every mode on every JDK, and
//! `SUBSUME_HARMLESS_FIRST` from which one on, so that a program that differs can be run
//! alone. Without them, modes and JDKs share 60 programs.

mod families;
mod generator;
mod kinds;

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};

use generator::program;
use support::{Jdk, Launch, Run, Scratch, compile, compiled, each, jdks, number, ways_in_turn};

use crate::MODES;

/// Programs that run in one JVM where modes and JDKs share them.
const BATCH: u64 = 15;

/// Programs that run in one JVM where all of them run in every mode: most of a JVM's time
/// is its start and that of the agent.
const LARGE_BATCH: u64 = 60;

/// Programs that modes and JDKs share where nobody says how many.
const SHARED: u64 = 60;

/// How a JVM runs the programs: its options, and the percentage of their rounds.
struct Variant {
    options: &'static [&'static str],
    percent: u32,
    oldest: u32,
}

const fn variant(options: &'static [&'static str], percent: u32, oldest: u32) -> Variant {
    Variant { options, percent, oldest }
}

/// Has C2 compile the programs' own methods after a twentieth of the usual calls; JVMs
/// tell of commands unless they are quiet.
const SOON: [&str; 2] =
    ["-XX:CompileCommand=quiet", "-XX:CompileCommand=CompileThresholdScaling,Seed*::*,0.05"];

/// Compilers, layouts of objects and collectors.
const VARIANTS: [Variant; 8] = [
    variant(&SOON, 6, 17),
    variant(&[], 15, 17),
    variant(&["-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC"], 6, 17),
    variant(&["-XX:+UseCompactObjectHeaders", SOON[0], SOON[1]], 6, 25),
    variant(&["-XX:-UseCompressedOops", SOON[0], SOON[1]], 6, 17),
    variant(&["-XX:+UseSerialGC", "-XX:-TieredCompilation", SOON[0], SOON[1]], 6, 17),
    variant(&["-Xcomp", "-XX:CompileOnly=Seed*::*,Sum::*"], 3, 17),
    variant(&["-Xint"], 1, 17),
];

/// How many of the last ones are left out where all programs run in every mode: they take
/// minutes for each batch, and the interpreter and C2 have their part in all others.
const SLOW: usize = 2;

/// C1 alone: the place in `VARIANTS` of the cheapest.
const CHEAPEST: usize = 2;

/// One in so many large batches has all variants; the others have the cheapest, in half of
/// the time. Programs differ in what is rewritten, and that shows in any variant.
const THOROUGH: u64 = 6;

/// JVM options of all runs: messages of hot exceptions stay.
const ALWAYS: [&str; 2] = ["-XX:-OmitStackTraceInFastThrow", "-Xmx1g"];

/// One JVM with the agent, which is compared with one without.
struct Case {
    jdk: &'static Jdk,
    batch: (u64, u64),
    mode: &'static str,
    variant: usize,
}

fn sources(seeds: (u64, u64), folder: &Path) -> PathBuf {
    let sources: Vec<_> = (seeds.0..seeds.1)
        .map(|seed| {
            let path = folder.join(format!("Seed{seed}.java"));
            fs::write(&path, program(seed)).expect("the folder of the test can be written");
            path
        })
        .collect();
    let classes = folder.join(format!("classes-{}", seeds.0));
    let support = compiled("random");
    let class_path = ["-cp".as_ref(), support.as_os_str()];
    let options = ["-g", "-nowarn", "-Xlint:none", "-proc:none"].map(AsRef::as_ref);
    compile(&sources, &[&options[..], &class_path].concat(), &classes);
    for class in fs::read_dir(support).expect("compiled classes can be listed").flatten() {
        fs::copy(class.path(), classes.join(class.file_name())).expect("classes can be copied");
    }
    classes
}

fn launch<'a>(case: &'a Case, folder: &Path) -> Launch<'a> {
    let variant = &VARIANTS[case.variant];
    Launch::new(case.jdk, "RunsSeeds", folder)
        .class_path(folder.join(format!("classes-{}", case.batch.0)))
        .options(&ALWAYS)
        .options(variant.options)
        .argument(case.batch.0.to_string())
        .argument(case.batch.1.to_string())
        .argument(variant.percent.to_string())
}

/// Whether all that differs is what the JVM's own compilers make different without the
/// agent: lines on which `plain` is not what the interpreter prints. (C2 of JDK 17
/// miscompiles some accesses to bytes by variable handles.)
fn is_of_compilers(case: &Case, folder: &Path, plain: &Run, recorded: &Run) -> bool {
    let interpreted = launch(case, folder).options(&["-Xint"]).run();
    if (recorded.status, &recorded.stderr) != (plain.status, &plain.stderr) {
        return false;
    }
    let lines = [plain, recorded, &interpreted].map(|run| run.stdout.lines().collect::<Vec<_>>());
    let [plain, recorded, right] = lines;
    let is_explained = |at: usize| plain[at] == recorded[at] || plain[at] != right[at];
    plain.len() == recorded.len()
        && plain.len() == right.len()
        && (0..plain.len()).all(is_explained)
}

/// The lines that differ, at most so many.
fn differing(plain: &Run, recorded: &Run) -> Vec<String> {
    let lines = plain.stdout.lines().zip(recorded.stdout.lines());
    let mut said: Vec<_> = lines
        .filter(|(before, after)| before != after)
        .take(12)
        .map(|(before, after)| format!("plain    {before}\n    recorded {after}"))
        .collect();
    if recorded.status != plain.status || recorded.stderr != plain.stderr || said.is_empty() {
        let tail: String =
            recorded.stdout.lines().rev().take(12).collect::<Vec<_>>().join("\n    ");
        said.push(format!("status {:?}: {}\n    {tail}", recorded.status, recorded.stderr));
    }
    said
}

/// Each mode has another variant on each JDK, and in each batch. Where the batches are
/// shared, it has one of them only.
fn cases(seeds: (u64, u64), are_shared: bool) -> Vec<Case> {
    let (size, variants) =
        if are_shared { (BATCH, VARIANTS.len()) } else { (LARGE_BATCH, VARIANTS.len() - SLOW) };
    let mut batches = Vec::new();
    let mut first = seeds.0;
    while first < seeds.1 {
        batches.push((first, (first + size).min(seeds.1)));
        first += size;
    }
    let mut cases = Vec::new();
    for (place, jdk) in jdks().iter().enumerate() {
        let modes: Vec<_> = MODES.into_iter().enumerate().collect();
        let some = if are_shared { 5 } else { modes.len() };
        for &&(at, mode) in &ways_in_turn(&modes, some) {
            for (number, &batch) in batches.iter().enumerate() {
                let mut variant = (at + place * 3 + number) % variants;
                if !are_shared && !(batch.0 / LARGE_BATCH).is_multiple_of(THOROUGH) {
                    variant = CHEAPEST;
                } else if VARIANTS[variant].oldest > jdk.release {
                    variant = 0;
                }
                if !are_shared || (at + place) % batches.len() == number {
                    cases.push(Case { jdk, batch, mode, variant });
                }
            }
        }
    }
    cases
}

#[test]
fn random_programs() {
    let first = number("SUBSUME_HARMLESS_FIRST", 0);
    let asked = number("SUBSUME_HARMLESS_SEEDS", 0);
    let seeds = (first, first + if asked > 0 { asked } else { SHARED });
    let scratch = Scratch::new("random");
    let all = cases(seeds, asked == 0);
    let batches: std::collections::BTreeSet<_> = all.iter().map(|case| case.batch).collect();
    for batch in batches {
        sources(batch, scratch.path());
    }
    // Each variant of a batch runs plain once on each JDK.
    let mut plain: Vec<&Case> = Vec::new();
    for case in &all {
        if !plain.iter().any(|other| same_plain(case, other)) {
            plain.push(case);
        }
    }
    let runs = each(&plain, |case| {
        let run = launch(case, scratch.path()).run();
        assert!(run.stdout.ends_with("all seeds have run\n"), "{}: {run:?}", case.jdk);
        run
    });
    let done = AtomicUsize::new(0);
    let found = each(&all, |case| {
        let at = plain.iter().position(|other| same_plain(case, other));
        let without = &runs[at.expect("every variant ran plain")];
        let profile = scratch.file(&format!("{}.subsume", done.fetch_add(1, Ordering::Relaxed)));
        let agent = format!("mode={},control=off,out={}", case.mode, profile.display());
        let recorded = launch(case, scratch.path()).agent(&agent).run();
        let is_profile = profile::read_file(&profile).is_ok();
        // What it was written for has been seen.
        let _ = fs::remove_file(&profile);
        if recorded == *without && is_profile {
            return None;
        }
        if is_profile && is_of_compilers(case, scratch.path(), without, &recorded) {
            eprintln!("mode={} on {}: differs as plain runs do", case.mode, case.jdk);
            return None;
        }
        let options = VARIANTS[case.variant].options;
        let lines = differing(without, &recorded).join("\n    ");
        let said = format!("mode={} on {} {options:?}:\n    {lines}", case.mode, case.jdk);
        // At once: a case that hangs later would take it along.
        eprintln!("{said}");
        Some(said)
    });
    let found: Vec<_> = found.into_iter().flatten().collect();
    eprintln!(
        "{} seeds, {} JVMs with the agent, {} differ",
        seeds.1 - seeds.0,
        all.len(),
        found.len()
    );
    assert!(found.is_empty(), "the agent makes a difference:\n{}", found.join("\n"));
}

fn same_plain(one: &Case, other: &Case) -> bool {
    one.jdk.release == other.jdk.release && one.batch == other.batch && one.variant == other.variant
}
