//! `subsume callers`.

use std::ffi::OsString;
use std::io::Write;

use base::number::{counted, each, grouped, percent};
use report::find_method::find_method;
use report::painted::Painted;
use report::table::{Kind, Table};
use serde::Serialize;
use tree::Tree;
use tree::error::Result;
use tree::views::bottom_up::{Limits, Line, bottom_up};
use tree::views::callers::{Use, uses};
use tree::views::folded_lines::{Folding, Row};

use crate::cli::files_and;
use crate::cli::json::{self, Name, Site, call_site, share};
use crate::cli::painted_names::PaintedNames;
use crate::cli::source::{ALL, Choice, Output};
use crate::cli::start::WithoutStart;
use crate::cli::{paths, terminal, tree::place};

/// Print who calls a method, and who calls its callers.
///
/// Shares are of the method's calls and of its cost with all that it calls; recursive calls
/// count with the outermost one. 'Calls each' is the mean number of these calls for each call of
/// the caller: 200.00 means that a call of the caller leads to 200 calls of the method. Callers
/// are indented only where there are several. A long chain of callers is cut to the most telling
/// ones, as in 'subsume summary'; --wide shows all. --top limits the callers on each level. With
/// --class, only matching callers and those on the path to them are printed.
#[derive(Debug, clap::Args)]
#[command(
    override_usage = "subsume callers [OPTIONS] <FILE>... <METHOD>",
    after_help = "\
Examples:
  subsume callers fop.subsume java.text.DecimalFormat.format
  subsume callers --min-percent 5 fop.subsume 'HashMap.get(Object)'
  subsume callers --class 'org.apache.*' run1.subsume run2.subsume String.hashCode"
)]
pub struct Args {
    /// Profiles; several are merged path by path. The method comes before or after them:
    /// Class.name, if needed with its descriptor or with parameters as tables show them, or the
    /// end of such a name if it fits no other method.
    // One list, so that options may stand between the files and the method.
    #[arg(required = true, value_name = "FILE METHOD")]
    files_and_method: Vec<OsString>,

    #[command(flatten)]
    choice: Choice,

    #[command(flatten)]
    start: WithoutStart,

    /// Leave out callers with a smaller share of the method's cost.
    #[arg(long, value_name = "PERCENT", default_value_t = 1.0)]
    min_percent: f64,

    /// Leave out callers that are more than N calls away from the method.
    #[arg(long, value_name = "N")]
    depth: Option<u32>,

    /// List a caller once for each place that it calls from.
    #[arg(long)]
    call_sites: bool,

    #[command(flatten)]
    output: Output,
}

/// Runs the command.
///
/// # Errors
/// If a profile cannot be read, no method or several answer to the name, or `out` fails.
pub fn run(args: &Args, out: &mut impl Write) -> Result<()> {
    let (files, method) = files_and::split(&args.files_and_method, "callers", "a method")?;
    let tree = args.choice.tree_without(args.start, &files, args.call_sites)?;
    let method = find_method(&tree, &method)?;
    let uses = uses(&tree, &[method]).pop().unwrap_or_default();
    let limits = Limits {
        depth: args.depth.unwrap_or(u32::MAX),
        min_percent: args.min_percent,
        top: args.output.top(ALL),
        class: args.output.class(),
    };
    let lines = bottom_up(&tree, &uses, &limits);
    let callee = Callee::new(method, &uses);
    if json::answered(args.output.json, out, |out| {
        json::print(&document(&tree, &callee, &lines), out)
    })? {
        return Ok(());
    }
    print(&tree, &callee, &lines, &args.output, out)
}

/// The method whose callers are wanted.
struct Callee {
    method: u32,
    cost: u64,
    calls: Option<u64>,
    contexts: usize,
}

impl Callee {
    fn new(method: u32, uses: &[Use]) -> Self {
        let cost = uses.iter().map(|u| u.cost).sum();
        let calls = uses.iter().map(|u| u.calls).sum();
        Self { method, cost, calls, contexts: uses.len() }
    }
}

/// The columns of the table.
const COLUMNS: [(&str, Kind); 7] = [
    ("Depth", Kind::Number(1)),
    ("Calls", Kind::Number(3)),
    ("Calls %", Kind::Number(0)),
    ("Calls each", Kind::Number(4)),
    ("Cost", Kind::Number(2)),
    ("Cost %", Kind::Number(0)),
    ("Called by", Kind::Text(0)),
];

fn print(
    tree: &Tree,
    callee: &Callee,
    lines: &[Line],
    output: &Output,
    out: &mut impl Write,
) -> Result<()> {
    let owners = tree.owners();
    let names = PaintedNames::new(tree, &owners);
    writeln!(out, "{}", tree.methods[callee.method as usize])?;
    let calls = callee.calls.map(|calls| format!(", {}", counted(calls, "call")));
    writeln!(
        out,
        "{} {} ({} of all){} in {}",
        grouped(callee.cost),
        tree.metric(),
        percent(callee.cost, tree.total()),
        calls.unwrap_or_default(),
        counted(callee.contexts as u64, "context"),
    )?;
    writeln!(out)?;
    if lines.is_empty()
        && let Some(hint) = output.hint("caller")
    {
        writeln!(out, "{hint}")?;
        return Ok(());
    }
    let mut table = Table::new(&COLUMNS);
    let dash = || "-".to_owned();
    let class = output.class();
    let folding = Folding { owners: &owners, wanted: class.as_ref(), extent: terminal::extent() };
    let rows = folding.from_a_method(tree, callee.method, lines);
    for row in &rows {
        let line = match *row {
            Row::Line(line) => &lines[line],
            Row::Folded { first, count } => {
                table.row(paths::folded_row(COLUMNS.len(), lines[first].indent, count));
                continue;
            }
        };
        let caller = &line.caller;
        let indent = "  ".repeat(line.indent as usize);
        let site = call_site(tree, caller.method, caller.site);
        let place = site.map(|site| place(&site)).unwrap_or_default();
        let share_of_calls = caller.calls.zip(callee.calls);
        table.painted_row(vec![
            line.depth.to_string().into(),
            caller.calls.map_or_else(dash, grouped).into(),
            share_of_calls.map_or_else(dash, |(part, all)| percent(part, all)).into(),
            caller.calls.zip(caller.own_calls).map_or_else(dash, |(of, by)| each(of, by)).into(),
            grouped(caller.cost).into(),
            percent(caller.cost, callee.cost).into(),
            Painted::from(indent).and(names.of(caller.method)).and(place),
        ]);
    }
    let left_out = terminal::write_table(&table, out)?;
    paths::name_folded(&rows, out)?;
    terminal::name_left_out(&left_out, out)?;
    Ok(())
}

#[derive(Serialize)]
struct Document<'a> {
    metric: &'a str,
    total: u64,
    method: Name<'a>,
    /// Cost and calls of the method, recursion counted once.
    cost: u64,
    calls: Option<u64>,
    contexts: usize,
    callers: Vec<JsonCaller<'a>>,
}

#[derive(Serialize)]
struct JsonCaller<'a> {
    #[serde(flatten)]
    name: Name<'a>,
    /// Index in `callers` of what it calls; null for the method itself.
    callee: Option<usize>,
    depth: u32,
    cost: u64,
    calls: Option<u64>,
    /// Calls for each call of this caller; null where that was not called while it was recorded.
    calls_each: Option<f64>,
    /// Shares of the method's cost and calls, between 0 and 1.
    cost_share: f64,
    calls_share: Option<f64>,
    /// Where it calls, with `--call-sites` and where that is known.
    #[serde(skip_serializing_if = "Option::is_none")]
    site: Option<Site>,
}

fn document<'a>(tree: &'a Tree, callee: &Callee, lines: &[Line]) -> Document<'a> {
    let callers = lines.iter().map(|line| JsonCaller {
        name: Name::of(tree, line.caller.method),
        callee: line.callee,
        depth: line.depth,
        cost: line.caller.cost,
        calls: line.caller.calls,
        calls_each: line
            .caller
            .calls
            .zip(line.caller.own_calls.filter(|&by| by > 0))
            .map(|(of, by)| of as f64 / by as f64),
        cost_share: share(line.caller.cost, callee.cost),
        calls_share: line.caller.calls.zip(callee.calls).map(|(part, all)| share(part, all)),
        site: Site::of(tree, line.caller.method, line.caller.site),
    });
    Document {
        metric: tree.metric(),
        total: tree.total(),
        method: Name::of(tree, Some(callee.method)),
        cost: callee.cost,
        calls: callee.calls,
        contexts: callee.contexts,
        callers: callers.collect(),
    }
}
