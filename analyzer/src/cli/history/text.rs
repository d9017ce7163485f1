//! A history for people.

use std::collections::HashMap;
use std::io::Write;

use base::number::{counted, grouped};
use report::table::{Kind, Table};
use tree::error::Result;
use tree::names::method::{Method, VIRTUAL_ROOT};

use super::{Answer, Row, TOP, Version};
use crate::cli::diff::relative;
use crate::cli::terminal;

/// Prints the answer.
///
/// # Errors
/// If `out` fails.
pub fn print(answer: &Answer<'_>, out: &mut impl Write) -> Result<()> {
    let Answer { args, metric, versions, rows } = answer;
    writeln!(out, "{metric} of {}", counted(versions.len() as u64, "version"))?;
    writeln!(out)?;
    terminal::write_table(&totals(metric, versions), out)?;
    writeln!(out)?;
    if rows.is_empty() {
        let none = "No method explains a difference above the floor of 0.01% of all";
        writeln!(out, "{}", args.output.nothing("method that explains a difference", none))?;
        return Ok(());
    }
    writeln!(
        out,
        "What methods explain with all that they call, in per cent of the version before"
    )?;
    writeln!(out)?;
    let shown = args.output.top(TOP).min(rows.len());
    // The first version changed nothing.
    let names: Vec<&str> = versions[1..].iter().map(|version| version.name.as_str()).collect();
    let mut columns: Vec<(&str, Kind)> = Vec::new();
    for (at, &name) in names.iter().enumerate() {
        // Where there is no room for all, the last ones stay.
        columns.push((name, Kind::Number(u8::try_from(names.len() - 1 - at).unwrap_or(u8::MAX))));
    }
    columns.extend([("Code", Kind::Text(1)), ("Method", Kind::Text(0))]);
    let mut table = Table::new(&columns);
    // Methods of one name are told apart by their descriptors.
    let mut namesakes: HashMap<String, usize> = HashMap::new();
    for row in rows {
        *namesakes.entry(named(row, Method::qualified)).or_default() += 1;
    }
    for row in &rows[..shown] {
        let mut name = named(row, Method::qualified);
        if namesakes.get(&name) != Some(&1) {
            name = named(row, Method::to_string);
        }
        let mut cells: Vec<String> = (1..versions.len())
            .map(|at| {
                row.steps.get(&at).map_or_else(String::new, |explained| {
                    relative(versions[at - 1].total, explained.difference)
                })
            })
            .collect();
        cells.extend([code(row, versions), name]);
        table.row(cells);
    }
    let left_out = terminal::write_table(&table, out)?;
    terminal::name_left_out(&left_out, out)?;
    terminal::count_rest(rows.len() - shown, out)?;
    Ok(())
}

/// What each version costs, and what that comes from.
fn totals(metric: &str, versions: &[Version]) -> Table {
    let mut table = Table::new(&[
        ("Version", Kind::Text(0)),
        (metric, Kind::Number(0)),
        ("Change", Kind::Number(0)),
        ("By changed code", Kind::Number(1)),
        ("Otherwise", Kind::Number(1)),
        ("Changed methods", Kind::Number(2)),
    ]);
    let mut before = None;
    for version in versions {
        let mut cells = vec![version.name.clone(), grouped(version.total)];
        match (&version.step, before) {
            (Some(step), Some(base)) => cells.extend([
                relative(base, i128::from(version.total) - i128::from(base)),
                relative(base, step.by_changed_code),
                relative(base, step.by_data + step.below),
                grouped(step.changed as u64),
            ]),
            _ => cells.extend([const { String::new() }; 4]),
        }
        table.row(cells);
        before = Some(version.total);
    }
    table
}

/// In which versions the code changed, and how.
fn code(row: &Row, versions: &[Version]) -> String {
    let changes = row.steps.iter().filter_map(|(&at, explained)| {
        Some(format!("{} in {}", explained.change?.name(), versions[at].name))
    });
    changes.collect::<Vec<_>>().join(", ")
}

/// The name of a row's method, written this way.
fn named(row: &Row, written: impl Fn(&Method) -> String) -> String {
    row.method.as_ref().map_or_else(|| VIRTUAL_ROOT.to_owned(), written)
}
