//! `subsume fleet diff`.

use std::io::Write;
use std::path::PathBuf;
use std::process::ExitCode;

use analyzer::error::{Error, Result};
use analyzer::fleet::archive;
use analyzer::fleet::condition::Condition;
use analyzer::fleet::dataset::{Dataset, Kind};
use analyzer::fleet::run::Run;
use analyzer::names::generated::make_comparable;
use analyzer::report::number::counted;
use analyzer::tree::fold::Fold;
use profile::Profile;

use super::selection::{flaws_of, sides};
use crate::cli::diff::{Question, run_on};
use crate::cli::progress::Progress;

/// What explains the difference of two selections of runs, exactly.
///
/// The profiles of each selection are folded into one, and the two are compared as
/// 'subsume diff' does. Of selections of other sizes, costs are multiplied so that both
/// stand for as many runs.
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

    /// The runs after, likewise.
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
    for run in before.iter().chain(&after) {
        if let Some(flaws) = flaws_of(run) {
            eprintln!("subsume: note: run {}: {flaws}", run.id);
        }
    }
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
        eprintln!("subsume: note: {before} before, {after} after; costs are of {runs} runs each");
    }
    run_on(&args.question, both, out)
}

/// All runs as one profile, with all costs times `factor`.
fn fold(dataset: &Dataset, runs: &[Run], factor: u64) -> Result<Profile> {
    let mut fold = Fold::default();
    for run in runs {
        if !run.has_tree {
            return Err(Error::new(format!("run {} was added without its profile", run.id)));
        }
        let path = dataset.path(Kind::Trees, run);
        let mut profile = archive::profile(&path)?;
        make_comparable(&mut profile);
        fold.add(&path.display().to_string(), profile)?;
    }
    fold.multiply(factor)?;
    let mut bytes = Vec::new();
    fold.write("subsume fleet diff", &mut bytes)?;
    profile::read(&bytes).map_err(|error| Error::new(error.to_string()))
}

/// The least number of which both are a part.
fn multiple(one: u64, other: u64) -> u64 {
    let (mut divisor, mut rest) = (one, other);
    while rest > 0 {
        (divisor, rest) = (rest, divisor % rest);
    }
    one / divisor * other
}
