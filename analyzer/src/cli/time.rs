//! `subsume time`, and what other commands say of samples.

use std::io::Write;
use std::path::{Path, PathBuf};

use base::shown;
use profile::Completeness;
use profile::sampling::Sampling;
use serde::Serialize;
use tree::error::{Error, Result};
use tree::time::precision::error;
use tree::time::text::heading;

use crate::cli::json;
use crate::cli::output_file::{Content, check, write_whole_file};
use crate::cli::reading::being_recorded;
use crate::cli::samples::Samples;

/// Add the time of an uninstrumented run to a profile.
///
/// Samples of a run without the agent are assigned to the contexts of the profile, as one more
/// metric, 'time'. 'summary', 'methods', 'tree', 'diff' and 'report' then show time beside
/// bytecodes, and '--metric time' ranks by it. 'subsume run --time' does all of this in one go.
///
/// A sample counts for the innermost frame of its stack that is a context of the
/// profile. Threads that wait are left out.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  java -XX:StartFlightRecording=settings=profile,filename=fop.jfr -jar fop.jar in.fo out.pdf
  subsume time fop.subsume fop.jfr
  subsume time fop.subsume async-profiler.folded -o timed.subsume
  subsume methods --sort time fop.subsume")]
pub struct Args {
    /// Profile of the same program.
    #[arg(value_name = "FILE")]
    profile: PathBuf,

    /// Samples: a flight recording, or pprof or folded stacks of async-profiler.
    #[arg(value_name = "SAMPLES")]
    samples: PathBuf,

    /// Profile to write [default: FILE itself].
    #[arg(short, long = "output", value_name = "OUT")]
    out: Option<PathBuf>,

    /// Print JSON for programs.
    #[arg(long)]
    json: bool,
}

/// Runs the command.
///
/// # Errors
/// If a file cannot be read, no sample is in a context, or the profile cannot be written. Then
/// nothing is.
pub fn run(args: &Args, out: &mut impl Write) -> Result<()> {
    if let Some(out) = &args.out {
        check(out, Content::Profile, [&args.profile, &args.samples])?;
    }
    let samples = Samples::read(&args.samples)?;
    let target = args.out.as_ref().unwrap_or(&args.profile);
    let sampling = lay(&samples, &args.profile, target)?;
    if args.json {
        return json::print(&TimeOfRun::of(&sampling), out);
    }
    writeln!(out, "{}", heading(&sampling))?;
    writeln!(out, "Written to {}", shown(target))?;
    Ok(())
}

/// Lays samples on the contexts of a profile and writes the result to `target`, which may be
/// the same file. Returns what is known of the samples.
///
/// # Errors
/// As [`run`].
pub fn lay(samples: &Samples, profile: &Path, target: &Path) -> Result<Sampling> {
    let mut recording = profile::read_file(profile).map_err(|e| Error::profile(profile, &e))?;
    if recording.run.completeness == Completeness::Recording {
        let why = being_recorded(&recording.run);
        return Err(Error::new(format!("{}: {why}", shown(profile))));
    }
    samples.lay_on(&mut recording)?;
    write_whole_file(target, |file| {
        profile::write(&recording, file).map_err(|e| Error::profile(target, &e))
    })?;
    Ok(recording.run.sampling.unwrap_or_default())
}

/// A plain run for programs.
#[derive(Debug, Serialize)]
pub struct TimeOfRun<'a> {
    sampler: &'a str,
    samples: u64,
    in_natives: u64,
    /// In methods that were not executed there in the exact run.
    unknown: u64,
    /// On stacks without a context.
    without_root: u64,
    /// Of threads that waited; they are not among the samples.
    waiting: u64,
    wall_millis: u64,
    cpu_millis: u64,
    collector_millis: u64,
    compiler_millis: u64,
}

impl<'a> TimeOfRun<'a> {
    /// Of what is known of it.
    pub fn of(sampling: &'a Sampling) -> Self {
        let Sampling {
            sampler,
            samples,
            in_natives,
            below_context,
            without_context,
            waiting,
            wall_millis,
            cpu_millis,
            collector_millis,
            compiler_millis,
        } = sampling;
        Self {
            sampler,
            samples: *samples,
            in_natives: *in_natives,
            unknown: *below_context,
            without_root: *without_context,
            waiting: *waiting,
            wall_millis: *wall_millis,
            cpu_millis: *cpu_millis,
            collector_millis: *collector_millis,
            compiler_millis: *compiler_millis,
        }
    }
}

/// Samples of a place, with the error of their share.
#[derive(Debug, Serialize)]
pub struct TimeOfPart {
    samples: u64,
    share: f64,
    /// By how much the share may be off (95 %).
    error: f64,
}

impl TimeOfPart {
    /// Of `part` among `whole` samples.
    pub fn of(part: u64, whole: u64) -> Self {
        let share = part as f64 / whole.max(1) as f64;
        Self { samples: part, share, error: error(part, whole) }
    }
}
