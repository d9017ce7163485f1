//! Finding the lines that the user means by `Class:line`.

use std::collections::{BTreeMap, BTreeSet};

use profile::flow::Place;

use crate::error::{Error, Result};
use crate::flow::name::Naming;
use crate::report::number::counted;

/// Names and numbers listed in an error.
const LISTED: usize = 8;

/// The numbers of those `places` that stand at `text`: a class, whole or from
/// some dot or `$` on, a colon and a line.
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
            "'{text}' is no place in code; write a class and a line, such as java.util.HashMap:677"
        )));
    };
    // Lines of each class that the text may mean, with what stands there.
    let mut classes: BTreeMap<&str, BTreeMap<u16, Vec<u32>>> = BTreeMap::new();
    for &(number, place) in places {
        let class = naming.class(place);
        if answers_to(class, wanted) {
            classes.entry(class).or_default().entry(place.line).or_default().push(number);
        }
    }
    // A whole name goes before the ends of longer ones.
    if let Some(whole) = classes.remove(wanted) {
        classes = BTreeMap::from([(wanted, whole)]);
    }
    let at_line: Vec<&str> =
        classes.iter().filter(|(_, lines)| lines.contains_key(&line)).map(|(&c, _)| c).collect();
    match at_line.as_slice() {
        [class] => Ok(classes[class][&line].clone()),
        [] => Err(nothing(naming, places, &classes, text, what)),
        several => Err(Error::new(format!("'{text}' may mean {}", list(several.iter())))),
    }
}

fn answers_to(class: &str, wanted: &str) -> bool {
    let before = class.strip_suffix(wanted);
    before.is_some_and(|before| before.is_empty() || before.ends_with(['.', '$']))
}

/// Says what there is instead.
fn nothing(
    naming: &Naming<'_>,
    places: &[(u32, Place)],
    classes: &BTreeMap<&str, BTreeMap<u16, Vec<u32>>>,
    text: &str,
    what: &str,
) -> Error {
    let Some((class, lines)) = classes.iter().next() else {
        let all: BTreeSet<&str> = places.iter().map(|&(_, place)| naming.class(place)).collect();
        let wanted = text.rsplit_once(':').map_or(text, |(class, _)| class);
        let simple = wanted.rsplit(['.', '$']).next().unwrap_or(wanted);
        let near: Vec<&&str> = all.iter().filter(|class| class.contains(simple)).collect();
        let hint = if near.is_empty() {
            String::new()
        } else {
            format!("; did you mean a line of {}?", list(near.into_iter()))
        };
        return Error::new(format!("no {what} at '{text}'{hint}"));
    };
    let lines: Vec<String> = lines.keys().map(|line| line.to_string()).collect();
    Error::new(format!("no {what} at '{text}'; {class} has them at lines {}", list(lines.iter())))
}

fn list<T: AsRef<str>>(names: impl ExactSizeIterator<Item = T>) -> String {
    let more = names.len().saturating_sub(LISTED);
    let mut shown: Vec<String> = names.take(LISTED).map(|name| name.as_ref().to_owned()).collect();
    if more > 0 {
        shown.push(counted(more as u64, "other"));
    }
    shown.join(", ")
}
