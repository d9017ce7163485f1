//! Whether two runs of a program came out the same, and where they do not.

use crate::Run;

/// Characters that are shown on either side of a difference.
const AROUND: usize = 120;

impl Run {
    /// Demands that this run, with the agent, is the same as the one without it.
    ///
    /// # Panics
    /// Otherwise, with the first difference and what stands around it: whole outputs are
    /// too long to read.
    pub fn assert_same_as(&self, plain: &Self, what: impl std::fmt::Display) {
        if self == plain {
            return;
        }
        let mut said = String::new();
        if self.status != plain.status {
            said += &format!("\nexit status {:?} instead of {:?}", self.status, plain.status);
        }
        for (name, with, without) in [
            ("standard output", &self.stdout, &plain.stdout),
            ("standard error", &self.stderr, &plain.stderr),
        ] {
            if let Some((with, without)) = difference(with, without) {
                said += &format!("\n{name} has\n  {with:?}\ninstead of\n  {without:?}");
            }
        }
        panic!("{what}: the agent makes a difference{said}");
    }
}

/// What stands around the first difference in each of two texts, if they differ.
fn difference(one: &str, other: &str) -> Option<(String, String)> {
    if one == other {
        return None;
    }
    let same = one.chars().zip(other.chars()).take_while(|(a, b)| a == b).count();
    let around =
        |text: &str| text.chars().skip(same.saturating_sub(AROUND)).take(2 * AROUND).collect();
    Some((around(one), around(other)))
}

#[cfg(test)]
mod tests {
    use super::difference;

    #[test]
    fn first_differences() {
        assert_eq!(difference("grüße", "grüße"), None);
        let texts = |one: &str, other: &str| Some((one.to_owned(), other.to_owned()));
        assert_eq!(difference("grüße", "grüne"), texts("grüße", "grüne"));
        assert_eq!(difference("", "a"), texts("", "a"));
    }
}
