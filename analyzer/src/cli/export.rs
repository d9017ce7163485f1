//! `subsume export`.

use std::io::{IsTerminal, Write, stdout};
use std::path::PathBuf;

use clap::ValueEnum;
use fleet::labels::Label;
use formats::export::folded::{self, Stacks, for_each_stack};
use formats::export::{callgrind, csv, firefox, jfr, otlp, parquet, pprof, speedscope};
use serde::Serialize;
use tree::Tree;
use tree::error::{Error, Result};

use crate::cli::collector::Collector;
use crate::cli::json;
use crate::cli::output_file::{Content, check, write_file};
use crate::cli::runs::{of_recording, resource, runs};
use crate::cli::source::{ALL, Output, Source};

/// Write a profile in another tool's format.
///
/// Folded stacks, pprof, OTLP, JFR, speedscope and firefox hold the contexts with a cost of their
/// own (pprof and OTLP: in any metric). --top keeps the most expensive ones, --class those with
/// a frame that matches. --min-percent keeps every total, and makes files small enough for
/// viewers that are made for small profiles. Callgrind's format has methods and the calls
/// between them; csv and parquet have a row for every context. pprof, OTLP, callgrind, csv and
/// parquet hold all metrics, the one of --metric first.
///
/// Samples of JFR have no weight, so --samples of them share the costs: every context, with
/// all below it, is less than one sample off. Allocations (--metric allocations) are exact, an
/// event for each context, whose weight counts objects. Threads are kept apart. A profile has no
/// times, so the events are spread evenly, and mixed, over the time of the run, or over one
/// second if that is unknown. Their times mean nothing.
///
/// --to sends OTLP to a collector, with labels of the run and --label as attributes of the
/// resource. service.name is the label of that name, or program, or the main class. The
/// command speaks HTTP without TLS.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  subsume export --format folded fop.subsume -o fop.folded
  subsume export --metric allocations fop.subsume | flamegraph.pl > fop.svg
  subsume export --format pprof fop.subsume -o fop.pb.gz && pprof -http=: fop.pb.gz
  subsume export --format otlp --to http://localhost:4318 --label version=1.2 fop.subsume
  subsume export --format jfr fop.subsume -o fop.jfr && jfr summary fop.jfr
  subsume export --format jfr --metric allocations fop.subsume -o allocations.jfr
  subsume export --format speedscope --min-percent 0.01 fop.subsume -o fop.speedscope.json
  subsume export --format callgrind fop.subsume -o callgrind.out.fop
  subsume export --format parquet fop.subsume -o fop.parquet")]
pub struct Args {
    #[command(flatten)]
    source: Source,

    /// Format to write.
    #[arg(long, default_value = "folded")]
    format: Format,

    /// Add descriptors to the frames, with '|' in place of ';', which separates frames.
    #[arg(long)]
    descriptors: bool,

    /// Fold contexts that cost less than this share of the whole, with all below them, into
    /// their callers.
    #[arg(long, value_name = "PERCENT")]
    min_percent: Option<f64>,

    /// For jfr: how many samples share the costs, at most as many as these are [default: 10000].
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..=MOST_SAMPLES))]
    samples: Option<u64>,

    /// For otlp: the collector to send it to, in place of writing it.
    #[arg(long, value_name = "URL", conflicts_with = "out")]
    to: Option<String>,

    /// For otlp: an attribute of the resource; may be repeated.
    #[arg(long = "label", value_name = "KEY=VALUE")]
    labels: Vec<Label>,

    /// File to write [default: standard output].
    #[arg(short, long = "output", value_name = "OUT")]
    out: Option<PathBuf>,

    #[command(flatten)]
    output: Output,
}

/// Each takes four bytes of memory, and some thirty of the file.
const MOST_SAMPLES: u64 = 10_000_000;
const SAMPLES: u64 = 10_000;

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Format {
    /// One line per stack, as flame graph tools read it.
    Folded,
    /// For 'go tool pprof', Pyroscope and others; compressed.
    Pprof,
    /// For collectors of OpenTelemetry; alpha, as OpenTelemetry's profiles are.
    Otlp,
    /// For JDK Mission Control, IntelliJ and VisualVM.
    Jfr,
    /// For speedscope.app.
    Speedscope,
    /// For KCachegrind and callgrind_annotate.
    Callgrind,
    /// For profiler.firefox.com.
    Firefox,
    /// Comma-separated values, a row for each context.
    Csv,
    /// Apache Parquet, a row for each context, for DuckDB and others.
    Parquet,
}

/// The formats that are written to any output as it comes.
#[derive(Debug, Clone, Copy)]
enum Streamed {
    Folded,
    Pprof,
    Otlp,
    Jfr,
    Speedscope,
    Callgrind,
    Firefox,
    Csv,
}

impl Format {
    /// True if it has a column for each metric.
    fn has_all_metrics(self) -> bool {
        matches!(self, Self::Pprof | Self::Otlp | Self::Callgrind | Self::Csv | Self::Parquet)
    }

    /// True if it has the lines of calls.
    fn has_lines(self) -> bool {
        matches!(self, Self::Callgrind)
    }

    /// True if it is the whole tree.
    fn is_whole(self) -> bool {
        matches!(self, Self::Callgrind | Self::Csv | Self::Parquet)
    }

    /// The format, if it is written to any output as it comes.
    fn streamed(self) -> Option<Streamed> {
        Some(match self {
            Self::Folded => Streamed::Folded,
            Self::Pprof => Streamed::Pprof,
            Self::Otlp => Streamed::Otlp,
            Self::Jfr => Streamed::Jfr,
            Self::Speedscope => Streamed::Speedscope,
            Self::Callgrind => Streamed::Callgrind,
            Self::Firefox => Streamed::Firefox,
            Self::Csv => Streamed::Csv,
            Self::Parquet => return None,
        })
    }

    /// True if no terminal should get it.
    fn is_binary(self) -> bool {
        matches!(self, Self::Pprof | Self::Otlp | Self::Jfr | Self::Parquet)
    }
}

/// Runs the command.
///
/// # Errors
/// If a profile cannot be read or merged, options contradict each other, or the output fails.
pub fn run(args: &Args, out: &mut impl Write) -> Result<()> {
    let top = match args.output.top(ALL) {
        usize::MAX => None,
        top => Some(top),
    };
    let stacks = Stacks { class: args.output.class(), top, ..Stacks::default() };
    let is_part = stacks.class.is_some() || stacks.top.is_some() || args.min_percent.is_some();
    if args.format.is_whole() && is_part {
        return Err(Error::new(
            "this format is of the whole tree: leave --class, --top and --min-percent out",
        ));
    }
    if args.min_percent.is_some_and(|percent| !(0.0..=100.0).contains(&percent)) {
        return Err(Error::new("--min-percent takes a number from 0 to 100"));
    }
    if args.output.json && !matches!(args.format, Format::Folded) {
        return Err(Error::new("--json has a form of its own: leave --format out"));
    }
    if args.format != Format::Otlp && (args.to.is_some() || !args.labels.is_empty()) {
        return Err(Error::new("--to and --label are for --format otlp"));
    }
    if args.format != Format::Jfr && args.samples.is_some() {
        return Err(Error::new("--samples is for --format jfr"));
    }
    let collector = args.to.as_deref().map(Collector::at).transpose()?;
    let is_written = args.out.is_none() && collector.is_none();
    if args.format.is_binary() && is_written && stdout().is_terminal() {
        return Err(Error::new(
            "this format is binary and not for a terminal: name a file with -o",
        ));
    }
    if let Some(path) = &args.out {
        check(path, Content::Other, args.source.files())?;
    }
    let mut tree = if args.format.has_all_metrics() {
        args.source.tree_of_all_metrics(args.format.has_lines())?
    } else if args.format == Format::Jfr {
        args.source.tree_by_thread()?
    } else {
        args.source.tree(false)?
    };
    if let Some(percent) = args.min_percent {
        tree.fold_small(percent / 100.0);
    }
    if let Some(collector) = collector {
        let mut message = Vec::new();
        write(&tree, args, Streamed::Otlp, &stacks, &mut message)?;
        return collector.send(&message, tree.metrics.len(), out);
    }
    if let Some(format) = args.format.streamed() {
        return match &args.out {
            None => write(&tree, args, format, &stacks, out),
            Some(path) => write_file(path, |file| write(&tree, args, format, &stacks, file)),
        };
    }
    // The writer of Parquet wants an output that may go to another thread.
    match &args.out {
        None => parquet::write(&tree, stdout()),
        Some(path) => write_file(path, |file| parquet::write(&tree, file)),
    }
}

fn write(
    tree: &Tree,
    args: &Args,
    format: Streamed,
    stacks: &Stacks,
    out: &mut impl Write,
) -> Result<()> {
    if args.output.json {
        return write_json(tree, stacks, args.descriptors, out);
    }
    let names: Vec<String> =
        args.source.files().iter().map(|f| f.to_string_lossy().into_owned()).collect();
    let name = names.join(", ");
    match format {
        Streamed::Folded => folded::write(tree, stacks, args.descriptors, out),
        Streamed::Pprof => pprof::write(tree, stacks, out),
        Streamed::Otlp => {
            let attributes = resource(args.source.files(), &args.labels);
            otlp::write(tree, stacks, &attributes, out)
        }
        Streamed::Jfr => {
            if jfr::is_allocated(tree.metric()) && args.samples.is_some() {
                return Err(Error::new("--samples is not for allocations, which are exact"));
            }
            let run = of_recording(runs(args.source.files()));
            jfr::write(tree, stacks, &run, args.samples.unwrap_or(SAMPLES), out)
        }
        Streamed::Speedscope => speedscope::write(tree, stacks, &name, out),
        Streamed::Callgrind => callgrind::write(tree, out),
        Streamed::Firefox => firefox::write(tree, stacks, &name, out),
        Streamed::Csv => csv::write(tree, out),
    }
}

#[derive(Serialize)]
struct Stack<'a> {
    /// From the root on.
    frames: Vec<&'a str>,
    value: u64,
}

/// Writes `{"version", "metric", "total", "stacks": [{"frames", "value"}]}` stack by stack,
/// because all of them together may take many times the memory of the tree.
fn write_json(
    tree: &Tree,
    selected: &Stacks,
    descriptors: bool,
    out: &mut impl Write,
) -> Result<()> {
    let frames = folded::frames(tree, descriptors);
    write!(out, "{{\"version\":{},\"metric\":", json::VERSION)?;
    json::write(&tree.metric(), out)?;
    write!(out, ",\"total\":{},\"stacks\":[", tree.total())?;
    let mut separator = "";
    for_each_stack(tree, selected, |stack, node| {
        let value = tree.cost()[node as usize];
        let of_stack = stack.iter().map(|&method| frames[method as usize].as_str());
        write!(out, "{separator}")?;
        separator = ",";
        json::write(&Stack { frames: of_stack.collect(), value }, out)
    })?;
    writeln!(out, "]}}")?;
    Ok(())
}
