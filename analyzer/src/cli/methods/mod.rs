//! `subsume methods`.

mod caller_lines;
mod inside;
mod json;
mod table;

use std::cmp::Reverse;
use std::io::Write;
use std::path::PathBuf;

use analysis::subsuming::characteristics::Characteristics;
use analysis::subsuming::overlap::{Overlap, overlap};
use analysis::subsuming::sampled_time::SampledTime;
use analysis::subsuming::{Subsuming, Thresholds};
use clap::ValueEnum;
use tree::Tree;
use tree::costs::Costs;
use tree::error::{Error, Result};
use tree::time::precision::sort_by_samples;
use tree::views::callers::{Level, follow, uses};

use crate::cli::samples::Samples;
use crate::cli::source::{ALL, Bounds, Output, Source};
use crate::cli::start::WithoutStart;

/// List the subsuming methods: entry points of repeated patterns of calls.
///
/// A method subsumes if it has many levels of calls below it (its height), and if no method
/// close above it accounts for all its calls (its distance to the nearest method that is always
/// among its callers). Every cost counts for the nearest subsuming method on the stack, as its
/// induced cost. The table has the first 20 methods unless --top or --all says otherwise.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  subsume methods fop.subsume
  subsume methods --sort inclusive --top 40 fop.subsume
  subsume methods --metric allocations --class 'org.apache.*' run1.subsume run2.subsume
  subsume methods --callers --top 5 fop.subsume
  subsume methods --time plain.jfr --sort time fop.subsume
  subsume methods --inside org.example.Parser.parse fop.subsume
  subsume methods --all --json fop.subsume")]
pub struct Args {
    #[command(flatten)]
    source: Source,

    #[command(flatten)]
    start: WithoutStart,

    #[command(flatten)]
    bounds: Bounds,

    /// Column to sort by.
    #[arg(long, value_name = "COLUMN", default_value = "induced")]
    sort: Column,

    /// List all executed methods, not only those that subsume.
    #[arg(long)]
    all: bool,

    /// Under each method, list its callers; go on upwards while one of them accounts for 90 %
    /// of the cost.
    #[arg(long)]
    callers: bool,

    /// Break down the cost of a method, induced if it subsumes and otherwise inclusive: list
    /// the largest places below it, over all its contexts.
    #[arg(long, value_name = "METHOD", conflicts_with_all = ["all", "callers", "sort"])]
    inside: Option<String>,

    /// Also show the time of an uninstrumented run of the program, from samples: a flight
    /// recording, or pprof or folded stacks of async-profiler. A profile made by 'subsume run
    /// --time' or 'subsume time' has samples already.
    #[arg(long, value_name = "SAMPLES")]
    time: Option<PathBuf>,

    #[command(flatten)]
    output: Output,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Column {
    Induced,
    Inclusive,
    Exclusive,
    Time,
    Calls,
    Contexts,
    Height,
    Distance,
    Dominator,
    Method,
}

/// Methods shown in a table unless the user says otherwise.
const TOP: usize = 20;
/// Methods compared for Table 4's last columns.
const COMPARED: usize = 20;
/// A caller with this share is followed upwards.
const FOLLOWED_SHARE: f64 = 0.9;

/// Runs the command.
///
/// # Errors
/// If a profile cannot be read or merged, or `out` fails.
pub fn run(args: &Args, out: &mut impl Write) -> Result<()> {
    let tree = match &args.time {
        None => args.source.tree_without(args.start, false)?,
        Some(samples) => args.source.tree_with_time(args.start, &Samples::read(samples)?)?,
    };
    let thresholds = args.bounds.thresholds();
    let analysis = Subsuming::analyse(&tree, thresholds, &args.bounds.never());

    if let Some(method) = &args.inside {
        return inside::print(&tree, &analysis, method, args, out);
    }

    let time = SampledTime::of(&tree, &analysis.subsumes).filter(|time| time.total > 0);
    if args.sort == Column::Time && time.is_none() {
        return Err(Error::new("to sort by time, name samples with --time"));
    }
    let mut rows = rows(&tree, &analysis, args);
    for row in &mut rows {
        row.time = time.as_ref().map(|time| RowTime::of(time, row.method));
    }
    sort(&mut rows, args.sort, time.as_ref().map_or(0, |time| time.total));
    let found = rows.len();
    let has_virtual_root = rows.iter().any(|row| row.method.is_none());
    let default_top = if args.output.json || args.all { ALL } else { TOP };
    rows.truncate(args.output.top(default_top));
    if args.callers {
        add_callers(&tree, &mut rows);
    }

    let answer = Answer {
        tree: &tree,
        thresholds,
        summary: Summary::new(&analysis),
        time,
        rows,
        found,
        has_virtual_root,
    };
    if crate::cli::json::answered(args.output.json, out, |out| json::print(&answer, out))? {
        return Ok(());
    }
    table::print(&answer, args, out)
}

/// All that is shown.
struct Answer<'a> {
    tree: &'a Tree,
    thresholds: Thresholds,
    summary: Summary,
    time: Option<SampledTime>,
    rows: Vec<Row>,
    /// Number of rows before `--top` was applied.
    found: usize,
    /// The virtual root is one of them.
    has_virtual_root: bool,
}

/// A method, or the virtual root where it has collected something.
struct Row {
    method: Option<u32>,
    characteristics: Characteristics,
    induced: u64,
    costs: Costs,
    subsumes: bool,
    /// With `--callers`: those of the method, then those of the one followed ...
    callers: Option<Vec<Level>>,
    /// Samples, if there are any.
    time: Option<RowTime>,
}

/// Samples of a plain run.
struct RowTime {
    induced: u64,
    inclusive: u64,
}

impl RowTime {
    fn of(time: &SampledTime, method: Option<u32>) -> Self {
        match method {
            Some(method) => Self {
                induced: time.induced[method as usize],
                inclusive: time.inclusive[method as usize],
            },
            None => Self { induced: time.induced_by_virtual_root, inclusive: time.total },
        }
    }
}

/// The columns of the paper's Table 4.
struct Summary {
    methods: u64,
    contexts: u64,
    subsuming_methods: u64,
    subsuming_contexts: u64,
    top: Overlap,
}

impl Summary {
    fn new(analysis: &Subsuming) -> Self {
        let contexts = |method: usize| analysis.costs[method].contexts;
        Self {
            methods: analysis.executed().count() as u64,
            contexts: analysis.executed().map(contexts).sum(),
            subsuming_methods: analysis.subsuming().count() as u64,
            subsuming_contexts: analysis.subsuming().map(contexts).sum(),
            top: overlap(analysis, COMPARED),
        }
    }
}

fn rows(tree: &Tree, analysis: &Subsuming, args: &Args) -> Vec<Row> {
    let class = args.output.class();
    let mut rows: Vec<Row> = analysis
        .executed()
        .filter(|&method| args.all || analysis.subsumes[method])
        .filter(|&method| class.as_ref().is_none_or(|p| p.matches(&tree.methods[method].class)))
        .map(|method| Row {
            method: Some(method as u32),
            characteristics: analysis.characteristics[method].clone(),
            induced: analysis.induced[method],
            costs: analysis.costs[method].clone(),
            subsumes: analysis.subsumes[method],
            callers: None,
            time: None,
        })
        .collect();
    if analysis.induced_by_virtual_root > 0 && class.is_none() {
        rows.push(virtual_root(tree, analysis));
    }
    rows
}

/// The row that makes the induced costs add up to the total.
fn virtual_root(tree: &Tree, analysis: &Subsuming) -> Row {
    // The highest context of all is a child of the virtual root.
    let height = analysis.characteristics.iter().map(|c| c.height + 1).max().unwrap_or(0);
    let calls = tree.calls().map(|_| 0);
    Row {
        method: None,
        characteristics: Characteristics { height, dominated: None, is_root: true },
        induced: analysis.induced_by_virtual_root,
        costs: Costs { exclusive: 0, inclusive: tree.total(), calls, contexts: 0 },
        subsumes: true,
        callers: None,
        time: None,
    }
}

/// Sorts by a column, the greatest first and names alphabetically; ties by name.
/// Of times only differences count that are greater than their error.
fn sort(rows: &mut [Row], column: Column, samples: u64) {
    let distance = |row: &Row| row.characteristics.dominated.map_or(u32::MAX, |d| d.distance);
    match column {
        Column::Induced => {
            // Methods that do not subsume have none of their own and come last.
            let key = |r: &Row| match r.subsumes {
                true => (true, r.induced),
                false => (false, r.costs.inclusive),
            };
            rows.sort_by_key(|r| (Reverse(key(r)), r.method));
        }
        Column::Inclusive => rows.sort_by_key(|r| (Reverse(r.costs.inclusive), r.method)),
        Column::Exclusive => rows.sort_by_key(|r| (Reverse(r.costs.exclusive), r.method)),
        Column::Time => {
            // Methods that do not subsume have no time of their own and come last.
            rows.sort_by_key(|row| (!row.subsumes, row.method));
            let subsuming = rows.partition_point(|row| row.subsumes);
            let (subsuming, others) = rows.split_at_mut(subsuming);
            let time = |row: &Row, of: fn(&RowTime) -> u64| row.time.as_ref().map_or(0, of);
            let induced = |row: &Row| time(row, |time| time.induced);
            let inclusive = |row: &Row| time(row, |time| time.inclusive);
            sort_by_samples(subsuming, samples, induced, |row| row.induced);
            sort_by_samples(others, samples, inclusive, |row| row.costs.inclusive);
        }
        Column::Calls => rows.sort_by_key(|r| (Reverse(r.costs.calls), r.method)),
        Column::Contexts => rows.sort_by_key(|r| (Reverse(r.costs.contexts), r.method)),
        Column::Height => rows.sort_by_key(|r| (Reverse(r.characteristics.height), r.method)),
        Column::Distance => rows.sort_by_key(|r| (Reverse(distance(r)), r.method)),
        Column::Dominator => {
            rows.sort_by_key(|r| (r.characteristics.dominated.map(|d| d.by), r.method));
        }
        Column::Method => rows.sort_by_key(|r| r.method),
    }
}

fn add_callers(tree: &Tree, rows: &mut [Row]) {
    let methods: Vec<u32> = rows.iter().filter_map(|row| row.method).collect();
    let mut uses = uses(tree, &methods).into_iter();
    for row in rows.iter_mut().filter(|row| row.method.is_some()) {
        row.callers = uses.next().map(|uses| follow(tree, &uses, FOLLOWED_SHARE));
    }
}
