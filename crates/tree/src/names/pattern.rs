//! Patterns for names of classes and threads.

use std::fmt;

use base::wildcard::matches;

/// One or several patterns, `;` between them; `*` stands for any characters.
///
/// The same rules as in the agent's `include` and `exclude`: a pattern must
/// match the whole name, and a star also matches dots.
///
/// ```
/// use subsume_tree::names::pattern::Pattern;
///
/// let pattern = Pattern::new("java.util.*;java.lang.String");
/// assert!(pattern.matches("java.util.HashMap$Node"));
/// assert!(pattern.matches("java.lang.String"));
/// assert!(!pattern.matches("java.lang.StringBuilder"));
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Pattern {
    alternatives: Vec<String>,
}

impl Pattern {
    /// The patterns in `text`. Empty ones are left out, so that a trailing `;`
    /// does no harm.
    pub fn new(text: &str) -> Self {
        let alternatives = text.split(';').filter(|p| !p.is_empty()).map(str::to_owned).collect();
        Self { alternatives }
    }

    /// True if one of the patterns matches the whole of `name`.
    pub fn matches(&self, name: &str) -> bool {
        self.alternatives.iter().any(|p| matches(p, name))
    }
}

impl fmt::Display for Pattern {
    /// As it was given, in quotes.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "'{}'", self.alternatives.join(";"))
    }
}

#[cfg(test)]
mod tests {
    use super::Pattern;

    #[test]
    fn whole_names_with_stars() {
        for (pattern, name, expected) in [
            ("main", "main", true),
            ("main", "main2", false),
            ("", "", false),
            ("Thread-*;main", "Thread-12", true),
            ("Thread-*;main", "main", true),
            ("worker*;", "", false),
        ] {
            assert_eq!(Pattern::new(pattern).matches(name), expected, "{pattern:?} on {name:?}");
        }
    }
}
