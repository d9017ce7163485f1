//! Names of classes in sites.

use crate::modified_utf8;

/// In place of a class: objects that found no tag of their own.
pub const REST: &str = "(objects beyond the limit of tags)";

/// A class as Java writes it, from its internal name or the descriptor of an
/// array class: `java.lang.String`, `int[][]`.
pub fn java_name(class: &str) -> String {
    let element = class.trim_start_matches('[');
    let dimensions = class.len() - element.len();
    if dimensions == 0 {
        return class.replace('/', ".");
    }
    let name = match element {
        "Z" => "boolean".to_owned(),
        "B" => "byte".to_owned(),
        "C" => "char".to_owned(),
        "S" => "short".to_owned(),
        "I" => "int".to_owned(),
        "J" => "long".to_owned(),
        "F" => "float".to_owned(),
        "D" => "double".to_owned(),
        object => class_in(object).replace('/', "."),
    };
    name + &"[]".repeat(dimensions)
}

/// The internal name in the descriptor of a class.
fn class_in(descriptor: &str) -> &str {
    descriptor.strip_prefix('L').and_then(|rest| rest.strip_suffix(';')).unwrap_or(descriptor)
}

/// The class that a JVM TI signature is of, without what differs from run to
/// run in names of hidden and generated classes.
pub fn class_of_signature(signature: &str) -> String {
    if signature.starts_with('[') {
        return signature.to_owned();
    }
    let name = class_in(signature);
    let stem = match name.split_once('.') {
        // The JVM writes hidden classes with a point in front of a number.
        Some((stem, _)) => stem,
        None => name,
    };
    crate::plan::policy::display_name(stem.as_bytes()).replace('.', "/")
}

/// True if this is the name of a class, or of a hidden class that was made
/// under it.
pub fn is_named(class: &str, name: &str) -> bool {
    class.strip_prefix(name).is_some_and(|rest| {
        rest.is_empty() || (rest.starts_with(['.', '+', '/']) && rest[1..].starts_with("0x"))
    })
}

/// Text of a name in the class file.
pub fn text(name: &[u8]) -> Box<str> {
    modified_utf8::decode(name).into()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn classes_are_written_as_in_java() {
        for (class, name) in [
            ("java/lang/String", "java.lang.String"),
            ("[I", "int[]"),
            ("[[D", "double[][]"),
            ("[[Ljava/lang/String;", "java.lang.String[][]"),
            ("[LLList;", "LList[]"),
        ] {
            assert_eq!(java_name(class), name);
        }
    }

    #[test]
    fn hidden_classes_have_the_names_that_they_were_made_under() {
        for (signature, class) in [
            ("Ljava/lang/String;", "java/lang/String"),
            ("LLList;", "LList"),
            ("[Ljava/lang/String;", "[Ljava/lang/String;"),
            ("La/B$$Lambda.0x7f00;", "a/B$$Lambda"),
            ("La/B$$Lambda$14.0x7f00;", "a/B$$Lambda"),
        ] {
            assert_eq!(class_of_signature(signature), class);
        }
    }
}
