//! What explains the difference, for people.

use std::io::Write;

use analysis::diff::blame::Part;
use analysis::diff::explanation::Row;
use base::number::{counted, grouped, percent_of, signed, signed_percent_of};
use report::table::{Kind, Table};
use tree::error::Result;
use tree::readable_names::Names;
use tree::time::TIME;

use super::{Answer, relative};
use crate::cli::terminal;

/// Rows shown of each kind unless the user says otherwise.
const TOP: usize = 10;

/// Prints the explanation.
///
/// # Errors
/// If `out` fails.
pub fn print(answer: &Answer<'_>, names: &Names, out: &mut impl Write) -> Result<()> {
    let explanation = &answer.explanation;
    if explanation.rows.is_empty() {
        let hint = answer.args.output.hint("method that explains a difference");
        let none = if explanation.below == 0 {
            "No difference".to_owned()
        } else {
            format!(
                "No difference above {} of all{}",
                percent_of(analysis::diff::explanation::FLOOR_OF_ALL),
                if answer.profiles.pair().is_none() { " and the spread of the runs" } else { "" }
            )
        };
        writeln!(out, "{}", hint.unwrap_or(none))?;
        return Ok(());
    }
    let changed: Vec<&Row> = explanation.changed().collect();
    let unchanged: Vec<&Row> = explanation.unchanged().collect();
    let code = "Explained by changed code, with all that it calls";
    let data = if answer.profiles.code_is_known() {
        "Explained without changed code, by methods where the runs part"
    } else {
        "The profiles do not say whose code changed; methods where the runs part"
    };
    let mut first = true;
    for (title, rows) in [(code, changed), (data, unchanged)] {
        if rows.is_empty() {
            continue;
        }
        if !std::mem::replace(&mut first, false) {
            writeln!(out)?;
        }
        part(answer, names, title, &rows, out)?;
    }
    if explanation.below > 0 && answer.args.output.class().is_none() {
        writeln!(out)?;
        let others = counted(explanation.below, "other method");
        let which = if answer.profiles.base.tree().metric() == TIME {
            "each within the error of the samples"
        } else if answer.profiles.pair().is_some() {
            "each below the floor of 0.01% of all or 0.1% of the method"
        } else {
            "each below the floor of 0.01% of all or within the spread of the runs"
        };
        writeln!(out, "{others}, {which}: {} together", signed(explanation.below_difference))?;
    }
    Ok(())
}

fn part(
    answer: &Answer<'_>,
    names: &Names,
    title: &str,
    rows: &[&Row],
    out: &mut impl Write,
) -> Result<()> {
    let sum: i128 = rows.iter().map(|row| row.difference()).sum();
    let of_all = relative(answer.totals[0].base, sum);
    writeln!(out, "{title}: {} ({of_all})", signed(sum))?;
    writeln!(out)?;
    let spread = answer.profiles.pair().is_none();
    let mut columns = vec![(answer.profiles.base.tree().metric(), Kind::Number(0))];
    columns.push(("Of all %", Kind::Number(0)));
    if spread {
        columns.push(("Spread", Kind::Number(1)));
    }
    if answer.time.is_some() {
        columns.push(("Est. time", Kind::Number(0)));
    }
    let with_code = rows.iter().any(|row| row.blamed.change.is_some());
    columns.extend(with_code.then_some(("Code", Kind::Text(0))));
    columns.extend([("Method", Kind::Text(0)), ("Mostly by", Kind::Text(1))]);
    let mut table = Table::new(&columns);
    let shown = answer.args.output.top(TOP).min(rows.len());
    for row in &rows[..shown] {
        let blamed = &row.blamed;
        let mut cells =
            vec![signed(row.difference()), relative(answer.totals[0].base, row.difference())];
        cells.extend(spread.then(|| grouped(row.spread.unwrap_or(0))));
        let time = answer.time.as_ref().map(|time| time.explained_by(blamed.method));
        cells.extend(time.map(signed_percent_of));
        cells.extend(blamed.change.map(|change| change.name().to_owned()));
        cells.push(names.of(blamed.method).to_owned());
        cells.push(blamed.greatest.map_or_else(String::new, |part| mostly(&part, names)));
        table.row(cells);
    }
    terminal::write_table(&table, out)?;
    terminal::count_rest(rows.len() - shown, out)?;
    Ok(())
}

/// The part with the greatest difference: the method itself, or a callee with how
/// often it is called.
pub fn mostly(part: &Part, names: &Names) -> String {
    let calls = match (part.base_calls, part.new_calls) {
        (0, 0) => String::new(),
        (before, after) if before == after => format!(", {} calls", grouped(after)),
        (before, after) => format!(", {} -> {} calls", grouped(before), grouped(after)),
    };
    match part.callee {
        None => format!("itself{calls}"),
        Some(callee) => format!("{}{calls}", names.of(Some(callee))),
    }
}
