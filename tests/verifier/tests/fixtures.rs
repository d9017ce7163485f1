//! Fixtures for what the JDK lacks: compiled here, rewritten, loaded with
//! every class verified, and executed with the same output as before.

use std::fs;
use std::path::{Path, PathBuf};
use support::{Jdk, run};
use verifier::fixture_run::{
    Ran, forbid_fallback, fresh_folder, instrument_folder, run_fixtures, sources,
};
use verifier::generated;
use verifier::instrument::{Plan, Refused};
use verifier::toolchain::compile_with_ecj;

const SCRATCH: &str = env!("CARGO_TARGET_TMPDIR");

/// What both plans gave on one JVM.
struct Proof {
    probes: Vec<Ran>,
    every_instruction: Vec<Ran>,
    /// Methods left alone under [`Plan::Probes`].
    refused: Vec<Refused>,
}

/// Runs compiled fixtures plain and instrumented and compares what they do.
fn prove(jdk: &Jdk, classes: &Path, names: &[String]) -> Proof {
    let plain = run_fixtures(jdk, classes, names).unwrap();
    let instrumented = |plan: Plan| {
        let name = format!("{}-{plan:?}", classes.file_name().unwrap().to_str().unwrap());
        let out = fresh_folder(Path::new(SCRATCH), &name).unwrap();
        let refused = instrument_folder(classes, &out, plan).unwrap();
        forbid_fallback(&out).unwrap();
        let ran = run_fixtures(jdk, &out, names).unwrap();
        for (before, after) in plain.iter().zip(&ran) {
            assert_eq!(before.output, after.output, "{} with {plan:?}", before.name);
            assert_eq!(before.entries, 0, "the plain class has probes");
            assert_eq!(after.mistakes, 0, "{after:?}");
            assert!(after.entries > 0, "{after:?}");
            assert_eq!(after.entries, after.exits, "{after:?}");
        }
        (ran, refused)
    };
    let (probes, refused) = instrumented(Plan::Probes);
    let (every_instruction, too_large) = instrumented(Plan::EveryInstruction);
    for refused in &too_large {
        assert!(refused.reason.starts_with("the code would take"), "{refused:?}");
    }
    for (probes, every) in probes.iter().zip(&every_instruction) {
        assert!(probes.calls >= probes.returns, "{probes:?}");
        assert_eq!(every.calls, 0, "{every:?}");
    }
    Proof { probes, every_instruction, refused }
}

fn find<'r>(ran: &'r [Ran], name: &str) -> &'r Ran {
    ran.iter().find(|ran| ran.name == name).unwrap()
}

/// How often a mnemonic occurs in the disassembled classes.
fn occurrences(jdk: &Jdk, classes: &Path, class: &str, mnemonic: &str) -> usize {
    let mut javap = jdk.program("javap");
    javap.args(["-c", "-p", "-cp"]).arg(classes).arg(class);
    let printed = run(&mut javap).unwrap().out;
    printed.lines().filter(|line| line.split_whitespace().nth(1) == Some(mnemonic)).count()
}

fn jdks() -> [Jdk; 2] {
    [Jdk::find(17).unwrap(), Jdk::find(25).unwrap()]
}

/// Writes the generated sources that are in `wanted`.
fn generated_sources(folder: &Path, wanted: &[&str]) -> (Vec<PathBuf>, Vec<String>) {
    let wanted = generated::all().into_iter().filter(|(name, _)| wanted.contains(name));
    wanted
        .map(|(name, text)| {
            let file = folder.join(format!("{name}.java"));
            fs::write(&file, text).unwrap();
            (file, name.to_owned())
        })
        .unzip()
}

/// In methods that no exception leaves or enters, counting blocks and
/// counting instructions must give the same number of bytecodes.
fn assert_same_bytecodes(proof: &Proof, name: &str) {
    let blocks = find(&proof.probes, name).bytecodes;
    let instructions = find(&proof.every_instruction, name).bytecodes;
    assert_eq!(blocks, instructions, "{name}");
}

#[test]
fn modern_code_from_javac() {
    let (files, names) = sources("modern").unwrap();
    let classes = fresh_folder(Path::new(SCRATCH), "javac").unwrap();
    let [jdk17, jdk25] = jdks();
    jdk17.compile(&files, &classes, &classes).unwrap();
    let mut results = Vec::new();
    for jdk in [&jdk17, &jdk25] {
        let proof = prove(jdk, &classes, &names);
        assert_eq!(proof.refused, []);
        assert_same_bytecodes(&proof, "LongDouble");
        assert_same_bytecodes(&proof, "LoopsAtEntry");
        // main, 5 loops, 465 activations of recursive(12), a constructor that
        // jumps back to behind super(), and one each of three more methods. An
        // entry probe inside a loop would give more.
        assert_eq!(find(&proof.probes, "LoopsAtEntry").entries, 1 + 5 + 465 + 2 + 3);
        assert!(find(&proof.probes, "Handlers").caught > 20);
        results.push(proof.probes);
    }
    assert_eq!(results[0], results[1], "the counts depend on the JVM");
}

#[test]
fn modern_code_from_the_eclipse_compiler() {
    let (files, names) = sources("modern").unwrap();
    let classes = fresh_folder(Path::new(SCRATCH), "ecj-modern").unwrap();
    let [jdk17, jdk25] = jdks();
    compile_with_ecj(&jdk17, &files, "16", "16", &classes).unwrap();
    for jdk in [&jdk17, &jdk25] {
        let proof = prove(jdk, &classes, &names);
        assert_eq!(proof.refused, []);
        assert_same_bytecodes(&proof, "LongDouble");
        assert_same_bytecodes(&proof, "LoopsAtEntry");
    }
}

#[test]
fn statements_before_super_from_java_25() {
    let (files, names) = sources("latest").unwrap();
    let classes = fresh_folder(Path::new(SCRATCH), "latest").unwrap();
    let [_, jdk25] = jdks();
    jdk25.compile(&files, &classes, &classes).unwrap();
    let proof = prove(&jdk25, &classes, &names);
    assert_eq!(proof.refused, []);
    assert!(find(&proof.probes, "FlexibleConstructors").caught >= 3);
}

#[test]
fn old_targets_from_the_eclipse_compiler() {
    let (files, names) = sources("old").unwrap();
    let [jdk17, jdk25] = jdks();
    for (source, target) in
        [("1.3", "1.1"), ("1.3", "1.2"), ("1.4", "1.4"), ("1.5", "1.5"), ("1.6", "1.6"), ("8", "8")]
    {
        let classes = fresh_folder(Path::new(SCRATCH), &format!("ecj-{target}")).unwrap();
        compile_with_ecj(&jdk17, &files, source, target, &classes).unwrap();
        let has_subroutines = matches!(target, "1.1" | "1.2" | "1.4");
        let subroutines = occurrences(&jdk17, &classes, "Subroutines", "jsr");
        assert_eq!(subroutines > 10, has_subroutines, "{subroutines} jsr for target {target}");
        for jdk in [&jdk17, &jdk25] {
            let proof = prove(jdk, &classes, &names);
            assert_eq!(proof.refused, [], "target {target}");
        }
    }
}

#[test]
fn methods_at_the_limits_from_javac() {
    let classes = fresh_folder(Path::new(SCRATCH), "limits").unwrap();
    let source_folder = fresh_folder(Path::new(SCRATCH), "limits-sources").unwrap();
    let [jdk17, jdk25] = jdks();
    let wanted =
        ["WideLocals", "HugeSwitches", "NearLimit", "ManyCalls", "GrowingBranches", "DeepFinally"];
    let (files, names) = generated_sources(&source_folder, &wanted);
    jdk17.compile(&files, &classes, &classes).unwrap();
    assert!(occurrences(&jdk17, &classes, "WideLocals", "iinc_w") > 0);
    assert!(occurrences(&jdk17, &classes, "NearLimit", "goto_w") > 0);
    assert_eq!(occurrences(&jdk17, &classes, "ManyCalls", "invokestatic"), 10_001);
    for jdk in [&jdk17, &jdk25] {
        let proof = prove(jdk, &classes, &names);
        // Only what cannot fit any more may be refused.
        let mut refused: Vec<&str> =
            proof.refused.iter().map(|refused| refused.method.as_str()).collect();
        refused.sort_unstable();
        assert_eq!(refused, ["all()V"], "{:?}", proof.refused);
        for name in ["HugeSwitches", "DeepFinally", "WideLocals"] {
            assert!(find(&proof.probes, name).bytecodes > 1000);
        }
        assert_same_bytecodes(&proof, "HugeSwitches");
        assert_eq!(find(&proof.probes, "ManyCalls").entries, 10_001);
    }
}

#[test]
fn methods_at_the_limits_with_subroutines() {
    let classes = fresh_folder(Path::new(SCRATCH), "limits-old").unwrap();
    let source_folder = fresh_folder(Path::new(SCRATCH), "limits-old-sources").unwrap();
    let [jdk17, jdk25] = jdks();
    let wanted = ["WideLocals", "HugeSwitches", "GrowingBranches", "DeepFinally"];
    let (files, names) = generated_sources(&source_folder, &wanted);
    compile_with_ecj(&jdk17, &files, "1.3", "1.1", &classes).unwrap();
    assert!(occurrences(&jdk17, &classes, "WideLocals", "ret_w") > 0);
    assert!(occurrences(&jdk17, &classes, "DeepFinally", "jsr") > 100);
    for jdk in [&jdk17, &jdk25] {
        let proof = prove(jdk, &classes, &names);
        assert_eq!(proof.refused, []);
    }
}
