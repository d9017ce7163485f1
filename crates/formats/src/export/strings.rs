//! Texts by number, as formats with tables of them have it.

use rustc_hash::FxHashMap;

/// Each text once; the empty one is the first.
#[derive(Debug)]
pub struct Strings {
    numbers: FxHashMap<String, u64>,
    texts: Vec<String>,
}

impl Default for Strings {
    fn default() -> Self {
        let mut strings = Self { numbers: FxHashMap::default(), texts: Vec::new() };
        strings.number("");
        strings
    }
}

impl Strings {
    /// The number of a text.
    pub fn number(&mut self, text: &str) -> u64 {
        if let Some(&number) = self.numbers.get(text) {
            return number;
        }
        let number = self.texts.len() as u64;
        self.texts.push(text.to_owned());
        self.numbers.insert(text.to_owned(), number);
        number
    }

    /// The texts in the order of their numbers.
    pub fn texts(&self) -> &[String] {
        &self.texts
    }
}
