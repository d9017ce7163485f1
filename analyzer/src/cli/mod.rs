//! Arguments, and what all sub-commands share.

mod blueprint;
mod by_line;
mod callers;
mod collector;
mod completions;
mod control;
mod dataflow;
mod diagnose;
mod diff;
mod examples;
mod export;
mod files_and;
mod fleet;
mod help;
mod history;
mod import;
mod info;
mod json;
mod lines;
mod lost;
mod man;
mod markdown;
mod mcp;
mod merge;
mod methods;
mod open;
mod output_file;
mod own;
mod painted_names;
mod paths;
mod progress;
mod reading;
mod report;
mod run;
mod runs;
mod samples;
mod sarif;
mod search;
mod slips;
mod source;
mod start;
mod summary;
mod terminal;
mod time;
mod tree;

use std::ffi::OsString;
use std::io::{self, BufWriter, Write};
use std::process::ExitCode;

use ::tree::error::{Error, Result};
use base::tell;
use clap::error::ErrorKind;
use clap::{FromArgMatches, Parser, Subcommand};

use markdown::Markdown;

/// Exit code for everything that goes wrong.
const FAILURE: u8 = 2;

/// Find the methods worth optimising in profiles of Java programs.
///
/// Record a program with `subsume run`, or a running JVM with `subsume attach`, then ask.
/// `subsume diagnose` does both. Commands that read profiles take several and merge them.
#[derive(Debug, Parser)]
#[command(name = "subsume", version, max_term_width = 100, disable_help_subcommand = true)]
#[command(after_help = "\
Examples:
  subsume diagnose java -jar app.jar in.txt
  subsume run -o app.subsume java -jar app.jar in.txt
  subsume diff old.subsume new.subsume

'subsume help COMMAND' prints the help of a command, 'subsume help modes' what can be recorded.")]
struct Cli {
    #[command(subcommand)]
    command: Command,

    /// Show tables with all columns, and names and paths in full, however wide they get.
    #[arg(long, global = true)]
    wide: bool,

    /// Print Markdown, for a pull request or an assistant.
    #[arg(long, global = true)]
    markdown: bool,
}

#[derive(Debug, Subcommand)]
enum Command {
    Run(run::Args),
    Summary(summary::Args),
    Methods(methods::Args),
    Info(info::Args),
    Tree(tree::Args),
    Callers(callers::Args),
    Lines(lines::Args),
    Diagnose(diagnose::Args),
    Search(search::Args),
    Diff(diff::Args),
    History(history::Args),
    Report(report::Args),
    Open(open::Args),
    Blueprint(blueprint::Args),
    Export(export::Args),
    Import(import::Args),
    Merge(merge::Args),
    Time(time::Args),
    Fleet(fleet::Args),
    #[command(flatten)]
    Dataflow(dataflow::Command),
    Loops(dataflow::loops::Args),
    Attach(control::attach::AttachArgs),
    Detach(control::attach::DetachArgs),
    Start(control::StartArgs),
    Stop(control::StopArgs),
    Dump(control::DumpArgs),
    Completions(completions::Args),
    Man(man::Args),
    Mcp(mcp::Args),
    Help(help::Args),
}

/// Commands that print no answer, but a page, a file or a dialogue.
const OTHERS: [&str; 22] = [
    "run",
    "report",
    "open",
    "blueprint",
    "export",
    "import",
    "merge",
    "time",
    "attach",
    "detach",
    "start",
    "stop",
    "dump",
    "completions",
    "man",
    "mcp",
    "help",
    "fleet-add",
    "fleet-get",
    "fleet-help",
    "fleet-report",
    "",
];

/// True if the command of this name prints an answer for people.
fn is_answer(name: &str) -> bool {
    !OTHERS.contains(&name)
}

/// Parses the command line, does the work, and says how it ended.
pub fn run() -> ExitCode {
    let mut definition = help::command();
    let words = slips::with_separator(&definition, std::env::args_os().collect());
    let parsed = definition.try_get_matches_from_mut(&words).and_then(|matches| {
        let cli = Cli::from_arg_matches(&matches)?;
        Ok((cli, matches.subcommand_name().is_some_and(is_answer)))
    });
    let (cli, is_answer) = match parsed {
        Ok(parsed) => parsed,
        Err(error) => return refuse(&error, &definition, &words),
    };
    if cli.wide {
        terminal::widen();
    }
    // Not locked: the server of `mcp` writes from another thread.
    let mut out = BufWriter::with_capacity(1 << 16, io::stdout());
    let done = if cli.markdown && is_answer {
        terminal::set_markdown(true);
        let mut document = Markdown::new(&mut out);
        let done = execute(cli.command, &mut document);
        done.and_then(|code| document.finish().map(|_| code).map_err(Error::from))
    } else {
        execute(cli.command, &mut out)
    };
    let done = done.and_then(|code| out.flush().map(|()| code).map_err(Error::from));
    // What could not be written cannot be written on the way out either.
    drop(out.into_parts());
    match done {
        Ok(code) => code,
        Err(error) if error.is_broken_pipe() => ExitCode::SUCCESS,
        Err(error) => {
            tell!("{error}");
            if error.is_absent() && words.iter().any(|word| word == "--json") {
                // The line above says it, too.
                let _ = json::print_absent(&error, &mut io::stdout());
            }
            ExitCode::from(FAILURE)
        }
    }
}

/// The exit code of a command that did what it was asked for.
fn execute(command: Command, out: &mut impl Write) -> Result<ExitCode> {
    match command {
        // It has no output but that of the program.
        Command::Run(args) => return run::run(&args),
        Command::Diagnose(args) => return diagnose::run(&args, out),
        Command::Diff(args) => return diff::run(&args, out),
        Command::Fleet(args) => return fleet::run(&args, out),
        Command::History(args) => history::run(&args, out),
        Command::Summary(args) => summary::run(&args, out),
        Command::Loops(args) => return dataflow::loops::run(&args, out),
        Command::Methods(args) => methods::run(&args, out),
        Command::Info(args) => info::run(&args, out),
        Command::Tree(args) => tree::run(&args, out),
        Command::Callers(args) => callers::run(&args, out),
        Command::Lines(args) => lines::run(&args, out),
        Command::Search(args) => search::run(&args, out),
        Command::Report(args) => report::run(&args, out),
        Command::Open(args) => open::run(&args, out),
        Command::Blueprint(args) => blueprint::run(&args, out),
        Command::Export(args) => export::run(&args, out),
        Command::Import(args) => import::run(&args, out),
        Command::Merge(args) => merge::run(&args, out),
        Command::Time(args) => time::run(&args, out),
        Command::Dataflow(command) => command.parsed().run(out),
        Command::Attach(args) => control::attach::attach(&args, out),
        Command::Detach(args) => control::attach::detach(&args, out),
        Command::Start(args) => control::start(&args, out),
        Command::Stop(args) => control::stop(&args, out),
        Command::Dump(args) => control::dump(&args, out),
        Command::Completions(args) => completions::run(&args, out),
        Command::Man(args) => man::run(&args, out),
        Command::Mcp(args) => mcp::run(&args, out),
        Command::Help(args) => help::run(&args, out),
    }?;
    Ok(ExitCode::SUCCESS)
}

/// Prints what clap has to say: help and version as they are, errors as one line.
fn refuse(error: &clap::Error, definition: &clap::Command, words: &[OsString]) -> ExitCode {
    match error.kind() {
        ErrorKind::DisplayHelp | ErrorKind::DisplayVersion => {
            // Nothing can be done if not even the help can be written.
            let _ = error.print();
            ExitCode::SUCCESS
        }
        ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand => {
            let _ = error.print();
            ExitCode::from(FAILURE)
        }
        _ => {
            tell!("{}", slips::refusal(error, definition, words));
            ExitCode::from(FAILURE)
        }
    }
}
