//! Which classes the user wants instrumented.

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
                            "'{pattern}' is no pattern for class names \
                             (write them with dots, * for any characters)"
                        ));
                    }
                    Ok(pattern.replace('.', "/"))
                })
                .collect()
        };
        Ok(Self { include: split(include)?, exclude: split(exclude)? })
    }

    /// True if a class (internal name, with slashes) is to be instrumented.
    pub fn wants(&self, internal_name: &str) -> bool {
        let any = |patterns: &[String]| {
            patterns.iter().any(|p| matches(p.as_bytes(), internal_name.as_bytes()))
        };
        (self.include.is_empty() || any(&self.include)) && !any(&self.exclude)
    }
}

/// Whole-name match in which `*` stands for any characters, dots included.
fn matches(pattern: &[u8], name: &[u8]) -> bool {
    // Greedy with one point of return: a later star makes earlier ones final.
    let (mut p, mut n) = (0, 0);
    let mut retry = None;
    loop {
        match (pattern.get(p), name.get(n)) {
            (Some(b'*'), _) => {
                retry = Some((p, n));
                p += 1;
            }
            (Some(a), Some(b)) if a == b => {
                p += 1;
                n += 1;
            }
            (None, None) => return true,
            _ => match retry {
                Some((star, from)) if from < name.len() => {
                    retry = Some((star, from + 1));
                    p = star + 1;
                    n = from + 1;
                }
                _ => return false,
            },
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stars() {
        for (pattern, name, expected) in [
            ("a/b", "a/b", true),
            ("a/b", "a/bc", false),
            ("a/*", "a/b/c", true),
            ("*/c", "a/b/c", true),
            ("*b*", "abc", true),
            ("*ab*b", "aabab", true),
            ("*", "", true),
            ("a*", "b", false),
        ] {
            assert_eq!(matches(pattern.as_bytes(), name.as_bytes()), expected, "{pattern} {name}");
        }
    }

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
