//! Texts for people, as SARIF has them.

use serde::Serialize;

/// A text, which SARIF calls a message.
#[derive(Debug, Serialize)]
pub struct Text {
    /// The text, without marks.
    pub text: String,
}

impl Text {
    /// Of this text.
    pub fn new(text: impl Into<String>) -> Self {
        Self { text: text.into() }
    }
}

/// With a capital at the beginning.
pub fn capital(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().map(|first| first.to_ascii_uppercase()).into_iter().chain(letters).collect()
}
