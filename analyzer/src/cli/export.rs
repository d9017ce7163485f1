//! `subsume export`.

use std::fs::File;
use std::io::{BufWriter, Write};
use std::path::{Path, PathBuf};

use analyzer::error::{Error, Result};
use analyzer::export::folded::{self, Stacks, for_each_stack};
use analyzer::tree::Tree;
use clap::ValueEnum;
use serde::Serialize;

use crate::cli::json;
use crate::cli::source::{ALL, Output, Source};

/// Write a profile in another tool's format.
///
/// Folded stacks have one line for each context that costs something by itself:
/// its frames from the root on, separated by ';', a space, its cost. --top keeps
/// the costliest stacks, --class those with a frame that matches.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  subsume export --format folded fop.subsume -o fop.folded
  subsume export --metric allocations fop.subsume | flamegraph.pl > fop.svg")]
pub struct Args {
    #[command(flatten)]
    source: Source,

    /// What to write.
    #[arg(long, default_value = "folded")]
    format: Format,

    /// Add descriptors to the frames, with '|' for ';', which separates frames.
    #[arg(long)]
    descriptors: bool,

    /// File to write [default: standard output].
    #[arg(short, long = "output", value_name = "OUT")]
    out: Option<PathBuf>,

    #[command(flatten)]
    output: Output,
}

#[derive(Debug, Clone, Copy, ValueEnum)]
enum Format {
    /// One line per stack, as flame graph tools read it.
    Folded,
}

/// Runs the command.
pub fn run(args: &Args, out: &mut impl Write) -> Result<()> {
    let tree = args.source.tree(false)?;
    match &args.out {
        None => write(&tree, args, out),
        Some(path) => write_file(path, |file| write(&tree, args, file)),
    }
}

fn write(tree: &Tree, args: &Args, out: &mut impl Write) -> Result<()> {
    let top = match args.output.top(ALL) {
        usize::MAX => None,
        top => Some(top),
    };
    let stacks = Stacks { class: args.output.class(), top };
    if args.output.json {
        return json::print(&document(tree, &stacks, args.descriptors)?, out);
    }
    match args.format {
        Format::Folded => folded::write(tree, &stacks, args.descriptors, out),
    }
}

/// Writes a file; messages about it name it.
pub fn write_file(
    path: &Path,
    write: impl FnOnce(&mut BufWriter<File>) -> Result<()>,
) -> Result<()> {
    let file = File::create(path).map_err(|e| Error::io(path, &e))?;
    let mut out = BufWriter::with_capacity(1 << 16, file);
    write(&mut out)?;
    out.flush().map_err(|e| Error::io(path, &e))
}

#[derive(Serialize)]
struct Document {
    metric: String,
    total: u64,
    stacks: Vec<Stack>,
}

#[derive(Serialize)]
struct Stack {
    /// From the root on.
    frames: Vec<String>,
    value: u64,
}

fn document(tree: &Tree, selected: &Stacks, descriptors: bool) -> Result<Document> {
    let frames = folded::frames(tree, descriptors);
    let mut stacks = Vec::new();
    for_each_stack(tree, selected, |stack, value| {
        let of_stack = stack.iter().map(|&method| frames[method as usize].clone());
        stacks.push(Stack { frames: of_stack.collect(), value });
        Ok(())
    })?;
    Ok(Document { metric: tree.metric().to_owned(), total: tree.total(), stacks })
}
