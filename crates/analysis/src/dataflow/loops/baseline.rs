//! What is known already: static loops and the instructions that read similar values in
//! them, without line numbers, so that a list of them outlives other changes.

use profile::dataflow::SimilarRead;
use profile::verdicts::known::SEPARATOR;

use super::clusters::Cluster;
use super::explanation::known_line;
use crate::known_lines::KnownLines;
use tree::error::Result;
use tree::names::method::Method;

/// The first line of a file.
const HEADING: &str = "# subsume loops: known loops, and what reads similar values in each";

/// Lines of a baseline.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Baseline {
    lines: KnownLines,
}

impl Baseline {
    /// What these clusters have.
    pub fn of(clusters: &[Cluster], methods: &[Method]) -> Self {
        let lines = clusters.iter().flat_map(|cluster| {
            cluster.similar.iter().map(|read| known_line(&cluster.place, read, methods))
        });
        Self { lines: lines.collect() }
    }

    /// Reads the text of a file; `name` is that of the file.
    ///
    /// # Errors
    /// If a line is none of a baseline.
    pub fn parse(name: &str, text: &str) -> Result<Self> {
        let is_line = |line: &str| line.split(SEPARATOR).count() == 3;
        let lines = KnownLines::parse(name, text, is_line, "a loop, a way and what is read")?;
        Ok(Self { lines })
    }

    /// The text of a file.
    pub fn text(&self) -> String {
        self.lines.text(HEADING)
    }

    /// How many lines there are.
    pub fn len(&self) -> usize {
        self.lines.len()
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.lines.is_empty()
    }

    /// Leaves of a cluster what is new; `None` if nothing is.
    pub fn new_in(&self, cluster: &Cluster, methods: &[Method]) -> Option<Cluster> {
        let is_new =
            |read: &&SimilarRead| !self.lines.has(&known_line(&cluster.place, read, methods));
        let similar: Vec<SimilarRead> = cluster.similar.iter().filter(is_new).cloned().collect();
        (!similar.is_empty()).then(|| Cluster { similar, ..cluster.clone() })
    }
}

#[cfg(test)]
mod tests {
    use profile::MethodId;
    use profile::dataflow::Place;

    use super::*;

    fn place(method: u32, line: u16) -> Place {
        Place { method: Some(MethodId(method)), bci: line, line }
    }

    fn clusters(line: u16) -> Vec<Cluster> {
        let read = |path: &[u32], read_in, what: &str| SimilarRead {
            path: path.iter().map(|&method| place(method, line)).collect(),
            place: place(read_in, line),
            what: what.into(),
            ..SimilarRead::default()
        };
        let similar = vec![read(&[0, 1], 2, "a.B.f"), read(&[], 0, "elements of int[]")];
        vec![Cluster { place: place(0, line), similar, ..Cluster::default() }]
    }

    fn methods() -> Vec<Method> {
        let method = |name: &str| Method {
            class: "a.B".into(),
            name: name.into(),
            descriptor: "()V".into(),
        };
        ["outer", "middle", "inner"].map(method).into()
    }

    #[test]
    fn line_numbers_do_not_matter() {
        let baseline = Baseline::of(&clusters(3), &methods());
        let text = baseline.text();
        let lines: Vec<&str> = text.lines().skip(1).collect();
        assert_eq!(
            lines,
            [
                "a.B.outer()V | a.B.middle()V > a.B.inner()V | a.B.f",
                "a.B.outer()V | itself | elements of int[]"
            ]
        );
        let read = Baseline::parse("known", &text).expect("it is one");
        assert_eq!(read, baseline);
        assert_eq!(read.new_in(&clusters(100)[0], &methods()), None);
    }

    #[test]
    fn what_is_not_listed_is_new() {
        let listed = Baseline::parse("known", "# a\n\na.B.outer()V | itself | elements of int[]\n");
        let found = listed.expect("is one").new_in(&clusters(3)[0], &methods()).expect("is new");
        assert_eq!(found.similar.len(), 1);
        assert_eq!(found.similar[0].what, "a.B.f");
        let error = Baseline::parse("known", "what\n").expect_err("is none").to_string();
        assert!(error.starts_with("known: line 1 is none"), "{error}");
    }
}
