//! How tables are written: how wide they may be, and in which format.

use std::io::{self, IsTerminal, Write, stdout};
use std::sync::atomic::{AtomicBool, Ordering};

use base::number::grouped;
use report::table::Table;
use tree::error::Result;
use tree::views::folding::Extent;

/// Width where the output is not a terminal. Wide enough for nearly all names in
/// full, so that `grep` finds them.
const NO_TERMINAL: usize = 200;
/// Below this nothing can be read.
const NARROWEST: usize = 40;

/// Wider than any name.
const NO_LIMIT: usize = 1 << 20;

/// Whether the user wants everything in full; of the whole process, as the
/// terminal is.
static IS_WIDE: AtomicBool = AtomicBool::new(false);

/// Width of what is aligned in Markdown, where pages are wide.
const MARKDOWN: usize = 120;

/// Whether answers are Markdown.
static IS_MARKDOWN: AtomicBool = AtomicBool::new(false);

/// Makes all tables Markdown, or no longer.
pub fn set_markdown(is_markdown: bool) {
    IS_MARKDOWN.store(is_markdown, Ordering::Relaxed);
}

/// True if answers are Markdown.
pub fn is_markdown() -> bool {
    IS_MARKDOWN.load(Ordering::Relaxed)
}

/// Writes a table that fits the output. Returns the titles of columns left out for
/// want of width.
///
/// # Errors
/// If `out` fails.
pub fn write_table(table: &Table, out: &mut (impl Write + ?Sized)) -> io::Result<Vec<String>> {
    if is_markdown() {
        table.write_markdown(out)?;
        return Ok(Vec::new());
    }
    table.write(width(), out)
}

/// Writes a table, and below each row, by its number, what is to be said of it. Returns the
/// titles of columns left out for want of width. Not for Markdown, whose tables have no lines
/// between rows.
///
/// # Errors
/// If `out` or `below` fails.
pub fn write_with_lines<W: Write>(
    table: &Table,
    out: &mut W,
    mut below: impl FnMut(usize, &mut W) -> Result<()>,
) -> Result<Vec<String>> {
    let mut text = Vec::new();
    let left_out = table.write(width(), &mut text)?;
    let text = String::from_utf8_lossy(&text);
    let mut lines = text.lines();
    writeln!(out, "{}", lines.next().unwrap_or_default())?;
    for (row, line) in lines.enumerate() {
        writeln!(out, "{line}")?;
        below(row, out)?;
    }
    Ok(left_out)
}

/// Names the columns that a table had no width for.
///
/// # Errors
/// If `out` fails.
pub fn name_left_out(columns: &[String], out: &mut impl Write) -> io::Result<()> {
    if columns.is_empty() {
        return Ok(());
    }
    writeln!(out, "Columns for a wider terminal, or for --wide: {}", columns.join(", "))
}

/// Says how many rows are not shown.
///
/// # Errors
/// If `out` fails.
pub fn count_rest(more: usize, out: &mut impl Write) -> io::Result<()> {
    if more == 0 {
        return Ok(());
    }
    writeln!(out, "... and {} more (--top 0 shows all)", grouped(more as u64))
}

/// Makes [`width`] as large as it has to be for everything in full.
pub fn widen() {
    IS_WIDE.store(true, Ordering::Relaxed);
}

/// How much of a path is shown: all of it where the user wants everything in full.
pub fn extent() -> Extent {
    if IS_WIDE.load(Ordering::Relaxed) { Extent::Whole } else { Extent::Telling }
}

/// Width of the output in characters; the variable `COLUMNS` decides if set.
pub fn width() -> usize {
    if IS_WIDE.load(Ordering::Relaxed) {
        return NO_LIMIT;
    }
    if is_markdown() {
        return MARKDOWN;
    }
    let variable = std::env::var("COLUMNS").ok().and_then(|text| text.trim().parse().ok());
    let width = variable.or_else(|| {
        let terminal = stdout().is_terminal().then(terminal_size::terminal_size).flatten();
        terminal.map(|(width, _)| usize::from(width.0))
    });
    width.unwrap_or(NO_TERMINAL).max(NARROWEST)
}

/// True if the output has colours: it is a terminal, or `CLICOLOR_FORCE` says so, and the
/// variable `NO_COLOR` is not set.
pub fn colours() -> bool {
    let is_unwanted = std::env::var_os("NO_COLOR").is_some_and(|value| !value.is_empty());
    let is_forced = std::env::var_os("CLICOLOR_FORCE").is_some_and(|v| !v.is_empty() && v != "0");
    (is_forced || stdout().is_terminal()) && !is_markdown() && !is_unwanted
}
