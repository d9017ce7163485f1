//! What one worker runs at a time.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::process::Command;

use crate::build::{Built, Program};
use crate::tier::{self, Tier};
use crate::times;

/// Suites whose modules can run in processes of their own; others share what they prepare.
const DIVIDED: &[&str] = &["analysis", "analyzer", "dataflow", "end-to-end", "side-effects"];

/// A program of tests, or some tests of it.
pub struct Unit {
    /// `PACKAGE` or `PACKAGE MODULE`.
    pub name: String,
    /// The tests that run; the others of the program do not.
    pub tests: Vec<String>,
    pub program: PathBuf,
    pub folder: PathBuf,
    /// One of those that run one at a time.
    pub is_exclusive: bool,
    /// Also on runtimes.
    pub on_runtimes: bool,
    /// How many of its tests run side by side: those in a browser mostly wait.
    pub threads: usize,
    /// Seconds that it took once; none if that is not known.
    pub seconds: Option<f64>,
}

/// The units of a tier, longest first, with the tests whose names hold one of `names`, or all.
pub fn units(built: &Built, tier: Tier, names: &[String]) -> Vec<Unit> {
    let known = times::known();
    let mut units: Vec<Unit> = Vec::new();
    for program in &built.programs {
        let mut modules: BTreeMap<String, Vec<String>> = BTreeMap::new();
        for test in tests_of(program, tier) {
            let module = test.split("::").next().unwrap_or_default().to_owned();
            let full = format!("{} {test}", program.package);
            if tier::first(&program.package, program.is_suite, &module) > tier
                || !names.is_empty() && !names.iter().any(|name| full.contains(name.as_str()))
            {
                continue;
            }
            let is_divided = program.is_suite && DIVIDED.contains(&program.package.as_str());
            let of = if is_divided { module } else { String::new() };
            modules.entry(of).or_default().push(test);
        }
        for (module, tests) in modules {
            let kind = if program.is_suite { "" } else { " (sources)" };
            let name = format!("{}{kind} {module}", program.package).trim_end().to_owned();
            units.push(Unit {
                seconds: known.get(&name).copied(),
                is_exclusive: tier::ONE_AT_A_TIME.contains(&module.as_str()),
                on_runtimes: tier::is_for_runtimes(&program.package),
                threads: if program.package == "browser" { 4 } else { 1 },
                program: program.file.clone(),
                folder: program.folder.clone(),
                name,
                tests,
            });
        }
    }
    // What is new may be long.
    let length = |unit: &Unit| unit.seconds.unwrap_or(f64::MAX);
    units.sort_by(|a, b| length(b).total_cmp(&length(a)));
    units
}

/// The names of a program's tests; those that it ignores belong to the last tier.
fn tests_of(program: &Program, tier: Tier) -> Vec<String> {
    let list = |options: &[&str]| -> Vec<String> {
        let mut listing = Command::new(&program.file);
        listing.args(["--list", "--format", "terse"]).args(options).current_dir(&program.folder);
        let output = listing.output().expect("a test program can be started");
        let text = String::from_utf8(output.stdout).expect("names are text");
        text.lines().filter_map(|line| line.strip_suffix(": test")).map(str::to_owned).collect()
    };
    let mut tests = list(&[]);
    if tier < Tier::All {
        let ignored = list(&["--ignored"]);
        tests.retain(|test| !ignored.contains(test));
    }
    tests
}
