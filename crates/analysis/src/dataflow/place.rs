//! Finding the lines that the user means by `Class:line`.

use std::collections::{BTreeMap, BTreeSet};

use profile::dataflow::Place;

use crate::dataflow::name::Naming;
use base::number::counted;
use tree::error::{Error, Result};

/// Names and numbers listed in an error.
const LISTED: usize = 8;

/// The numbers of those `places` that stand at `text`: a class, whole or from
/// some dot or `$` on, a colon and a line. Where the class has nothing at the
/// line, classes nested in it are meant, too: they lie in the same file.
///
/// `what` names what stands there in messages, such as `allocation site`.
///
/// # Errors
/// If `text` has another form, or names no place, or those of several classes.
pub fn find(
    naming: &Naming<'_>,
    places: &[(u32, Place)],
    text: &str,
    what: &str,
) -> Result<Vec<u32>> {
    let parsed = text.rsplit_once(':').and_then(|(class, line)| Some((class, line.parse().ok()?)));
    let Some((wanted, line)) = parsed.filter(|&(class, _): &(&str, u16)| !class.is_empty()) else {
        return Err(Error::new(format!(
            "'{text}' is not a place in code; write a class and a line, such as java.util.HashMap:677"
        )));
    };
    // Lines of each class that the text may mean, with what stands there.
    let lines = |is_meant: &dyn Fn(&str) -> bool| {
        let mut classes: BTreeMap<&str, BTreeMap<u16, Vec<u32>>> = BTreeMap::new();
        for &(number, place) in places {
            let class = naming.class(place);
            if is_meant(class) {
                classes.entry(class).or_default().entry(place.line).or_default().push(number);
            }
        }
        classes
    };
    let mut classes = lines(&|class| answers_to(class, wanted));
    // A whole name goes before the ends of longer ones.
    if let Some(whole) = classes.remove(wanted) {
        classes = BTreeMap::from([(wanted, whole)]);
    }
    let mut at_line = having(&classes, line);
    if at_line.is_empty() {
        at_line = having(&lines(&|class| is_nested_in(class, wanted)), line);
    }
    match at_line.as_mut_slice() {
        [(_, found)] => Ok(std::mem::take(found)),
        [] => Err(nothing(naming, places, wanted, line, what)),
        several => Err(Error::new(format!(
            "'{text}' may mean {}",
            list(several.iter().map(|(class, _)| class))
        ))),
    }
}

/// The classes that have something at a line, and what.
fn having<'n>(
    classes: &BTreeMap<&'n str, BTreeMap<u16, Vec<u32>>>,
    line: u16,
) -> Vec<(&'n str, Vec<u32>)> {
    let at_line = |(&class, lines): (&&'n str, &BTreeMap<u16, Vec<u32>>)| {
        lines.get(&line).map(|found| (class, found.clone()))
    };
    classes.iter().filter_map(at_line).collect()
}

fn is_nested_in(class: &str, wanted: &str) -> bool {
    class.match_indices('$').any(|(at, _)| answers_to(&class[..at], wanted))
}

fn answers_to(class: &str, wanted: &str) -> bool {
    let before = class.strip_suffix(wanted);
    before.is_some_and(|before| before.is_empty() || before.ends_with(['.', '$']))
}

/// Says what there is instead: the nearest lines of the class and of those nested
/// in it, or classes of a similar name.
fn nothing(
    naming: &Naming<'_>,
    places: &[(u32, Place)],
    wanted: &str,
    line: u16,
    what: &str,
) -> Error {
    let start = format!("no {what} at '{wanted}:{line}'");
    let lines: BTreeSet<(u16, &str, u16)> = places
        .iter()
        .map(|&(_, place)| (place.line, naming.class(place)))
        .filter(|&(_, class)| answers_to(class, wanted) || is_nested_in(class, wanted))
        .map(|(other, class)| (other.abs_diff(line), class, other))
        .collect();
    if !lines.is_empty() {
        let lines: Vec<String> =
            lines.iter().map(|(_, class, line)| format!("{class}:{line}")).collect();
        return Error::new(format!("{start}; nearest: {}", list(lines.iter())));
    }
    let simple = wanted.rsplit(['.', '$']).next().unwrap_or(wanted);
    let classes: BTreeSet<&str> = places.iter().map(|&(_, place)| naming.class(place)).collect();
    let near: Vec<&&str> = classes.iter().filter(|class| class.contains(simple)).collect();
    if near.is_empty() {
        return Error::new(start);
    }
    Error::new(format!("{start}; did you mean a line of {}?", list(near.into_iter())))
}

fn list<T: AsRef<str>>(names: impl ExactSizeIterator<Item = T>) -> String {
    let more = names.len().saturating_sub(LISTED);
    let mut shown: Vec<String> = names.take(LISTED).map(|name| name.as_ref().to_owned()).collect();
    if more > 0 {
        shown.push(counted(more as u64, "other"));
    }
    shown.join(", ")
}
