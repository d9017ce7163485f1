//! The text of a loop for who runs tests. Each line has a key, a colon and a value:
//!
//! | Key | Value |
//! |---|---|
//! | `verdict` | `redundant` or `similar` |
//! | `wasted` | values read in vain |
//! | `loop` | class, method, source file and line of its header, with tabs in between; the file may be empty and the line 0 |
//! | `caller` | the same four of a call that led to it; one for each, the innermost first |
//! | `summary` | how much is read again |
//! | `known` | how a baseline names a way in which it reads; one for each, that with most waste first |
//! | `sentence` | what is read again that way |
//! | `hint` | what helps |
//!
//! A `sentence` and a `hint` follow each `known`.

use std::fmt::Write;

use super::Names;
use super::clusters::Cluster;
use super::explanation::{hint, sentence, summary};
use super::known;
use crate::dataflow::Place;

/// Most calls that are listed.
const MOST_CALLERS: usize = 64;

/// The text of a loop.
pub fn text(cluster: &Cluster, names: Names<'_>, source_file: &dyn Fn(&Place) -> String) -> String {
    let mut text = String::new();
    let mut add = |key: &str, value: &str| {
        // Nothing fails that writes to a string.
        let _ = writeln!(text, "{key}: {}", escaped(value));
    };
    add("verdict", cluster.verdict().word());
    add("wasted", &cluster.wasted.to_string());
    add("loop", &frame(&cluster.place, names, source_file));
    if let Some((path, _)) = cluster.paths.first() {
        for call in path.iter().rev().take(MOST_CALLERS) {
            add("caller", &frame(call, names, source_file));
        }
    }
    add("summary", &summary(cluster));
    for read in &cluster.similar {
        add("known", &known::line(&cluster.place, read, names));
        add("sentence", &sentence(cluster, read, &position(&read.place, names)));
        add("hint", hint(cluster, read, names).text());
    }
    text
}

fn frame(place: &Place, names: Names<'_>, source_file: &dyn Fn(&Place) -> String) -> String {
    let (class, name) = names(place).map_or(("", "?"), |name| (name.class, name.name));
    format!("{class}\t{name}\t{}\t{}", source_file(place), place.line)
}

/// `class.method:line` as the command has it.
fn position(place: &Place, names: Names<'_>) -> String {
    let name = names(place).map(|name| name.to_string()).unwrap_or_default();
    match place.line {
        0 => format!("{name}@{}", place.bci),
        line => format!("{name}:{line}"),
    }
}

/// Without what would end the line.
fn escaped(value: &str) -> String {
    let mut escaped = String::with_capacity(value.len());
    for c in value.chars() {
        match c {
            '\t' => escaped.push(c),
            c if c.is_control() => escaped.extend(c.escape_default()),
            c => escaped.push(c),
        }
    }
    escaped
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dataflow::{SimilarLoop, SimilarRead};
    use crate::verdicts::clusters::cluster;
    use crate::{MethodId, QualifiedName};

    #[test]
    fn a_loop_is_told_in_lines() {
        let place = |method, line| Place { method: Some(MethodId(method)), bci: 7, line };
        let read = SimilarRead {
            place: place(1, 9),
            path: vec![place(0, 4)],
            what: "elements of Object[]".into(),
            reported: 1,
            same_places: 1,
            sequences: 30,
            similar: 29,
            reads: 900,
            wasted: 870,
            ratios: 29_000,
            ..SimilarRead::default()
        };
        let found = SimilarLoop {
            place: place(0, 3),
            path: vec![place(3, 70), place(2, 0)],
            judged: 1,
            reported: 1,
            iterations: 31,
            reads: 1800,
            repeated: 1800,
            wasted: 870,
            similar: vec![read],
            ..SimilarLoop::default()
        };
        let names = |place: &Place| {
            let (class, name) = [
                ("a.Till", "open"),
                ("java.util.ArrayList", "indexOf"),
                ("a.Test", "odd\nname"),
                ("a.Test", "run"),
            ][place.method?.0 as usize];
            Some(QualifiedName { class, name, descriptor: "()V" })
        };
        let file = |place: &Place| match place.method {
            Some(MethodId(2)) => String::new(),
            _ => "File.java".to_owned(),
        };
        let text = text(&cluster(&[found])[0], &names, &file);
        let lines: Vec<&str> = text.lines().collect();
        assert_eq!(
            lines,
            [
                "verdict: redundant",
                "wasted: 870",
                "loop: a.Till\topen\tFile.java\t3",
                "caller: a.Test\todd\\nname\t\t0",
                "caller: a.Test\trun\tFile.java\t70",
                "summary: redundant: 100 % of what it reads is read again, same places",
                "known: a.Till.open()V | java.util.ArrayList.indexOf()V | elements of Object[]",
                "sentence: in 29 of 31 iterations, java.util.ArrayList.indexOf:9 reads the same \
                 30 values of elements of Object[]",
                "hint: each iteration searches the same elements one after the other: look them \
                 up in a set or map instead, made before the loop",
            ]
        );
    }
}
