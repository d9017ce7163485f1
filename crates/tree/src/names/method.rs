//! Names of methods.

use std::fmt;

use profile::{QualifiedName, texts};

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

impl From<QualifiedName<'_>> for Method {
    fn from(name: QualifiedName<'_>) -> Self {
        let QualifiedName { class, name, descriptor } = name;
        Self { class: class.to_owned(), name: name.to_owned(), descriptor: descriptor.to_owned() }
    }
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
    /// dot or `$` on, with or without the signature. The text of an argument that a name
    /// has behind it may be left out.
    pub fn answers_to(&self, text: &str) -> bool {
        match texts::split(&self.name) {
            (name, Some(_)) => self.answers_as(name, self.without_text(text).unwrap_or(text)),
            (name, None) => self.answers_as(name, text),
        }
    }

    /// What stands in front of the method's own text in another one.
    fn without_text<'t>(&self, text: &'t str) -> Option<&'t str> {
        let (name, own) = texts::split(&self.name);
        own?;
        text.strip_suffix(&self.name[name.len()..])
    }

    /// True if `text` is the whole name, with or without the signature.
    pub fn is_whole_name(&self, text: &str) -> bool {
        let (name, own) = texts::split(&self.name);
        let text = if own.is_some() { self.without_text(text) } else { Some(text) };
        let signature = text.and_then(|text| text.strip_prefix(&*qualified(&self.class, name)));
        signature.is_some_and(|signature| self.has_signature(signature))
    }

    /// The name with this signature, in front of the text of an argument.
    pub fn with_signature(&self, signature: &str) -> String {
        let (name, _) = texts::split(&self.name);
        format!("{}{signature}{}", qualified(&self.class, name), &self.name[name.len()..])
    }

    fn answers_as(&self, name: &str, text: &str) -> bool {
        let qualified = qualified(&self.class, name);
        let (name, signature) = text.split_at(text.find('(').unwrap_or(text.len()));
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
    /// `class.name` followed by the descriptor, if there is one, and by the text of an
    /// argument, if there is one.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.with_signature(&self.descriptor))
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
        let prepare = Method {
            class: "org.h2.JdbcConnection".into(),
            name: "prepareStatement: insert into t.x(a) values (?)".into(),
            descriptor: "(Ljava/lang/String;)V".into(),
        };
        for (text, expected) in [
            ("prepareStatement: insert into t.x(a) values (?)", true),
            ("JdbcConnection.prepareStatement: insert into t.x(a) values (?)", true),
            ("JdbcConnection.prepareStatement", true),
            ("prepareStatement(String): insert into t.x(a) values (?)", true),
            ("prepareStatement(String)", true),
            ("prepareStatement(int)", false),
            ("prepareStatement: insert into t.x", false),
            ("x(a) values (?)", false),
        ] {
            assert_eq!(prepare.answers_to(text), expected, "{text}");
        }
    }
}
