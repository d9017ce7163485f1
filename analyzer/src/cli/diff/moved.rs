//! What explains the difference of elements moved: work that bytecodes do not show.

use std::io::Write;

use analysis::diff::changes::CodeChange;
use analysis::diff::explanation::{Explanation, Row, explain_above};
use base::number::signed;
use report::table::{Kind, Table};
use tree::Tree;
use tree::error::Result;
use tree::readable_names::Names;

use super::profiles::Profiles;
use super::{Answer, relative};
use crate::cli::diff::explanation::mostly;
use crate::cli::terminal;

/// The metric.
const MOVED: &str = "moved";
/// Rows shown unless the user says otherwise.
const TOP: usize = 5;

/// The explanation, if costs are bytecodes and both sides have counted elements. The
/// floor is that of bytecodes, so that few elements are no difference.
pub fn explanation(profiles: &mut Profiles, changes: &[Option<CodeChange>]) -> Option<Explanation> {
    let names = profiles.base.tree().metric_names();
    if names.first().is_none_or(|name| name != "bytecodes") || !names.iter().any(|n| n == MOVED) {
        return None;
    }
    let bytecodes = greatest_total(profiles);
    let mut moved_first = names.clone();
    moved_first.sort_by_key(|name| name != MOVED);
    profiles.choose_metrics(&moved_first);
    let all = bytecodes.max(greatest_total(profiles));
    let found = explain_above(all, &profiles.base.trees, &profiles.new.trees, changes);
    profiles.choose_metrics(&names);
    Some(found)
}

fn greatest_total(profiles: &Profiles) -> u64 {
    let trees = profiles.base.trees.iter().chain(&profiles.new.trees);
    trees.map(Tree::total).max().unwrap_or(0)
}

/// Prints the explanation, if there is anything to explain.
///
/// # Errors
/// If `out` fails.
pub fn print(answer: &Answer<'_>, names: &Names, out: &mut impl Write) -> Result<()> {
    let rows = answer.moved.as_ref().map_or(&[][..], |explanation| &explanation.rows);
    if rows.is_empty() {
        return Ok(());
    }
    let base = answer.totals.iter().find(|total| total.name == MOVED).map_or(0, |t| t.base);
    let sum: i128 = rows.iter().map(Row::difference).sum();
    let title = "Elements moved by arraycopy, clone and the like, which bytecodes do not show";
    writeln!(out, "\n{title}: {} ({})\n", signed(sum), relative(base, sum))?;
    let mut columns = vec![(MOVED, Kind::Number(0)), ("Of all %", Kind::Number(0))];
    let with_code = rows.iter().any(|row| row.blamed.change.is_some());
    columns.extend(with_code.then_some(("Code", Kind::Text(0))));
    columns.extend([("Method", Kind::Text(0)), ("Mostly by", Kind::Text(1))]);
    let mut table = Table::new(&columns);
    let shown = answer.args.output.top(TOP).min(rows.len());
    for row in &rows[..shown] {
        let blamed = &row.blamed;
        let mut cells = vec![signed(row.difference()), relative(base, row.difference())];
        let change = || blamed.change.map_or_else(String::new, |change| change.name().to_owned());
        cells.extend(with_code.then(change));
        cells.push(names.of(blamed.method).to_owned());
        cells.push(blamed.greatest.map_or_else(String::new, |part| mostly(&part, names)));
        table.row(cells);
    }
    terminal::write_table(&table, out)?;
    terminal::count_rest(rows.len() - shown, out)?;
    Ok(())
}
