//! What a page says about the recording itself.

use serde::Serialize;

use crate::page::count::Count;
use tree::readable_names::printable;

/// What is known about a recording, ready to be read.
#[derive(Debug, Default)]
pub struct Facts {
    /// The name by which the user knows the profile.
    pub name: String,
    /// Titles and texts, as `subsume info` prints them.
    pub lines: Vec<(&'static str, String)>,
    /// What is missing, and by how much numbers may be wrong.
    pub notes: Vec<String>,
    /// What is usual at the end of a recording, and good to know.
    pub remarks: Vec<String>,
    /// Whether another tool recorded it.
    pub imported: bool,
    /// Name and sum of each metric.
    pub totals: Vec<(String, u64)>,
    /// Threads, those with most contexts first.
    pub threads: Vec<Thread>,
    /// What was not instrumented, by reason.
    pub skipped: Vec<Reason>,
    /// How many classes and how many methods that are.
    pub skipped_classes: usize,
    /// Methods.
    pub skipped_methods: usize,
}

/// All threads of one name.
#[derive(Debug, Clone, Serialize)]
pub struct Thread {
    /// The name.
    pub name: String,
    /// Trees that they have in the profile.
    pub trees: usize,
    /// How many there were.
    pub threads: u32,
    /// Their contexts.
    pub contexts: usize,
}

/// Why something was not instrumented.
#[derive(Debug, Clone, Serialize)]
pub struct Reason {
    /// In words.
    pub reason: String,
    /// What it holds for.
    pub count: usize,
    /// Some of that.
    pub examples: Vec<String>,
}

/// What was not instrumented.
#[derive(Debug, Serialize)]
pub struct Skipped<'a> {
    classes: usize,
    methods: usize,
    reasons: &'a [Reason],
}

impl<'a> Skipped<'a> {
    /// That of these facts.
    pub fn new(facts: &'a Facts) -> Self {
        let (classes, methods) = (facts.skipped_classes, facts.skipped_methods);
        Self { classes, methods, reasons: &facts.skipped }
    }
}

/// Threads and reasons that are listed at most, and examples of each reason.
pub const MOST: usize = 100;
/// Examples of each reason.
pub const EXAMPLES: usize = 20;

/// Characters of a fact that are shown at most: command lines may be very long.
const LONGEST: usize = 8_000;

/// Text on a page: on one line, and no longer than people read.
pub fn text(text: &str) -> String {
    let text = printable(text);
    match text.char_indices().nth(LONGEST) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.into_owned(),
    }
}

/// The totals of the metrics.
pub fn totals(facts: &Facts) -> Vec<(&str, Count)> {
    facts.totals.iter().map(|(name, total)| (name.as_str(), Count(*total))).collect()
}
