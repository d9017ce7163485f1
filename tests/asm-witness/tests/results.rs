//! Real libraries, driven by small programs: every method of theirs has the receivers,
//! inputs, hits, conflicts and kinds of result that docs/explanation/results.md promises, as classes
//! rewritten by ASM keep them in ordinary collections.
//!
//! Run with `--nocapture` for the table.

use std::ffi::OsString;
use std::fs;
use std::path::Path;

use asm_witness::results::WitnessedResults;
use asm_witness::results_comparison::ResultsComparison;
use asm_witness::witness::{DISTINCT, Witness};
use profile::Profile;
use support::fetched::app_class_path;
use support::{Jdk, agent_option, artifacts, each, java, jdks, oldest, scratch, succeed};

/// Programs, the applications of `tests/apps` that have their libraries, and how many
/// methods must be equal at least, and how many may be estimated.
const PROGRAMS: [(&str, Option<&str>, u64, usize); 4] = [
    ("Transform", Some("xalan"), 800, 5),
    ("Typeset", Some("fop"), 2_100, 15),
    ("Search", Some("lucene-index"), 1_800, 20),
    ("Corners", None, 43, 10),
];

/// Methods whose results differ, by program, with the reason. One that no longer does has
/// to be struck off.
const EXEMPT: [(&str, &str, &str); 0] = [];

/// Rules that the witness can break. Each must be noticed.
const RULES: [&str; 7] = [
    "STRINGS",
    "LAST_RESULT",
    "RECEIVER_IN_INPUT",
    "IDENTITY",
    "EXCEPTIONS",
    "CALL_BEFORE",
    "ALWAYS_NULL",
];

/// A program on a JDK.
struct Case<'a> {
    jdk: &'a Jdk,
    program: &'a str,
    class_path: &'a str,
    least: u64,
    most_estimated: usize,
}

/// Runs a program with these options; gives what it prints.
fn run(case: &Case<'_>, options: &[OsString]) -> String {
    let mut java = java(case.jdk);
    java.args(DISTINCT).args(options).args(["-cp", case.class_path, case.program]);
    succeed(&mut java)
}

fn witnessed(case: &Case<'_>, file: &Path, rule: Option<&str>) -> (WitnessedResults, String) {
    let options = Witness::compiled().options("results", file, rule);
    let printed = run(case, &options.map(OsString::from));
    (WitnessedResults::of_witness(file), printed)
}

fn recorded(case: &Case<'_>, file: &Path) -> (Profile, String) {
    let options = format!("mode=results,out={}", file.display());
    let printed = run(case, &[agent_option(&artifacts().agent, &options)]);
    (profile::read_file(file).expect("the profile can be read"), printed)
}

fn compare(case: &Case<'_>, folder: &Path) -> ResultsComparison {
    let (witnessed, one) = witnessed(case, &folder.join("witnessed"), None);
    let (profile, other) = recorded(case, &folder.join("results.subsume"));
    assert_eq!(one, other, "what {} prints on {}", case.program, case.jdk);
    ResultsComparison::new(&witnessed, &profile)
}

/// Compares one program and prints its part of the table; where its files are if it
/// differs.
fn check(case: &Case<'_>) -> Option<String> {
    let Case { jdk, program, .. } = *case;
    let folder = scratch(&format!("{program}-{}", jdk.release));
    let mut found = compare(case, &folder);
    let mut table = vec![format!("{:?}", found.kinds)];
    found.different.retain(|(method, _)| {
        let name = method.to_string();
        let exempt = EXEMPT.iter().find(|(of, method, _)| *of == program && *method == name);
        exempt.inspect(|(_, _, why)| table.push(format!("exempt: {name}: {why}"))).is_none()
    });
    let exempt = EXEMPT.iter().filter(|(of, ..)| *of == program).count();
    let met = table.iter().filter(|line| line.starts_with("exempt")).count();
    assert_eq!(met, exempt, "{program} on {jdk}: strike off what is equal: {table:#?}");
    for (why, methods) in [
        ("more inputs than are kept", &found.estimated),
        ("followed no longer", &found.unfollowed),
        ("without probes", &found.without_probes),
        ("no room for the witness", &found.left_out),
    ] {
        table.extend(methods.iter().map(|method| format!("{why}: {method}")));
    }
    let different = found.different.iter();
    table.extend(different.map(|(method, both)| format!("different: {method}\n       {both}")));
    let lines: String = table.iter().map(|line| format!("\n     {line}")).collect();
    println!(
        "{:3}  {program:10} {:8} {:10} {:10} {:10}{lines}",
        jdk.release,
        found.equal,
        found.returned,
        found.estimated.len(),
        found.different.len()
    );
    assert!(found.equal >= case.least, "{program} on {jdk}: {} methods equal", found.equal);
    // The others would prove nothing.
    let left_out = [&found.unfollowed, &found.without_probes, &found.left_out];
    assert!(left_out.iter().all(|methods| methods.is_empty()), "{program} on {jdk}: {left_out:?}");
    assert!(found.estimated.len() <= case.most_estimated, "{program} on {jdk}");
    if found.different.is_empty() {
        fs::remove_dir_all(&folder).expect("the files of the run can be removed");
        return None;
    }
    Some(format!("{program} on {jdk}, files in {}", folder.display()))
}

#[test]
fn methods_of_libraries_have_the_results_that_are_promised() {
    // Fetched one after the other: the scripts share folders.
    let class_paths = PROGRAMS.map(|(program, library, ..)| {
        Witness::compiled().program(program, library.map(app_class_path).as_deref())
    });
    let cases: Vec<Case<'_>> =
        jdks()
            .iter()
            .flat_map(|jdk| {
                PROGRAMS.iter().zip(&class_paths).map(move |(&(program, _, least, most), path)| {
                    Case { jdk, program, class_path: path, least, most_estimated: most }
                })
            })
            .collect();
    println!("JDK  program     methods    returned  estimated  different");
    let failed: Vec<String> = each(&cases, check).into_iter().flatten().collect();
    assert!(failed.is_empty(), "results differ: {failed:#?}");
}

#[test]
fn a_witness_with_other_rules_disagrees() {
    let class_path = Witness::compiled().program("Corners", None);
    let case = Case {
        jdk: oldest(),
        program: "Corners",
        class_path: &class_path,
        least: 0,
        most_estimated: 0,
    };
    let folder = scratch("rules");
    let (profile, _) = recorded(&case, &folder.join("results.subsume"));
    let different = |file: &str, rule| {
        let (run, _) = witnessed(&case, &folder.join(file), rule);
        let found = ResultsComparison::new(&run, &profile);
        found.different.iter().map(|(method, _)| method.to_string()).collect::<Vec<_>>()
    };
    let right = different("right", None);
    for rule in RULES {
        assert_ne!(different(rule, Some(rule)), right, "{rule} is broken unnoticed");
    }
    fs::remove_dir_all(&folder).expect("the files of the run can be removed");
}
