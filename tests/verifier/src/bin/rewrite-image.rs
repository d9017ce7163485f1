//! Rewrites every class below a folder, for the script `verify-jdk`.
//!
//! usage: rewrite-image [--plan probes|every-instruction] IMAGE OUT
//!
//! Prints how many classes keep their bytes when they are read and written,
//! how many methods keep their meaning when each instruction is marked, and
//! every method that was refused, with its reason. The exit code is 1 if a
//! class could not be read, changed without being edited, or changed its
//! meaning when it was marked; 2 for wrong arguments or files.

use classfile::{ClassEditor, ClassFile, Scratch};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::{Duration, Instant};
use verifier::annotation_removal;
use verifier::instrument::{Plan, instrument};
use verifier::marks;
use verifier::probe_pool::ProbeOwner;
use verifier::toolchain::class_files;

fn main() -> ExitCode {
    match Arguments::parse().and_then(|arguments| rewrite(&arguments)) {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::from(1),
        Err(message) => {
            eprintln!("rewrite-image: {message}");
            ExitCode::from(2)
        }
    }
}

struct Arguments {
    plan: Plan,
    image: PathBuf,
    out: PathBuf,
}

impl Arguments {
    fn parse() -> Result<Arguments, String> {
        const USAGE: &str = "usage: rewrite-image [--plan probes|every-instruction] IMAGE OUT";
        let mut plan = Plan::Probes;
        let mut folders = Vec::new();
        let mut arguments = std::env::args().skip(1);
        while let Some(argument) = arguments.next() {
            if argument == "--plan" {
                plan = match arguments.next().as_deref() {
                    Some("probes") => Plan::Probes,
                    Some("every-instruction") => Plan::EveryInstruction,
                    _ => return Err(USAGE.to_owned()),
                };
            } else {
                folders.push(PathBuf::from(argument));
            }
        }
        let [image, out] = <[PathBuf; 2]>::try_from(folders).map_err(|_| USAGE.to_owned())?;
        Ok(Arguments { plan, image, out })
    }
}

/// Returns whether every class could be read and kept its bytes unedited.
fn rewrite(arguments: &Arguments) -> Result<bool, String> {
    let mut same = 0;
    let mut broken = 0;
    let mut compared = 0;
    let mut removed = 0;
    let mut scratch = Scratch::default();
    let mut edited = 0;
    let mut refused = 0;
    let mut spent = Duration::ZERO;
    let files = class_files(&arguments.image)?;
    for file in &files {
        let bytes = fs::read(file).map_err(|error| format!("{}: {error}", file.display()))?;
        match round_trip(&bytes) {
            Ok(true) => same += 1,
            Ok(false) => println!("{}: changed without being edited", file.display()),
            Err(message) => println!("{}: {message}", file.display()),
        }
        let comparison = marks::prove(&bytes, &mut scratch);
        let removal = annotation_removal::prove(&bytes);
        match (comparison, removal) {
            (Ok(methods), Ok(annotations)) => {
                compared += methods;
                removed += annotations;
            }
            (Err(difference), _) | (_, Err(difference)) => {
                broken += 1;
                println!("{}: {difference}", file.display());
            }
        }
        let start = Instant::now();
        let rewritten = instrument(&bytes, arguments.plan, ProbeOwner::Object);
        spent += start.elapsed();
        match rewritten {
            Ok(rewritten) => {
                edited += rewritten.edited;
                refused += rewritten.refused.len();
                for method in &rewritten.refused {
                    println!("{}: {} left alone: {}", file.display(), method.method, method.reason);
                }
                let inside = file.strip_prefix(&arguments.image).unwrap_or(file);
                write(&arguments.out.join(inside), &rewritten.bytes)?;
            }
            Err(error) => {
                broken += 1;
                println!("{}: {error}", file.display());
            }
        }
    }
    let rate = files.len() as f64 / spent.as_secs_f64().max(f64::EPSILON);
    println!(
        "rewrite: {} classes, {same} unchanged by reading and writing, {broken} broken, {compared} methods compared with \
         their marked code, {removed} annotations removed, {edited} methods edited, {refused} refused, {rate:.0} classes/s",
        files.len()
    );
    Ok(!files.is_empty() && same == files.len() && broken == 0)
}

fn round_trip(bytes: &[u8]) -> Result<bool, String> {
    let class = ClassFile::parse(bytes).map_err(|error| error.to_string())?;
    Ok(ClassEditor::new(&class).finish() == bytes)
}

fn write(path: &Path, bytes: &[u8]) -> Result<(), String> {
    let folder = path.parent().unwrap_or(Path::new(""));
    fs::create_dir_all(folder)
        .and_then(|()| fs::write(path, bytes))
        .map_err(|error| format!("{}: {error}", path.display()))
}
