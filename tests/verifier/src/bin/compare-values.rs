//! Compares the values of every method below some folders with reaching
//! definitions, and measures how long finding them takes.
//!
//! usage: compare-values FOLDER...
//!
//! The exit code is 1 if a method's values differ; 2 for wrong arguments or
//! files.

use classfile::ssa::Values;
use classfile::{ClassFile, ControlFlow};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use verifier::toolchain::class_files;
use verifier::value_proof::{Compared, prove};

fn main() -> ExitCode {
    let folders: Vec<PathBuf> = std::env::args_os().skip(1).map(PathBuf::from).collect();
    if folders.is_empty() {
        eprintln!("compare-values: usage: compare-values FOLDER...");
        return ExitCode::from(2);
    }
    let mut same = true;
    for folder in &folders {
        match compare(folder) {
            Ok(is_same) => same &= is_same,
            Err(message) => {
                eprintln!("compare-values: {message}");
                return ExitCode::from(2);
            }
        }
    }
    ExitCode::from(u8::from(!same))
}

/// Gives whether all methods below a folder have the values that they should.
fn compare(folder: &Path) -> Result<bool, String> {
    let mut classes = Vec::new();
    for file in class_files(folder)? {
        let bytes = fs::read(&file).map_err(|error| format!("{}: {error}", file.display()))?;
        classes.push((file, bytes));
    }
    if classes.is_empty() {
        return Err(format!("{}: no class files", folder.display()));
    }
    let (control_flow, both) = measure(&classes);
    let mut total = Compared::default();
    let mut different = 0;
    for (file, bytes) in &classes {
        match prove(bytes) {
            Ok(compared) => total.add(&compared),
            Err(difference) => {
                different += 1;
                println!("{}: {difference}", file.display());
            }
        }
    }
    let per_instruction = |seconds: f64| 1e9 * seconds / total.instructions as f64;
    println!(
        "{}: {} classes, {different} differ; {} methods, {} refused for subroutines, {} instructions, {} operands, {} phis, \
         {} of handlers; {:.0} ns per instruction, after {:.0} for basic blocks",
        folder.display(),
        classes.len(),
        total.methods,
        total.refused,
        total.instructions,
        total.operands,
        total.phis,
        total.handler_phis,
        per_instruction(both - control_flow),
        per_instruction(control_flow),
    );
    Ok(different == 0)
}

/// Seconds of this thread for reading code and finding basic blocks, and for
/// values as well: the best of three rounds each.
fn measure(classes: &[(PathBuf, Vec<u8>)]) -> (f64, f64) {
    let mut best = [f64::INFINITY; 2];
    for round in 0..6 {
        let with_values = round % 2 == 1;
        let start = processor_seconds();
        for (_, bytes) in classes {
            let Ok(class) = ClassFile::parse(bytes) else { continue };
            for method in class.methods() {
                let Ok(Some(code)) = method.code() else { continue };
                let flow = ControlFlow::new(&code);
                if with_values {
                    std::hint::black_box(Values::new(&code, &flow).is_ok());
                }
                std::hint::black_box(flow.blocks().len());
            }
        }
        let fastest = &mut best[usize::from(with_values)];
        *fastest = fastest.min(processor_seconds() - start);
    }
    (best[0], best[1])
}

/// How long this thread has run, whatever else the machine did meanwhile.
/// Linux tells that in `/proc`; elsewhere all times are 0.
fn processor_seconds() -> f64 {
    let times = fs::read_to_string("/proc/thread-self/schedstat").unwrap_or_default();
    let nanoseconds = times.split(' ').next().and_then(|time| time.parse::<f64>().ok());
    nanoseconds.unwrap_or(0.0) / 1e9
}
