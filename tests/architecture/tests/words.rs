//! Plain English: pages and comments leave out words that stand where the field has better ones.
//!
//! `words-exceptions.txt` lists the files that were not clean when the rule came. A file
//! may leave the list and none may enter it; `BLESS=1` takes out those that are clean.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

use super::pages;

/// What is not written, with what is written instead.
const WORDS: [(&str, &str); 7] = [
    ("second compiler", "C2"),
    ("dearer", "more expensive"),
    ("is no ", "is not a"),
    ("told of", "reported"),
    ("whoever", "name the person, or \"you\""),
    ("anew", "again"),
    ("likewise", "say what holds, or leave it out"),
];

/// Whether a word at a place of a line is what is meant: "there is no room" and "it is no
/// longer there" are English, and "anew" may be part of another word.
fn is_meant(line: &str, at: usize, word: &str) -> bool {
    let (before, after) = (&line[..at], &line[at + word.len()..]);
    let is_part = before.ends_with(char::is_alphanumeric)
        || word.ends_with(char::is_alphanumeric) && after.starts_with(char::is_alphanumeric);
    let is_english = word == "is no "
        && (before.ends_with("there ") || ["longer", "more"].iter().any(|w| after.starts_with(w)));
    !is_part && !is_english
}

/// The words that a text should leave out, each with its line.
fn found<'t>(lines: impl Iterator<Item = (usize, &'t str)>) -> Vec<String> {
    let mut found = Vec::new();
    for (number, line) in lines {
        let line = line.to_lowercase();
        for (word, better) in WORDS {
            let is_there = line.match_indices(word).any(|(at, _)| is_meant(&line, at, word));
            if is_there {
                found.push(format!("line {}: \"{}\" ({better})", number + 1, word.trim_end()));
            }
        }
    }
    found
}

/// The comments of a source, each with its line.
fn comments(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let lines = text.lines().enumerate();
    lines.filter_map(|(number, line)| Some((number, line.split_once("//")?.1)))
}

/// The files with such words, each with what was found in it.
fn unclean() -> BTreeMap<PathBuf, Vec<String>> {
    let this = Path::new("tests/architecture/tests/words.rs");
    let pages = pages::all();
    let pages = pages.iter().map(|(path, text)| (path.clone(), found(text.lines().enumerate())));
    let mut sources = BTreeMap::new();
    for folder in ["agent", "analyzer", "crates", "fuzz", "tests"] {
        pages::collect(&pages::repository(), Path::new(folder), "rs", &mut sources);
    }
    let sources = sources.iter().map(|(path, text)| (path.clone(), found(comments(text))));
    let all = pages.chain(sources).filter(|(path, found)| !found.is_empty() && path != this);
    all.collect()
}

#[test]
fn files_that_are_clean_stay_so() {
    let list = pages::repository().join("tests/architecture/words-exceptions.txt");
    let text = fs::read_to_string(&list).expect("the list is part of the repository");
    let exceptions: BTreeSet<&str> = text.lines().filter(|line| !line.starts_with('#')).collect();
    let unclean = unclean();
    let is_known = |path: &Path| path.to_str().is_some_and(|path| exceptions.contains(path));
    let new: Vec<String> = unclean
        .iter()
        .filter(|(path, _)| !is_known(path))
        .map(|(path, found)| format!("{}, {}", path.display(), found.join("; ")))
        .collect();
    assert!(new.is_empty(), "say it in plain English:\n{}", new.join("\n"));
    if std::env::var_os("BLESS").is_some() {
        let stays = |line: &&str| line.starts_with('#') || unclean.contains_key(Path::new(line));
        let kept: Vec<&str> = text.lines().filter(stays).collect();
        fs::write(&list, kept.join("\n") + "\n").expect("the list can be written");
    }
}

#[test]
fn words_are_found_where_they_are_meant() {
    let text = "\
Whoever asks is told of it.
A set is no list. There is no room, and it is no longer there.
Manewal costs dearer pages, likewise.
";
    let expected = [
        "line 1: \"told of\"",
        "line 1: \"whoever\"",
        "line 2: \"is no\"",
        "line 3: \"dearer\"",
        "line 3: \"likewise\"",
    ];
    let found = found(text.lines().enumerate());
    let found: Vec<&str> = found.iter().filter_map(|line| Some(line.split_once(" (")?.0)).collect();
    assert_eq!(found, expected);
    assert_eq!(comments("a(); // likewise\nlikewise();\n").count(), 1);
}
