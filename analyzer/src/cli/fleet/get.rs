//! `subsume fleet get`.

use std::io::Write;
use std::path::{Path, PathBuf};

use base::number::counted;
use base::shown;
use fleet::archive;
use fleet::dataset::{Dataset, Kind};
use fleet::run::Run;
use serde::Serialize;
use tree::error::{Error, Result};

use crate::cli::json;
use crate::cli::output_file::{Content, check, write_whole_file};

/// Get the profile of a run back.
///
/// It is the profile that was added: every command gives the same answers for it.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  subsume fleet get fleet 4f2a31c8 -o fop.subsume")]
pub struct Args {
    /// Folder of the fleet.
    #[arg(value_name = "DIR")]
    fleet: PathBuf,

    /// The run, by the first digits of its number, as 'subsume fleet list' shows it.
    #[arg(value_name = "RUN")]
    run: String,

    /// Profile to write; - is standard output.
    #[arg(short, long = "output", value_name = "OUT")]
    out: PathBuf,

    /// Print JSON for programs.
    #[arg(long)]
    json: bool,
}

#[derive(Serialize)]
struct Answer<'a> {
    run: &'a str,
    bytes: usize,
    contexts: usize,
}

/// Runs the command.
///
/// # Errors
/// If there is no such run, its profile is not kept or damaged, or the file cannot be
/// written.
pub fn run(args: &Args, out: &mut impl Write) -> Result<()> {
    let dataset = Dataset::open(&args.fleet)?;
    let run = find(&dataset, args)?;
    if !run.has_tree {
        return Err(Error::new(format!("run {} was added without its profile", run.id)));
    }
    let path = dataset.path(Kind::Trees, &run);
    check(&args.out, Content::Profile, [&path])?;
    let bytes = archive::bytes(&path)?;
    if args.out == Path::new("-") {
        out.write_all(&bytes)?;
        return Ok(());
    }
    let profile = profile::read(&bytes).map_err(|error| Error::profile(&path, &error))?;
    write_whole_file(&args.out, |file| {
        file.write_all(&bytes).map_err(|error| Error::io(&args.out, &error))
    })?;
    let contexts = profile.nodes.len();
    if args.json {
        return json::print(&Answer { run: &run.id, bytes: bytes.len(), contexts }, out);
    }
    let (shown, contexts) = (shown(&args.out), counted(contexts as u64, "context"));
    writeln!(out, "{shown}: {contexts} of run {}", run.id)?;
    Ok(())
}

/// The run whose number begins so.
fn find(dataset: &Dataset, args: &Args) -> Result<Run> {
    let files = dataset.run_files()?;
    let mut found = files.iter().filter(|(id, _)| id.starts_with(&args.run));
    match (found.next(), found.count()) {
        (Some((_, path)), 0) => Run::read(path),
        (Some(_), others) => Err(Error::new(format!(
            "{} runs begin with '{}': name more of its digits",
            others + 1,
            args.run
        ))),
        (None, _) => Err(Error::new(format!("there is no run '{}'", args.run))),
    }
}
