//! `subsume search --auto`.

use std::io::Write;

use analyzer::error::Result;
use analyzer::report::table::{Kind, Table};
use analyzer::search::auto::{End, Found, search};
use analyzer::search::interface::ProfileInterface;
use analyzer::search::session::Item;
use serde_json::json;

use super::json::{item, of_costs, with};
use super::text::Style;
use crate::cli::progress::Progress;
use crate::cli::{json, terminal};

/// Searches and prints what was found.
///
/// # Errors
/// If `out` fails.
pub fn run<P: ProfileInterface>(
    profile: &P,
    style: &Style<'_>,
    as_json: bool,
    out: &mut impl Write,
) -> Result<()> {
    let progress = Progress::of_long_work();
    let found = search(profile, &mut |number| progress.say(&format!("{number} bottlenecks")));
    progress.wipe();
    if as_json {
        print_json(profile, &found, style, out)
    } else {
        print(profile, &found, style, out)
    }
}

fn item_of<P: ProfileInterface>(profile: &P, summary: &P::Summary) -> Item {
    Item { path: profile.path_of(summary).to_vec(), costs: profile.costs_of(summary) }
}

fn mean_length<P: ProfileInterface>(profile: &P, found: &Found<P::Summary>) -> f64 {
    let lengths = found.bottlenecks.iter().map(|b| profile.path_of(&b.summary).len());
    lengths.sum::<usize>() as f64 / found.bottlenecks.len().max(1) as f64
}

fn reason(end: End) -> &'static str {
    match end {
        End::Covered => "they cover 80% of the cost",
        End::SmallGain => "the next one would cover less than 1% more",
        End::Number => "that is enough of them",
        End::NoCost => "there is no cost to explain",
    }
}

fn print<P: ProfileInterface>(
    profile: &P,
    found: &Found<P::Summary>,
    style: &Style<'_>,
    out: &mut impl Write,
) -> Result<()> {
    writeln!(out, "{} {}", style.cost(style.total()), style.metric())?;
    let covered = found.bottlenecks.last().map_or(0, |last| last.covered);
    writeln!(
        out,
        "Bottlenecks: {}, coverage {}, mean length {:.1}; {}",
        found.bottlenecks.len(),
        style.percent(covered),
        mean_length(profile, found),
        reason(found.end),
    )?;
    for (at, bottleneck) in found.bottlenecks.iter().enumerate() {
        let Item { path, costs } = item_of(profile, &bottleneck.summary);
        writeln!(out)?;
        let mut table = Table::new(&[
            ("No.", Kind::Number(0)),
            ("Base %", Kind::Number(0)),
            ("Cum %", Kind::Number(0)),
            ("Adds", Kind::Number(0)),
            ("Covered", Kind::Number(0)),
            ("Calls", Kind::Text(0)),
        ]);
        for (line, name) in style.names(&path).into_iter().enumerate() {
            let numbers = [
                at.to_string(),
                style.percent(costs.base),
                style.percent(costs.cum),
                style.percent(bottleneck.added.cum),
                style.percent(bottleneck.covered),
            ];
            let blank = |text: String| if line == 0 { text } else { String::new() };
            let mut cells: Vec<String> = numbers.into_iter().map(blank).collect();
            cells.push(name.to_owned());
            table.row(cells);
        }
        table.write(terminal::width(), out)?;
    }
    Ok(())
}

fn print_json<P: ProfileInterface>(
    profile: &P,
    found: &Found<P::Summary>,
    style: &Style<'_>,
    out: &mut impl Write,
) -> Result<()> {
    let bottlenecks = found.bottlenecks.iter().map(|bottleneck| {
        let value = item(&item_of(profile, &bottleneck.summary), style);
        let value = with(value, "added", of_costs(bottleneck.added, style));
        with(value, "covered_share", json!(style.share(bottleneck.covered)))
    });
    let covered = found.bottlenecks.last().map_or(0, |last| last.covered);
    let document = json!({
        "answer": "auto",
        "metric": style.metric(),
        "total": json::difference(style.total()),
        "coverage": style.share(covered),
        "mean_length": mean_length(profile, found),
        "end": reason(found.end),
        "bottlenecks": bottlenecks.collect::<Vec<_>>(),
    });
    json::print(&document, out)
}
