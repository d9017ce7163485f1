//! Finding the method that the user means.

use crate::error::{Error, Result};
use crate::method::Method;
use crate::report::number::counted;
use crate::tree::Tree;

/// Names listed in an error.
const LISTED: usize = 5;

/// Number of the executed method that `text` names: `Class.name`, also with the
/// descriptor or the parameters in words, or the end of one that fits no other
/// method.
///
/// # Errors
/// If no executed method answers to it, with the names that come nearest, or
/// if several do.
pub fn find(tree: &Tree, text: &str) -> Result<u32> {
    let mut executed = vec![false; tree.methods.len()];
    for &method in &tree.method {
        executed[method as usize] = true;
    }
    let methods = || (0u32..).zip(&tree.methods).filter(|&(method, _)| executed[method as usize]);

    let mut found: Vec<(u32, &Method)> = methods().filter(|(_, m)| m.answers_to(text)).collect();
    // A whole name goes before the ends of longer ones.
    if found.iter().any(|(_, m)| is_whole_name(m, text)) {
        found.retain(|(_, m)| is_whole_name(m, text));
    }
    match found.as_slice() {
        [(method, _)] => Ok(*method),
        [] => {
            let mut near: Vec<(usize, &Method)> =
                methods().map(|(_, method)| (difference(method, text), method)).collect();
            near.sort();
            let near: Vec<&Method> = near.into_iter().take(LISTED).map(|(_, m)| m).collect();
            Err(Error::new(match near.as_slice() {
                [] => format!("no method '{text}': the profile has no calling context"),
                near => format!("no method '{text}' was executed; did you mean {}?", list(near)),
            }))
        }
        several => {
            let several: Vec<&Method> = several.iter().map(|&(_, method)| method).collect();
            Err(Error::new(format!("'{text}' may mean {}", list(&several))))
        }
    }
}

fn is_whole_name(method: &Method, text: &str) -> bool {
    text.strip_prefix(method.qualified().as_str())
        .is_some_and(|signature| method.has_signature(signature))
}

/// The first names of a list, with the number of those left out.
fn list(methods: &[&Method]) -> String {
    let mut names: Vec<String> = methods.iter().take(LISTED).map(|m| m.to_string()).collect();
    if methods.len() > LISTED {
        names.push(counted((methods.len() - LISTED) as u64, "other"));
    }
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
