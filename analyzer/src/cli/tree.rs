//! `subsume tree`.

use std::io::Write;

use base::number::{counted, grouped};
use profile::NO_PARENT;
use report::painted::Painted;
use report::table::{Kind, Table};
use serde::Serialize;
use tree::Tree;
use tree::error::Result;
use tree::time::TIME;
use tree::time::text::{share, share_of_cost};
use tree::views::folded_lines::{Folding, Row};
use tree::views::top_down::{Limits, Line, top_down};

use crate::cli::json::{self, Name, Site, call_site};
use crate::cli::painted_names::PaintedNames;
use crate::cli::source::{ALL, Output, Source};
use crate::cli::start::WithoutStart;
use crate::cli::time::TimeOfPart;
use crate::cli::{paths, terminal};

/// Print the calling context tree from the root down.
///
/// Callees are listed below their caller, the most expensive first, and are indented only where
/// there are several. A long chain of calls is cut to the most telling ones, as in 'subsume
/// summary'; --wide shows all. --top limits the callees of each context. With --class, a
/// context is printed if it, a caller or a callee of it matches.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  subsume tree fop.subsume
  subsume tree --min-percent 5 --depth 20 fop.subsume
  subsume tree --call-sites --thread main --class 'org.apache.fop.*' fop.subsume")]
pub struct Args {
    #[command(flatten)]
    source: Source,

    #[command(flatten)]
    start: WithoutStart,

    /// Leave out contexts with a smaller share of the total cost, callees included.
    #[arg(long, value_name = "PERCENT", default_value_t = 1.0)]
    min_percent: f64,

    /// Leave out contexts that are more than N calls away from the root.
    #[arg(long, value_name = "N")]
    depth: Option<u32>,

    /// List a context once for each place in the caller that calls it.
    #[arg(long)]
    call_sites: bool,

    #[command(flatten)]
    output: Output,
}

/// Runs the command.
///
/// # Errors
/// If a profile cannot be read or merged, or `out` fails.
pub fn run(args: &Args, out: &mut impl Write) -> Result<()> {
    let tree = args.source.tree_without(args.start, args.call_sites)?;
    let inclusive = tree.inclusive();
    let limits = Limits {
        depth: args.depth.unwrap_or(u32::MAX),
        min_percent: args.min_percent,
        top: args.output.top(ALL),
        class: args.output.class(),
    };
    let lines = top_down(&tree, &inclusive, &limits);
    if json::answered(args.output.json, out, |out| {
        json::print(&document(&tree, &inclusive, &lines), out)
    })? {
        return Ok(());
    }

    let total = tree.total();
    writeln!(
        out,
        "{} {} in {}",
        grouped(total),
        tree.metric(),
        counted(tree.len() as u64, "context")
    )?;
    writeln!(out)?;
    if lines.is_empty()
        && let Some(hint) = args.output.hint("context")
    {
        writeln!(out, "{hint}")?;
        return Ok(());
    }
    let owners = tree.owners();
    let names = PaintedNames::new(&tree, &owners);
    let time = time_below(&tree);
    let samples = tree.samples();
    let mut columns = vec![
        ("Depth", Kind::Number(0)),
        ("Inclusive", Kind::Number(3)),
        ("Incl.%", Kind::Number(0)),
        ("Excl.%", Kind::Number(1)),
    ];
    columns.extend(time.as_ref().map(|_| ("Incl.time", Kind::Number(0))));
    columns.extend([("Calls", Kind::Number(2)), ("Context", Kind::Text(0))]);
    let mut table = Table::new(&columns);
    let wanted = limits.class.as_ref();
    let folding = Folding { owners: &owners, wanted, extent: terminal::extent() };
    let rows = folding.from_the_root(&tree, &lines, &inclusive);
    for row in &rows {
        let line = match *row {
            Row::Line(line) => &lines[line],
            Row::Folded { first, count } => {
                table.row(paths::folded_row(columns.len(), lines[first].indent, count));
                continue;
            }
        };
        let node = line.node as usize;
        let mut cells: Vec<Painted> = [
            line.depth.to_string(),
            grouped(inclusive[node]),
            share_of_cost(&tree, inclusive[node], total),
            share_of_cost(&tree, tree.cost()[node], total),
        ]
        .map(Painted::from)
        .to_vec();
        cells.extend(time.as_ref().map(|time| share(time[node], samples).into()));
        let calls = tree.calls().map_or_else(|| "-".to_owned(), |calls| grouped(calls[node]));
        cells.push(calls.into());
        cells.push(context(&tree, line, &names));
        table.painted_row(cells);
    }
    let left_out = terminal::write_table(&table, out)?;
    paths::name_folded(&rows, out)?;
    terminal::name_left_out(&left_out, out)?;
    if lines.len() < tree.len() {
        let more = counted((tree.len() - lines.len()) as u64, "context");
        writeln!(out, "{more} not shown")?;
    }
    Ok(())
}

/// Samples in each context and below it, if there are any and they are not what is shown anyway.
fn time_below(tree: &Tree) -> Option<Vec<u64>> {
    let time = tree.time().filter(|_| tree.samples() > 0 && tree.metric() != TIME)?;
    Some(tree.sums_below(time))
}

/// The method, indented, with the line it is called from if that is known.
fn context(tree: &Tree, line: &Line, names: &PaintedNames) -> Painted {
    let node = line.node as usize;
    let indent = "  ".repeat(line.indent as usize);
    let name = names.of(Some(tree.method[node]));
    let place = tree
        .site
        .get(node)
        .and_then(|&site| call_site(tree, caller(tree, node), site))
        .map(|site| place(&site))
        .unwrap_or_default();
    Painted::from(indent).and(name).and(place)
}

/// A call site in words.
pub fn place(site: &profile::CallSite) -> String {
    match site.line {
        0 => format!(" (from bci {})", site.bci),
        line => format!(" (from line {line}, bci {})", site.bci),
    }
}

fn caller(tree: &Tree, node: usize) -> Option<u32> {
    let parent = tree.parent[node];
    (parent != NO_PARENT).then(|| tree.method[parent as usize])
}

#[derive(Serialize)]
struct Document<'a> {
    metric: &'a str,
    total: u64,
    /// All contexts of the tree, shown or not.
    contexts: usize,
    nodes: Vec<Node<'a>>,
}

#[derive(Serialize)]
struct Node<'a> {
    #[serde(flatten)]
    name: Name<'a>,
    /// Index in `nodes`; null for roots.
    parent: Option<usize>,
    depth: u32,
    inclusive: u64,
    exclusive: u64,
    /// Samples in it and below; only where there are samples.
    #[serde(skip_serializing_if = "Option::is_none")]
    time: Option<TimeOfPart>,
    calls: Option<u64>,
    /// The call in the parent, with `--call-sites` and where it is known.
    #[serde(skip_serializing_if = "Option::is_none")]
    site: Option<Site>,
}

fn document<'a>(tree: &'a Tree, inclusive: &[u64], lines: &[Line]) -> Document<'a> {
    let (time, samples) = (time_below(tree), tree.samples());
    let nodes = lines.iter().map(|line| {
        let node = line.node as usize;
        let site = tree.site.get(node).copied().unwrap_or(0);
        Node {
            name: Name::of(tree, Some(tree.method[node])),
            parent: line.parent,
            depth: line.depth,
            inclusive: inclusive[node],
            exclusive: tree.cost()[node],
            time: time.as_ref().map(|time| TimeOfPart::of(time[node], samples)),
            calls: tree.calls().map(|calls| calls[node]),
            site: Site::of(tree, caller(tree, node), site),
        }
    });
    Document {
        metric: tree.metric(),
        total: tree.total(),
        contexts: tree.len(),
        nodes: nodes.collect(),
    }
}
