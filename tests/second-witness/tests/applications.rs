//! Real applications: every method of theirs has executed as many bytecodes,
//! in as many calls, as classes rewritten by ASM count.
//!
//! README.md names the environment variables that choose the applications.
//! Run with `--nocapture` for the table.

use std::env;
use std::fs;
use std::path::Path;
use std::process::Command;

use second_witness::artifacts::artifacts;
use second_witness::comparison::Comparison;
use second_witness::counts::Counts;
use second_witness::fetched::{app_class_path, digest};
use second_witness::jdk::{Jdk, jdks};
use second_witness::witness::{REPEATABLE, Witness, scratch, succeed};

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
fn run(jdk: &Jdk, app: &str, size: &str, class_path: &str, options: &[String]) {
    let mut java = Command::new(jdk.command("java"));
    java.args(REPEATABLE).args(options);
    java.args(OPTIONS.iter().filter(|(name, _)| *name == app).map(|(_, option)| option));
    java.args(["-cp", class_path, "secondwitness.Once", app, size]);
    java.env_remove("JAVA_TOOL_OPTIONS").env_remove("JDK_JAVA_OPTIONS").env_remove("CLASSPATH");
    assert_eq!(succeed(&mut java).trim_end(), digest(app, size), "{app} on {jdk}");
}

fn witnessed(jdk: &Jdk, app: &str, size: &str, class_path: &str, file: &Path) -> Counts {
    run(jdk, app, size, class_path, &Witness::compiled().options(file));
    Counts::of_witness(file)
}

fn compare(jdk: &Jdk, app: &str, size: &str, folder: &Path) -> Comparison {
    let class_path = Witness::compiled().class_path(&app_class_path(app));
    let runs = env::var("SUBSUME_SECOND_WITNESS_RUNS")
        .map_or(2, |runs| runs.parse().expect("it is a whole number"));
    let witnessed: Vec<Counts> = (0..runs)
        .map(|run| witnessed(jdk, app, size, &class_path, &folder.join(format!("counts-{run}"))))
        .collect();
    let file = folder.join("app.subsume");
    let agent = format!("-agentpath:{}=out={}", artifacts().agent.display(), file.display());
    run(jdk, app, size, &class_path, &[agent]);
    let recorded = profile::read_file(&file).expect("the profile can be read");
    Comparison::new(&witnessed, &recorded)
}

#[test]
fn methods_of_applications_count_the_same() {
    let apps = env::var("SUBSUME_SECOND_WITNESS").unwrap_or_else(|_| USUAL.to_owned());
    let size = env::var("SUBSUME_SECOND_WITNESS_SIZE").unwrap_or_else(|_| "small".to_owned());
    let mut failed = Vec::new();
    println!("JDK  application    methods        calls     bytecodes  unsteady  different");
    for jdk in jdks() {
        for app in apps.split_whitespace() {
            let folder = scratch(&format!("{app}-{}", jdk.release));
            let mut found = compare(jdk, app, &size, &folder);
            found.different.retain(|difference| {
                let method = difference.method.to_string();
                let exempt = EXEMPT.iter().find(|(of, name, _)| *of == app && *name == method);
                exempt.inspect(|(_, _, why)| println!("     {method}: {why}")).is_none()
            });
            println!(
                "{:3}  {app:13} {:8} {:12} {:13} {:9} {:10}",
                jdk.release,
                found.equal,
                found.sum.calls,
                found.sum.bytecodes,
                found.unsteady.len(),
                found.different.len()
            );
            for method in &found.without_probes {
                println!("     without probes: {method}");
            }
            for method in &found.left_out {
                println!("     no room for the witness: {method}");
            }
            for difference in &found.unsteady {
                println!("     not the same in every run: {difference}");
            }
            for difference in &found.different {
                println!("     witness and agent: {difference}");
            }
            assert!(found.equal >= 10, "{app} on {jdk}: {} methods compared", found.equal);
            if found.different.is_empty() {
                fs::remove_dir_all(&folder).expect("the files of the run can be removed");
            } else {
                failed.push(format!("{app} on {jdk}, files in {}", folder.display()));
            }
        }
    }
    assert!(failed.is_empty(), "counts differ: {failed:#?}");
}
