//! SQL without its literals: statements that differ in values only are one.

use std::iter::Peekable;
use std::str::CharIndices;

/// A piece of a statement.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Token<'s> {
    /// A literal.
    Literal,
    /// Anything else but whitespace and comments.
    Text(&'s str),
}

/// A token, and whether something stands between it and the one before.
type Spaced<'s> = (Token<'s>, bool);

/// The statement with `?` for each literal and for lists of such, without comments.
pub fn normalised(statement: &str) -> String {
    let tokens = without_repeats(&tokens(statement));
    let mut text = String::with_capacity(statement.len());
    for (token, spaced) in tokens {
        if spaced && !text.is_empty() {
            text.push(' ');
        }
        text.push_str(match token {
            Token::Literal => "?",
            Token::Text(text) => text,
        });
    }
    text
}

fn tokens(statement: &str) -> Vec<Spaced<'_>> {
    let mut tokens: Vec<Spaced<'_>> = Vec::new();
    let mut spaced = false;
    let mut chars = statement.char_indices().peekable();
    while let Some((at, c)) = chars.next() {
        let rest = &statement[at..];
        let token = if c.is_whitespace() || c.is_control() {
            spaced = true;
            continue;
        } else if rest.starts_with("--") {
            while chars.next_if(|&(_, c)| c != '\n').is_some() {}
            spaced = true;
            continue;
        } else if let Some(comment) = rest.strip_prefix("/*") {
            let end = comment.find("*/").map_or(statement.len(), |end| at + end + 4);
            skip_to(&mut chars, end);
            spaced = true;
            continue;
        } else if c == '\'' {
            skip_quoted(&mut chars, '\'');
            if is_prefix(tokens.last()) && !spaced {
                spaced = tokens.pop().is_some_and(|(_, spaced)| spaced);
            }
            Token::Literal
        } else if let Some(tag) = dollar_tag(rest) {
            let behind = at + tag.len();
            let end =
                statement[behind..].find(tag).map_or(statement.len(), |e| behind + e + tag.len());
            skip_to(&mut chars, end);
            Token::Literal
        } else if c == '"' || c == '`' {
            skip_quoted(&mut chars, c);
            Token::Text(up_to(statement, at, &mut chars))
        } else if is_digit_start(rest) {
            skip_number(&mut chars, c);
            if is_sign(&tokens) && !spaced {
                spaced = tokens.pop().is_some_and(|(_, spaced)| spaced);
            }
            Token::Literal
        } else if is_part_of_name(c) {
            while chars.next_if(|&(_, c)| is_part_of_name(c)).is_some() {}
            Token::Text(up_to(statement, at, &mut chars))
        } else {
            Token::Text(up_to(statement, at, &mut chars))
        };
        tokens.push((token, spaced));
        spaced = false;
    }
    tokens
}

fn up_to<'s>(statement: &'s str, at: usize, chars: &mut Peekable<CharIndices<'s>>) -> &'s str {
    &statement[at..chars.peek().map_or(statement.len(), |&(end, _)| end)]
}

fn skip_to(chars: &mut Peekable<CharIndices<'_>>, end: usize) {
    while chars.next_if(|&(at, _)| at < end).is_some() {}
}

/// Skips what is quoted; two quotes are one within it.
fn skip_quoted(chars: &mut Peekable<CharIndices<'_>>, quote: char) {
    while let Some((_, c)) = chars.next() {
        if c == quote && chars.next_if(|&(_, c)| c == quote).is_none() {
            break;
        }
    }
}

fn skip_number(chars: &mut Peekable<CharIndices<'_>>, first: char) {
    let mut last = first;
    while let Some((_, c)) = chars.next_if(|&(_, c)| {
        c.is_ascii_alphanumeric()
            || c == '.'
            || c == '_'
            || matches!(last, 'e' | 'E') && matches!(c, '+' | '-')
    }) {
        last = c;
    }
}

fn is_part_of_name(c: char) -> bool {
    c.is_alphanumeric() || matches!(c, '_' | '$' | '#' | '@' | ':')
}

fn is_digit_start(rest: &str) -> bool {
    let mut chars = rest.chars();
    match chars.next() {
        Some('.') => chars.next().is_some_and(|c| c.is_ascii_digit()),
        first => first.is_some_and(|c| c.is_ascii_digit()),
    }
}

/// `$$` or `$tag$`, which quote in PostgreSQL.
fn dollar_tag(rest: &str) -> Option<&str> {
    let tag = rest.strip_prefix('$')?;
    let end = tag.find('$')?;
    let is_tag = !tag.starts_with(|c: char| c.is_ascii_digit())
        && tag[..end].chars().all(|c| c.is_alphanumeric() || c == '_');
    is_tag.then(|| &rest[..end + 2])
}

/// Whether a token is a letter that a quoted literal may have in front of it.
fn is_prefix(token: Option<&Spaced<'_>>) -> bool {
    matches!(token, Some((Token::Text("N" | "n" | "E" | "e" | "X" | "x" | "B" | "b"), _)))
}

/// Whether the last token is the sign of a number that follows.
fn is_sign(tokens: &[Spaced<'_>]) -> bool {
    let [before @ .., (Token::Text("-" | "+"), _)] = tokens else { return false };
    match before.last() {
        None => true,
        Some((Token::Literal, _)) => false,
        Some((Token::Text(text), _)) => {
            text.chars().all(|c| "(,=<>!+-*/%|".contains(c)) || is_keyword_before_value(text)
        }
    }
}

fn is_keyword_before_value(text: &str) -> bool {
    const KEYWORDS: [&str; 12] = [
        "and", "between", "by", "else", "in", "like", "limit", "offset", "or", "select", "then",
        "when",
    ];
    KEYWORDS.iter().any(|keyword| text.eq_ignore_ascii_case(keyword))
}

/// Whether a token stands for a value: a literal, or a parameter.
fn is_value(token: Token<'_>) -> bool {
    match token {
        Token::Literal | Token::Text("?") => true,
        Token::Text(text) => {
            let is_parameter = text.starts_with([':', '$', '@']) && text.len() > 1;
            is_parameter && !text.starts_with("::")
        }
    }
}

/// Lists of values in parentheses become `(?)` behind `in`, and one row behind `values`.
fn without_repeats<'s>(tokens: &[Spaced<'s>]) -> Vec<Spaced<'s>> {
    let mut kept: Vec<Spaced<'s>> = Vec::with_capacity(tokens.len());
    let mut at = 0;
    // The length of the row of values that ends where `kept` does.
    let mut row: Option<&[Spaced<'s>]> = None;
    while let Some(&token) = tokens.get(at) {
        let list = list_of_values(&tokens[at..]);
        if let Some(list) = list {
            let is_in = matches!(kept.last(), Some((Token::Text(text), _)) if text.eq_ignore_ascii_case("in"));
            if is_in {
                kept.extend([token, (Token::Literal, false), (Token::Text(")"), false)]);
                row = None;
            } else {
                kept.extend_from_slice(list);
                row = Some(list);
            }
            at += list.len();
            continue;
        }
        if let Some(first) = row
            && token.0 == Token::Text(",")
            && let Some(list) = list_of_values(&tokens[at + 1..])
            && list.len() == first.len()
        {
            at += 1 + list.len();
            continue;
        }
        row = None;
        kept.push(token);
        at += 1;
    }
    kept
}

/// The list in parentheses at the start, if it has only values.
fn list_of_values<'t, 's>(tokens: &'t [Spaced<'s>]) -> Option<&'t [Spaced<'s>]> {
    let [(Token::Text("("), _), inner @ ..] = tokens else { return None };
    let end = inner.iter().position(|(token, _)| *token == Token::Text(")"))?;
    let is_list = end > 0
        && inner[..end].iter().enumerate().all(|(at, &(token, _))| match at % 2 {
            0 => is_value(token),
            _ => token == Token::Text(","),
        })
        && end % 2 == 1;
    is_list.then(|| &tokens[..end + 2])
}

#[cfg(test)]
mod tests {
    use super::normalised;

    #[test]
    fn literals_are_left_out() {
        for (statement, expected) in [
            ("select * from item where id = 7", "select * from item where id = ?"),
            ("select * from item where id=7", "select * from item where id=?"),
            ("  select\n *\r\n\tfrom t1  ", "select * from t1"),
            ("select 'it''s', N'x', E'y' from t", "select ?, ?, ? from t"),
            ("select \"a 1\", `b 2` from \"T 3\".x4", "select \"a 1\", `b 2` from \"T 3\".x4"),
            ("where a = -5 and b = 1.5e-3 or c - 1 < .5", "where a = ? and b = ? or c - ? < ?"),
            ("where a=-5", "where a=?"),
            ("limit 10 offset 0x1F", "limit ? offset ?"),
            ("a in (1, 2,3) and b IN (?, ?)", "a in (?) and b IN (?)"),
            ("a in (:ids0, :ids1) and c in (select 1)", "a in (?) and c in (select ?)"),
            ("a in ($1,$2) and b = $3", "a in (?) and b = $3"),
            (
                "insert into t(a, b) values (1, 'x'), (2, 'y'),\n(3, 'z')",
                "insert into t(a, b) values (?, ?)",
            ),
            ("values (1,2), (3)", "values (?,?), (?)"),
            ("select 1 -- one\n, 2 /* two */ from t", "select ? , ? from t"),
            ("/* trace=1 */ select 1", "select ?"),
            ("select $$it's$$, $tag$ $$ $tag$ from t", "select ?, ? from t"),
            ("{call pay(?, 17)}", "{call pay(?, ?)}"),
            ("select a::int, count(*)", "select a::int, count(*)"),
            ("select 'never closed", "select ?"),
            ("select /* never closed", "select"),
            ("select \"never closed", "select \"never closed"),
            ("select $$never closed", "select ?"),
            ("where name = 'ü' and größe = 3", "where name = ? and größe = ?"),
            ("f(1, 2)", "f(?, ?)"),
            ("", ""),
            ("?", "?"),
            ("((((1", "((((?"),
            ("in (", "in ("),
            ("in ()", "in ()"),
        ] {
            assert_eq!(normalised(statement), expected, "{statement}");
        }
    }

    #[test]
    fn any_text_is_taken() {
        let pieces = [
            "'", "\"", "$", "$a$", "--", "/*", "*/", "(", ")", ",", "in", "1", ".", "-", "é", "\n",
            "N", "?", ":",
        ];
        let mut state = 1_u64;
        for _ in 0..20_000 {
            let mut text = String::new();
            for _ in 0..12 {
                state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
                text.push_str(pieces[(state >> 33) as usize % pieces.len()]);
            }
            let once = normalised(&text);
            assert!(once.len() <= text.len() + 12, "{text}");
        }
    }
}
