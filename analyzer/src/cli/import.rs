//! `subsume import`.

use std::io::Write;
use std::path::PathBuf;

use base::number::{counted, grouped};
use base::shown;
use clap::ValueEnum;
use formats::import::folded::Importer;
use formats::import::jstack::Threads;
use formats::import::{callgrind, input, jfr, jp2, jprofiler, jstack, otlp, pprof};
use profile::Profile;
use serde::Serialize;
use tree::error::{Error, Result};
use tree::readable_names::printable;

use crate::cli::json;
use crate::cli::output_file::{Content, check, write_file};
use crate::cli::progress::Progress;

/// Make a profile from another profiler's output.
///
/// Folded stacks are what stackcollapse scripts and 'asprof -o collapsed' write: one line per
/// stack, with frames from the root on separated by ';', a space, and a whole number. Frames
/// without descriptors make all overloads of a name one method, also where 'subsume export' has
/// written them without --descriptors. Thread dumps, concatenated or in several files, count as
/// samples; threads that wait are left out unless --waiting is given. Threads keep their names
/// where the format has them; otherwise each file becomes a thread of the profile, named after
/// it. Files may be compressed with gzip.
///
/// Costs without a stack are under [no stack], and frames without a name are [unknown].
/// Negative values in a difference of pprof or OTLP become a metric of their own, 'less NAME'.
/// A file with far more contexts than its size justifies is refused.
#[allow(rustdoc::broken_intra_doc_links, reason = "the help shows it as it is")]
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  subsume import --from folded profile.folded -o profile.subsume
  subsume import --from jfr recording.jfr -o recording.subsume
  subsume import --from jstack dump1.txt dump2.txt dump3.txt -o dumps.subsume
  subsume methods profile.subsume")]
pub struct Args {
    /// Files to read; several make one profile.
    #[arg(required = true, value_name = "IN")]
    files: Vec<PathBuf>,

    /// Format of the files.
    #[arg(long, default_value = "folded")]
    from: Format,

    /// Also read the stacks of waiting threads in thread dumps: those that are blocked, parked
    /// or asleep, or in a native that waits for input.
    #[arg(long)]
    waiting: bool,

    /// Profile to write.
    #[arg(short, long = "output", value_name = "OUT")]
    out: PathBuf,

    /// Print JSON for programs.
    #[arg(long)]
    json: bool,
}

#[derive(Debug, Clone, Copy, ValueEnum)]
enum Format {
    /// One line per stack, as flame graph tools read it.
    Folded,
    /// Flight Recorder, of the JDK or of async-profiler.
    Jfr,
    /// What Go, async-profiler and others write.
    Pprof,
    /// Profiles of OpenTelemetry, as protocol buffers.
    Otlp,
    /// Callgrind's call graph; contexts are estimated.
    Callgrind,
    /// Thread dumps of 'jstack', 'jcmd PID Thread.print' and 'jcmd PID Thread.dump_to_file'.
    Jstack,
    /// JP2's text.
    Jp2,
    /// JProfiler's call tree, exported as XML.
    Jprofiler,
}

/// Runs the command.
///
/// # Errors
/// If a file is not what it is said to be, or the profile cannot be written.
pub fn run(args: &Args, out: &mut impl Write) -> Result<()> {
    check(&args.out, Content::Profile, &args.files)?;
    let progress = Progress::of_files(&args.files);
    progress.say("reading");
    if args.waiting && !matches!(args.from, Format::Jstack) {
        return Err(Error::new("--waiting is for thread dumps (--from jstack)"));
    }
    let Read { profile, waiting, notes } = read(args).map_err(|error| advise(args, error))?;
    progress.say("writing");
    write_file(&args.out, |file| {
        profile::write(&profile, file).map_err(|e| Error::profile(&args.out, &e))?;
        Ok(())
    })?;
    progress.wipe();

    // Sums for display; analyses refuse profiles where they leave 64 bits.
    let sum = |values: &[u64]| values.iter().fold(0, |sum: u64, &v| sum.saturating_add(v));
    let metrics = profile.nodes.metrics.iter();
    let totals: Vec<(&str, u64)> = metrics.map(|m| (m.name.as_str(), sum(&m.values))).collect();
    if args.json {
        let summary = Summary {
            contexts: profile.nodes.len(),
            methods: profile.methods.len(),
            metric: totals.first().map_or("", |(name, _)| name),
            total: totals.first().map_or(0, |(_, total)| *total),
            totals: totals.iter().map(|&(name, total)| (name.to_owned(), total.into())).collect(),
            waiting_left_out: waiting,
            notes: &notes,
        };
        return json::print(&summary, out);
    }
    let totals = totals.iter().map(|(name, total)| format!("{} {name}", grouped(*total)));
    writeln!(
        out,
        "{}: {} of {}, {}",
        shown(&args.out),
        counted(profile.nodes.len() as u64, "context"),
        counted(profile.methods.len() as u64, "method"),
        totals.collect::<Vec<_>>().join(", "),
    )?;
    for note in notes {
        writeln!(out, "Note: {}", printable(&note))?;
    }
    if let Some(waiting) = waiting.filter(|&waiting| waiting > 0) {
        let stacks = counted(waiting, "stack");
        writeln!(out, "Left out: {stacks} of threads that waited (--waiting takes them, too)")?;
    }
    Ok(())
}

/// What was read.
struct Read {
    profile: Profile,
    /// Of thread dumps, how many stacks of waiting threads are not in it.
    waiting: Option<u64>,
    /// What is to be said of it, a sentence each.
    notes: Vec<String>,
}

fn read(args: &Args) -> Result<Read> {
    let files = &args.files;
    let (mut waiting, mut notes) = (None, Vec::new());
    let profile = match args.from {
        Format::Jstack => {
            let wanted = if args.waiting { Threads::All } else { Threads::Running };
            let dumps = jstack::read(files, wanted)?;
            waiting = Some(dumps.waiting);
            dumps.profile
        }
        Format::Folded => {
            let mut importer = Importer::default();
            for path in files {
                importer.read_file(path)?;
            }
            importer.finish()
        }
        Format::Jfr => {
            let recordings = jfr::read_noted(files)?;
            notes = recordings.notes;
            recordings.profile
        }
        Format::Pprof => pprof::read(files)?,
        Format::Otlp => otlp::read(files)?,
        Format::Callgrind => callgrind::read(files)?,
        Format::Jp2 => jp2::read(files)?,
        Format::Jprofiler => jprofiler::read(files)?,
    };
    Ok(Read { profile, waiting, notes })
}

/// Adds to an error what the file may be instead.
fn advise(args: &Args, error: Error) -> Error {
    let named = args.from.to_possible_value();
    let named = named.as_ref().map_or("", |value| value.get_name());
    match args.files.iter().find_map(|path| input::guess(path)) {
        Some(guess) if guess != named => {
            Error::new(format!("{error} (it looks like --from {guess})"))
        }
        _ => error,
    }
}

#[derive(Serialize)]
struct Summary<'a> {
    contexts: usize,
    methods: usize,
    /// The first metric and its total; all of them are in `totals`.
    metric: &'a str,
    total: u64,
    totals: serde_json::Map<String, serde_json::Value>,
    /// Stacks of thread dumps that are left out because their threads waited;
    /// null for other formats.
    waiting_left_out: Option<u64>,
    /// What is to be said of the files, a sentence each.
    notes: &'a [String],
}
