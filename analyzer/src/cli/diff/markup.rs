//! Tables on a terminal or in Markdown, and differences in per cent.

use std::io::Write;

use analyzer::error::Result;
use analyzer::report::number::signed_percent_of;
use analyzer::report::table::Table;

use crate::cli::terminal;

/// Writes a table as text or as Markdown.
///
/// # Errors
/// If `out` fails.
pub fn write(table: &Table, markdown: bool, out: &mut impl Write) -> Result<()> {
    if markdown {
        table.write_markdown(out)?;
    } else {
        table.write(terminal::width(), out)?;
    }
    Ok(())
}

/// A difference in per cent of what it was; `-` if that was nothing.
pub fn relative(base: u64, difference: i128) -> String {
    if base == 0 {
        return "-".to_owned();
    }
    signed_percent_of(difference as f64 / base as f64)
}
