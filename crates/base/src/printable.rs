//! What users are shown of names that others have chosen.

use std::borrow::Cow;
use std::fmt;
use std::io::{Write, stderr};
use std::path::Path;

/// Text that stays on its line and reads as it stands: control characters, line
/// separators and marks that turn the direction of writing, which names of
/// classes, threads and files may contain, are written as escapes.
pub fn printable(text: &str) -> Cow<'_, str> {
    let turns = |c: char| matches!(c, '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}');
    let breaks = |c: char| c.is_control() || turns(c) || matches!(c, '\u{2028}' | '\u{2029}');
    if !text.contains(breaks) {
        return Cow::Borrowed(text);
    }
    let mut escaped = String::with_capacity(text.len() + 8);
    for c in text.chars() {
        if breaks(c) {
            escaped.extend(c.escape_default());
        } else {
            escaped.push(c);
        }
    }
    Cow::Owned(escaped)
}

/// A path, printable.
pub fn shown(path: impl AsRef<Path>) -> String {
    printable(&path.as_ref().to_string_lossy()).into_owned()
}

/// Says something to the user: one printable line on standard error. All messages of the
/// command and the agent pass here, since others may have chosen the names in them.
pub fn tell(what: fmt::Arguments<'_>) {
    let line = format!("subsume: {}\n", printable(&what.to_string()));
    // With the output closed there is nobody left to tell.
    let _ = stderr().write_all(line.as_bytes());
}

/// [`tell`] with the arguments of `format!`.
#[macro_export]
macro_rules! tell {
    ($($argument:tt)*) => {
        $crate::tell_line(::std::format_args!($($argument)*))
    };
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_breaks_a_line() {
        assert_eq!(printable("a b\\ä"), "a b\\ä");
        assert_eq!(printable("a\nb\u{1}\u{2028}\0"), "a\\nb\\u{1}\\u{2028}\\u{0}");
        assert_eq!(printable("a\u{202e}b\u{2066}\u{9b}"), "a\\u{202e}b\\u{2066}\\u{9b}");
        assert_eq!(shown(Path::new("a\x1b]0;x\x07")), "a\\u{1b}]0;x\\u{7}");
    }
}
