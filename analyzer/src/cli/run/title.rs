//! What is recorded, in the title of the terminal's window: lines are the
//! program's own.

use std::io::{IsTerminal, Write, stderr};
use std::time::Instant;

/// The title while the program runs; gives back the old one at the end.
#[derive(Debug)]
pub struct Title {
    since: Instant,
    is_shown: bool,
}

impl Title {
    /// Shown only if standard error is a terminal that knows titles.
    pub fn new() -> Self {
        let is_simple = std::env::var("TERM").is_ok_and(|term| term == "dumb" || term == "linux");
        let title = Self { since: Instant::now(), is_shown: stderr().is_terminal() && !is_simple };
        title.write("\x1b[22;0t");
        title
    }

    /// Shows the time that has passed and how large the profile is.
    pub fn show(&mut self, bytes: u64) {
        let seconds = self.since.elapsed().as_secs();
        let megabytes = bytes as f64 / 1e6;
        self.write(&format!("\x1b]0;subsume: {seconds} s, {megabytes:.1} MB recorded\x07"));
    }

    fn write(&self, text: &str) {
        if self.is_shown {
            // The recording goes on, also if the terminal is gone.
            let _ = stderr().write_all(text.as_bytes());
        }
    }
}

impl Drop for Title {
    fn drop(&mut self) {
        self.write("\x1b]0;\x07\x1b[23;0t");
    }
}
