//! Which runs are meant.

use std::str::FromStr;

use crate::labels::Label;
use crate::run::Run;
use tree::names::pattern::Pattern;

/// A condition on labels: `key=pattern`.
#[derive(Debug, Clone)]
pub struct Condition {
    key: String,
    pattern: Pattern,
}

impl FromStr for Condition {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let Label { key, value } = text.parse()?;
        // Numbers of runs are named by their first digits, as 'fleet get' takes them.
        let value = match key.as_str() {
            "run" => value.split(';').filter(|p| !p.is_empty()).map(|p| format!("{p}*;")).collect(),
            _ => value,
        };
        Ok(Self { key, pattern: Pattern::new(&value) })
    }
}

impl Condition {
    /// The key of the label.
    pub fn key(&self) -> &str {
        &self.key
    }

    /// True if the run has such a label, or is of such a program, date or number.
    pub fn holds(&self, run: &Run) -> bool {
        run.label(&self.key).is_some_and(|value| self.pattern.matches(value))
    }
}
