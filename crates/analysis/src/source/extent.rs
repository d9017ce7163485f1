//! Where a method stands in its source file.
//!
//! Class files do not say where a method begins and ends, and profiles only have
//! the lines of its calls. So the declaration is looked for above these, and the
//! end by counting braces. Where no line is known the name has to be declared
//! exactly once in the method's own class. What cannot be found is not guessed.

use std::ops::RangeInclusive;

/// Lines looked at above the first call for the declaration.
const ABOVE: usize = 200;
/// A method that is longer is shown as far as this, and to its last known line.
const LONGEST: usize = 400;
/// Lines shown around those known where no declaration is found.
const AROUND: usize = 2;

/// The text of a source file.
#[derive(Debug)]
pub struct SourceText {
    lines: Vec<String>,
    /// Braces that are open where each line begins.
    depth: Vec<usize>,
}

/// Lines, counted from 1.
pub type Lines = RangeInclusive<usize>;

impl SourceText {
    /// Takes the text of a file.
    pub fn new(text: &str) -> Self {
        let lines: Vec<String> = text.lines().map(str::to_owned).collect();
        let mut depth = Vec::with_capacity(lines.len());
        let mut now = 0usize;
        let mut until = None;
        for line in &lines {
            depth.push(now);
            for mark in marks(line, &mut until) {
                match mark {
                    '{' => now += 1,
                    '}' => now = now.saturating_sub(1),
                    _ => {}
                }
            }
        }
        Self { lines, depth }
    }

    /// Some of its lines.
    pub fn text(&self, lines: &Lines) -> impl Iterator<Item = &str> {
        self.lines[lines.start() - 1..*lines.end()].iter().map(String::as_str)
    }

    /// One of its lines, if it has so many.
    pub fn line(&self, number: usize) -> Option<&str> {
        self.lines.get(number.checked_sub(1)?).map(String::as_str)
    }

    /// The lines of a method of a class with this binary name. `known` are the
    /// first and the last line known of it.
    ///
    /// `None` if nothing is known and the name is not declared exactly once in
    /// the class, or if the lines are not in this file.
    pub fn extent(
        &self,
        class: &str,
        method: &str,
        known: Option<(usize, usize)>,
    ) -> Option<Lines> {
        let name = declared_name(class, method);
        let Some((first, last)) = known else {
            let name = name?;
            let class = self.body_of_class(class)?;
            let members = self.depth[*class.start() - 1] + 1;
            let mut declarations = class.filter(|&line| {
                self.depth[line - 1] == members && is_declaration(&self.lines[line - 1], name)
            });
            let only = declarations.next().filter(|_| declarations.next().is_none())?;
            return Some(only..=self.end_of_body(only)?.min(only + LONGEST));
        };
        if first == 0 || first > last || last > self.lines.len() {
            return None;
        }
        let mut above = (first.saturating_sub(ABOVE).max(1)..=first).rev();
        let declaration =
            name.and_then(|name| above.find(|&line| is_declaration(&self.lines[line - 1], name)));
        // What ends before the last known line is another method.
        let end = declaration.and_then(|line| self.end_of_body(line)).filter(|&end| end >= last);
        match declaration.zip(end) {
            Some((line, end)) => Some(line..=end.min((line + LONGEST).max(last))),
            None => {
                Some(first.saturating_sub(AROUND).max(1)..=(last + AROUND).min(self.lines.len()))
            }
        }
    }

    /// The lines of a class, from its declaration to its brace. Classes without
    /// a name, and those that the JVM has made, are not found.
    fn body_of_class(&self, class: &str) -> Option<Lines> {
        let (_, simple) = class.rsplit_once('.').unwrap_or(("", class));
        let mut body = 1..=self.lines.len();
        for (depth, name) in simple.split('$').enumerate() {
            let line = body.clone().find(|&line| {
                self.depth[line - 1] == depth && declares_class(&self.lines[line - 1], name)
            })?;
            body = line..=self.end_of_body(line)?;
        }
        Some(body)
    }

    /// The line of the brace that closes the body of what is declared on `line`;
    /// that of the semicolon where there is no body.
    fn end_of_body(&self, line: usize) -> Option<usize> {
        let mut open = 0usize;
        let mut until = None;
        for (number, content) in (line..).zip(&self.lines[line - 1..]) {
            for mark in marks(content, &mut until) {
                match mark {
                    '{' => open += 1,
                    '}' if open <= 1 => return Some(number),
                    '}' => open -= 1,
                    _ if open == 0 => return Some(number),
                    _ => {}
                }
            }
        }
        None
    }
}

/// The name of a method's declaration in source code, if it has one.
fn declared_name<'a>(class: &'a str, method: &'a str) -> Option<&'a str> {
    match method {
        "<init>" => class.rsplit(['.', '$']).next(),
        // Initialisers of fields may stand far from each other.
        "<clinit>" => None,
        _ => Some(method).filter(|name| !name.contains('$')),
    }
}

/// True if a line declares a class, an interface or the like of this name.
fn declares_class(line: &str, name: &str) -> bool {
    const KINDS: [&str; 7] =
        ["class", "interface", "@interface", "enum", "record", "object", "trait"];
    let is_part_of_name = |c: char| c.is_alphanumeric() || c == '_' || c == '@';
    let mut words = line.split(|c: char| !is_part_of_name(c)).filter(|word| !word.is_empty());
    words.by_ref().any(|word| KINDS.contains(&word)) && words.next() == Some(name)
}

/// True if the name stands in front of a parenthesis as in a declaration: not
/// behind a dot or an operator, and not as the whole of a statement.
fn is_declaration(line: &str, name: &str) -> bool {
    const OF_CALLS: [&str; 10] =
        ["return ", "new ", "throw ", "else ", "yield ", "=", "(", ",", "//", "*"];
    let opens_body = line.trim_end().ends_with('{');
    line.match_indices(name).any(|(at, _)| {
        let (before, after) = (&line[..at], line[at + name.len()..].trim_start());
        let is_word = before.chars().next_back().is_none_or(char::is_whitespace);
        let is_call = OF_CALLS.iter().any(|call| before.contains(call));
        let has_type = !before.trim().is_empty() && !is_call;
        is_word && after.starts_with('(') && (has_type || opens_body)
    })
}

/// The braces and semicolons of a line that are not in comments or literals.
/// `until` is what ends a comment or a block of text that goes on on other lines.
fn marks<'a>(
    line: &'a str,
    until: &'a mut Option<&'static str>,
) -> impl Iterator<Item = char> + 'a {
    const BLOCKS: [(&str, &str); 2] = [("/*", "*/"), ("\"\"\"", "\"\"\"")];
    let mut rest = line;
    std::iter::from_fn(move || {
        while let Some(c) = rest.chars().next() {
            if let Some(end) = *until {
                let at = rest.find(end);
                *until = until.filter(|_| at.is_none());
                rest = at.map_or("", |at| &rest[at + end.len()..]);
            } else if rest.starts_with("//") {
                rest = "";
            } else if let Some((start, end)) = BLOCKS.iter().find(|(s, _)| rest.starts_with(s)) {
                *until = Some(end);
                rest = &rest[start.len()..];
            } else if matches!(c, '"' | '\'') {
                rest = behind_literal(rest, c);
            } else {
                rest = &rest[c.len_utf8()..];
                if matches!(c, '{' | '}' | ';') {
                    return Some(c);
                }
            }
        }
        None
    })
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
    use super::{SourceText, declared_name};

    const FILE: &str = "\
/** class A is one. */
public class A<T> extends B {
    // run() is called by nobody; }
    void run() {
        String s = \"}\"; char c = '}'; String t = \"\"\"
            }}} \" ' \"\"\";
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

    static class Inner {
        int only() {
            return helper(\"\");
        }
    }
}";

    #[test]
    fn from_the_declaration_to_the_brace() {
        let text = SourceText::new(FILE);
        let found = |class, method, known| {
            text.extent(class, method, known).map(|lines| (*lines.start(), *lines.end()))
        };
        assert_eq!(found("a.A", "run", Some((8, 11))), Some((4, 12)));
        assert_eq!(found("a.A", "run", None), Some((4, 12)));
        assert_eq!(found("a.A", "helper", None), Some((14, 14)));
        assert_eq!(found("a.A", "nothing", None), Some((16, 17)));
        assert_eq!(found("a.A", "<init>", Some((20, 20))), Some((19, 21)));
        assert_eq!(found("a.A$Inner", "only", None), Some((24, 26)));
        // A lambda's lines are known, its name stands nowhere.
        assert_eq!(found("a.A", "lambda$run$0", Some((9, 9))), Some((7, 11)));
        assert_eq!(found("a.A", "lambda$run$0", None), None);
        // It belongs to another class.
        assert_eq!(found("a.A", "only", None), None);
        assert_eq!(found("a.A$Inner", "run", None), None);
        assert_eq!(found("a.A$1", "run", None), None);
        assert_eq!(found("a.A$$Made", "run", None), None);
        // Another version of the file.
        assert_eq!(found("a.A", "run", Some((900, 901))), None);
    }

    #[test]
    fn names_in_source_code() {
        assert_eq!(declared_name("a.B$C", "<init>"), Some("C"));
        assert_eq!(declared_name("a.B", "<clinit>"), None);
        assert_eq!(declared_name("a.B", "lambda$run$0"), None);
        assert_eq!(declared_name("a.B", "run"), Some("run"));
    }
}
