//! Real applications: every method of theirs has executed as many bytecodes,
//! in as many calls, as classes rewritten by ASM count.
//!
//! README.md names the environment variables that choose the applications.
//! Run with `--nocapture` for the table.

use std::env;
use std::ffi::OsString;
use std::fs;
use std::path::Path;

use asm_witness::comparison::Comparison;
use asm_witness::counts::Counts;
use asm_witness::witness::{REPEATABLE, Witness};
use support::fetched::{app_class_path, digest};
use support::{Jdk, agent_option, artifacts, each, java, jdks, number, scratch, succeed};

/// What a run of all tests compares.
const USUAL: &str = "invoices xalan";

/// Options that some applications need to do the same in every run.
const OPTIONS: [(&str, &str); 1] = [
    // Otherwise it reads and compiles in threads that wait for each other.
    ("ecj", "-Djdt.compiler.useSingleThread=true"),
];

/// Methods that cannot be compared, by application, with the reason.
const EXEMPT: [(&str, &str, &str); 1] = [(
    "batik",
    "org.apache.batik.util.CleanerThread.run()V",
    "still runs when the JVM ends, so that its node lacks what it counted last",
)];

/// Runs an application with these options; checks what it computed.
fn run(jdk: &Jdk, app: &str, size: &str, class_path: &str, options: &[OsString]) {
    let mut java = java(jdk);
    java.args(REPEATABLE).args(options);
    java.args(OPTIONS.iter().filter(|(name, _)| *name == app).map(|(_, option)| option));
    java.args(["-cp", class_path, "secondwitness.Once", app, size]);
    assert_eq!(succeed(&mut java).trim_end(), digest(app, size), "{app} on {jdk}");
}

fn witnessed(jdk: &Jdk, app: &str, size: &str, class_path: &str, file: &Path) -> Counts {
    let options = Witness::compiled().options("counts", file, None);
    run(jdk, app, size, class_path, &options.map(OsString::from));
    Counts::of_witness(file)
}

/// An application on a JDK.
struct Case<'a> {
    jdk: &'a Jdk,
    app: &'a str,
    class_path: &'a str,
}

fn compare(case: &Case<'_>, size: &str, folder: &Path) -> Comparison {
    let Case { jdk, app, class_path } = *case;
    let runs = number("SUBSUME_SECOND_WITNESS_RUNS", 2);
    let witnessed: Vec<Counts> = (0..runs)
        .map(|run| witnessed(jdk, app, size, class_path, &folder.join(format!("counts-{run}"))))
        .collect();
    let file = folder.join("app.subsume");
    let agent = agent_option(&artifacts().agent, &format!("out={}", file.display()));
    run(jdk, app, size, class_path, &[agent]);
    let recorded = profile::read_file(&file).expect("the profile can be read");
    Comparison::new(&witnessed, &recorded)
}

/// Compares one application and prints its part of the table; where its files
/// are if counts differ.
fn check(case: &Case<'_>, size: &str) -> Option<String> {
    let Case { jdk, app, .. } = *case;
    let folder = scratch(&format!("{app}-{}", jdk.release));
    let mut found = compare(case, size, &folder);
    let mut table = Vec::new();
    found.different.retain(|difference| {
        let method = difference.method.to_string();
        let exempt = EXEMPT.iter().find(|(of, name, _)| *of == app && *name == method);
        exempt.inspect(|(_, _, why)| table.push(format!("{method}: {why}"))).is_none()
    });
    table.extend(found.without_probes.iter().map(|method| format!("without probes: {method}")));
    table.extend(found.left_out.iter().map(|method| format!("no room for the witness: {method}")));
    let unsteady = found.unsteady.iter();
    table.extend(unsteady.map(|difference| format!("not the same in every run: {difference}")));
    let different = found.different.iter();
    table.extend(different.map(|difference| format!("witness and agent: {difference}")));
    let lines: String = table.iter().map(|line| format!("\n     {line}")).collect();
    println!(
        "{:3}  {app:13} {:8} {:12} {:13} {:9} {:10}{lines}",
        jdk.release,
        found.equal,
        found.sum.calls,
        found.sum.bytecodes,
        found.unsteady.len(),
        found.different.len()
    );
    assert!(found.equal >= 10, "{app} on {jdk}: {} methods compared", found.equal);
    if found.different.is_empty() {
        fs::remove_dir_all(&folder).expect("the files of the run can be removed");
        return None;
    }
    Some(format!("{app} on {jdk}, files in {}", folder.display()))
}

#[test]
fn methods_of_applications_count_the_same() {
    let apps = env::var("SUBSUME_SECOND_WITNESS").unwrap_or_else(|_| USUAL.to_owned());
    let size = env::var("SUBSUME_SECOND_WITNESS_SIZE").unwrap_or_else(|_| "small".to_owned());
    // Fetched one after the other: the scripts share folders.
    let witness = Witness::compiled();
    let apps: Vec<(&str, String)> = apps
        .split_whitespace()
        .map(|app| (app, witness.class_path(&app_class_path(app))))
        .collect();
    let cases: Vec<Case<'_>> = jdks()
        .iter()
        .flat_map(|jdk| apps.iter().map(move |(app, class_path)| Case { jdk, app, class_path }))
        .collect();
    println!("JDK  application    methods        calls     bytecodes  unsteady  different");
    let failed: Vec<String> =
        each(&cases, |case| check(case, &size)).into_iter().flatten().collect();
    assert!(failed.is_empty(), "counts differ: {failed:#?}");
}
