//! The table of `subsume methods`.

use std::io::Write;

use base::number::{counted, grouped, percent};
use report::table::{Kind, Table};
use tree::error::Result;
use tree::readable_names::Names;
use tree::time::text::{heading as time_heading, share as share_of_time};

use super::{Answer, Args, COMPARED, Column, Row, caller_lines};
use crate::cli::terminal;

/// Prints the answer for people.
///
/// # Errors
/// If `out` fails.
pub fn print(answer: &Answer<'_>, args: &Args, out: &mut impl Write) -> Result<()> {
    heading(answer, args, out)?;
    writeln!(out)?;
    if answer.found == 0
        && let Some(hint) =
            args.output.hint(if args.all { "executed method" } else { "subsuming method" })
    {
        writeln!(out, "{hint}")?;
        return Ok(());
    }
    let names = Names::new(answer.tree);
    let width = terminal::width();
    let mut table = table(answer, args);
    for row in &answer.rows {
        table.row(cells(answer, row, &names, args));
    }
    let left_out = if args.callers {
        terminal::write_with_lines(&table, out, |row, out| {
            match answer.rows.get(row).and_then(|row| row.callers.as_ref()) {
                Some(levels) => caller_lines::write(levels, &names, width, out),
                None => Ok(()),
            }
        })?
    } else {
        terminal::write_table(&table, out)?
    };
    if answer.rows.len() < answer.found {
        let is_root_left_out =
            answer.has_virtual_root && answer.rows.iter().all(|row| row.method.is_some());
        let methods = answer.found - answer.rows.len() - usize::from(is_root_left_out);
        let mut more = match methods {
            0 => Vec::new(),
            _ => vec![counted(methods as u64, "method")],
        };
        more.extend(is_root_left_out.then(|| "<root>".to_owned()));
        writeln!(out, "... and {} more (--top 0 shows all)", more.join(" and "))?;
    }
    terminal::name_left_out(&left_out, out)?;
    Ok(())
}

fn heading(answer: &Answer<'_>, args: &Args, out: &mut impl Write) -> Result<()> {
    let summary = &answer.summary;
    let tree = answer.tree;
    writeln!(
        out,
        "{} {} in {} of {}",
        grouped(tree.total()),
        tree.metric(),
        counted(summary.contexts, "context"),
        counted(summary.methods, "method"),
    )?;
    // `<root>` has a row, but is not a method.
    let rest = if answer.has_virtual_root { "; <root> collects the rest" } else { "" };
    writeln!(
        out,
        "Subsuming: {} ({}) in {} ({}), with height > {} and distance > {}{rest}",
        counted(summary.subsuming_methods, "method"),
        percent(summary.subsuming_methods, summary.methods),
        counted(summary.subsuming_contexts, "context"),
        percent(summary.subsuming_contexts, summary.contexts),
        args.bounds.height,
        args.bounds.distance,
    )?;
    writeln!(
        out,
        "Of the top {COMPARED} by induced cost, {} are in the top {COMPARED} by exclusive cost, \
         {} by inclusive cost, {} in neither",
        summary.top.exclusive, summary.top.inclusive, summary.top.new,
    )?;
    if let (Some(_), Some(sampling)) = (&answer.time, &tree.sampling) {
        writeln!(out, "{}", time_heading(sampling))?;
    }
    Ok(())
}

/// The columns; those that do not fit are left out from the greatest number
/// on, except the one that is sorted by. Of costs, the shares stay.
fn table(answer: &Answer<'_>, args: &Args) -> Table {
    let keep = |column: Column, number: u8| if args.sort == column { 0 } else { number };
    let mut columns = vec![("Induced", Kind::Number(2)), ("Ind.%", Kind::Number(0))];
    if answer.time.is_some() {
        columns.extend([("Time %", Kind::Number(0)), ("Incl.time", Kind::Number(1))]);
    }
    columns.extend([
        ("Incl.%", Kind::Number(keep(Column::Inclusive, 1))),
        ("Excl.%", Kind::Number(keep(Column::Exclusive, 1))),
        ("Calls", Kind::Number(keep(Column::Calls, 1))),
        ("Contexts", Kind::Number(keep(Column::Contexts, 3))),
        ("Height", Kind::Number(6)),
        ("Dist.", Kind::Number(5)),
    ]);
    if args.all {
        columns.push(("Subsumes", Kind::Text(0)));
    }
    columns.push(("Method", Kind::Text(0)));
    columns.push(("Dominating method", Kind::Text(keep(Column::Dominator, 4))));
    Table::new(&columns)
}

fn cells(answer: &Answer<'_>, row: &Row, names: &Names, args: &Args) -> Vec<String> {
    let total = answer.tree.total();
    let dominated = row.characteristics.dominated;
    // What a subsumed method induces counts for its subsuming method, and more
    // than once where it recurses.
    let induced = row.subsumes.then_some(row.induced);
    let mut cells = vec![
        induced.map_or_else(|| "-".to_owned(), grouped),
        induced.map_or_else(|| "-".to_owned(), |induced| percent(induced, total)),
    ];
    if let (Some(time), Some(all)) = (&row.time, &answer.time) {
        let share = |samples: u64| share_of_time(samples, all.total);
        cells.push(if row.subsumes { share(time.induced) } else { "-".to_owned() });
        cells.push(share(time.inclusive));
    }
    cells.extend([
        percent(row.costs.inclusive, total),
        percent(row.costs.exclusive, total),
        row.costs.calls.map_or_else(|| "-".to_owned(), grouped),
        grouped(row.costs.contexts),
        row.characteristics.height.to_string(),
        dominated.map_or_else(|| "-".to_owned(), |d| d.distance.to_string()),
    ]);
    if args.all {
        cells.push(if row.subsumes { "yes" } else { "-" }.to_owned());
    }
    cells.push(names.of(row.method).to_owned());
    cells.push(dominated.map_or_else(|| "-".to_owned(), |d| names.of(d.by).to_owned()));
    cells
}
