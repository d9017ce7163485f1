//! Type annotations inside code must still point at what they annotate.
//!
//! `javap` prints them with positions in the code; each position is replaced
//! by the instruction found there, and the result must not change.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use support::{Jdk, run};
use verifier::fixture_run::{fresh_folder, instrument_folder, sources};
use verifier::instrument::Plan;

const SCRATCH: &str = env!("CARGO_TARGET_TMPDIR");

/// The kinds of JVMS table 4.7.20-B that occur inside code.
const KINDS: [&str; 12] = [
    "LOCAL_VARIABLE",
    "RESOURCE_VARIABLE",
    "EXCEPTION_PARAMETER",
    "INSTANCEOF",
    "NEW",
    "CONSTRUCTOR_REFERENCE",
    "METHOD_REFERENCE",
    "CAST",
    "CONSTRUCTOR_INVOCATION_TYPE_ARGUMENT",
    "METHOD_INVOCATION_TYPE_ARGUMENT",
    "CONSTRUCTOR_REFERENCE_TYPE_ARGUMENT",
    "METHOD_REFERENCE_TYPE_ARGUMENT",
];

/// Every annotation with its positions replaced by instructions.
fn annotations(jdk: &Jdk, classes: &Path) -> Vec<String> {
    let mut javap = jdk.program("javap");
    javap.args(["-v", "-p", "-cp"]).arg(classes).args(["TypeAnnotations"]);
    let printed = run(&mut javap).unwrap().out;
    let mut found = Vec::new();
    let mut instructions: BTreeMap<u32, String> = BTreeMap::new();
    for line in printed.lines() {
        let line = line.trim();
        if line == "Code:" {
            instructions.clear();
        }
        let Some((number, rest)) = line.split_once(": ") else { continue };
        if let Some((_, target)) = rest.split_once("): ") {
            found.push(describe(target, &instructions));
        } else if let (Ok(bci), Some(mnemonic)) = (number.parse(), rest.split_whitespace().next()) {
            instructions.entry(bci).or_insert_with(|| mnemonic.to_owned());
        }
    }
    found
}

/// `INSTANCEOF, offset=13` becomes `INSTANCEOF at instanceof`.
fn describe(target: &str, instructions: &BTreeMap<u32, String>) -> String {
    let kind = target.split([',', ' ']).next().unwrap_or_default();
    let value = |key: &str| {
        let (_, rest) = target.split_once(key)?;
        rest.split([',', '}', ' ']).next()?.parse::<u32>().ok()
    };
    let at = |bci: u32| instructions.get(&bci).map_or("nothing", String::as_str);
    if let Some(bci) = value("offset=") {
        let argument = value("type_index=");
        return format!("{kind} at {} {argument:?}", at(bci));
    }
    if let (Some(start), Some(length), Some(index)) =
        (value("start_pc="), value("length="), value("index="))
    {
        // The variable must begin behind the store that sets it.
        let mut earlier = instructions.range(..start).rev().map(|(_, mnemonic)| mnemonic.as_str());
        // Counting probes may stand between the store and the range.
        let store = earlier.find(|mnemonic| *mnemonic != "iinc");
        let end = start + length;
        // A variable that lives to the end of the code now ends before the
        // appended handler, which is an instruction too.
        let is_last = instructions.range(end..).next().is_none();
        let ends_at_instruction = is_last || instructions.contains_key(&end);
        return format!("{kind} {index} behind {store:?} ends {ends_at_instruction}");
    }
    // EXCEPTION_PARAMETER, exception_index=2.
    target.to_owned()
}

#[test]
fn annotations_keep_their_instructions() {
    let jdk = Jdk::find(17).unwrap();
    let classes = fresh_folder(Path::new(SCRATCH), "type-annotations").unwrap();
    jdk.compile(&sources("modern").unwrap().0, &classes, &classes).unwrap();
    let before = annotations(&jdk, &classes);
    let kinds: BTreeSet<&str> =
        before.iter().filter_map(|line| line.split([',', ' ']).next()).collect();
    for kind in KINDS {
        assert!(kinds.contains(kind), "{kind} does not occur in {before:#?}");
    }
    assert!(!before.iter().any(|line| line.contains("nothing")), "{before:#?}");

    let out = fresh_folder(Path::new(SCRATCH), "type-annotations-rewritten").unwrap();
    for plan in [Plan::Probes, Plan::EveryInstruction] {
        instrument_folder(&classes, &out, plan).unwrap();
        assert_eq!(before, annotations(&jdk, &out), "{plan:?}");
    }
}
