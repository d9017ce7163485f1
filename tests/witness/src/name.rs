//! Names of methods, the same in every run.

use std::fmt;

/// A method by its names.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Method {
    /// Its class, with dots.
    pub class: String,
    /// Its name.
    pub name: String,
    /// Its descriptor.
    pub descriptor: String,
}

impl Method {
    /// A method with the class's name as the JVM gives it.
    pub fn new(class: &str, name: &str, descriptor: &str) -> Self {
        Self { class: stable(class), name: name.to_owned(), descriptor: descriptor.to_owned() }
    }
}

impl fmt::Display for Method {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}.{}{}", self.class, self.name, self.descriptor)
    }
}

/// The name without what differs from run to run: the address that the JVM
/// appends to the name of a hidden class (`Main$$Lambda$14.0x0000...`), and
/// numbers in the order of creation.
fn stable(class: &str) -> String {
    let hidden = class.find(".0x").or_else(|| class.find("/0x"));
    let name = &class[..hidden.unwrap_or(class.len())];
    for generated in ["$$Lambda", "GeneratedMethodAccessor", "GeneratedConstructorAccessor"] {
        if let Some((stem, number)) = name.split_once(generated)
            && number.trim_start_matches('$').bytes().all(|byte| byte.is_ascii_digit())
        {
            return format!("{stem}{generated}");
        }
    }
    name.to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_generated_classes_lose_what_differs() {
        for (given, expected) in [
            ("Main$$Lambda$14.0x00000007c0000c08", "Main$$Lambda"),
            ("Main$$Lambda.0x00000007c0000c08", "Main$$Lambda"),
            ("java.lang.invoke.LambdaForm$MH.0x0000000800c0", "java.lang.invoke.LambdaForm$MH"),
            (
                "jdk.internal.reflect.GeneratedMethodAccessor3",
                "jdk.internal.reflect.GeneratedMethodAccessor",
            ),
            ("a.B$1", "a.B$1"),
        ] {
            assert_eq!(Method::new(given, "m", "()V").class, expected);
        }
    }
}
