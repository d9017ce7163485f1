//! What happens once: whether it counts, and the line that reports it.

use base::number::{counted, percent};
use base::tell;
use clap::Args;
use serde::Serialize;
use tree::Tree;
use tree::start_up::StartUp;

/// Whether what happens once counts.
#[derive(Debug, Clone, Copy, Args)]
pub struct Start {
    /// Also count what happens once: start-up, class loading, static initialisers, and first
    /// calls.
    #[arg(long)]
    with_start: bool,
}

impl Start {
    /// Whether it is left out: then the tree needs to know of threads.
    pub fn is_left_out(self) -> bool {
        !self.with_start
    }

    /// Takes what happens once out of the tree, unless it counts or is nearly all.
    pub fn put_aside(self, tree: &mut Tree) -> Option<StartUp> {
        self.is_left_out().then(|| tree.put_start_aside())
    }
}

/// Whether what happens once is left out where it usually counts.
#[derive(Debug, Clone, Copy, Args)]
pub struct WithoutStart {
    /// Leave out what happens once, as 'subsume summary' does: start-up, class loading, static
    /// initialisers, and small first calls.
    #[arg(long)]
    without_start: bool,
}

impl WithoutStart {
    /// Whether it is left out: then the tree needs to know of threads.
    pub fn is_left_out(self) -> bool {
        self.without_start
    }

    /// Takes it out of the tree if it is to be left out, and says so in a note.
    pub fn put_aside(self, tree: &mut Tree) {
        if self.is_left_out()
            && let Some(line) = start_up(&tree.put_start_aside(), tree.metric(), "")
        {
            tell!("note: {line}");
        }
    }
}

/// The option that shows what was left out.
pub const WITH_START: &str = "; --with-start shows them";

/// How much happens once, in a sentence, with how it is shown if it was left out; `None` if
/// nothing happens once.
pub fn start_up(start: &StartUp, metric: &str, shown: &str) -> Option<String> {
    let share = percent(start.cost, start.all);
    match start.is_put_aside {
        _ if start.cost == 0 => None,
        true => Some(format!(
            "Start-up and first calls: {share} of the {metric}, in {}, left out{shown}",
            counted(start.contexts, "context")
        )),
        false => Some(format!(
            "Start-up and first calls are {share} of the {metric}, so nothing is left out"
        )),
    }
}

/// What happens once, in JSON.
#[derive(Debug, Clone, Serialize)]
pub struct JsonStart {
    /// Whether it is left out of everything else in the answer.
    pub is_left_out: bool,
    pub cost: u64,
    /// Of the whole program, with it.
    pub of: u64,
}

impl JsonStart {
    /// What was found.
    pub fn new(start: &StartUp) -> Self {
        Self { is_left_out: start.is_put_aside, cost: start.cost, of: start.all }
    }
}
