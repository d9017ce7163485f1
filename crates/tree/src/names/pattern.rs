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
    /// Whether one without a star may also be the end of a name.
    takes_ends: bool,
}

impl Pattern {
    /// The patterns in `text`. Empty ones are left out, so that a trailing `;`
    /// does no harm.
    pub fn new(text: &str) -> Self {
        let alternatives = text.split(';').filter(|p| !p.is_empty()).map(str::to_owned).collect();
        Self { alternatives, takes_ends: false }
    }

    /// Patterns of methods or classes, of which one without a star may leave out the package,
    /// or the class: `Parser.next` matches `org.example.Parser.next`.
    ///
    /// ```
    /// # use subsume_tree::names::pattern::Pattern;
    /// let pattern = Pattern::of_names("Parser.next");
    /// assert!(pattern.matches("org.example.Parser.next"));
    /// assert!(!pattern.matches("org.example.XmlParser.next"));
    /// ```
    pub fn of_names(text: &str) -> Self {
        Self { takes_ends: true, ..Self::new(text) }
    }

    /// True if one of the patterns matches the whole of `name`, or its end where that is enough.
    pub fn matches(&self, name: &str) -> bool {
        let is_end = |p: &str| {
            let before = name.strip_suffix(p);
            !p.contains('*') && before.is_some_and(|before| before.ends_with(['.', '$']))
        };
        self.alternatives.iter().any(|p| matches(p, name) || self.takes_ends && is_end(p))
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

    #[test]
    fn ends_of_names() {
        for (pattern, name, expected) in [
            ("next", "org.Parser.next", true),
            ("Parser.next", "org.Parser.next", true),
            ("Inner.next", "org.Parser$Inner.next", true),
            ("org.Parser.next", "org.Parser.next", true),
            ("ext", "org.Parser.next", false),
            ("Parser", "org.Parser.next", false),
            ("P*.next", "org.Parser.next", false),
            ("*P*.next", "org.Parser.next", true),
            ("none;next", "org.Parser.next", true),
        ] {
            assert_eq!(Pattern::of_names(pattern).matches(name), expected, "{pattern}");
        }
        assert!(!Pattern::new("next").matches("org.Parser.next"));
    }
}
