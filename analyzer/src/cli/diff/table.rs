//! The difference for people: tables on a terminal, or Markdown.

use std::io::Write;

use analysis::diff::contexts::{ContextDifference, Contexts};
use analysis::diff::methods::{Fate, MethodDifference};
use base::number::{counted, grouped, signed};
use base::printable;
use report::table::{Kind, Table};
use tree::Tree;
use tree::error::Result;
use tree::readable_names::Names;

use super::{Answer, Methods, copies, explanation, moved, relative, time};
use crate::cli::terminal;

/// Which contexts the totals count.
const CONTEXTS: &str =
    "Contexts of start-up are included; generated classes of one kind count as one class";

/// Prints the answer.
///
/// # Errors
/// If `out` fails.
pub fn print(answer: &Answer<'_>, out: &mut impl Write) -> Result<()> {
    terminal::write_table(&totals(answer), out)?;
    if answer.profiles.code_is_known() {
        // 'summary' and the page count otherwise.
        writeln!(out, "{CONTEXTS}")?;
    }
    for mismatch in answer.profiles.split_mismatches() {
        writeln!(out)?;
        writeln!(out, "Note: {}", printable(&mismatch.to_string()))?;
    }
    for limit in &answer.broken {
        writeln!(out)?;
        writeln!(out, "Broken: {limit}")?;
    }
    time::print(answer, out)?;
    writeln!(out)?;
    let trees: Vec<&Tree> =
        answer.profiles.base.trees.iter().chain(&answer.profiles.new.trees).collect();
    let names = Names::of_trees(&trees);
    explanation::print(answer, &names, out)?;
    moved::print(answer, &names, out)?;
    copies::print(answer, out)?;
    if let Some(methods) = &answer.methods {
        writeln!(out)?;
        writeln!(out, "{}", fates(methods))?;
        if answer.args.exclusive || answer.args.inclusive {
            print_methods(answer, methods, &names, out)?;
        }
    }
    if let Some(contexts) = &answer.contexts {
        print_contexts(answer, contexts, &names, out)?;
    }
    Ok(())
}

fn print_methods(
    answer: &Answer<'_>,
    methods: &Methods,
    names: &Names,
    out: &mut impl Write,
) -> Result<()> {
    if !methods.listed.is_empty() {
        writeln!(out)?;
        terminal::write_table(&by_method(answer, methods, names), out)?;
    } else if methods.fates.iter().any(|kind| kind.methods > 0)
        && let Some(hint) = answer.args.output.hint("method that differs")
    {
        writeln!(out, "{hint}")?;
    }
    more(methods.listed.len() as u64, methods.found as u64, out)
}

fn print_contexts(
    answer: &Answer<'_>,
    contexts: &Contexts,
    names: &Names,
    out: &mut impl Write,
) -> Result<()> {
    writeln!(out)?;
    writeln!(
        out,
        "Contexts: {} in both, {} new, {} gone",
        grouped(contexts.common),
        grouped(contexts.new),
        grouped(contexts.gone)
    )?;
    if !contexts.greatest.is_empty() {
        writeln!(out)?;
        terminal::write_table(&by_context(answer, contexts, names), out)?;
    }
    more(contexts.greatest.len() as u64, contexts.found, out)
}

/// Says how many rows are left out.
fn more(shown: u64, found: u64, out: &mut impl Write) -> Result<()> {
    if shown < found {
        writeln!(out, "... and {} more (--top 0 shows all)", grouped(found - shown))?;
    }
    Ok(())
}

/// The tree before, the first one of several.
fn base_tree<'a>(answer: &Answer<'a>) -> &'a Tree {
    answer.profiles.base.tree()
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

fn fates(methods: &Methods) -> String {
    let texts = methods.fates.iter().filter(|kind| kind.methods > 0).map(|kind| {
        let methods = counted(kind.methods, "method");
        let text = match kind.fate {
            Fate::New => format!("{methods} new"),
            Fate::Gone => format!("{methods} gone"),
            Fate::NewlyCalled => format!("{methods} newly called"),
            Fate::NoLongerCalled => format!("{methods} no longer called"),
            Fate::CodeChanged => format!("{methods} with other code"),
            Fate::SignatureChanged => format!("{methods} with another signature"),
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

fn by_method(answer: &Answer<'_>, methods: &Methods, names: &Names) -> Table {
    let kind = if answer.args.inclusive { "inclusive" } else { "exclusive" };
    let metrics = base_tree(answer).metric_names();
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
    for row in &methods.listed {
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
        relative(base_tree(answer).total(), difference),
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
        (base_tree(answer).metric(), Kind::Number(0)),
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
            relative(base_tree(answer).total(), row.cost),
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
        (Some(node), _) => (answer.profiles.new.tree(), node),
        (None, Some(node)) => (base_tree(answer), node),
        (None, None) => return Vec::new(),
    };
    tree.path(node).into_iter().map(|node| tree.method[node as usize]).collect()
}
