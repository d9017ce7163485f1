//! Findings in SARIF 2.1.0, the format in which code scanning takes what tools find.
//!
//! A command says of each thing that it found what it is, where, and how one gets there
//! ([`Finding`]); the rest is the same for all of them: [`rules`] has the kinds of waste,
//! [`places`] finds the files, and [`log`] is the document.

mod finding;
mod log;
pub mod places;
mod rules;
mod text;
mod uri;

use std::io::Write;
use std::sync::Arc;

use analysis::source::files::SourceFiles;
use clap::Args;
use profile::Profile;
use tree::error::{Error, Result};
use tree::names::pattern::Pattern;

pub use finding::{Finding, Level, Step, figures};
pub use rules::Rule;
pub use text::capital;

use places::Places;

use super::source::Output;
use super::{json, terminal};

/// What of the findings is shown, and how.
#[derive(Debug, Args)]
pub struct FindingOutput {
    #[command(flatten)]
    pub table: Output,

    /// Print SARIF 2.1.0, for GitHub, GitLab and other programs that show findings beside
    /// the code.
    #[arg(long, conflicts_with = "json")]
    pub sarif: bool,
}

impl FindingOutput {
    /// The pattern for classes.
    pub fn class(&self) -> Option<Pattern> {
        self.table.class()
    }

    /// How many entries the answer has: what was asked for, otherwise `default`, but all of
    /// them for programs.
    pub fn entries(&self, default: usize) -> usize {
        self.table.entries_or_all(self.table.json || self.sarif, default)
    }

    /// Where the code is of some profiles, if SARIF is wanted; `sources` finds the files.
    ///
    /// # Errors
    /// If the files cannot be read.
    pub fn places(
        &self,
        profiles: &[(String, Profile)],
        sources: impl FnOnce() -> Result<Option<Arc<SourceFiles>>>,
    ) -> Result<Option<Places>> {
        let profiles = profiles.iter().map(|(_, profile)| profile);
        self.sarif.then(|| Ok(Places::new(profiles, sources()?))).transpose()
    }
}

/// Prints what a command has found, the most important first.
///
/// # Errors
/// If `out` fails, or Markdown is wanted as well.
pub fn print(
    command: &str,
    findings: &[Finding<'_>],
    places: &Places,
    out: &mut (impl Write + ?Sized),
) -> Result<()> {
    if terminal::is_markdown() {
        return Err(Error::new("--sarif and --markdown exclude each other"));
    }
    json::write(&log::Log::new(command, findings, places), out)?;
    writeln!(out)?;
    Ok(())
}
