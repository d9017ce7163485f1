//! The text of `subsume info`.

use std::io::Write;

use base::number::{counted, date, grouped, percent};
use base::shown;
use report::table::{Kind, Table};
use tree::error::Result;
use tree::readable_names::{printable, shorten};
use tree::time::text::facts;

use super::dataflow::DataflowFacts;
use super::{Args, Facts, FileFacts, Shapes, by_reason};
use crate::cli::terminal;

/// Threads listed unless the user says otherwise.
const THREADS: usize = 10;
/// Allocated classes listed.
const CLASSES: usize = 5;
/// Things listed of each reason without `--skipped`.
const EXAMPLES: usize = 3;

/// Prints the facts for people.
///
/// # Errors
/// If `out` fails.
pub fn print(facts: &Facts, args: &Args, out: &mut impl Write) -> Result<()> {
    for file in &facts.files {
        print_file(file, args, out)?;
        writeln!(out)?;
    }
    if facts.files.len() > 1 {
        writeln!(out, "All {} merged", counted(facts.files.len() as u64, "file"))?;
    }
    for (name, total) in &facts.totals {
        writeln!(out, "  {:<20}{}", format!("Total {name}"), grouped(*total))?;
    }
    if !facts.totals.is_empty() {
        writeln!(out)?;
    }
    match &facts.tree {
        Some(shapes) => print_shape(shapes, out),
        None if facts.files.iter().any(|file| !file.has_calls) => Ok(()),
        None => Ok(writeln!(out, "  --shape measures the tree")?),
    }
}

fn print_file(file: &FileFacts, args: &Args, out: &mut impl Write) -> Result<()> {
    writeln!(out, "{}", shown(&file.path))?;
    for (title, text) in lines(file) {
        writeln!(out, "  {title:<20}{}", printable(&text))?;
    }
    let top = args.output.top(THREADS);
    let mut table = Table::new(&[
        ("    Contexts", Kind::Number(0)),
        ("Threads", Kind::Number(0)),
        ("Name", Kind::Text(0)),
    ]);
    for thread in file.threads.iter().take(top) {
        let contexts = grouped(thread.contexts as u64);
        table.row(vec![contexts, grouped(u64::from(thread.threads)), thread.name.clone()]);
    }
    terminal::write_table(&table, out)?;
    if let Some(more) = file.threads.len().checked_sub(top).filter(|&more| more > 0) {
        writeln!(out, "    ... and {} more (--top 0 shows all)", counted(more as u64, "name"))?;
    }
    print_skipped(file, args, out)
}

/// What is known about a file, as titles and texts; without what is not known.
pub fn lines(file: &FileFacts) -> Vec<(&'static str, String)> {
    let run = &file.run;
    let date_of = |millis: u64| if millis > 0 { date(millis) } else { String::new() };
    let mut end = date_of(run.end_millis);
    if run.start_millis > 0 && run.end_millis > 0 {
        let seconds = run.end_millis.saturating_sub(run.start_millis) as f64 / 1000.0;
        end += &format!(", after {seconds:.1} s");
    }
    let number = |number: u64| if number > 0 { number.to_string() } else { String::new() };
    let recording = run.recording_bytes;
    let labels: Vec<String> =
        run.labels.iter().map(|(name, value)| format!("{name}={value}")).collect();
    let all = [
        ("Completeness", file.completeness()),
        ("Missing", file.lost().unwrap_or_default()),
        ("Active methods", file.active().unwrap_or_default()),
        ("JVM", run.jvm.clone()),
        ("Command line", run.command_line.clone()),
        ("Options", run.options.clone()),
        ("Labels", labels.join(" ")),
        ("Start", date_of(run.start_millis)),
        ("End", end),
        ("Process", number(run.process_id.into())),
        ("Written by", run.writer.clone()),
        ("Classes seen", grouped(file.classes as u64)),
        ("Methods seen", grouped(file.methods as u64)),
        ("Own code", file.own.clone()),
        (
            "Contexts",
            match file.has_calls {
                true => format!("{}, apart by thread and call site", grouped(file.contexts as u64)),
                false => "calls were not recorded; mode=calls+... records them, too".to_owned(),
            },
        ),
        ("File", size(file.bytes, file.contexts)),
        (
            "While recording",
            if recording > 0 { size(recording, file.contexts) } else { String::new() },
        ),
        ("Allocated", allocated(&file.allocated)),
        ("Threads", grouped(file.threads())),
        ("Uninstrumented run", run.sampling.as_ref().map_or_else(String::new, facts)),
    ];
    let splits = file.splits.iter().map(|split| ("Split by text", split.text()));
    let flow = file.dataflow.as_ref().map(DataflowFacts::lines).unwrap_or_default();
    all.into_iter().filter(|(_, text)| !text.is_empty()).chain(splits).chain(flow).collect()
}

fn print_skipped(file: &FileFacts, args: &Args, out: &mut impl Write) -> Result<()> {
    if file.skipped.is_empty() {
        return Ok(());
    }
    let classes = file.skipped.iter().filter(|s| s.method.is_empty()).count() as u64;
    let methods = file.skipped.len() as u64 - classes;
    writeln!(
        out,
        "  Not instrumented    {} and {}",
        if classes == 1 { "1 class".to_owned() } else { format!("{} classes", grouped(classes)) },
        counted(methods, "method"),
    )?;
    let width = terminal::width();
    for (reason, items) in by_reason(&file.skipped) {
        writeln!(out, "    {:>8}  {reason}", grouped(items.len() as u64))?;
        let shown = if args.skipped { args.output.top(0) } else { EXAMPLES };
        for item in items.iter().take(shown) {
            let dot = if item.method.is_empty() { "" } else { "." };
            let name = format!("{}{dot}{}", item.class, item.method);
            let name = shorten(&printable(&name), width.saturating_sub(14));
            writeln!(out, "              {name}")?;
        }
        if let Some(more) = items.len().checked_sub(shown).filter(|&more| more > 0) {
            let hint = if args.skipped { "" } else { " (--skipped lists all)" };
            writeln!(out, "              ... and {} more{hint}", grouped(more as u64))?;
        }
    }
    Ok(())
}

/// The classes with most bytes, and their shares.
fn allocated(classes: &[(String, u64)]) -> String {
    if classes.is_empty() {
        return String::new();
    }
    let all = classes.iter().fold(0, |all: u64, (_, bytes)| all.saturating_add(*bytes));
    let parts = classes.iter().take(CLASSES);
    let mut parts: Vec<String> =
        parts.map(|(class, bytes)| format!("{} {class}", percent(*bytes, all))).collect();
    if let Some(more) = classes.len().checked_sub(CLASSES).filter(|&more| more > 0) {
        parts.push(format!("{} more in --json", grouped(more as u64)));
    }
    format!("{}: {}", counted(all, "byte"), parts.join(", "))
}

/// A number of bytes, also by context.
fn size(bytes: u64, contexts: usize) -> String {
    if contexts == 0 {
        return counted(bytes, "byte");
    }
    let each = bytes as f64 / contexts as f64;
    format!("{}, {each:.1} per context", counted(bytes, "byte"))
}

/// The figures of the tree with call sites apart and merged.
fn print_shape(shapes: &Shapes, out: &mut impl Write) -> Result<()> {
    let mut table = Table::new(&[
        ("  Threads merged", Kind::Text(0)),
        ("By call site", Kind::Number(0)),
        ("By method", Kind::Number(0)),
    ]);
    let shapes = [&shapes.by_call_site, &shapes.by_method];
    let mut row = |title: &str, cells: [String; 2]| {
        let [by_call_site, by_method] = cells;
        table.row(vec![format!("  {title}"), by_call_site, by_method]);
    };
    row("Contexts", shapes.map(|s| grouped(s.contexts)));
    row("Leaves", shapes.map(|s| percent(s.leaves, s.contexts)));
    row("Mean depth", shapes.map(|s| format!("{:.1}", s.mean_depth)));
    row("Greatest depth", shapes.map(|s| grouped(u64::from(s.max_depth))));
    row("Mean out-degree", shapes.map(|s| format!("{:.2}", s.mean_out_degree)));
    row("Greatest out-degree", shapes.map(|s| grouped(u64::from(s.max_out_degree))));
    row("Methods executed", shapes.map(|s| grouped(s.methods)));
    terminal::write_table(&table, out)?;
    Ok(())
}
