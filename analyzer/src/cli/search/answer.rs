//! What the commands answer.

use std::path::PathBuf;

use analysis::search::session::{Coverage, Item, Labelled, List, Selection};
use analysis::search::suggester::Suggester;

/// The answer to a command.
#[derive(Debug)]
pub enum Answer {
    /// A setting has this value now.
    Setting(&'static str, String),
    /// Summaries to start from.
    Suggestions(Suggester, List),
    /// The summary selected.
    Selection(Selection),
    /// The label that a summary has now.
    NewLabel(String, Item),
    /// All labels.
    Labels(Vec<Labelled>),
    /// What they cost.
    Coverage(Coverage),
    /// The labels are in this file.
    Saved(PathBuf),
    /// How the commands are written.
    Help,
    /// The end.
    Quit,
}
