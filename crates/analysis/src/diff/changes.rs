//! Which methods have other code in one of two profiles.

use crate::diff::code::Code;
use crate::diff::signatures::Signatures;
use tree::names::method::Method;

/// How the code of a method differs between two profiles.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum CodeChange {
    /// Both profiles know the method, with other code.
    Changed,
    /// The types of its parameters or of its result are others, and so its code.
    SignatureChanged,
    /// The base knows the class without the method.
    New,
    /// The new profile knows the class without the method.
    Gone,
    /// The base does not know the class: it is new, or was not loaded.
    NewClass,
    /// The new profile does not know the class: it is gone, or was not loaded.
    GoneClass,
}

impl CodeChange {
    /// In a word or two.
    pub fn name(self) -> &'static str {
        match self {
            Self::Changed => "changed",
            Self::SignatureChanged => "signature changed",
            Self::New => "new",
            Self::Gone => "gone",
            Self::NewClass => "new class",
            Self::GoneClass => "gone class",
        }
    }

    /// True if the method was certainly changed, added or taken away, and was not
    /// merely loaded by one of the runs.
    pub fn is_certain(self) -> bool {
        !matches!(self, Self::NewClass | Self::GoneClass)
    }
}

/// The change of each method of a table that both profiles share; `None` where
/// the code is the same, or is not known to differ.
///
/// Profiles say which methods the loaded classes have, executed or not, so a
/// method that is merely called for the first time is not new. Classes of the
/// platform are the same in two runs on the same JVM, loaded or not. Methods of other
/// signatures are changed under the name that they have in the new profile.
pub fn code_changes(
    [base, new]: [&Code; 2],
    signatures: &Signatures,
    methods: &[Method],
) -> Vec<Option<CodeChange>> {
    if base.is_empty() || new.is_empty() {
        return vec![None; methods.len()];
    }
    let same_platform = base.jvm() == new.jvm();
    let missing = |code: &Code, method: &Method, from_class, with_class| {
        if code.has_class(&method.class) {
            Some(from_class)
        } else {
            // Who knows the class knows best.
            let is_platform = [base, new].iter().all(|code| code.is_platform(&method.class));
            (!same_platform || !is_platform).then_some(with_class)
        }
    };
    let change = |method: &Method| match (base.hash(method), new.hash(method)) {
        (Some(one), Some(other)) => (one != other).then_some(CodeChange::Changed),
        _ if signatures.before(method).is_some() => Some(CodeChange::SignatureChanged),
        (None, Some(_)) => missing(base, method, CodeChange::New, CodeChange::NewClass),
        (Some(_), None) => missing(new, method, CodeChange::Gone, CodeChange::GoneClass),
        (None, None) => None,
    };
    methods.iter().map(change).collect()
}
