//! `subsume import`.

use std::fs::File;
use std::io::{BufReader, Write};
use std::path::PathBuf;

use analyzer::error::{Error, Result};
use analyzer::import::folded::{Importer, WEIGHT};
use analyzer::report::number::{counted, grouped};
use clap::ValueEnum;
use serde::Serialize;

use crate::cli::export::write_file;
use crate::cli::json;

/// Make a profile from another profiler's output.
///
/// Folded stacks are what stackcollapse scripts and 'asprof -o collapsed' write:
/// one line per stack, frames from the root on separated by ';', a space, a
/// whole number. Each file becomes a thread of the profile, named after it.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  subsume import --from folded profile.folded -o profile.subsume
  subsume methods profile.subsume")]
pub struct Args {
    /// Files to read; several go into one profile.
    #[arg(required = true, value_name = "IN")]
    files: Vec<PathBuf>,

    /// What the files are.
    #[arg(long, default_value = "folded")]
    from: Format,

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
}

/// Runs the command.
pub fn run(args: &Args, out: &mut impl Write) -> Result<()> {
    let mut importer = Importer::default();
    for path in &args.files {
        let file = File::open(path).map_err(|e| Error::io(path, &e))?;
        match args.from {
            Format::Folded => importer.read(path, &mut BufReader::new(file))?,
        }
    }
    let profile = importer.finish();
    write_file(&args.out, |file| {
        profile::write(&profile, file).map_err(|e| Error::profile(&args.out, &e))?;
        Ok(())
    })?;

    let values = profile.nodes.metric(WEIGHT).map(|metric| metric.values.as_slice());
    let summary = Summary {
        contexts: profile.nodes.len(),
        methods: profile.methods.len(),
        metric: WEIGHT,
        // A sum for display; analyses refuse profiles where it leaves 64 bits.
        total: values.unwrap_or_default().iter().fold(0, |sum, &v| sum.saturating_add(v)),
    };
    if args.json {
        return json::print(&summary, out);
    }
    writeln!(
        out,
        "{}: {} of {}, {} {WEIGHT}",
        args.out.display(),
        counted(summary.contexts as u64, "context"),
        counted(summary.methods as u64, "method"),
        grouped(summary.total),
    )?;
    Ok(())
}

#[derive(Serialize)]
struct Summary {
    contexts: usize,
    methods: usize,
    metric: &'static str,
    total: u64,
}
