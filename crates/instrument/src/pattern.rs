//! Which classes the user wants instrumented.

use base::wildcard::matches;

/// The options `include` and `exclude`.
#[derive(Debug, Clone, Default)]
pub struct ClassPatterns {
    include: Vec<String>,
    exclude: Vec<String>,
}

impl ClassPatterns {
    /// Patterns as given on the command line, `;` between several.
    ///
    /// # Errors
    /// One line for a pattern that can match no class.
    pub fn new(include: Option<&str>, exclude: Option<&str>) -> Result<Self, String> {
        let split = |text: Option<&str>| -> Result<Vec<String>, String> {
            text.unwrap_or_default()
                .split(';')
                .filter(|pattern| !pattern.is_empty())
                .map(|pattern| {
                    if pattern.contains(['/', ' ', '(']) {
                        return Err(format!(
                            "'{pattern}' is not a pattern for class names \
                             (write them with dots, * for any characters)"
                        ));
                    }
                    Ok(pattern.replace('.', "/"))
                })
                .collect()
        };
        Ok(Self { include: split(include)?, exclude: split(exclude)? })
    }

    /// True if there is a pattern of classes that are wanted.
    pub fn has_include(&self) -> bool {
        !self.include.is_empty()
    }

    /// True if a class (internal name, with slashes) is to be instrumented.
    pub fn wants(&self, internal_name: &str) -> bool {
        let any = |patterns: &[String]| patterns.iter().any(|p| matches(p, internal_name));
        (self.include.is_empty() || any(&self.include)) && !any(&self.exclude)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn exclude_wins() {
        let patterns = ClassPatterns::new(Some("java.util.*"), Some("*.concurrent.*"))
            .expect("both are patterns");
        assert!(patterns.wants("java/util/HashMap"));
        assert!(!patterns.wants("java/util/concurrent/Future"));
        assert!(!patterns.wants("java/lang/String"));
        assert!(ClassPatterns::new(Some("java/util"), None).is_err());
    }
}
