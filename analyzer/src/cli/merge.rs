//! `subsume merge`.

use std::io::Write;
use std::path::PathBuf;

use base::number::{counted, grouped};
use base::{shown, tell};
use fleet::merged;
use profile::dataflow::DataFlow;
use serde::Serialize;
use tree::error::{Error, Result};
use tree::fold::{Fold, Folded};
use tree::names::generated::make_comparable;
use tree::redaction::redact;

use crate::cli::json;
use crate::cli::output_file::{Content, check, write_whole_file};
use crate::cli::progress::Progress;
use crate::cli::reading;

/// Fold any number of profiles into one.
///
/// Profiles are read one after the other, so it takes memory only for the result and one
/// profile. Contexts of the same path become one, and so do threads of the same name; call
/// sites and lines stay apart. Every command gives the same answer for the result as for the
/// profiles together. Data flow is left out.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  subsume merge run1.subsume run2.subsume run3.subsume -o all.subsume
  subsume merge --normalise nightly/*.subsume -o nightly.subsume
  subsume merge heads.subsume --contexts merged.parquet -o all.subsume
  subsume methods all.subsume")]
pub struct Args {
    /// Profiles to fold.
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,

    /// Rename classes that are generated at run time as 'subsume diff' does, with * for numbers
    /// and random parts, so that classes of different runs match.
    #[arg(long)]
    normalise: bool,

    /// Take the contexts from this table, which an engine has merged. The profiles are those in
    /// the folder 'heads' of a fleet, or merged from these.
    #[arg(long, value_name = "TABLE")]
    contexts: Option<PathBuf>,

    /// Profile to write.
    #[arg(short, long = "output", value_name = "OUT")]
    out: PathBuf,

    /// Leave out the values of properties and arguments in command lines, labels from the
    /// environment, and texts that split contexts.
    #[arg(long)]
    redact: bool,

    /// Print JSON for programs.
    #[arg(long)]
    json: bool,
}

/// Runs the command.
///
/// # Errors
/// If a profile cannot be read, or the result cannot be written. Then nothing is.
pub fn run(args: &Args, out: &mut impl Write) -> Result<()> {
    check(&args.out, Content::Profile, args.files.iter().chain(&args.contexts))?;
    let progress = Progress::of_files(&args.files);
    let mut fold = Fold::default();
    let (mut with_dataflow, mut profiles) = (0, 0);
    for file in &args.files {
        let name = file.to_string_lossy().into_owned();
        progress.say(&format!("reading {name}"));
        let mut profile = profile::read_file(file).map_err(|e| Error::profile(file, &e))?;
        profiles += profiles_in(&profile.run.writer);
        let mut notes = Vec::new();
        notes.extend(reading::flaw(&profile));
        if profile.dataflow != DataFlow::default() {
            with_dataflow += 1;
            notes.push("its data flow is left out".to_owned());
        }
        for note in notes {
            progress.wipe();
            tell!("note: {name}: {note}");
        }
        if args.redact {
            redact(&mut profile);
        }
        if args.normalise {
            make_comparable(&mut profile);
        }
        fold.add(&name, profile)?;
    }
    if let Some(table) = &args.contexts {
        progress.say(&format!("reading {}", shown(table)));
        let named = |error: Error| match error.to_string() {
            told if told.starts_with(&*table.to_string_lossy()) => error,
            told => Error::new(format!("{}: {told}", shown(table))),
        };
        fold.take(&merged::read(table).map_err(named)?).map_err(named)?;
    }
    progress.say("writing");
    let writer = concat!("subsume ", env!("CARGO_PKG_VERSION"));
    let writer = format!("{writer}{MERGE_OF}{}", counted(profiles, "profile"));
    let folded = write_whole_file(&args.out, |file| fold.write(&writer, file))?;
    progress.wipe();
    print(args, &folded, with_dataflow, out)
}

/// Between the name of the command and the number of profiles.
const MERGE_OF: &str = ", merge of ";

/// How many profiles one stands for: those that were merged into it.
fn profiles_in(writer: &str) -> u64 {
    let count = writer.split_once(MERGE_OF).and_then(|(_, count)| count.split(' ').next());
    count.and_then(|count| count.replace(',', "").parse().ok()).unwrap_or(1)
}

fn print(args: &Args, folded: &Folded, with_dataflow: u64, out: &mut impl Write) -> Result<()> {
    if args.json {
        let totals = folded.totals.iter();
        let summary = Summary {
            profiles: folded.profiles,
            input_contexts: folded.rows,
            contexts: folded.contexts,
            methods: folded.methods,
            totals: totals.map(|(name, total)| (name.clone(), (*total).into())).collect(),
            dataflow_left_out: with_dataflow,
        };
        return json::print(&summary, out);
    }
    let totals = folded.totals.iter().map(|(name, total)| format!("{} {name}", grouped(*total)));
    writeln!(
        out,
        "{}: {} of {}, {}; {} had {}",
        shown(&args.out),
        counted(folded.contexts, "context"),
        counted(folded.methods, "method"),
        totals.collect::<Vec<_>>().join(", "),
        counted(folded.profiles, "profile"),
        counted(folded.rows, "context"),
    )?;
    Ok(())
}

#[derive(Serialize)]
struct Summary {
    profiles: u64,
    /// Contexts of all profiles.
    input_contexts: u64,
    contexts: u64,
    methods: u64,
    totals: serde_json::Map<String, serde_json::Value>,
    /// Profiles with data flow.
    dataflow_left_out: u64,
}
