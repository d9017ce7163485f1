//! Names beyond the Basic Multilingual Plane: two UTF-16 units, and six bytes in class
//! files.

use std::collections::BTreeMap;

use super::Generator;

/// Names of classes and members that nobody but the program itself knows, neither the
/// JDK nor native code.
const OWN: &[&str] = &[
    "A", "B", "C", "I", "P", "Q", "S", "T", "W", "X", "XB", "XP", "XR", "XS", "XT", "Failure",
    "before", "copy", "held", "i", "job", "kept", "l", "m", "num", "o", "os", "p", "picky", "s0",
    "s1", "s2", "s3", "sa", "si", "sl", "so", "step", "sum", "sx", "sy", "thread", "through",
    "wide", "xs",
];

/// What makes names such names: letters of an ideographic, a mathematical and a
/// phonetic script.
const LETTERS: [&str; 3] = ["\u{20000}", "\u{1d49c}", "\u{10400}"];

impl Generator {
    /// Gives some names another letter, everywhere; also those by which reflection
    /// finds members.
    pub(super) fn rename(&mut self) {
        if self.chance(50) {
            return;
        }
        let mut renamed = BTreeMap::new();
        for &name in OWN {
            if self.chance(25) {
                renamed.insert(name, format!("{name}{}", self.pick(&LETTERS)));
            }
        }
        for line in &mut self.lines {
            *line = replaced(line, &renamed);
        }
    }
}

/// A line with other words.
fn replaced(line: &str, by: &BTreeMap<&str, String>) -> String {
    let is_in_word = |c: char| c.is_alphanumeric() || c == '_';
    let mut written = String::new();
    let mut rest = line;
    while !rest.is_empty() {
        let end = rest.find(|c| !is_in_word(c)).unwrap_or(rest.len());
        let (word, behind) = rest.split_at(end);
        written.push_str(by.get(word).map_or(word, String::as_str));
        let end = behind.find(is_in_word).unwrap_or(behind.len());
        written.push_str(&behind[..end]);
        rest = &behind[end..];
    }
    written
}
