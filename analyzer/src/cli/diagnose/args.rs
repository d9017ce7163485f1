//! The options of `subsume diagnose`.

use std::ffi::OsString;
use std::path::PathBuf;
use std::time::Duration;

use base::{DURATION, parse_duration};

use crate::cli::own::Own;
use crate::cli::run::ending::Ending;
use crate::cli::sarif::FindingOutput;

/// Find wasted work in a program: where it is, why, and how much a change would save.
///
/// The program is run several times: first without the agent and sampled, then recorded in one
/// mode after the other. Each finding is one cause: the wasted work, the method to look at with
/// the calls that lead to it, the proof with its figures, and the share of the bytecodes shown
/// to be wasted. The largest finding comes first; an upper bound counts half. Findings are
/// about work that the program repeats: what happens once is left out.
///
/// The recordings stay in a folder, and given that folder, this command answers again at once.
/// For a program that must not run twice, use --once. For one that does not end, use --for,
/// which ends each run after a while, and drive the same load against all of them. To record a
/// running JVM (calls only), use --attach. --test runs a test of the project in this folder
/// with Maven or Gradle, --benchmark one of JMH. With --against, it says what became of the
/// findings of another folder.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  subsume diagnose -- java -jar app.jar in.txt
  subsume diagnose -o before --test ParserTest#deep
  subsume diagnose before
  subsume diagnose --against before -o after
  subsume diagnose --benchmark Parsing.deep -- java -jar target/benchmarks.jar
  subsume diagnose --within 2m -- ./convert.sh in.txt
  subsume diagnose --continue before
  subsume diagnose --for 30s -- ./server.sh
  subsume diagnose --for 30s --attach 4711
  subsume diagnose --baseline known.txt --write-baseline before
  subsume diagnose --markdown before > comment.md")]
pub struct Args {
    /// A folder of recordings.
    #[arg(value_name = "DIR", conflicts_with = "out")]
    pub folder: Option<PathBuf>,

    /// Folder for the recordings [default: NAME-TIME.diagnosis, after the program].
    #[arg(short, long = "output", value_name = "DIR")]
    pub out: Option<PathBuf>,

    /// Record the modes that the folder lacks.
    #[arg(long = "continue", requires = "folder")]
    pub goes_on: bool,

    /// Say what became of the findings of this folder; without a command or another folder, its
    /// command is run again.
    #[arg(long, value_name = "DIR")]
    pub against: Option<PathBuf>,

    /// Leave out recordings that would make all runs together take longer than this [default:
    /// 10m].
    #[arg(long, value_name = "TIME", default_value = "10m", value_parser = time)]
    pub within: Duration,

    /// End each run after this time, for programs that do not end.
    #[arg(long = "for", value_name = "TIME", value_parser = time)]
    pub limit: Option<Duration>,

    #[command(flatten)]
    pub ending: Ending,

    /// Run the program once only, recording calls and results.
    #[arg(long, conflicts_with_all = ["folder", "attach"])]
    pub once: bool,

    /// Run this test class, or CLASS#METHOD, of the project in the working folder with
    /// Maven or Gradle.
    #[arg(long, value_name = "TEST", conflicts_with_all = ["folder", "command", "benchmark"])]
    pub test: Option<String>,

    /// Run this benchmark of the command, which starts JMH, with enough operations to take some
    /// seconds.
    #[arg(long, value_name = "NAME", requires = "command")]
    pub benchmark: Option<String>,

    /// Sample and then record a running JVM, each for the time of --for.
    #[arg(
        long,
        value_name = "PID",
        requires = "limit",
        conflicts_with_all = ["folder", "command", "test", "benchmark", "goes_on"]
    )]
    pub attach: Option<u32>,

    /// More options of the agent, such as include=NAMES.
    #[arg(long, value_name = "OPTIONS", conflicts_with = "folder")]
    pub agent_options: Option<String>,

    /// The agent [default: libsubsume.so beside this command, or $SUBSUME_AGENT].
    #[arg(long, value_name = "PATH")]
    pub agent: Option<PathBuf>,

    /// The library of async-profiler, which takes the samples [default: the JVM's Flight
    /// Recorder takes them].
    #[arg(long, value_name = "LIBRARY")]
    pub async_profiler: Option<PathBuf>,

    /// Exit with code 1 if a finding would save more than this share of the bytecodes; with
    /// --against, only new and larger findings count.
    #[arg(long, value_name = "PERCENT")]
    pub fail_above: Option<f64>,

    /// Show only findings that this file does not list, and exit with code 1 if there are any.
    #[arg(long, value_name = "PATH")]
    pub baseline: Option<PathBuf>,

    /// Write all findings to the file of --baseline.
    #[arg(long, requires = "baseline")]
    pub write_baseline: bool,

    #[command(flatten)]
    pub own: Own,

    #[command(flatten)]
    pub output: FindingOutput,

    /// The command and its arguments.
    #[arg(last = true, value_name = "COMMAND", conflicts_with = "folder")]
    pub command: Vec<OsString>,
}

fn time(text: &str) -> std::result::Result<Duration, String> {
    parse_duration(text).ok_or_else(|| DURATION.to_owned())
}
