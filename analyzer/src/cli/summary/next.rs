//! What to type next to look closer at an entry.

use std::io::Write;

use tree::error::Result;

use super::{Answer, Args};
use crate::cli::run::quoted;

/// The largest number of files that are named; a command about more cannot be pasted.
const MOST_FILES: usize = 4;

/// Commands about the profiles of an answer, which can be pasted into a shell.
pub struct Next {
    files: String,
    /// For the same figures.
    flag: &'static str,
}

impl Next {
    /// About these profiles.
    pub fn new(answer: &Answer<'_>, args: &Args) -> Self {
        let files = args.source.files();
        let named = files.iter().take(MOST_FILES).map(|file| quoted(&file.to_string_lossy()));
        let mut named: Vec<String> = named.collect();
        if files.len() > MOST_FILES {
            named.push("...".to_owned());
        }
        let is_without_start = answer.start.as_ref().is_some_and(|start| start.is_put_aside);
        let flag = if is_without_start { " --without-start" } else { "" };
        Self { files: named.join(" "), flag }
    }

    /// The profiles.
    pub fn files(&self) -> &str {
        &self.files
    }

    /// What the cost of a method is made of.
    ///
    /// # Errors
    /// If `out` fails.
    pub fn inside(&self, method: &str, out: &mut impl Write) -> Result<()> {
        let Self { files, flag } = self;
        writeln!(out, "          subsume methods{flag} --inside {} {files}", quoted(method))?;
        Ok(())
    }

    /// Who calls a method.
    ///
    /// # Errors
    /// If `out` fails.
    pub fn callers(&self, method: &str, out: &mut impl Write) -> Result<()> {
        let Self { files, flag } = self;
        writeln!(out, "          subsume callers{flag} {files} {}", quoted(method))?;
        Ok(())
    }
}
