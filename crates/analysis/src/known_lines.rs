//! Files that list what is known already, one thing on each line: baselines of commands that
//! report only what is new.

use std::collections::BTreeSet;

use tree::error::{Error, Result};

/// The lines of such a file, without empty ones and comments.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct KnownLines(BTreeSet<String>);

impl FromIterator<String> for KnownLines {
    fn from_iter<I: IntoIterator<Item = String>>(lines: I) -> Self {
        Self(lines.into_iter().collect())
    }
}

impl KnownLines {
    /// Reads the text of a file; `name` is that of the file. Each line is to be one that
    /// `is_line` accepts; `parts` says what such a line has.
    ///
    /// # Errors
    /// If a line is another one.
    pub fn parse(
        name: &str,
        text: &str,
        is_line: impl Fn(&str) -> bool,
        parts: &str,
    ) -> Result<Self> {
        let mut lines = BTreeSet::new();
        for (number, line) in (1..).zip(text.lines()) {
            let line = line.trim();
            if line.is_empty() || line.starts_with('#') {
                continue;
            }
            if !is_line(line) {
                return Err(Error::new(format!(
                    "{name}: line {number} is none of a baseline, which has {parts}"
                )));
            }
            lines.insert(line.to_owned());
        }
        Ok(Self(lines))
    }

    /// The text of a file that begins with this comment.
    pub fn text(&self, heading: &str) -> String {
        let mut text = format!("{heading}\n");
        for line in &self.0 {
            text += line;
            text.push('\n');
        }
        text
    }

    /// How many lines there are.
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Whether a line is listed.
    pub fn has(&self, line: &str) -> bool {
        self.0.contains(line)
    }
}
