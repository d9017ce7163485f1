//! `subsume lines`.

use std::io::Write;
use std::path::PathBuf;

use analysis::source::extent::SourceText;
use analysis::source::files::SourceFiles;
use analysis::source::known_places::archives;
use analysis::source::line_counts::LineCounts;
use base::number::{counted, grouped, percent};
use base::shown;
use profile::blocks::LineCount;
use report::find_method::no_method;
use report::painted::Painted;
use report::table::{Kind, Table};
use rustc_hash::FxHashMap;
use serde::Serialize;
use tree::error::{Error, Result};
use tree::forest::MetricChoice;
use tree::names::method::Method;
use tree::names::pattern::Pattern;
use tree::owners::{Definitions, Owners};

use crate::cli::json::{self, Name, share};
use crate::cli::own::Own;
use crate::cli::reading;
use crate::cli::source::Output;
use crate::cli::terminal;

/// Print the source lines that execute most.
///
/// Needs a recording with lines=on ('subsume run --lines'). The bytecodes of a line are those
/// of its own instructions, without its callees; the lines of a method add up to the method.
/// The executions of a line are those of its most executed instruction: a loop's condition
/// counts once more than its body.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  subsume run --lines -o fop.subsume -- java -jar fop.jar in.fo out.pdf
  subsume lines --sources src/main/java fop.subsume
  subsume lines --method 'org.apache.fop.fo.PropertyList.*' fop.subsume")]
pub struct Args {
    /// Profiles; several are added up.
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,

    /// List all lines of methods whose name matches, in the order of the source: Class.name, or
    /// the end of it, with * for any characters; separate several with ;.
    #[arg(long, value_name = "METHOD")]
    method: Option<String>,

    #[command(flatten)]
    own: Own,

    /// Show only text of --sources. Without this option, text of the JDK that was recorded is
    /// shown, too, and of libraries whose sources lie beside their classes, in Maven's
    /// repository or in Gradle's cache.
    #[arg(long)]
    given_sources: bool,

    #[command(flatten)]
    output: Output,
}

/// Lines that are shown where the user does not say how many.
const TOP: usize = 30;

/// A line of a method.
struct Row<'a> {
    method: &'a Method,
    source_file: &'a str,
    line: u16,
    count: LineCount,
}

/// Runs the command.
///
/// # Errors
/// If a profile cannot be read or has no counts of lines, or `out` fails.
pub fn run(args: &Args, out: &mut impl Write) -> Result<()> {
    args.own.look_for_sources()?;
    let sources = args.own.source_files()?.unwrap_or_default();
    let mut known = Vec::new();
    let mut counts = LineCounts::default();
    let mut definitions = Definitions::with_own(&args.own.code()?);
    for file in &args.files {
        let profile = reading::read(file, &MetricChoice::Usual)?;
        if profile.blocks.is_empty() {
            return Err(Error::new(format!(
                "{}: lines were not counted; record with lines=on ('subsume run --lines')",
                shown(file)
            )));
        }
        counts.add(&profile);
        definitions.add(&profile.run, &profile.classes);
        if !args.given_sources {
            known.extend(archives(&profile));
        }
    }
    known.sort();
    known.dedup();
    let sources = SourceFiles::clone(&sources).with_archives(&known);
    // Where only names are known, the order matters.
    let mut methods: Vec<&Method> = counts.methods.keys().collect();
    methods.sort_unstable();
    let owners = Owners::new(definitions, [], methods);
    let total = counts.bytecodes().saturating_add(counts.bytecodes_without_lines);
    let rows = rows(&counts, args)?;
    let document = || {
        let listed = rows.iter().take(args.output.entries(TOP)).map(|row| JsonLine {
            method: Name::new(row.method),
            owner: owners.owner(&row.method.class).word(),
            source_file: row.source_file,
            line: row.line,
            executions: row.count.executions,
            bytecodes: row.count.bytecodes,
            share: share(row.count.bytecodes, total),
        });
        Document {
            total,
            bytecodes_without_lines: counts.bytecodes_without_lines,
            lines: listed.collect(),
        }
    };
    if json::answered(args.output.json, out, |out| json::print(&document(), out))? {
        return Ok(());
    }
    let texts =
        Texts { sources: &sources, are_given: args.own.has_sources(), read: FxHashMap::default() };
    print(&counts, total, &rows, &owners, args, texts, out)
}

/// The lines that are asked for, in the order in which they are shown.
///
/// # Errors
/// If no method has the name that is asked for.
fn rows<'a>(counts: &'a LineCounts, args: &Args) -> Result<Vec<Row<'a>>> {
    let class = args.output.class();
    let wanted = args.method.as_deref().map(|text| (text, Pattern::new(text)));
    let is_wanted = |method: &Method| {
        wanted.as_ref().is_none_or(|(text, pattern)| {
            pattern.matches(&method.qualified())
                || text.split(';').any(|name| method.answers_to(name))
        })
    };
    if let Some((text, _)) = &wanted
        && !counts.methods.keys().any(is_wanted)
    {
        return Err(no_method(counts.methods.keys(), text));
    }
    let mut rows: Vec<Row<'a>> = Vec::new();
    for (method, known) in &counts.methods {
        if class.as_ref().is_some_and(|class| !class.matches(&method.class)) || !is_wanted(method) {
            continue;
        }
        rows.extend(known.lines.iter().map(|(&line, &count)| Row {
            method,
            source_file: &known.source_file,
            line,
            count,
        }));
    }
    let in_text = |row: &Row<'a>| {
        let Method { class, name, descriptor } = row.method;
        (class.as_str(), row.line, name.as_str(), descriptor.as_str())
    };
    if wanted.is_some() {
        rows.sort_unstable_by(|one, other| in_text(one).cmp(&in_text(other)));
    } else {
        rows.retain(|row| row.count.executions > 0);
        rows.sort_unstable_by(|one, other| {
            let costs = other.count.bytecodes.cmp(&one.count.bytecodes);
            costs.then_with(|| in_text(one).cmp(&in_text(other)))
        });
    }
    Ok(rows)
}

fn print(
    counts: &LineCounts,
    total: u64,
    rows: &[Row<'_>],
    owners: &Owners,
    args: &Args,
    mut texts: Texts<'_>,
    out: &mut impl Write,
) -> Result<()> {
    let methods = counted(counts.methods.len() as u64, "method");
    writeln!(out, "{} bytecodes on the lines of {methods}", grouped(counts.bytecodes()))?;
    if counts.bytecodes_without_lines > 0 {
        let part = percent(counts.bytecodes_without_lines, total);
        writeln!(out, "{part} of all bytecodes are of methods whose lines are not counted")?;
    }
    writeln!(out)?;
    if rows.is_empty() {
        writeln!(out, "{}", args.output.nothing("line", "No line was executed"))?;
        return Ok(());
    }
    let mut columns = vec![
        ("Bytecodes", Kind::Number(1)),
        ("%", Kind::Number(0)),
        ("Executions", Kind::Number(0)),
        ("Line", Kind::Text(0)),
    ];
    let top = args.output.top(if args.method.is_some() { usize::MAX } else { TOP });
    let shown: Vec<String> = rows.iter().take(top).map(|row| texts.of(row)).collect();
    let has_text = texts.are_given || shown.iter().any(|text| !text.is_empty());
    if has_text {
        columns.push(("Text", Kind::Text(0)));
    }
    let mut table = Table::new(&columns);
    for (row, text) in rows.iter().zip(shown) {
        let mut cells = [
            grouped(row.count.bytecodes),
            percent(row.count.bytecodes, total),
            grouped(row.count.executions),
        ]
        .map(Painted::from)
        .to_vec();
        let owner = terminal::colours().then(|| owners.owner(&row.method.class));
        let name = Painted::name(&row.method.qualified(), owner);
        cells.push(name.and(format!(":{}", row.line)));
        if has_text {
            cells.push(Painted::from(text));
        }
        table.painted_row(cells);
    }
    let left_out = terminal::write_table(&table, out)?;
    if texts.are_given && texts.read.is_empty() {
        writeln!(out, "note: {}", SourceFiles::NONE_FOUND)?;
    }
    terminal::name_left_out(&left_out, out)?;
    if rows.len() > top {
        writeln!(out, "{} not shown", counted((rows.len() - top) as u64, "line"))?;
    }
    Ok(())
}

/// Source files that have been read.
struct Texts<'s> {
    sources: &'s SourceFiles,
    /// Whether the user has named some.
    are_given: bool,
    read: FxHashMap<String, Option<SourceText>>,
}

impl Texts<'_> {
    /// The text of a line; empty where its file is not found.
    fn of(&mut self, row: &Row<'_>) -> String {
        let Some(file) = self.sources.of_class(&row.method.class, row.source_file) else {
            return String::new();
        };
        let text = self
            .read
            .entry(file.name.clone())
            .or_insert_with(|| self.sources.text(file).map(|text| SourceText::new(&text)));
        let line = usize::from(row.line);
        let found = text.as_ref().and_then(|text| text.line(line));
        found.unwrap_or_default().trim().to_owned()
    }
}

#[derive(Serialize)]
struct Document<'a> {
    /// Bytecodes of the run.
    total: u64,
    /// Of these, those of methods whose lines are not counted.
    bytecodes_without_lines: u64,
    lines: Vec<JsonLine<'a>>,
}

#[derive(Serialize)]
struct JsonLine<'a> {
    method: Name<'a>,
    /// Whose code it is.
    owner: &'static str,
    source_file: &'a str,
    line: u16,
    executions: u64,
    bytecodes: u64,
    share: f64,
}
