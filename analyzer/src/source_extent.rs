//! Where a method stands in its source file.
//!
//! Class files do not say where a method begins and ends, and profiles only have
//! the lines of its calls. So the declaration is looked for above these, and the
//! end by counting braces. What cannot be found is not guessed: the lines known
//! are the extent then.

use std::ops::RangeInclusive;

/// Lines looked at above the first call for the declaration.
const ABOVE: usize = 200;
/// A method that is longer is shown as far as this, and to its last known line.
const LONGEST: usize = 400;
/// Lines shown around those known where no declaration is found.
const AROUND: usize = 2;

/// The lines of a method, counted from 1. `known` are the first and the last line
/// known of it; `name` is that of its declaration.
///
/// `None` if nothing is known and the name is declared nowhere, or more than
/// once, or if the lines are not in this file.
pub fn extent(
    text: &[&str],
    name: &str,
    known: Option<(usize, usize)>,
) -> Option<RangeInclusive<usize>> {
    let declares = |line: &usize| is_declaration(text[*line - 1], name);
    let Some((first, last)) = known else {
        let mut declarations = (1..=text.len()).filter(declares);
        let only = declarations.next().filter(|_| declarations.next().is_none())?;
        let end = end_of_body(text, only)?;
        return Some(only..=end.min(only + LONGEST));
    };
    if first == 0 || first > last || last > text.len() {
        return None;
    }
    let above = (first.saturating_sub(ABOVE).max(1)..=first).rev();
    let declaration = above.into_iter().find(declares);
    // What ends before the last known line is another method.
    let end = declaration.and_then(|line| end_of_body(text, line)).filter(|&end| end >= last);
    match declaration.zip(end) {
        Some((line, end)) => Some(line..=end.min((line + LONGEST).max(last))),
        None => Some(first.saturating_sub(AROUND).max(1)..=(last + AROUND).min(text.len())),
    }
}

/// The name of a method's declaration in source code, if it has one.
pub fn declared_name<'a>(class: &'a str, method: &'a str) -> Option<&'a str> {
    match method {
        "<init>" => class.rsplit(['.', '$']).next(),
        "<clinit>" => None,
        _ => Some(method).filter(|name| !name.contains('$')),
    }
}

/// True if the name stands in front of a parenthesis as in a declaration: not
/// behind a dot or an operator, and not as the whole of a statement.
fn is_declaration(line: &str, name: &str) -> bool {
    let calls = ["return ", "new ", "throw ", "else ", "yield ", "=", "(", ",", "//", "*"];
    line.match_indices(name).any(|(at, _)| {
        let (before, after) = (&line[..at], line[at + name.len()..].trim_start());
        let is_word = before.chars().next_back().is_none_or(char::is_whitespace);
        let is_call = calls.iter().any(|call| before.contains(call))
            || line.trim_end().ends_with(';') && !before.contains(' ');
        is_word && after.starts_with('(') && !is_call && !before.trim().is_empty()
            || is_word && after.starts_with('(') && line.trim_end().ends_with('{')
    })
}

/// The line of the brace that closes the body of what is declared on `line`; that
/// of the semicolon where there is no body.
fn end_of_body(text: &[&str], line: usize) -> Option<usize> {
    let mut depth = 0usize;
    let mut in_comment = false;
    for (number, content) in (line..).zip(&text[line - 1..]) {
        let mut rest = *content;
        while let Some(c) = rest.chars().next() {
            if in_comment {
                let end = rest.find("*/");
                in_comment = end.is_none();
                rest = end.map_or("", |end| &rest[end + 2..]);
                continue;
            }
            if rest.starts_with("//") {
                break;
            }
            if rest.starts_with("/*") {
                in_comment = true;
                rest = &rest[2..];
                continue;
            }
            match c {
                '"' | '\'' => {
                    rest = behind_literal(rest, c);
                    continue;
                }
                '{' => depth += 1,
                '}' if depth <= 1 => return Some(number),
                '}' => depth -= 1,
                ';' if depth == 0 => return Some(number),
                _ => {}
            }
            rest = &rest[c.len_utf8()..];
        }
    }
    None
}

/// What follows a literal that begins with `quote`.
fn behind_literal(text: &str, quote: char) -> &str {
    let mut escaped = false;
    for (at, c) in text.char_indices().skip(1) {
        match c {
            _ if escaped => escaped = false,
            '\\' => escaped = true,
            _ if c == quote => return &text[at + 1..],
            _ => {}
        }
    }
    ""
}

#[cfg(test)]
mod tests {
    use super::{declared_name, extent};

    const FILE: &str = "\
class A {
    // run() is called by nobody; }
    void run() {
        String s = \"}\"; char c = '}';
        /* } */
        if (s.isEmpty()) {
            helper(s);
        }
        other();
    }

    int helper(String s) { return s.length(); }

    abstract int nothing(
        int a);

    A(int a) {
        this.a = other();
    }
}";

    #[test]
    fn from_the_declaration_to_the_brace() {
        let text: Vec<&str> = FILE.lines().collect();
        let found =
            |name, known| extent(&text, name, known).map(|range| (*range.start(), *range.end()));
        assert_eq!(found("run", Some((6, 9))), Some((3, 10)));
        assert_eq!(found("run", None), Some((3, 10)));
        assert_eq!(found("helper", None), Some((12, 12)));
        assert_eq!(found("nothing", None), Some((14, 15)));
        assert_eq!(found("A", Some((18, 18))), Some((17, 19)));
        // A lambda's lines are known, its name stands nowhere.
        assert_eq!(found("lambda", Some((7, 7))), Some((5, 9)));
        assert_eq!(found("lambda", None), None);
        // Another version of the file.
        assert_eq!(found("run", Some((900, 901))), None);
    }

    #[test]
    fn names_in_source_code() {
        assert_eq!(declared_name("a.B$C", "<init>"), Some("C"));
        assert_eq!(declared_name("a.B", "<clinit>"), None);
        assert_eq!(declared_name("a.B", "lambda$run$0"), None);
        assert_eq!(declared_name("a.B", "run"), Some("run"));
    }
}
