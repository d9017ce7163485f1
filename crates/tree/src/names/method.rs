//! Names of methods.

use std::fmt;

use crate::names::descriptor;

/// What a method is known by: profiles of different runs agree on a method if
/// they agree on these three.
///
/// The order (class, name, descriptor) is the one in which ties are broken
/// everywhere.
#[derive(Debug, Clone, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Method {
    /// Binary name of the class with dots; empty for frames of other tools
    /// that have no class.
    pub class: String,
    /// Name of the method.
    pub name: String,
    /// Descriptor, such as `(I)V`; empty if the source of the profile has none.
    pub descriptor: String,
}

/// Name under which the virtual root is shown.
pub const VIRTUAL_ROOT: &str = "<root>";

/// `class.name`, or the name alone if there is no class.
pub fn qualified(class: &str, name: &str) -> String {
    if class.is_empty() { name.to_owned() } else { format!("{class}.{name}") }
}

impl Method {
    /// The stand-in for the virtual root, which has no class and no descriptor.
    pub fn virtual_root() -> Self {
        Self { name: VIRTUAL_ROOT.to_owned(), ..Self::default() }
    }

    /// `class.name`, or the name alone if there is no class.
    pub fn qualified(&self) -> String {
        qualified(&self.class, &self.name)
    }

    /// True if `text` names this method: `class.name` as a whole or from some
    /// dot or `$` on, with or without the signature.
    pub fn answers_to(&self, text: &str) -> bool {
        let (name, signature) = text.split_at(text.find('(').unwrap_or(text.len()));
        let qualified = self.qualified();
        let before = qualified.strip_suffix(name);
        !name.is_empty()
            && before.is_some_and(|before| before.is_empty() || before.ends_with(['.', '$']))
            && self.has_signature(signature)
    }

    /// True if `text` is empty, the descriptor, or parameters in words as tables
    /// show them, with or without the type of the result.
    pub fn has_signature(&self, text: &str) -> bool {
        if text.is_empty() || text == self.descriptor {
            return true;
        }
        let compact = |text: &str| text.replace(' ', "");
        let Some(parameters) = descriptor::parameters(&self.descriptor) else { return false };
        let result = descriptor::return_type(&self.descriptor).unwrap_or_default();
        [format!("{parameters}: {result}"), parameters].iter().any(|s| compact(s) == compact(text))
    }
}

impl fmt::Display for Method {
    /// `class.name` followed by the descriptor, if there is one.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if !self.class.is_empty() {
            write!(f, "{}.", self.class)?;
        }
        write!(f, "{}{}", self.name, self.descriptor)
    }
}

#[cfg(test)]
mod tests {
    use super::Method;

    #[test]
    fn suffixes() {
        let get = Method {
            class: "java.util.Map$Entry".into(),
            name: "getKey".into(),
            descriptor: "()Ljava/lang/Object;".into(),
        };
        for (text, expected) in [
            ("java.util.Map$Entry.getKey", true),
            ("java.util.Map$Entry.getKey()Ljava/lang/Object;", true),
            ("java.util.Map$Entry.getKey()I", false),
            ("Map$Entry.getKey", true),
            ("Entry.getKey", true),
            ("getKey", true),
            ("getKey()Ljava/lang/Object;", true),
            ("getKey()", true),
            ("Entry.getKey() : Object", true),
            ("getKey(int)", false),
            ("()", false),
            ("ntry.getKey", false),
            ("Key", false),
            ("", false),
        ] {
            assert_eq!(get.answers_to(text), expected, "{text}");
        }
    }
}
