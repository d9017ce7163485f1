//! Findings that are known already: kinds of waste and methods, so that a list of them
//! outlives other changes.

use std::collections::BTreeSet;

use analysis::diagnosis::kind::Kind;
use analysis::diagnosis::merge::Finding;
use analysis::diagnosis::program::Program;
use tree::error::{Error, Result};
use tree::names::method::Method;

use super::against::causes;

/// The first line of a file.
const HEADING: &str = "# subsume diagnose: known findings";
/// Stands between the two parts of a line.
const SEPARATOR: &str = " | ";

/// What a file lists.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Baseline {
    lines: BTreeSet<String>,
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
        let mut lines = BTreeSet::new();
        for (number, line) in (1..).zip(text.lines()) {
            let line = line.trim();
            if line.is_empty() || line.starts_with('#') {
                continue;
            }
            let kind = line.split_once(SEPARATOR).map(|(kind, _)| kind);
            if !kind.is_some_and(|kind| Kind::ALL.iter().any(|one| one.text() == kind)) {
                return Err(Error::new(format!(
                    "{name}: line {number} is none of a baseline, which has a kind of waste and a \
                     method"
                )));
            }
            lines.insert(line.to_owned());
        }
        Ok(Self { lines })
    }

    /// The text of a file.
    pub fn text(&self) -> String {
        let lines = self.lines.iter().map(|line| format!("{line}\n"));
        format!("{HEADING}\n{}", lines.collect::<String>())
    }

    /// How many lines there are.
    pub fn len(&self) -> usize {
        self.lines.len()
    }

    /// Whether a finding is known: by its kind and method, or by evidence that says as much.
    pub fn has(&self, program: &Program<'_>, finding: &Finding) -> bool {
        causes(program, finding).any(|(kind, method)| self.lines.contains(&line(kind, method)))
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
        let lines = BTreeSet::from([line(Kind::Reread, &method)]);
        let baseline = Baseline { lines };
        assert_eq!(baseline.text(), format!("{HEADING}\nsame data read again | a.B.c\n"));
        let read = Baseline::parse("known", &format!("{}\n\n", baseline.text()));
        assert_eq!((read.unwrap(), baseline.len()), (baseline, 1));
        let error = Baseline::parse("known", "# x\na.B.c | reread\n").unwrap_err().to_string();
        assert!(error.contains("known: line 2 is none of a baseline"), "{error}");
    }
}
