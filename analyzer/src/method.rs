//! Names of methods.

use std::fmt;

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

impl Method {
    /// The stand-in for the virtual root, which has no class and no descriptor.
    pub fn virtual_root() -> Self {
        Self { name: VIRTUAL_ROOT.to_owned(), ..Self::default() }
    }

    /// `class.name`, or the name alone if there is no class.
    pub fn qualified(&self) -> String {
        if self.class.is_empty() {
            self.name.clone()
        } else {
            format!("{}.{}", self.class, self.name)
        }
    }

    /// True if `text` names this method: `class.name` as a whole or from some
    /// dot or `$` on, with or without the descriptor.
    pub fn answers_to(&self, text: &str) -> bool {
        let (text, descriptor) = match text.find('(') {
            Some(at) => (&text[..at], Some(&text[at..])),
            None => (text, None),
        };
        if descriptor.is_some_and(|d| d != self.descriptor) || text.is_empty() {
            return false;
        }
        let qualified = self.qualified();
        qualified
            .strip_suffix(text)
            .is_some_and(|rest| rest.is_empty() || rest.ends_with(['.', '$']))
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
            ("ntry.getKey", false),
            ("Key", false),
            ("", false),
        ] {
            assert_eq!(get.answers_to(text), expected, "{text}");
        }
    }
}
