//! `subsume methods --inside`: what a method's cost is made of.

use std::io::Write;

use analysis::subsuming::Subsuming;
use base::number::{counted, grouped, percent};
use report::find_method::find_method;
use report::painted::Painted;
use report::table::{Kind, Table};
use serde::Serialize;
use tree::Tree;
use tree::error::Result;
use tree::views::places::{path_to, places};
use tree::views::region::Region;

use super::{Args, TOP};
use crate::cli::json::{self, Name};
use crate::cli::painted_names::PaintedNames;
use crate::cli::paths::{self, PlaceDocument};
use crate::cli::terminal;

/// Smaller shares of the method's cost are no places.
const LEAST_SHARE: f64 = 0.01;

#[derive(Serialize)]
struct Document<'a> {
    metric: &'a str,
    total: u64,
    #[serde(flatten)]
    name: Name<'a>,
    /// Whether the parts are of what the method induces, or of its inclusive cost.
    subsuming: bool,
    cost: u64,
    contexts: u64,
    places: Vec<PlaceDocument<'a>>,
}

/// Prints the largest parts of what a method induces, or of its inclusive cost if
/// the method does not subsume.
///
/// # Errors
/// If no method or several answer to the name, or `out` fails.
pub fn print(
    tree: &Tree,
    analysis: &Subsuming,
    method: &str,
    args: &Args,
    out: &mut impl Write,
) -> Result<()> {
    let method = find_method(tree, method)?;
    let subsumes = analysis.subsumes[method as usize];
    let region = if subsumes {
        Region::induced(tree, &analysis.subsumes, |opened| opened == method, false)?
    } else {
        Region::inclusive(tree, method)?
    };
    let inclusive = region.inclusive_costs();
    let cost: u64 = region.cost.iter().sum();
    let is_platform = tree.are_platform();
    let class = args.output.class();
    let mut found = places(&region, &is_platform, (LEAST_SHARE * cost as f64) as u64);
    if let Some(class) = &class {
        let matches =
            |&node: &u32| class.matches(&tree.methods[region.method[node as usize] as usize].class);
        found.retain(|place| region.path(place.node).iter().any(matches));
    }
    let all = found.len();
    found.truncate(args.output.entries(TOP));
    let contexts = analysis.costs[method as usize].contexts;
    let document = || {
        let places = found.iter().map(|place| PlaceDocument::new(tree, &region, place));
        Document {
            metric: tree.metric(),
            total: tree.total(),
            name: Name::of(tree, Some(method)),
            subsuming: subsumes,
            cost,
            contexts,
            places: places.collect(),
        }
    };
    if json::answered(args.output.json, out, |out| json::print(&document(), out))? {
        return Ok(());
    }
    let owners = tree.owners();
    let names = PaintedNames::new(tree, &owners);
    writeln!(
        out,
        "{}: {} {} {} ({} of all), over {}",
        names.of(Some(method)),
        grouped(cost),
        tree.metric(),
        if subsumes { "induced" } else { "inclusive, for it does not subsume" },
        percent(cost, tree.total()),
        counted(contexts, "context"),
    )?;
    writeln!(out)?;
    let mut columns = vec![
        (tree.metric(), Kind::Number(1)),
        ("Of it %", Kind::Number(0)),
        ("Of all %", Kind::Number(0)),
        ("Calls", Kind::Number(2)),
        ("Method", Kind::Text(0)),
    ];
    // Elsewhere it goes below the row, for a column would cut names out of it.
    let is_column = terminal::is_markdown();
    columns.extend(is_column.then_some(("Called by way of", Kind::Text(1))));
    let mut table = Table::new(&columns);
    let mut ways = Vec::new();
    for place in &found {
        let calls = region.calls.get(place.node as usize);
        // The last frame is what the row is about, the first is the method itself.
        let path = path_to(
            (tree, &region),
            &owners,
            &inclusive,
            place.node,
            class.as_ref(),
            terminal::extent(),
        );
        let mut frames: Vec<Painted> =
            path.into_iter().map(|frame| paths::frame(frame, &names)).collect();
        if frames.len() > 1 {
            frames.remove(0);
        }
        let last = frames.pop().unwrap_or_default();
        let mut cells = vec![
            grouped(place.cost).into(),
            percent(place.cost, cost).into(),
            percent(place.cost, tree.total()).into(),
            calls.map_or_else(|| "-".to_owned(), |&calls| grouped(calls)).into(),
            last,
        ];
        if is_column {
            let way = frames.iter().cloned().reduce(|way, frame| way.and(" > ").and(frame));
            cells.push(way.unwrap_or_default());
        }
        table.painted_row(cells);
        ways.push(frames);
    }
    let shown: u64 = found.iter().map(|place| place.cost).sum();
    let mut cells = vec![
        grouped(cost - shown),
        percent(cost - shown, cost),
        percent(cost - shown, tree.total()),
        "-".to_owned(),
        if found.len() < all { "the rest (--top 0 shows more)" } else { "the rest" }.to_owned(),
    ];
    cells.extend(is_column.then(String::new));
    table.row(cells);
    if is_column {
        terminal::write_table(&table, out)?;
        return Ok(());
    }
    let width = terminal::width();
    terminal::write_with_lines(&table, out, |row, out| match ways.get(row) {
        Some(way) if !way.is_empty() => paths::write("    by way of", way, width, out),
        _ => Ok(()),
    })?;
    Ok(())
}
