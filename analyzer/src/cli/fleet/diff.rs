//! `subsume fleet diff`.

use std::io::Write;
use std::path::PathBuf;
use std::process::ExitCode;

use super::folded::{fold, multiple};
use super::selection::{sides, tell_flaws, tell_programs, tell_sampled};
use crate::cli::diff::{Question, run_on};
use crate::cli::progress::Progress;
use base::number::counted;
use base::tell;
use fleet::condition::Condition;
use fleet::dataset::Dataset;
use fleet::run::Run;
use tree::error::{Error, Result};

/// Explain the difference between two selections of runs, exactly.
///
/// The profiles of each selection are folded into one, and the two are compared as 'subsume
/// diff' does. If one selection has fewer runs, its costs are scaled up to the number of the
/// other. Absolute bounds of --fail-if therefore depend on the number of runs; percentages do
/// not.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  subsume fleet diff fleet --from version=1 --to version=2
  subsume fleet diff fleet --where host=a --from version=1 --to version=2 --contexts
  subsume fleet diff fleet --from version=1 --to version=2 --fail-if 'bytecodes>+2%'")]
pub struct Args {
    /// Folder of the fleet.
    #[arg(value_name = "DIR")]
    fleet: PathBuf,

    /// The runs before, by a label; may be repeated.
    #[arg(long, value_name = "KEY=VALUE", required = true)]
    from: Vec<Condition>,

    /// The runs after, by a label; may be repeated.
    #[arg(long, value_name = "KEY=VALUE", required = true)]
    to: Vec<Condition>,

    /// Only runs with this label, on both sides; may be repeated.
    #[arg(long = "where", value_name = "KEY=VALUE")]
    conditions: Vec<Condition>,

    #[command(flatten)]
    question: Question,
}

/// Runs the command.
///
/// # Errors
/// If the fleet cannot be read, a selection has no runs or no profiles, or `out` fails.
pub fn run(args: &Args, out: &mut impl Write) -> Result<ExitCode> {
    let dataset = Dataset::open(&args.fleet)?;
    let [before, after] = sides(&dataset, &args.conditions, &args.from, &args.to)?;
    tell_sampled(before.iter().chain(&after))?;
    tell_programs(before.iter().chain(&after));
    tell_flaws(before.iter().chain(&after));
    let progress = Progress::of_long_work();
    let runs = multiple(before.len() as u64, after.len() as u64);
    let folded = |runs_of: &[Run], name: &str| {
        progress.say(&format!("reading the runs {name}"));
        let profile = fold(&dataset, runs_of, runs / runs_of.len() as u64)?;
        Ok::<_, Error>((format!("the runs {name}"), profile))
    };
    let both = [folded(&before, "before")?, folded(&after, "after")?];
    progress.wipe();
    if runs > 1 {
        let (before, after) = (counted(before.len() as u64, "run"), after.len());
        tell!("note: {before} before, {after} after; costs are of {runs} runs each");
    }
    run_on(&args.question, both, out)
}
