//! How well the last writers of elements are known, printed with every result.

use base::number::{counted, grouped};
use profile::dataflow::ElementWriters;
use serde::Serialize;

/// What is approximate about them, and what they took.
#[derive(Debug, Clone, Copy, Serialize)]
pub struct ElementFacts {
    /// How often arrays were used whose last writers had been given up.
    forgotten_last_writers: u64,
    /// How many may be those of another array.
    misplaced_last_writers: u64,
    /// Their memory.
    element_bytes: u64,
}

impl ElementFacts {
    /// Those of a recording.
    pub fn new(writers: ElementWriters) -> Self {
        Self {
            forgotten_last_writers: writers.forgotten,
            misplaced_last_writers: writers.misplaced,
            element_bytes: writers.bytes,
        }
    }

    /// What there is to say, as titles and texts.
    pub fn lines(self) -> Vec<(&'static str, String)> {
        let mut lines = Vec::new();
        if self.forgotten_last_writers > 0 {
            let times = counted(self.forgotten_last_writers, "time");
            let text = format!("elements of arrays that had long been idle were used {times}.");
            lines.push(("Last writers lost", text));
        }
        if self.misplaced_last_writers > 0 {
            let times = counted(self.misplaced_last_writers, "access");
            let text = format!(
                "{times} may have gone to another array, because a thread stopped in the midst."
            );
            lines.push(("Last writers astray", text));
        }
        if self.element_bytes >= 1 << 20 {
            let megabytes = grouped(self.element_bytes >> 20);
            let text = format!(
                "last writers of elements took {megabytes} MB outside the Java heap at most."
            );
            lines.push(("Memory", text));
        }
        lines
    }
}
