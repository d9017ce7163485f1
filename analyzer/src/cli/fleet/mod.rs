//! `subsume fleet`: profiles of many runs.

mod add;
mod diff;
mod folded;
mod gate;
mod get;
mod list;
mod methods;
mod outliers;
mod report;
mod selection;
mod shown_names;

use std::io::Write;
use std::process::ExitCode;

use clap::Subcommand;
use tree::error::Result;

/// Keep profiles of many runs, machines and versions, and ask about all of them.
///
/// A fleet is a folder of Parquet files, which DuckDB, Spark and other engines read. Files are
/// only added, never changed, so the folder can be copied into another fleet, or to an object
/// store, at any time.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  subsume fleet add fleet run1.subsume run2.subsume --label version=1.2 --label host=a
  subsume fleet list fleet --where version=1.2
  subsume fleet methods fleet --where version=1.2
  subsume fleet gate fleet --from version=1.2 --to version=1.3
  subsume fleet diff fleet --from version=1.2 --to version=1.3
  subsume fleet report fleet -o fleet.html")]
pub struct Args {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    Add(add::Args),
    List(list::Args),
    Methods(methods::Args),
    Diff(diff::Args),
    Gate(gate::Args),
    Outliers(outliers::Args),
    Report(report::Args),
    Get(get::Args),
}

/// Runs the command.
///
/// # Errors
/// If there is no such fleet, a file cannot be read or written, or `out` fails.
pub fn run(args: &Args, out: &mut impl Write) -> Result<ExitCode> {
    match &args.command {
        Command::Add(args) => return add::run(args, out),
        Command::Diff(args) => return diff::run(args, out),
        Command::Gate(args) => return gate::run(args, out),
        Command::Outliers(args) => outliers::run(args, out),
        Command::List(args) => list::run(args, out),
        Command::Methods(args) => methods::run(args, out),
        Command::Report(args) => report::run(args, out),
        Command::Get(args) => get::run(args, out),
    }?;
    Ok(ExitCode::SUCCESS)
}
