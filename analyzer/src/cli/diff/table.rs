//! The difference for people: tables on a terminal, or Markdown.

use std::io::Write;

use analyzer::diff::contexts::{ContextDifference, Contexts};
use analyzer::diff::methods::{Fate, MethodDifference};
use analyzer::error::Result;
use analyzer::report::name::Names;
use analyzer::report::number::{counted, grouped, signed, signed_percent_of};
use analyzer::report::table::{Kind, Table};
use analyzer::tree::Tree;
use profile::NO_PARENT;

use super::Answer;
use crate::cli::terminal;

/// Prints the answer.
///
/// # Errors
/// If `out` fails.
pub fn print(answer: &Answer<'_>, out: &mut impl Write) -> Result<()> {
    let markdown = answer.args.markdown;
    write(&totals(answer), markdown, out)?;
    for limit in &answer.broken {
        writeln!(out)?;
        writeln!(
            out,
            "{}",
            if markdown { format!("**Broken: `{limit}`**") } else { format!("Broken: {limit}") }
        )?;
    }
    writeln!(out)?;
    writeln!(out, "{}", fates(answer))?;
    writeln!(out)?;
    let names = Names::of_trees(&[&answer.trees.base, &answer.trees.new]);
    let (table, shown, found) = match &answer.contexts {
        Some(contexts) => {
            writeln!(
                out,
                "Contexts: {} in both, {} new, {} gone",
                grouped(contexts.common),
                grouped(contexts.new),
                grouped(contexts.gone)
            )?;
            writeln!(out)?;
            let table = by_context(answer, contexts, &names);
            (table, contexts.greatest.len() as u64, contexts.found)
        }
        None => (by_method(answer, &names), answer.methods.len() as u64, answer.found as u64),
    };
    if shown > 0 {
        write(&table, markdown, out)?;
    } else if answer.fates.iter().any(|kind| kind.methods > 0)
        && let Some(hint) = answer.args.output.hint("method that differs")
    {
        writeln!(out, "{hint}")?;
    }
    if shown < found {
        if markdown {
            // Else it would be a row of the table.
            writeln!(out)?;
        }
        writeln!(out, "... and {} more (--top 0 shows all)", grouped(found - shown))?;
    }
    Ok(())
}

fn write(table: &Table, markdown: bool, out: &mut impl Write) -> Result<()> {
    if markdown {
        table.write_markdown(out)?;
    } else {
        table.write(terminal::width(), out)?;
    }
    Ok(())
}

/// A difference in per cent of what it was; `-` if that was nothing.
fn relative(base: u64, difference: i128) -> String {
    if base == 0 {
        return "-".to_owned();
    }
    signed_percent_of(difference as f64 / base as f64)
}

fn totals(answer: &Answer<'_>) -> Table {
    let mut table = Table::new(&[
        ("Total", Kind::Text(0)),
        ("Before", Kind::Number(0)),
        ("After", Kind::Number(0)),
        ("Difference", Kind::Number(0)),
        ("%", Kind::Number(0)),
    ]);
    for total in &answer.totals {
        let difference = i128::from(total.new) - i128::from(total.base);
        table.row(vec![
            total.name.clone(),
            grouped(total.base),
            grouped(total.new),
            signed(difference),
            relative(total.base, difference),
        ]);
    }
    table
}

fn fates(answer: &Answer<'_>) -> String {
    let texts = answer.fates.iter().filter(|kind| kind.methods > 0).map(|kind| {
        let methods = counted(kind.methods, "method");
        let text = match kind.fate {
            Fate::New => format!("{methods} new"),
            Fate::Gone => format!("{methods} gone"),
            Fate::CodeChanged => format!("{methods} with other code"),
            Fate::SameCode => format!("{methods} with the same code and other costs"),
            Fate::CodeUnknown => format!("{methods} with other costs"),
        };
        match kind.by_callees {
            0 => text,
            count if count == kind.methods => format!("{text} (only in what they call)"),
            count => format!("{text} ({} of them only in what they call)", grouped(count)),
        }
    });
    let texts: Vec<String> = texts.collect();
    if texts.is_empty() { "No method differs".to_owned() } else { texts.join(", ") }
}

fn by_method(answer: &Answer<'_>, names: &Names) -> Table {
    let kind = if answer.args.inclusive { "inclusive" } else { "exclusive" };
    let metrics = answer.trees.base.metric_names();
    let title = format!("{} ({kind})", metrics[0]);
    let others: Vec<String> = metrics[1..].iter().map(|name| format!("± {name}")).collect();
    let mut columns = vec![
        (title.as_str(), Kind::Number(0)),
        ("%", Kind::Number(0)),
        ("Of all %", Kind::Number(1)),
    ];
    columns.extend(others.iter().map(|name| (name.as_str(), Kind::Number(2))));
    columns.extend([("Code", Kind::Text(0)), ("Method", Kind::Text(0))]);
    let mut table = Table::new(&columns);
    for row in &answer.methods {
        table.row(cells(answer, row, names));
    }
    table
}

fn cells(answer: &Answer<'_>, row: &MethodDifference, names: &Names) -> Vec<String> {
    let (difference, base) = if answer.args.inclusive {
        (row.inclusive(), row.base.inclusive)
    } else {
        (row.exclusive(0), row.base.exclusive[0])
    };
    let mut cells = vec![
        signed(difference),
        relative(base, difference),
        relative(answer.trees.base.total(), difference),
    ];
    cells.extend((1..row.base.exclusive.len()).map(|at| signed(row.exclusive(at))));
    cells.push(row.fate.name().to_owned());
    cells.push(names.of(Some(row.method)).to_owned());
    cells
}

/// Frames shown of a path.
const FRAMES: usize = 4;

fn by_context(answer: &Answer<'_>, contexts: &Contexts, names: &Names) -> Table {
    let mut table = Table::new(&[
        (answer.trees.base.metric(), Kind::Number(0)),
        ("Of all %", Kind::Number(1)),
        ("Context", Kind::Text(0)),
        ("Calls", Kind::Text(0)),
    ]);
    for row in &contexts.greatest {
        let path = path_of(answer, row);
        let frames = path.iter().skip(path.len().saturating_sub(FRAMES));
        let frames: Vec<&str> = frames.map(|&method| names.of(Some(method))).collect();
        let above = if path.len() > FRAMES { "... ; " } else { "" };
        table.row(vec![
            signed(row.cost),
            relative(answer.trees.base.total(), row.cost),
            kind_of(row).to_owned(),
            format!("{above}{}", frames.join(" ; ")),
        ]);
    }
    table
}

/// Whether a context is in one of the trees only.
pub fn kind_of(row: &ContextDifference) -> &'static str {
    match (row.base, row.new) {
        (None, _) => "new",
        (_, None) => "gone",
        _ => "both",
    }
}

/// The methods on the path to a context, from the root on.
pub fn path_of(answer: &Answer<'_>, row: &ContextDifference) -> Vec<u32> {
    let (tree, node): (&Tree, u32) = match (row.new, row.base) {
        (Some(node), _) => (&answer.trees.new, node),
        (None, Some(node)) => (&answer.trees.base, node),
        (None, None) => return Vec::new(),
    };
    let parent = |&node: &u32| Some(tree.parent[node as usize]).filter(|&p| p != NO_PARENT);
    let mut path: Vec<u32> = std::iter::successors(Some(node), parent).collect();
    path.reverse();
    path.into_iter().map(|node| tree.method[node as usize]).collect()
}
