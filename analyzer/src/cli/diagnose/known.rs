//! Findings that are known already: kinds of waste and methods, so that a list of them
//! outlives other changes.

use analysis::diagnosis::kind::Kind;
use analysis::diagnosis::merge::Finding;
use analysis::diagnosis::program::Program;
use analysis::known_lines::KnownLines;
use profile::verdicts::known::SEPARATOR;
use tree::error::Result;
use tree::names::method::Method;

use super::against::causes;

/// The first line of a file.
const HEADING: &str = "# subsume diagnose: known findings";

/// What a file lists.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Baseline {
    lines: KnownLines,
}

impl Baseline {
    /// What these findings tell.
    pub fn of(program: &Program<'_>, findings: &[&Finding]) -> Self {
        let causes = findings.iter().flat_map(|finding| causes(program, finding));
        Self { lines: causes.map(|(kind, method)| line(kind, method)).collect() }
    }

    /// Reads the text of a file; `name` is that of the file.
    ///
    /// # Errors
    /// If a line is none of a baseline.
    pub fn parse(name: &str, text: &str) -> Result<Self> {
        let is_line = |line: &str| {
            let kind = line.split_once(SEPARATOR).map(|(kind, _)| kind);
            kind.is_some_and(|kind| Kind::ALL.iter().any(|one| one.text() == kind))
        };
        let lines = KnownLines::parse(name, text, is_line, "a kind of waste and a method")?;
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

    /// Whether a finding is known: by its kind and method, or by evidence that says as much.
    pub fn has(&self, program: &Program<'_>, finding: &Finding) -> bool {
        causes(program, finding).any(|(kind, method)| self.lines.has(&line(kind, method)))
    }
}

/// A line, without the types of parameters, which may change.
fn line(kind: Kind, method: &Method) -> String {
    format!("{}{SEPARATOR}{}", kind.text(), method.qualified())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_are_read_as_they_are_written() {
        let method = Method { class: "a.B".into(), name: "c".into(), descriptor: "()V".into() };
        let lines = KnownLines::from_iter([line(Kind::Reread, &method)]);
        let baseline = Baseline { lines };
        assert_eq!(baseline.text(), format!("{HEADING}\nsame data read again | a.B.c\n"));
        let read = Baseline::parse("known", &format!("{}\n\n", baseline.text()));
        assert_eq!((read.unwrap(), baseline.len()), (baseline, 1));
        let error = Baseline::parse("known", "# x\na.B.c | reread\n").unwrap_err().to_string();
        assert!(error.contains("known: line 2 is none of a baseline"), "{error}");
    }
}
