//! Runs by versions, in the order of these.

use std::cmp::Ordering;
use std::collections::BTreeMap;

use crate::run::Run;

/// The runs of a version.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Version {
    /// The value of the label that versions are told apart by.
    pub name: String,
    /// Its runs, by their start.
    pub runs: Vec<Run>,
}

/// The order of versions.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Order {
    /// By the numbers in their names.
    Names,
    /// By the start of their first runs.
    Dates,
}

impl Version {
    /// The start of the first run in milliseconds since 1970; 0 if unknown.
    pub fn start_millis(&self) -> i64 {
        self.runs.iter().map(|run| run.start_millis).filter(|&start| start > 0).min().unwrap_or(0)
    }
}

/// The versions by label `by`, in their order; without one, in that of names if all begin
/// with numbers, as commits do not. Beside them the runs that have no such label.
pub fn versions(runs: Vec<Run>, by: &str, order: Option<Order>) -> (Vec<Version>, Vec<Run>) {
    let (mut by_name, mut without) = (BTreeMap::<String, Vec<Run>>::new(), Vec::new());
    for run in runs {
        match run.label(by).filter(|name| !name.is_empty()).map(str::to_owned) {
            Some(name) => by_name.entry(name).or_default().push(run),
            None => without.push(run),
        }
    }
    let mut versions: Vec<Version> =
        by_name.into_iter().map(|(name, runs)| Version { name, runs }).collect();
    let order = order.unwrap_or_else(|| {
        let are_numbers = versions.iter().all(|version| is_number(&version.name));
        if are_numbers { Order::Names } else { Order::Dates }
    });
    match order {
        Order::Names => versions.sort_by(|one, other| natural(&one.name, &other.name)),
        Order::Dates => versions.sort_by(|one, other| {
            let starts = one.start_millis().cmp(&other.start_millis());
            starts.then_with(|| natural(&one.name, &other.name))
        }),
    }
    (versions, without)
}

/// Whether this is a number of a version, such as `1.2-rc1`, `v3` or `2026-01-31`. A
/// commit's hash has longer words of digits and letters.
fn is_number(name: &str) -> bool {
    let first = number_of(name).split(['.', '-', '_', '+', ' ']).next().unwrap_or_default();
    !first.is_empty() && first.chars().all(|c| c.is_ascii_digit())
}

/// A version without the letter that some put before its number.
fn number_of(name: &str) -> &str {
    let rest = name.strip_prefix(['v', 'V', 'r']);
    rest.filter(|rest| rest.starts_with(|c: char| c.is_ascii_digit())).unwrap_or(name)
}

/// What versions before a release are called.
const BEFORE_RELEASE: [&str; 9] =
    ["alpha", "beta", "cr", "dev", "m", "milestone", "pre", "rc", "snapshot"];

/// Compares names by the numbers in them: 1.9 before 1.10, and 2.0-rc1 before 2.0.
fn natural(one: &str, other: &str) -> Ordering {
    let (mut left, mut right) = (words(number_of(one)), words(number_of(other)));
    loop {
        let order = match (left.next(), right.next()) {
            (None, None) => return one.cmp(other),
            (Some(word), None) => end(word),
            (None, Some(word)) => end(word).reverse(),
            (Some(left), Some(right)) => compare(left, right),
        };
        if order != Ordering::Equal {
            return order;
        }
    }
}

/// A name with one more word, compared with that without.
fn end(word: &str) -> Ordering {
    let word = word.to_ascii_lowercase();
    if BEFORE_RELEASE.contains(&&*word) { Ordering::Less } else { Ordering::Greater }
}

/// Compares words or numbers; a number comes behind a word, as 1.0.1 behind 1.0-rc.
fn compare(one: &str, other: &str) -> Ordering {
    let number = |word: &str| word.starts_with(|c: char| c.is_ascii_digit());
    match (number(one), number(other)) {
        (true, true) => {
            let [one, other] = [one, other].map(|digits| digits.trim_start_matches('0'));
            one.len().cmp(&other.len()).then_with(|| one.cmp(other))
        }
        (false, false) => one.cmp(other),
        (one, other) => one.cmp(&other),
    }
}

/// The numbers and the words between them; what separates them says nothing.
fn words(name: &str) -> impl Iterator<Item = &str> {
    name.split(|c: char| !c.is_alphanumeric()).flat_map(parts).filter(|part| !part.is_empty())
}

/// A word, where digits and letters part.
fn parts(word: &str) -> impl Iterator<Item = &str> {
    let mut rest = word;
    std::iter::from_fn(move || {
        let is_digit = rest.chars().next()?.is_ascii_digit();
        let end = rest.find(|c: char| c.is_ascii_digit() != is_digit).unwrap_or(rest.len());
        let (part, behind) = rest.split_at(end);
        rest = behind;
        Some(part)
    })
}

#[cfg(test)]
mod tests {
    use super::{Order, versions};
    use crate::run::Run;

    fn runs(names: &[&str]) -> Vec<Run> {
        let run = |(at, name): (usize, &&str)| {
            let labels = [("version".to_owned(), (*name).to_owned())].into();
            Run { id: at.to_string(), start_millis: 1 + at as i64, labels, ..Run::default() }
        };
        names.iter().enumerate().map(run).collect()
    }

    fn order(names: &[&str], order: Option<Order>) -> Vec<String> {
        let (versions, _) = versions(runs(names), "version", order);
        versions.into_iter().map(|version| version.name).collect()
    }

    #[test]
    fn names_are_ordered_by_their_numbers() {
        let names = ["1.10", "1.9", "1.10.1", "2.0", "2.0-rc2", "1.9-sp1", "2.0-rc10", "2.0-M1"];
        let ordered = ["1.9", "1.9-sp1", "1.10", "1.10.1", "2.0-M1", "2.0-rc2", "2.0-rc10", "2.0"];
        assert_eq!(order(&names, None), ordered);
        assert_eq!(order(&["v10", "v9", "v9"], None), ["v9", "v10"]);
        assert_eq!(order(&["1.10", "v3", "1.9"], None), ["1.9", "1.10", "v3"]);
        assert_eq!(order(&["2026-02-01", "2025-12-31"], None), ["2025-12-31", "2026-02-01"]);
    }

    #[test]
    fn others_are_ordered_by_their_first_runs() {
        let commits = ["9b1cf00", "4f2a310", "9b1cf00", "00aa000"];
        assert_eq!(order(&commits, None), ["9b1cf00", "4f2a310", "00aa000"]);
        assert_eq!(order(&["2", "1"], Some(Order::Dates)), ["2", "1"]);
        assert_eq!(order(&["b", "a"], Some(Order::Names)), ["a", "b"]);
    }

    #[test]
    fn runs_without_the_label_are_told_of() {
        let mut all = runs(&["1", "1", "2"]);
        all.push(Run { id: "none".into(), ..Run::default() });
        let (versions, without) = versions(all, "version", None);
        assert_eq!(versions.iter().map(|v| v.runs.len()).collect::<Vec<_>>(), [2, 1]);
        assert_eq!(without.len(), 1);
    }
}
