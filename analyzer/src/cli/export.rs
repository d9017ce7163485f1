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
        return write_json(tree, &stacks, args.descriptors, out);
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
struct Stack<'a> {
    /// From the root on.
    frames: Vec<&'a str>,
    value: u64,
}

/// Writes `{"metric", "total", "stacks": [{"frames", "value"}]}` stack by stack,
/// because all of them together may take many times the memory of the tree.
fn write_json(
    tree: &Tree,
    selected: &Stacks,
    descriptors: bool,
    out: &mut impl Write,
) -> Result<()> {
    let frames = folded::frames(tree, descriptors);
    write!(out, "{{\"metric\":")?;
    json::write(&tree.metric(), out)?;
    write!(out, ",\"total\":{},\"stacks\":[", tree.total())?;
    let mut separator = "";
    for_each_stack(tree, selected, |stack, value| {
        let of_stack = stack.iter().map(|&method| frames[method as usize].as_str());
        write!(out, "{separator}")?;
        separator = ",";
        json::write(&Stack { frames: of_stack.collect(), value }, out)
    })?;
    writeln!(out, "]}}")?;
    Ok(())
}
