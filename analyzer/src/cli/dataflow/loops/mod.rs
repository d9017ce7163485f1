//! `subsume loops`.

mod json;
mod sarif;
mod text;

use std::io::Write;
use std::path::PathBuf;
use std::process::ExitCode;

use analysis::dataflow::loops::baseline::Baseline;
use analysis::dataflow::loops::clusters::{Cluster, cluster};
use analysis::dataflow::loops::{FoundLoops, unite};
use analysis::dataflow::name::{Contexts, Naming};
use base::number::counted;
use base::shown;
use profile::dataflow::Objects;
use tree::error::{Error, Result};

use super::source::{Files, Profiles, read};
use crate::cli::json as any_json;
use crate::cli::output_file::{self, Content};
use crate::cli::own::Own;
use crate::cli::sarif::{self as any_sarif, FindingOutput};

/// Exit code where there is something that the baseline does not have.
const NEW: u8 = 1;
/// Loops shown unless the user says otherwise.
const TOP: usize = 20;

/// Show loops whose iterations read similar values again.
///
/// In most iterations of such a loop, instructions of inner loops read the same long runs of
/// values as in the iteration before. An example is a list that is searched once for each
/// element of another list. Often the work could be done once, or by a lookup. Inputs of 25
/// elements are enough to find such a loop, long before it is slow. Loops are ranked by the
/// values read in vain.
///
/// 'redundant' means that nearly all values that the loop reads from outside are read again, in
/// the same places. 'similar' means that this holds for a part of them, or that they are read
/// for something new, as in comparing all pairs; both may be inherent. The calls to a loop are
/// shown up to the nearest one in your own code.
///
/// With --baseline, only findings that the file does not list are shown, and the exit code is 1
/// if there are any. The file names loops and how they read, without line numbers.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  subsume run --mode loops -o app.subsume -- java -jar app.jar
  subsume loops app.subsume
  subsume loops --class 'org.example.*' --markdown app.subsume > comment.md
  subsume loops --baseline known-loops.txt --write-baseline app.subsume
  subsume loops --baseline known-loops.txt app.subsume")]
pub struct Args {
    #[command(flatten)]
    files: Files,

    /// Show only findings that this file does not list, and exit with code 1 if there are any.
    #[arg(long, value_name = "FILE")]
    baseline: Option<PathBuf>,

    /// Overwrite the file of --baseline with all findings.
    #[arg(long, requires = "baseline")]
    write_baseline: bool,

    /// Also show loops in which this holds for less than a twentieth of their instances.
    #[arg(long)]
    all: bool,

    #[command(flatten)]
    own: Own,

    #[command(flatten)]
    output: FindingOutput,
}

/// All that is shown.
struct Answer<'a> {
    args: &'a Args,
    found: &'a FoundLoops,
    naming: &'a Naming<'a>,
    clusters: Vec<Cluster>,
    /// Loops that `--top` has left out.
    more: usize,
    /// Loops that were left out because this may be chance.
    rare: usize,
    /// Values read in vain, in all loops.
    wasted: u64,
}

/// Runs the command.
///
/// # Errors
/// If a profile or the baseline cannot be read or written, or a profile has no loops.
pub fn run(args: &Args, out: &mut dyn Write) -> Result<ExitCode> {
    let files = &args.files.files;
    if let Some(path) = args.baseline.as_ref().filter(|_| args.write_baseline) {
        output_file::check(path, Content::Other, files)?;
    }
    answer(args, &read(files, &[])?, out)
}

/// Answers for these profiles.
///
/// # Errors
/// If the baseline cannot be read or written, or a profile has no loops.
pub fn answer(args: &Args, profiles: &Profiles, out: &mut dyn Write) -> Result<ExitCode> {
    let found = unite(profiles, &args.own.code()?)?;
    let objects = Objects::default();
    let naming = Naming::new(&found.methods, &objects, Contexts::Receiver);
    let class = args.output.class();
    let mut clusters = cluster(&found.loops);
    if let Some(class) = &class {
        clusters.retain(|cluster| class.matches(naming.class(cluster.place)));
    }
    let found_before = clusters.len();
    clusters.retain(|cluster| args.all || !cluster.is_rare());
    let rare = found_before - clusters.len();
    let mut code = ExitCode::SUCCESS;
    if let Some(path) = &args.baseline {
        if args.write_baseline {
            let baseline = Baseline::of(&clusters, &found.methods);
            output_file::write_file(path, |file| {
                file.write_all(baseline.text().as_bytes()).map_err(|e| Error::io(path, &e))
            })?;
            let lines = counted(baseline.len() as u64, "line");
            let loops = counted(clusters.len() as u64, "loop");
            writeln!(out, "{}: {lines} for {loops}", shown(path))?;
            return Ok(code);
        }
        let text = std::fs::read_to_string(path).map_err(|e| Error::io(path, &e))?;
        let baseline = Baseline::parse(&path.to_string_lossy(), &text)?;
        clusters = clusters.iter().filter_map(|one| baseline.new_in(one, &found.methods)).collect();
        if !clusters.is_empty() {
            code = ExitCode::from(NEW);
        }
    }
    let wasted = clusters.iter().fold(0u64, |sum, one| sum.saturating_add(one.wasted));
    let all = clusters.len();
    clusters.truncate(args.output.entries(TOP));
    let more = all - clusters.len();
    let answer = Answer { args, found: &found, naming: &naming, clusters, more, rare, wasted };
    if let Some(places) = args.output.places(profiles, || args.own.source_files())? {
        any_sarif::print("loops", &sarif::findings(&answer), &places, out)?;
    } else if !any_json::answered(args.output.table.json, out, |out| {
        any_json::print(&json::document(&answer), out)
    })? {
        text::print(&answer, out)?;
    }
    Ok(code)
}
