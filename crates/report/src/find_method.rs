//! Finding the method that the user means.

use base::number::counted;
use tree::Tree;
use tree::error::{Error, Result};
use tree::names::method::Method;
use tree::readable_names::{Names, printable};

/// Names listed in an error.
const LISTED: usize = 5;

/// Number of the executed method that `text` names: `Class.name`, also with the
/// descriptor or the parameters in words, or the end of one that fits no other
/// method.
///
/// # Errors
/// If no executed method answers to it, with the names that come nearest, or
/// if several do.
pub fn find_method(tree: &Tree, text: &str) -> Result<u32> {
    let mut executed = vec![false; tree.methods.len()];
    for &method in &tree.method {
        executed[method as usize] = true;
    }
    let methods = || (0u32..).zip(&tree.methods).filter(|&(method, _)| executed[method as usize]);

    let mut found: Vec<(u32, &Method)> = methods().filter(|(_, m)| m.answers_to(text)).collect();
    // A whole name goes before the ends of longer ones.
    if found.iter().any(|(_, m)| m.is_whole_name(text)) {
        found.retain(|(_, m)| m.is_whole_name(text));
    }
    if let [(method, _)] = found.as_slice() {
        return Ok(*method);
    }
    let names = Names::new(tree);
    match found.as_slice() {
        [] => Err(Error::absent(nothing(tree, &executed, text, &names))),
        several => {
            let several: Vec<u32> = several.iter().map(|&(method, _)| method).collect();
            Err(Error::new(format!("'{text}' may mean {}", list(&several, &names))))
        }
    }
}

/// Why no method was found, and which ones have names like it.
fn nothing(tree: &Tree, executed: &[bool], text: &str, names: &Names) -> String {
    if tree.is_empty() {
        return format!("no method '{text}': the profile has no calling context");
    }
    if let Some(method) = tree.methods.iter().find(|method| method.answers_to(text)) {
        return format!("{} was not executed", printable(&method.qualified()));
    }
    let methods = (0u32..).zip(&tree.methods).filter(|&(method, _)| executed[method as usize]);
    match near(methods, text).as_slice() {
        [] => format!("no method matches '{text}' ('subsume methods --all' lists all)"),
        near => format!("no method matches '{text}'; did you mean {}?", list(near, names)),
    }
}

/// Which methods have names like `text`, the nearest first.
fn near<'m, K: Ord>(methods: impl Iterator<Item = (K, &'m Method)>, text: &str) -> Vec<K> {
    // Of a name that is mostly something else nobody will think.
    let most = 1 + text.split('(').next().unwrap_or_default().chars().count() / 4;
    let near = methods.map(|(key, method)| (difference(method, text), key));
    let mut near: Vec<(usize, K)> = near.filter(|(difference, _)| *difference <= most).collect();
    near.sort();
    near.truncate(LISTED);
    near.into_iter().map(|(_, key)| key).collect()
}

/// Why none of these methods answers to `text`, with the names that come nearest.
pub fn no_method<'m>(methods: impl Iterator<Item = &'m Method>, text: &str) -> Error {
    let mut names = near(methods.map(|method| (method.qualified(), method)), text);
    // Overloads have one name.
    names.dedup();
    let names = names.iter().map(|name| printable(name).into_owned()).collect();
    Error::absent(match joined(names) {
        names if names.is_empty() => format!("no method matches '{text}'"),
        names => format!("no method matches '{text}'; did you mean {names}?"),
    })
}

/// The first names of a list, as tables show them, with the number of those left
/// out.
fn list(methods: &[u32], names: &Names) -> String {
    let shown = methods.iter().take(LISTED);
    let mut listed: Vec<String> = shown.map(|&method| names.of(Some(method)).to_owned()).collect();
    if methods.len() > LISTED {
        listed.push(counted((methods.len() - LISTED) as u64, "other"));
    }
    joined(listed)
}

/// Names as alternatives.
fn joined(mut names: Vec<String>) -> String {
    match names.pop() {
        Some(last) if names.is_empty() => last,
        Some(last) => format!("{} or {last}", names.join(", ")),
        None => String::new(),
    }
}

/// How much the end of a method's name differs from what was typed: the number
/// of characters to change, without regard to case.
fn difference(method: &Method, text: &str) -> usize {
    let typed = text.split('(').next().unwrap_or_default().to_lowercase();
    let name = method.qualified().to_lowercase();
    // Compared are as many parts of the name as were typed.
    let parts = typed.matches('.').count() + 1;
    let end = name.rmatch_indices('.').nth(parts - 1).map_or(0, |(dot, _)| dot + 1);
    edit_distance(&name[end..], &typed)
}

/// Number of characters to insert, delete or replace to make `a` into `b`.
fn edit_distance(a: &str, b: &str) -> usize {
    let b: Vec<char> = b.chars().collect();
    // Distances of the prefixes of `b` to the prefix of `a` read so far.
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (i, x) in a.chars().enumerate() {
        let mut diagonal = row[0];
        row[0] = i + 1;
        for (j, &y) in b.iter().enumerate() {
            let replaced = diagonal + usize::from(x != y);
            diagonal = row[j + 1];
            row[j + 1] = replaced.min(diagonal + 1).min(row[j] + 1);
        }
    }
    row[b.len()]
}
