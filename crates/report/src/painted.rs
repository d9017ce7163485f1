//! Text in which names of methods have the colour of whose code they are.

use std::fmt;
use std::ops::Range;

use tree::owners::Owner;
use tree::readable_names::{columns, printable, shorten};

/// The colours of the page, as terminals have them: blue, green, and yellow.
fn colour(owner: Owner) -> &'static str {
    match owner {
        Owner::Own => "\x1b[36m",
        Owner::Library => "\x1b[32m",
        Owner::Platform => "\x1b[33m",
    }
}

const END: &str = "\x1b[0m";

/// Text for a terminal; it is written with its colours.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Painted {
    text: String,
    /// Parts of the text, in bytes, one behind the other.
    parts: Vec<(Range<usize>, Owner)>,
}

impl Painted {
    /// A name, coloured if it is known whose code it is.
    pub fn name(name: &str, owner: Option<Owner>) -> Self {
        let text = printable(name).into_owned();
        let parts = owner.map(|owner| (0..text.len(), owner));
        Self { parts: parts.into_iter().collect(), text }
    }

    /// The text alone.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// How many columns it takes.
    pub fn columns(&self) -> usize {
        columns(&self.text)
    }

    /// Puts other text at the end.
    pub fn push(&mut self, other: &Self) {
        let start = self.text.len();
        self.text += &other.text;
        let moved =
            |(part, owner): &(Range<usize>, Owner)| (part.start + start..part.end + start, *owner);
        self.parts.extend(other.parts.iter().map(moved));
    }

    /// With other text at the end.
    #[must_use]
    pub fn and(mut self, other: impl Into<Self>) -> Self {
        self.push(&other.into());
        self
    }

    /// Shortens it to at most so many columns, as [`shorten`] does.
    #[must_use]
    pub fn shortened(&self, width: usize) -> Self {
        let text = shorten(&self.text, width);
        if text == self.text {
            return self.clone();
        }
        // What is left out lies between the beginning and the end that both have.
        let same = |(one, other): &(char, char)| one == other;
        let head = text.chars().zip(self.text.chars()).take_while(same);
        let head: usize = head.map(|(c, _)| c.len_utf8()).sum();
        let rests = text[head..].chars().rev().zip(self.text[head..].chars().rev());
        let tail: usize = rests.take_while(same).map(|(c, _)| c.len_utf8()).sum();
        let (cut, gone) = (text.len() - tail, self.text.len() - tail);
        let moved = |at: usize, of_gap: usize| match at {
            at if at <= head => at,
            at if at >= gone => at - gone + cut,
            _ => of_gap,
        };
        // What stands for the gap is nobody's, unless one name begins before it and ends behind.
        let parts = self
            .parts
            .iter()
            .map(|(part, owner)| (moved(part.start, cut)..moved(part.end, head), *owner));
        let parts = parts.filter(|(part, _)| !part.is_empty()).collect();
        Self { text, parts }
    }
}

impl From<String> for Painted {
    fn from(text: String) -> Self {
        Self::name(&text, None)
    }
}

impl From<&str> for Painted {
    fn from(text: &str) -> Self {
        Self::name(text, None)
    }
}

impl fmt::Display for Painted {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut at = 0;
        for (part, owner) in &self.parts {
            f.write_str(&self.text[at..part.start])?;
            write!(f, "{}{}{END}", colour(*owner), &self.text[part.clone()])?;
            at = part.end;
        }
        f.write_str(&self.text[at..])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn two() -> Painted {
        let own = Painted::name("demo.Main.run", Some(Owner::Own));
        own.and(" > ").and(Painted::name("java.util.List.forEach", Some(Owner::Platform)))
    }

    #[test]
    fn names_have_the_colour_of_their_owner() {
        let expected = "\x1b[36mdemo.Main.run\x1b[0m > \x1b[33mjava.util.List.forEach\x1b[0m";
        assert_eq!(two().to_string(), expected);
        assert_eq!(two().columns(), 38);
        let library = Painted::name("a\x1b[0m", Some(Owner::Library)).to_string();
        assert_eq!(library, "\x1b[32ma\\u{1b}[0m\x1b[0m");
    }

    #[test]
    fn one_name_keeps_its_colour_across_the_gap() {
        let name = Painted::name("demo.Main.run(int, long)", Some(Owner::Own));
        assert_eq!(name.shortened(18).to_string(), "\x1b[36mdemo.Main.run(…)\x1b[0m");
        assert_eq!(name.shortened(9).to_string(), "\x1b[36mde…run(…)\x1b[0m");
    }

    #[test]
    fn what_is_left_of_a_name_keeps_its_colour() {
        for width in 0..40 {
            let short = two().shortened(width);
            assert_eq!(short.text(), shorten(two().text(), width), "{width}");
            // The colours of what is left, and nothing else.
            let whole = short.to_string();
            let plain = whole.replace("\x1b[36m", "").replace("\x1b[33m", "").replace(END, "");
            assert_eq!(plain, short.text());
        }
        let short = two().shortened(20);
        assert_eq!(short.to_string(), "\x1b[36mdemo.M\x1b[0m…\x1b[33m.List.forEach\x1b[0m");
    }
}
