//! How wide tables may be.

use std::io::{IsTerminal, stdout};
use std::sync::atomic::{AtomicBool, Ordering};

/// Width where the output is no terminal. Wide enough for nearly all names in
/// full, so that `grep` finds them.
const NO_TERMINAL: usize = 200;
/// Below this nothing can be read.
const NARROWEST: usize = 40;

/// Wider than any name.
const NO_LIMIT: usize = 1 << 20;

/// Whether the user wants everything in full; of the whole process, as the
/// terminal is.
static IS_WIDE: AtomicBool = AtomicBool::new(false);

/// Makes [`width`] as large as it has to be for everything in full.
pub fn widen() {
    IS_WIDE.store(true, Ordering::Relaxed);
}

/// Width of the output in characters; the variable `COLUMNS` decides if set.
pub fn width() -> usize {
    if IS_WIDE.load(Ordering::Relaxed) {
        return NO_LIMIT;
    }
    let variable = std::env::var("COLUMNS").ok().and_then(|text| text.trim().parse().ok());
    let width = variable.or_else(|| {
        let terminal = stdout().is_terminal().then(terminal_size::terminal_size).flatten();
        terminal.map(|(width, _)| usize::from(width.0))
    });
    width.unwrap_or(NO_TERMINAL).max(NARROWEST)
}

/// True if the output may have colours: it is a terminal, and the variable
/// `NO_COLOR` is not set.
pub fn colours() -> bool {
    stdout().is_terminal() && std::env::var_os("NO_COLOR").is_none_or(|value| value.is_empty())
}
