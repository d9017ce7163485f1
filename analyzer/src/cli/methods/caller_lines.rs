//! The callers below a method in the table of `subsume methods --callers`.

use std::io::Write;

use base::number::{counted, percent};
use tree::error::Result;
use tree::readable_names::{Names, columns, shorten_class};
use tree::views::callers::{Caller, Level};

/// Callers shown of each method.
const CALLERS_SHOWN: usize = 5;
/// Levels shown; deep programs have chains of a hundred callers up to `main`.
const LEVELS_SHOWN: usize = 8;

/// Writes the callers of a method as an indented tree: each caller that was
/// followed is succeeded by its own callers, then by its siblings.
///
/// # Errors
/// If `out` fails.
pub fn write(levels: &[Level], names: &Names, width: usize, out: &mut impl Write) -> Result<()> {
    let shown = &levels[..levels.len().min(LEVELS_SHOWN)];
    for (depth, level) in shown.iter().enumerate() {
        let last = level.followed.map_or(CALLERS_SHOWN, |followed| followed + 1);
        for caller in level.callers.iter().take(last) {
            write_line(level, caller, depth, names, width, out)?;
        }
    }
    if let Some(more) = levels.len().checked_sub(LEVELS_SHOWN).filter(|&more| more > 0) {
        let indent = indent(LEVELS_SHOWN, width);
        writeln!(out, "{indent}... and {} more upwards", counted(more as u64, "caller"))?;
    }
    for (depth, level) in shown.iter().enumerate().rev() {
        let first = level.followed.map_or(CALLERS_SHOWN, |followed| followed + 1);
        let rest = level.callers.get(first..).unwrap_or_default();
        let siblings = if level.followed.is_some() { CALLERS_SHOWN } else { 0 };
        for caller in rest.iter().take(siblings) {
            write_line(level, caller, depth, names, width, out)?;
        }
        if let Some(more) = rest.len().checked_sub(siblings).filter(|&more| more > 0) {
            let indent = indent(depth, width);
            writeln!(out, "{indent}... and {} more", counted(more as u64, "caller"))?;
        }
    }
    Ok(())
}

/// One caller; shares are of the calls and the cost of what it calls.
fn write_line(
    level: &Level,
    caller: &Caller,
    depth: usize,
    names: &Names,
    width: usize,
    out: &mut impl Write,
) -> Result<()> {
    let by_calls = match (caller.calls, level.calls()) {
        (Some(part), Some(whole)) => format!("{:>7} of calls, ", percent(part, whole)),
        _ => String::new(),
    };
    let by_cost = percent(caller.cost, level.cost());
    let shares = format!("{}{by_calls}{by_cost:>7} of cost from ", indent(depth, width));
    let name_width = width.saturating_sub(columns(&shares));
    writeln!(out, "{shares}{}", shorten_class(names.of(caller.method), name_width))?;
    Ok(())
}

fn indent(depth: usize, width: usize) -> String {
    " ".repeat((4 + 2 * depth).min(width / 3))
}
