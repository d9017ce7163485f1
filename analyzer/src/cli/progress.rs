//! What is being done, for people who wait.

use std::io::{IsTerminal, Write, stderr};
use std::path::PathBuf;

use base::printable;

/// Input below this size is done before a message could be read.
const LONG_WORK_BYTES: u64 = 64 << 20;

/// A line on the terminal that says what is being done. It is wiped out again,
/// and never shown where standard error is not a terminal.
#[derive(Debug)]
pub struct Progress {
    shown: bool,
}

impl Progress {
    /// Progress of work on so many bytes of input.
    pub fn of_bytes(bytes: u64) -> Self {
        Self { shown: bytes >= LONG_WORK_BYTES && stderr().is_terminal() }
    }

    /// Progress of work on files.
    pub fn of_files(files: &[PathBuf]) -> Self {
        Self::of_bytes(files.iter().filter_map(|f| f.metadata().ok()).map(|m| m.len()).sum())
    }

    /// Progress of work that takes long on anything but a toy.
    pub fn of_long_work() -> Self {
        Self::of_bytes(LONG_WORK_BYTES)
    }

    /// Replaces the line.
    pub fn say(&self, what: &str) {
        self.write(&format!("\r\x1b[K{} ...", printable(what)));
    }

    /// Makes room for another message.
    pub fn wipe(&self) {
        self.write("\r\x1b[K");
    }

    fn write(&self, text: &str) {
        if self.shown {
            // The work goes on, also if the terminal is gone.
            let _ = write!(stderr(), "{text}");
        }
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        self.wipe();
    }
}
