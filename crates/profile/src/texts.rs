//! Names of methods with the text of an argument: contexts that the option `split` keeps apart.
//!
//! No compiler gives methods names with `: ` in them.

/// Between the name of a method and a text.
const BETWEEN: &str = ": ";

/// Stands for an argument that is null.
pub const NULL: &str = "(null)";

/// Stands for a string without characters.
pub const EMPTY: &str = "(empty)";

/// Stands for all further texts, when a method has had as many as may be.
pub const OTHERS: &str = "(other texts)";

/// The name of a method with a text.
pub fn join(name: &str, text: &str) -> String {
    format!("{name}{BETWEEN}{text}")
}

/// The name of a method, and its text if it has one.
pub fn split(name: &str) -> (&str, Option<&str>) {
    match name.split_once(BETWEEN) {
        Some((method, text)) => (method, Some(text)),
        None => (name, None),
    }
}

#[cfg(test)]
mod tests {
    use super::{join, split};

    #[test]
    fn texts_may_hold_anything() {
        assert_eq!(split(&join("find", "a: b")), ("find", Some("a: b")));
        assert_eq!(split(&join("find", "")), ("find", Some("")));
        assert_eq!(split("find"), ("find", None));
    }
}
