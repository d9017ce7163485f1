//! What people read of a source: comments, and literals that become messages. Each line comes
//! with its number, from 0.

use proc_macro2::{TokenStream, TokenTree};

/// Lines with their numbers.
pub type Lines = Vec<(usize, String)>;

/// The comments of a source with `//`. Those of Rust have no other form here.
pub fn line_comments(text: &str) -> Lines {
    let lines = text.lines().enumerate();
    lines.filter_map(|(number, line)| Some((number, line.split_once("//")?.1.to_owned()))).collect()
}

/// The literals of a Rust source that begin with a quote or as raw text, with what escapes for
/// ends of lines stand for.
///
/// # Errors
/// The text is not Rust.
pub fn literals(text: &str) -> Result<Lines, proc_macro2::LexError> {
    let mut found = Lines::new();
    collect_literals(text.parse()?, &mut found);
    Ok(found)
}

fn collect_literals(tokens: TokenStream, found: &mut Lines) {
    for token in tokens {
        match token {
            TokenTree::Group(group) => collect_literals(group.stream(), found),
            TokenTree::Literal(literal) => {
                let first = literal.span().start().line - 1;
                let text = literal.to_string();
                let lines =
                    text.lines().map(|line| line.trim_end_matches('\\').replace("\\n", " "));
                found.extend((first..).zip(lines));
            }
            TokenTree::Ident(_) | TokenTree::Punct(_) => {}
        }
    }
}

/// The comments of a Java or JavaScript source, in both forms.
pub fn java_comments(text: &str) -> Lines {
    let mut found = Lines::new();
    let mut is_inside = false;
    for (number, line) in text.lines().enumerate() {
        let mut comment = String::new();
        let mut rest = line;
        while !rest.is_empty() {
            if is_inside {
                let (inner, after) = rest.split_once("*/").unwrap_or((rest, ""));
                is_inside = inner.len() == rest.len();
                comment.push_str(inner);
                rest = after;
            } else if let Some(inner) = rest.strip_prefix("//") {
                comment.push_str(inner);
                rest = "";
            } else if let Some(inner) = rest.strip_prefix("/*") {
                is_inside = true;
                rest = inner;
            } else {
                rest = behind_token(rest);
            }
        }
        if !comment.is_empty() {
            found.push((number, comment));
        }
    }
    found
}

/// What follows the first character of a line of code, or the literal that it begins.
fn behind_token(code: &str) -> &str {
    let mut characters = code.chars();
    let Some(quote @ ('"' | '\'')) = characters.next() else { return characters.as_str() };
    while let Some(character) = characters.next() {
        match character {
            '\\' => drop(characters.next()),
            end if end == quote => break,
            _ => {}
        }
    }
    characters.as_str()
}

/// The comments of a script with `#`.
pub fn script_comments(text: &str) -> Lines {
    let comment = |line: &str| {
        let begins = |&(at, _): &(usize, &str)| {
            line[..at].chars().next_back().is_none_or(char::is_whitespace)
        };
        let (at, _) = line.match_indices('#').find(begins)?;
        Some(line[at + 1..].to_owned())
    };
    text.lines().enumerate().filter_map(|(at, line)| Some((at, comment(line)?))).collect()
}

#[test]
fn what_is_read_is_found_with_its_lines() {
    let lines = |found: Lines| -> Vec<(usize, String)> {
        found.into_iter().map(|(at, line)| (at, line.trim().to_owned())).collect()
    };
    let expected = |found: &[(usize, &str)]| -> Vec<(usize, String)> {
        found.iter().map(|&(at, line)| (at, line.to_owned())).collect()
    };
    assert_eq!(line_comments("a(); // b\nc();\n"), expected(&[(0, " b")]));
    let rust = "fn a() {\n    // b\n    tell!(\"c \\\n        d\", r\"e\");\n}\n";
    let found = literals(rust).expect("it is Rust");
    assert_eq!(lines(found), expected(&[(2, "\"c"), (3, "d\""), (3, "r\"e\"")]));
    assert!(literals("fn a( {").is_err());
    let java = "/** a */ b(\"// /* c\\\"\", '\"'); // d\n/*\n * e\n */ f();\n";
    let found = java_comments(java);
    assert_eq!(lines(found), expected(&[(0, "* a  d"), (2, "* e"), (3, "")]));
    let script = "#!/bin/sh\nif [ $# -gt 0 ]; then # a\nb=${c#d}\n  # e\n";
    let found = script_comments(script);
    assert_eq!(lines(found), expected(&[(0, "!/bin/sh"), (1, "a"), (3, "e")]));
}
