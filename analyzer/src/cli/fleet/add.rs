//! `subsume fleet add`.

use std::io::Write;
use std::path::PathBuf;
use std::process::ExitCode;

use base::number::counted;
use base::{shown, tell};
use fleet::add::{Added, Adder, Keep};
use fleet::inputs::files_of;
use fleet::labels::{Label, Labels, OF_EVERY_RUN};
use fleet::run::Run;
use serde::Serialize;
use tree::error::{Error, Result};

use crate::cli::FAILURE;
use crate::cli::json;
use crate::cli::progress::Progress;

/// Add profiles to a fleet.
///
/// The fleet is made if there is none. A profile that is in the fleet already keeps its labels.
/// If a profile cannot be read, it is refused and the others are added; the exit code is then
/// 2. Labels that the agent wrote into a profile (label.version=1.2) are kept, unless --label
/// gives another value. Recordings of Flight Recorder and pprof files are marked as sampled.
/// Several processes may add at the same time; one that is killed leaves no incomplete run
/// behind.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  subsume fleet add fleet fop.subsume --label version=1.2 --label host=a
  subsume fleet add fleet recordings/ --label program=shop
  subsume fleet add fleet nightly/*.subsume --label program=fop --label commit=4f2a
  subsume fleet add --no-trees fleet fop.subsume
  subsume fleet add --contexts fleet nightly/*.subsume --label commit=4f2a")]
pub struct Args {
    /// Folder of the fleet.
    #[arg(value_name = "DIR")]
    fleet: PathBuf,

    /// Profiles, recordings of Flight Recorder, pprof files, or folders with such files.
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,

    /// A label of these runs; may be repeated. program=NAME replaces the name of the main
    /// class; version, commit and host have columns of their own.
    #[arg(long = "label", value_name = "KEY=VALUE")]
    labels: Vec<Label>,

    /// Keep only the tables, without the profiles: no contexts, no induced costs, and nothing
    /// for 'subsume fleet get'.
    #[arg(long)]
    no_trees: bool,

    /// Also keep a table of all calling contexts, about 45 bytes for each, so that engines can
    /// merge and compare whole trees.
    #[arg(long)]
    contexts: bool,

    /// Leave out the values of properties and arguments in command lines, labels from the
    /// environment, and texts that split contexts.
    #[arg(long)]
    redact: bool,

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
    if let Some(own) = labels.keys().find(|key| OF_EVERY_RUN.contains(&key.as_str())) {
        return Err(Error::new(format!(
            "every run has '{own}' by itself; name the label otherwise"
        )));
    }
    let (files, unread) = files(&args.files)?;
    let progress = Progress::of_files(&files);
    let keep = Keep { tree: !args.no_trees, contexts: args.contexts, secrets: !args.redact };
    let mut adder = Adder::new(&args.fleet, keep)?;
    let mut answer = Answer { added: Vec::new(), known: Vec::new(), refused: unread };
    let is_only = files.len() == 1 && answer.refused.is_empty();
    for path in &files {
        let file = path.to_string_lossy().into_owned();
        progress.say(&format!("adding {file}"));
        match adder.add(path, &labels) {
            Ok(Added::New { run, replaced, notes }) => {
                progress.wipe();
                for note in notes {
                    tell!("note: {file}: {note}");
                }
                tell_replaced(&file, &run, &replaced);
                answer.added.push(Entry { file, run: run.id });
            }
            Ok(Added::Known { id: run, ignored }) => {
                progress.wipe();
                for Label { key, value } in &ignored {
                    let value = value.escape_debug();
                    tell!(
                        "note: {file}: the run was there and keeps its labels, without \
                         {key}={value}"
                    );
                }
                answer.known.push(Entry { file, run });
            }
            Err(error) if is_only => return Err(error),
            Err(error) => {
                progress.wipe();
                tell!("{error}");
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

/// All files that are meant, and the folders that cannot be read.
fn files(paths: &[PathBuf]) -> Result<(Vec<PathBuf>, Vec<Refused>)> {
    let (mut files, mut unread) = (Vec::new(), Vec::new());
    for path in paths {
        match files_of(path) {
            Ok(of_path) => files.extend(of_path),
            Err(error) if paths.len() == 1 => return Err(error),
            Err(error) => {
                tell!("{error}");
                let file = path.to_string_lossy().into_owned();
                unread.push(Refused { file, reason: error.to_string() });
            }
        }
    }
    Ok((files, unread))
}

/// Says which labels of a profile were not taken over.
fn tell_replaced(file: &str, run: &Run, replaced: &[Label]) {
    for Label { key, value } in replaced {
        let new = run.labels.get(key).map_or("", String::as_str);
        let (new, value) = (new.escape_debug(), value.escape_debug());
        tell!("note: {file}: {key}={new} takes the place of its own {key}={value}");
    }
}

fn print(answer: &Answer, out: &mut impl Write) -> Result<()> {
    for entry in &answer.added {
        writeln!(out, "{}: run {}", shown(&entry.file), entry.run)?;
    }
    for entry in &answer.known {
        writeln!(out, "{}: run {}, which was there", shown(&entry.file), entry.run)?;
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
