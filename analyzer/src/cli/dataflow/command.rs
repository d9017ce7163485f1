//! The shape of every command on data flow: it reads profiles, with the columns
//! that it needs, and answers about them.

use std::io::Write;
use std::path::PathBuf;

use tree::error::Result;

use super::source::{Profiles, read};

/// A command on data flow, with its arguments.
pub trait DataflowCommand {
    /// The profiles that it is about.
    ///
    /// # Errors
    /// If the arguments name none.
    fn files(&self) -> Result<Vec<PathBuf>>;

    /// Columns of contexts that the answer is made of.
    fn metrics(&self) -> &'static [&'static str] {
        &[]
    }

    /// Answers for these profiles, as text or as JSON.
    ///
    /// # Errors
    /// If a profile does not have the data flow asked for, or `out` fails.
    fn answer(&self, profiles: Profiles, out: &mut dyn Write) -> Result<()>;

    /// Reads the profiles, and answers.
    ///
    /// # Errors
    /// If a profile cannot be read, or as [`DataflowCommand::answer`] has them.
    fn run(&self, out: &mut dyn Write) -> Result<()> {
        self.answer(read(&self.files()?, self.metrics())?, out)
    }
}
