//! `subsume fleet add`.

use std::io::Write;
use std::path::PathBuf;
use std::process::ExitCode;

use analyzer::error::Result;
use analyzer::fleet::add::{Added, Adder};
use analyzer::fleet::labels::{Label, Labels};
use analyzer::report::number::counted;
use serde::Serialize;

use crate::cli::FAILURE;
use crate::cli::json;
use crate::cli::progress::Progress;

/// Add profiles to a fleet.
///
/// The fleet is made if there is none. A profile that is there already stays as it is,
/// with the labels that it has. One that cannot be read is refused, and the others are
/// added; the exit code is then 2. Several may add at the same time, and one that is
/// killed leaves no run behind that is not whole.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  subsume fleet add fleet fop.subsume --label version=1.2 --label host=a
  subsume fleet add fleet nightly/*.subsume --label program=fop --label commit=4f2a
  subsume fleet add --no-trees fleet fop.subsume")]
pub struct Args {
    /// Folder of the fleet.
    #[arg(value_name = "DIR")]
    fleet: PathBuf,

    /// Profiles to add.
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,

    /// A label of these runs; may be repeated. program=NAME takes the place of the main
    /// class; version, commit and host have columns of their own.
    #[arg(long = "label", value_name = "KEY=VALUE")]
    labels: Vec<Label>,

    /// Keep no whole profiles: no contexts, no induced costs, nothing to get back.
    #[arg(long)]
    no_trees: bool,

    /// Print JSON for programs.
    #[arg(long)]
    json: bool,
}

#[derive(Serialize)]
struct Answer {
    added: Vec<Entry>,
    /// Profiles that were there.
    known: Vec<Entry>,
    refused: Vec<Refused>,
}

#[derive(Serialize)]
struct Entry {
    file: String,
    run: String,
}

#[derive(Serialize)]
struct Refused {
    file: String,
    reason: String,
}

/// Runs the command.
///
/// # Errors
/// If the fleet cannot be written, the only profile cannot be added, or `out` fails.
pub fn run(args: &Args, out: &mut impl Write) -> Result<ExitCode> {
    let labels: Labels =
        args.labels.iter().map(|label| (label.key.clone(), label.value.clone())).collect();
    let progress = Progress::of_files(&args.files);
    let mut adder = Adder::new(&args.fleet, !args.no_trees)?;
    let mut answer = Answer { added: Vec::new(), known: Vec::new(), refused: Vec::new() };
    for path in &args.files {
        let file = path.display().to_string();
        progress.say(&format!("adding {file}"));
        match adder.add(path, &labels) {
            Ok(Added::New(run)) => answer.added.push(Entry { file, run: run.id.clone() }),
            Ok(Added::Known(run)) => answer.known.push(Entry { file, run }),
            Err(error) if args.files.len() == 1 => return Err(error),
            Err(error) => {
                progress.wipe();
                eprintln!("subsume: {error}");
                answer.refused.push(Refused { file, reason: error.to_string() });
            }
        }
    }
    progress.wipe();
    if args.json {
        json::print(&answer, out)?;
    } else {
        print(&answer, out)?;
    }
    Ok(if answer.refused.is_empty() { ExitCode::SUCCESS } else { ExitCode::from(FAILURE) })
}

fn print(answer: &Answer, out: &mut impl Write) -> Result<()> {
    for entry in &answer.added {
        writeln!(out, "{}: run {}", entry.file, entry.run)?;
    }
    for entry in &answer.known {
        writeln!(out, "{}: run {}, which was there", entry.file, entry.run)?;
    }
    let mut parts = vec![format!("{} added", counted(answer.added.len() as u64, "run"))];
    if !answer.known.is_empty() {
        parts.push(format!("{} there before", answer.known.len()));
    }
    if !answer.refused.is_empty() {
        parts.push(format!("{} refused", answer.refused.len()));
    }
    writeln!(out, "{}", parts.join(", "))?;
    Ok(())
}
