//! What becomes of the text of an argument: what differs from call to call is left out.

use super::sql;

/// How texts are made alike.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Form {
    /// As they are.
    Plain,
    /// Literals of SQL become `?`.
    Sql,
    /// Numbers and the like in the path of a URL become `{id}`; what is behind it is left out.
    Route,
    /// Long numbers in the path of a file become `?`.
    File,
}

/// The longest text that is kept, in characters.
pub const LONGEST: usize = 1000;

impl Form {
    /// The names of the forms that users may ask for.
    pub const NAMES: [&str; 3] = ["sql", "route", "file"];

    /// The form of a name.
    pub fn named(name: &str) -> Option<Self> {
        let at = Self::NAMES.iter().position(|known| *known == name)?;
        Some([Self::Sql, Self::Route, Self::File][at])
    }

    /// The text in this form, on one line and no longer than [`LONGEST`].
    pub fn of(self, text: &str) -> String {
        let formed = match self {
            Self::Plain => text.to_owned(),
            Self::Sql => sql::normalised(text),
            Self::Route => text.split_whitespace().map(route).collect::<Vec<_>>().join(" "),
            Self::File => numbers(text),
        };
        one_line(&formed)
    }
}

/// Folds whitespace and control characters, and shortens.
fn one_line(text: &str) -> String {
    let is_gap = |c: char| c.is_whitespace() || c.is_control();
    let mut line = String::with_capacity(text.len().min(LONGEST * 4));
    let mut length = 0;
    for word in text.split(is_gap).filter(|word| !word.is_empty()) {
        if length > 0 {
            line.push(' ');
            length += 1;
        }
        for c in word.chars() {
            if length >= LONGEST {
                line.push('…');
                return line;
            }
            line.push(c);
            length += 1;
        }
    }
    line
}

/// The path of a URL, or a method of HTTP, without what identifies one thing.
fn route(text: &str) -> String {
    let path = text.split(['?', '#', ';']).next().unwrap_or_default();
    let (start, path) = match path.find("://") {
        Some(scheme) => {
            let host = scheme + 3;
            path.split_at(path[host..].find('/').map_or(path.len(), |slash| host + slash))
        }
        None => ("", path),
    };
    // Addresses may carry a password: `//user:password@host`.
    let start = match (start.find("://"), start.rfind('@')) {
        (Some(scheme), Some(at)) => format!("{}{}", &start[..scheme + 3], &start[at + 1..]),
        _ => start.to_owned(),
    };
    let parts = path.split('/').map(|part| if identifies(part) { "{id}" } else { part });
    start + &parts.collect::<Vec<_>>().join("/")
}

/// A part of a path that is a number, a UUID, or looks like a key.
fn identifies(part: &str) -> bool {
    let digits = part.bytes().filter(u8::is_ascii_digit).count();
    let is_hexadecimal = part.bytes().all(|byte| byte.is_ascii_hexdigit() || byte == b'-');
    let is_number = digits > 0 && part.bytes().all(|byte| byte.is_ascii_digit() || byte == b'-');
    is_number
        || is_hexadecimal && digits > 0 && part.len() >= 8
        || digits * 3 >= part.len() && digits >= 4
}

/// Digits in a row from which on they are left out of the names of files.
const LONG_NUMBER: usize = 4;

/// Runs of at least four digits become `?`.
fn numbers(text: &str) -> String {
    let mut result = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(start) = rest.find(|c: char| c.is_ascii_digit()) {
        let (before, from) = rest.split_at(start);
        let end = from.find(|c: char| !c.is_ascii_digit()).unwrap_or(from.len());
        result.push_str(before);
        result.push_str(if end >= LONG_NUMBER { "?" } else { &from[..end] });
        rest = &from[end..];
    }
    result + rest
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn routes() {
        for (text, expected) in [
            ("GET /orders/4711/items", "GET /orders/{id}/items"),
            ("GET /orders?page=2", "GET /orders"),
            ("PUT /a/0fa1c2d3-1234-4b0a-9d6e-0123456789ab", "PUT /a/{id}"),
            ("GET /a;jsessionid=ABC", "GET /a"),
            ("GET /v2/customers/deadbeef/x", "GET /v2/customers/deadbeef/x"),
            ("GET /files/report-20260131.pdf", "GET /files/{id}"),
            ("GET http://me:pw@shop:8080/items/7?x=1", "GET http://shop:8080/items/{id}"),
            ("GET http://shop", "GET http://shop"),
            ("GET /", "GET /"),
            ("", ""),
        ] {
            assert_eq!(Form::Route.of(text), expected, "{text}");
        }
    }

    #[test]
    fn files() {
        assert_eq!(Form::File.of("/tmp/upload_123456789.tmp"), "/tmp/upload_?.tmp");
        assert_eq!(Form::File.of("/etc/rc3.d/x2026"), "/etc/rc3.d/x?");
    }

    #[test]
    fn one_line_of_limited_length() {
        assert_eq!(Form::Plain.of("  a\n\tb\u{0}c  "), "a b c");
        assert_eq!(Form::Plain.of(""), "");
        let long = Form::Plain.of(&"é".repeat(LONGEST + 1));
        assert_eq!(long.chars().count(), LONGEST + 1);
        assert!(long.ends_with('…'));
        assert_eq!(Form::Plain.of(&"é".repeat(LONGEST)), "é".repeat(LONGEST));
    }
}
