//! Names of methods as people read them.

use std::borrow::Cow;

pub use base::{printable, shown};
use rustc_hash::FxHashMap;
use unicode_width::UnicodeWidthStr;

use crate::Tree;
use crate::names::descriptor;
use crate::names::method::{Method, VIRTUAL_ROOT};

/// How many columns of a terminal text takes: two for a character such as 漢, none for an
/// accent of its own.
pub fn columns(text: &str) -> usize {
    text.width()
}

/// Shortens text to at most `width` columns by leaving out parameters and then the
/// middle, where names of classes and methods tell the least.
pub fn shorten(text: &str, width: usize) -> String {
    if columns(text) <= width {
        return text.to_owned();
    }
    let text = &without_parameters(text);
    if columns(text) <= width {
        return text.to_owned();
    }
    if width < 3 {
        return start_of(text, width).to_owned();
    }
    // The end holds the method, so it gets two thirds.
    let head = (width - 1) / 3;
    format!("{}…{}", start_of(text, head), end_of(text, width - 1 - head))
}

/// Shortens the name of a method to at most `width` columns by leaving out packages, so that
/// overloads, which alone have parameters in their names, are still told apart. Where even
/// those take too much, as [`shorten`].
pub fn shorten_class(name: &str, width: usize) -> String {
    let end_of_method = name.find('(').filter(|_| columns(name) > width);
    let own = end_of_method.and_then(|end| name[..end].rfind('.')).map(|dot| &name[dot + 1..]);
    match own {
        Some(own) if columns(own) < width => {
            let head = width - columns(own) - 1;
            format!("{}…{own}", start_of(name, head))
        }
        _ => shorten(name, width),
    }
}

/// The longest beginning that takes no more columns.
fn start_of(text: &str, width: usize) -> &str {
    let ends = text.char_indices().map(|(at, c)| at + c.len_utf8());
    let end = ends.take_while(|&end| columns(&text[..end]) <= width).last();
    &text[..end.unwrap_or(0)]
}

/// The longest end that takes no more columns.
fn end_of(text: &str, width: usize) -> &str {
    let starts = text.char_indices().rev().map(|(at, _)| at);
    let start = starts.take_while(|&start| columns(&text[start..]) <= width).last();
    &text[start.unwrap_or(text.len())..]
}

/// Replaces what stands in parentheses right behind a name by an ellipsis. A
/// remark in parentheses has a space before it and stays.
fn without_parameters(text: &str) -> String {
    let open = text
        .match_indices('(')
        .map(|(at, _)| at)
        .find(|&at| text[..at].ends_with(|c: char| !c.is_whitespace()));
    let close = open.and_then(|open| Some(open + text[open..].find(')')?));
    match open.zip(close) {
        Some((open, close)) if close > open + 1 => {
            format!("{}…{}", &text[..=open], &text[close..])
        }
        _ => text.to_owned(),
    }
}

/// How each method, of a tree or of a table, is shown: `class.name`, with its parameters
/// where several methods of that name are shown, with the type of its result where
/// those agree, and with its descriptor where even that does not tell methods
/// apart.
#[derive(Debug)]
pub struct Names {
    names: Vec<String>,
}

impl Names {
    /// The names of a tree's methods.
    pub fn new(tree: &Tree) -> Self {
        Self::of_trees(&[tree])
    }

    /// The names of the methods of several trees that share their table.
    pub fn of_trees(trees: &[&Tree]) -> Self {
        let methods = trees.first().map_or(&[][..], |tree| &tree.methods);
        Self::of_methods(methods, trees.iter().flat_map(|tree| &tree.method).copied())
    }

    /// The names of the methods of a table, of which these are shown.
    pub fn of_methods(methods: &[Method], shown: impl Iterator<Item = u32>) -> Self {
        let mut is_shown = vec![false; methods.len()];
        for method in shown {
            is_shown[method as usize] = true;
        }
        let mut names: Vec<String> = methods.iter().map(Method::qualified).collect();
        for longer in [with_parameters, with_result, Method::to_string] {
            for method in ambiguous(&names, &is_shown) {
                names[method] = longer(&methods[method]);
            }
        }
        for name in &mut names {
            if let Cow::Owned(escaped) = printable(name) {
                *name = escaped;
            }
        }
        Self { names }
    }

    /// Name of a method, or of the virtual root for `None`.
    pub fn of(&self, method: Option<u32>) -> &str {
        method.map_or(VIRTUAL_ROOT, |method| &self.names[method as usize])
    }
}

fn with_parameters(method: &Method) -> String {
    let parameters = descriptor::parameters(&method.descriptor);
    method.with_signature(&parameters.unwrap_or_else(|| method.descriptor.clone()))
}

/// Bridge methods differ from those they call only in the type of the result.
fn with_result(method: &Method) -> String {
    let result = descriptor::return_type(&method.descriptor).unwrap_or_default();
    let parameters = descriptor::parameters(&method.descriptor);
    let parameters = parameters.unwrap_or_else(|| method.descriptor.clone());
    method.with_signature(&format!("{parameters}: {result}"))
}

/// Methods that are shown and share their name with another one.
fn ambiguous(names: &[String], is_shown: &[bool]) -> Vec<usize> {
    let shown = || (0..names.len()).filter(|&method| is_shown[method]);
    let mut count: FxHashMap<&str, u32> = FxHashMap::default();
    for method in shown() {
        *count.entry(&names[method]).or_default() += 1;
    }
    shown().filter(|&method| count[names[method].as_str()] > 1).collect()
}

#[cfg(test)]
mod tests {
    use super::{Names, columns, shorten, shorten_class};
    use crate::names::method::Method;

    #[test]
    fn middle_goes_first() {
        let name = "java.util.concurrent.ConcurrentHashMap.get";
        assert_eq!(shorten(name, 42), name);
        assert_eq!(shorten(name, 22), "java.ut…entHashMap.get");
        assert_eq!(shorten(name, 2), "ja");
        assert_eq!(shorten("é…é…é…", 4), "é…é…");
        let overload = "java.text.Format.format(double, StringBuffer)";
        assert_eq!(shorten(overload, 30), "java.text.Format.format(…)");
        assert_eq!(shorten(overload, 20), "java.t…mat.format(…)");
        assert_eq!(shorten("App.main (from line 3)", 12), "App… line 3)");
    }

    #[test]
    fn overloads_are_told_apart() {
        let overload = "java.text.Format.format(double, StringBuffer)";
        assert_eq!(shorten_class(overload, 50), overload);
        assert_eq!(shorten_class(overload, 40), "java.text.F…format(double, StringBuffer)");
        assert_eq!(shorten_class(overload, 20), "java.t…mat.format(…)");
        assert_eq!(
            shorten_class("java.util.HashMap.get", 12),
            shorten("java.util.HashMap.get", 12)
        );
        for width in 0..50 {
            assert!(columns(&shorten_class(overload, width)) <= width);
        }
    }

    #[test]
    fn signatures_stand_in_front_of_texts() {
        let method = |name: &str, descriptor: &str| Method {
            class: "a.B".into(),
            name: name.into(),
            descriptor: descriptor.into(),
        };
        let methods = [
            method("c: select f(x)", "(I)V"),
            method("c: select f(x)", "(J)V"),
            method("c: select f(x)", "(J)I"),
            method("c: delete", "(I)V"),
        ];
        let names = Names::of_methods(&methods, 0..4);
        let shown: Vec<&str> = (0..4).map(|at| names.of(Some(at))).collect();
        assert_eq!(
            shown,
            [
                "a.B.c(int): select f(x)",
                "a.B.c(long): void: select f(x)",
                "a.B.c(long): int: select f(x)",
                "a.B.c: delete"
            ]
        );
    }

    #[test]
    fn wide_characters_take_two_columns() {
        assert_eq!(columns("漢字.main"), 9);
        assert_eq!(columns("e\u{301}"), 1);
        assert_eq!(shorten("漢字漢字漢字.main", 9), "漢….main");
        for width in 0..20 {
            assert!(columns(&shorten("包.漢字漢字漢字.main", width)) <= width);
        }
    }
}
