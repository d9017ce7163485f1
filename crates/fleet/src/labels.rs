//! What runs are told apart by.

use std::collections::BTreeMap;
use std::str::FromStr;

/// Labels of a run by their keys.
pub type Labels = BTreeMap<String, String>;

/// A label, as it is given: `key=value`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Label {
    /// Before the sign.
    pub key: String,
    /// Behind it.
    pub value: String,
}

/// What every run has by itself, which no label can say otherwise.
pub const OF_EVERY_RUN: [&str; 5] = ["date", "run", "jvm", "completeness", "origin"];

impl FromStr for Label {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let (key, value) = text.split_once('=').unwrap_or((text, ""));
        let is_word = |c: char| c.is_ascii_alphanumeric() || "_-.".contains(c);
        if key.is_empty() || value.is_empty() || !key.chars().all(is_word) {
            return Err(format!("'{text}' is not KEY=VALUE, such as version=1.2"));
        }
        Ok(Self { key: key.to_owned(), value: value.to_owned() })
    }
}
