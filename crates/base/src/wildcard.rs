//! Patterns for names of classes and threads, the same in the agent's options
//! and in the command's.

/// True if the whole of `name` is what `pattern` stands for: `*` in it stands for
/// any characters, dots included.
///
/// ```
/// use subsume_base::wildcard::matches;
///
/// assert!(matches("java.util.*", "java.util.HashMap$Node"));
/// assert!(!matches("java.lang.String", "java.lang.StringBuilder"));
/// ```
pub fn matches(pattern: &str, name: &str) -> bool {
    let (pattern, name) = (pattern.as_bytes(), name.as_bytes());
    let (mut p, mut n) = (0, 0);
    // Where to go on when the characters after the last star do not fit: one
    // character further. Earlier stars need no second try, because the last
    // one can take whatever they would have taken.
    let mut after_star = None;
    while n < name.len() {
        if pattern.get(p) == Some(&b'*') {
            p += 1;
            after_star = Some((p, n));
        } else if pattern.get(p) == Some(&name[n]) {
            p += 1;
            n += 1;
        } else if let Some((after, start)) = after_star {
            p = after;
            n = start + 1;
            after_star = Some((after, n));
        } else {
            return false;
        }
    }
    pattern[p..].iter().all(|&byte| byte == b'*')
}

#[cfg(test)]
mod tests {
    use super::matches;

    #[test]
    fn stars() {
        for (pattern, name, expected) in [
            ("main", "main", true),
            ("main", "main2", false),
            ("*", "", true),
            ("a*c", "abc", true),
            ("a*c", "abcb", false),
            ("a/*", "a/b/c", true),
            ("*b*", "abc", true),
            ("*ab*b", "aabab", true),
            ("*ab*ab", "abxabab", true),
            ("a*b*c", "abbb", false),
            ("a*", "b", false),
            ("", "", true),
        ] {
            assert_eq!(matches(pattern, name), expected, "{pattern:?} {name:?}");
        }
    }
}
