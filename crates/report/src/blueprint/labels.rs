//! Names in pictures. Letters have one width, so that names fit without being measured.

use tree::names::method::Method;
use tree::readable_names::printable;

/// Width of a letter at most, with the fonts that a picture asks for.
pub const LETTER: f64 = 6.7;
/// Height of a line.
pub const LINE: f64 = 14.0;
/// Letters of a name at most; what is longer ends in an ellipsis.
pub const LONGEST: usize = 40;

/// Width of a text.
pub fn breadth(text: &str) -> f64 {
    text.chars().count() as f64 * LETTER
}

/// The text with so many letters at most.
pub fn clipped(text: &str, longest: usize) -> String {
    if text.chars().count() <= longest {
        return text.to_owned();
    }
    let start: String = text.chars().take(longest.saturating_sub(1)).collect();
    format!("{start}…")
}

/// The name of a class without its package.
pub fn simple_name(class: &str) -> &str {
    class.rsplit('.').next().unwrap_or(class)
}

/// `Format.format`, without the class where both are too long.
pub fn method_name(method: &Method) -> String {
    let (class, name) = (printable(&method.class), printable(&method.name));
    let simple = simple_name(&class);
    let whole = if simple.is_empty() { name.to_string() } else { format!("{simple}.{name}") };
    let fits = whole.chars().count() <= LONGEST;
    clipped(if fits { &whole } else { &name }, LONGEST)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_fit() {
        let method = |class: &str, name: &str| {
            method_name(&Method { class: class.into(), name: name.into(), ..Method::default() })
        };
        assert_eq!(method("java.text.Format", "format"), "Format.format");
        assert_eq!(method("", "main"), "main");
        assert_eq!(method(&"C".repeat(40), "run"), "run");
        assert_eq!(method("a.B", &"é".repeat(50)), format!("{}…", "é".repeat(39)));
    }
}
