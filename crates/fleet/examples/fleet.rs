//! Makes a fleet of many runs out of one of a few, for measurements: copies of the
//! summaries of its runs under other numbers, without profiles.
//!
//! ```text
//! cargo run --release -p subsume-fleet --example fleet -- FLEET RUNS
//! ```

#![allow(clippy::disallowed_macros, reason = "what it says is its own")]

use std::error::Error;
use std::fs;
use std::path::PathBuf;
use std::process::ExitCode;

use subsume_fleet::dataset::{Dataset, Kind};

fn main() -> ExitCode {
    match run() {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("fleet: {error}");
            ExitCode::from(2)
        }
    }
}

fn run() -> Result<(), Box<dyn Error>> {
    let usage = "usage: fleet FLEET RUNS";
    let mut arguments = std::env::args_os().skip(1);
    let root = PathBuf::from(arguments.next().ok_or(usage)?);
    let wanted: usize = arguments.next().ok_or(usage)?.to_string_lossy().parse()?;
    let dataset = Dataset::open(&root)?;
    let runs = dataset.runs()?;
    for number in runs.len()..wanted {
        let run = &runs[number % runs.len()];
        let mut copy = run.clone();
        copy.id = format!("{number:032x}");
        copy.has_tree = false;
        for kind in [Kind::Methods, Kind::MethodRuns, Kind::Dominators] {
            let (from, to) = (dataset.path(kind, run), dataset.path(kind, &copy));
            if from.exists() {
                fs::copy(from, to)?;
            }
        }
        dataset.add(&dataset.path(Kind::Runs, &copy), |file| copy.write(file))?;
    }
    Ok(())
}
