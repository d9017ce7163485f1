//! Plain English: pages, comments and messages leave out words for which the field has better ones.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use super::pages;
use super::prose::{Lines, java_comments, line_comments, literals, script_comments};

/// Words that are not written, each with a better one.
const WORDS: [(&str, &str); 7] = [
    ("second compiler", "C2"),
    ("dearer", "more expensive"),
    ("is no ", "is not a"),
    ("told of", "reported"),
    ("whoever", "name the person, or \"you\""),
    ("anew", "again"),
    ("likewise", "say what holds, or leave it out"),
];

/// What stands in front of the words in a line of a comment.
const MARKS: [char; 5] = ['/', '!', '*', '#', ' '];

/// Whether a word at a place of a line is the one of the list: "there is no room" and "it is
/// no longer there" are English, and the word may be part of another one.
fn is_meant(line: &str, at: usize, word: &str) -> bool {
    let (before, after) = (&line[..at], &line[at + word.len()..]);
    let is_part = before.ends_with(char::is_alphanumeric)
        || word.ends_with(char::is_alphanumeric) && after.starts_with(char::is_alphanumeric);
    let is_english = word == "is no "
        && (before.ends_with("there ") || ["longer", "more"].iter().any(|w| after.starts_with(w)));
    !is_part && !is_english
}

/// The words that a text should leave out, each with its line. Two words may stand in two lines.
fn found(lines: &[(usize, String)]) -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    for (at, (number, line)) in lines.iter().enumerate() {
        let line = line.trim_end().to_lowercase();
        let next = lines.get(at + 1).filter(|(next, _)| *next == number + 1);
        let next = next.map_or("", |(_, next)| next.trim_start_matches(MARKS));
        let text = format!("{line} {}", next.to_lowercase());
        for (word, better) in WORDS {
            let mut places = text.match_indices(word).map(|(at, _)| at);
            if places.any(|at| at < line.len() && is_meant(&text, at, word)) {
                found.insert(format!("line {}: \"{}\" ({better})", number + 1, word.trim_end()));
            }
        }
    }
    found
}

/// The files in folders whose names end in one of these ways, with what `read` finds in each.
fn texts(folders: &[&str], endings: &[&str], read: fn(&str) -> Lines) -> BTreeMap<PathBuf, Lines> {
    let mut sources = BTreeMap::new();
    for folder in folders {
        for ending in endings {
            pages::collect(&pages::repository(), Path::new(folder), ending, &mut sources);
        }
    }
    sources.into_iter().map(|(path, text)| (path, read(&text))).collect()
}

/// All that is read of this repository, but this file.
fn all() -> Vec<(PathBuf, Lines)> {
    let pages = texts(&[""], &["md"], |text| text.lines().map(str::to_owned).enumerate().collect());
    let comments = texts(&["agent", "analyzer", "crates", "fuzz", "tests"], &["rs"], line_comments);
    let mut messages = texts(&["agent", "analyzer", "crates"], &["rs"], |text| {
        literals(text).expect("a source is Rust")
    });
    messages.retain(|path, _| path.iter().any(|folder| folder == "src"));
    let java = ["crates", "java-shim", "integrations", "tests", "bench"];
    let java = texts(&java, &["java", "js"], java_comments);
    let scripts = texts(&["scripts", "bench", "packaging"], &["", "sh", "py"], script_comments);
    let all = [pages, comments, messages, java, scripts].into_iter().flatten();
    all.filter(|(path, _)| path != Path::new("tests/architecture/tests/words.rs")).collect()
}

#[test]
fn all_that_is_read_is_plain_english() {
    let unclean = all().into_iter().filter_map(|(path, lines)| {
        let found = found(&lines).into_iter().collect::<Vec<_>>().join("; ");
        (!found.is_empty()).then(|| format!("{}, {found}", path.display()))
    });
    let unclean: Vec<String> = unclean.collect();
    assert!(unclean.is_empty(), "say it in plain English:\n{}", unclean.join("\n"));
}

#[test]
fn every_kind_of_text_is_looked_at() {
    let all = all();
    let lines = |ending: &str| -> usize {
        let of_kind = all.iter().filter(|(path, _)| path.to_string_lossy().ends_with(ending));
        of_kind.map(|(_, lines)| lines.len()).sum()
    };
    for (ending, least) in
        [("md", 1000), ("rs", 10_000), ("java", 1000), ("js", 100), ("scripts/test", 3)]
    {
        assert!(lines(ending) > least, "{ending}: {} lines", lines(ending));
    }
}

#[test]
fn words_are_found_where_they_are_meant() {
    let text = "\
Whoever asks is told of it.
A set is no list. There is no room, and it is no longer there.
Manewal costs dearer pages, likewise. It is no
list, it is no
longer there, and it is told
of.
";
    let expected = [
        "line 1: \"told of\"",
        "line 1: \"whoever\"",
        "line 2: \"is no\"",
        "line 3: \"dearer\"",
        "line 3: \"is no\"",
        "line 3: \"likewise\"",
        "line 5: \"told of\"",
    ];
    let found = found(&text.lines().map(str::to_owned).enumerate().collect::<Lines>());
    let found: Vec<&str> = found.iter().filter_map(|line| Some(line.split_once(" (")?.0)).collect();
    assert_eq!(found, expected);
}
