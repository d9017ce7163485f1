//! Which loader defined a class, and where it found it.

use std::borrow::Cow;

use base::leb128::put;
use percent_encoding::percent_decode_str;

use crate::Error;
use crate::cursor::{Cursor, put_string};

/// A loader of classes, as far as loaders are told apart.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Loader {
    /// Not known: the profile does not say.
    #[default]
    Unknown,
    /// The boot loader: classes of the JDK, and those of `-Xbootclasspath/a` and of agents.
    Boot,
    /// The platform loader: other classes of the JDK.
    Platform,
    /// The application loader: the class path and the module path.
    Application,
    /// A loader of the program or of a library.
    Other,
}

impl Loader {
    /// In the order of their numbers in files, from 0.
    pub const ALL: [Self; 5] =
        [Self::Unknown, Self::Boot, Self::Platform, Self::Application, Self::Other];

    /// The loader with a number in a file.
    pub(crate) fn of_number(number: u64) -> Self {
        // Later writers may tell more loaders apart.
        usize::try_from(number).ok().and_then(|at| Self::ALL.get(at)).copied().unwrap_or_default()
    }
}

/// Who defined a class, and from what.
#[derive(Debug, Clone, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Definition {
    /// The loader.
    pub loader: Loader,
    /// URL of the jar or folder, as the class's code source tells it (`file:/app/lib/a.jar`,
    /// `jrt:/java.sql`); empty if it has none, as classes of the boot loader and classes that
    /// the program generates.
    pub location: String,
}

impl Definition {
    /// By the boot loader, which has no code source.
    pub const BOOT: Self = Self { loader: Loader::Boot, location: String::new() };

    /// Not known.
    pub const UNKNOWN: Self = Self { loader: Loader::Unknown, location: String::new() };

    /// Whether anything is.
    pub fn is_known(&self) -> bool {
        *self != Self::UNKNOWN
    }

    /// The name of the folder or archive in the file system, if it is there that the class was
    /// found. The URL has blanks and the like in another form.
    pub fn path(&self) -> Option<Cow<'_, str>> {
        let path = self.location.strip_prefix("file:")?;
        let path = path.strip_prefix("//").unwrap_or(path);
        Some(percent_decode_str(path).decode_utf8_lossy())
    }

    pub(crate) fn encode(&self, out: &mut Vec<u8>) {
        put(out, self.loader as u64);
        put_string(out, &self.location);
    }

    pub(crate) fn decode(fields: &mut Cursor<'_>) -> Result<Self, Error> {
        let loader = Loader::of_number(fields.varint("a loader")?);
        Ok(Self { loader, location: fields.string("the location of a class")?.to_owned() })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_are_as_the_file_system_has_them() {
        let path = |location: &str| {
            let definition = Definition { location: location.to_owned(), ..Definition::BOOT };
            definition.path().map(Cow::into_owned)
        };
        assert_eq!(path("file:/a%20b/50%25.jar").as_deref(), Some("/a b/50%.jar"));
        assert_eq!(path("file:///a/gr%C3%BCn/").as_deref(), Some("/a/gr\u{fc}n/"));
        assert_eq!(path("jrt:/java.sql"), None);
    }

    #[test]
    fn numbers_of_loaders_are_their_places() {
        for (number, loader) in (0..).zip(Loader::ALL) {
            assert_eq!(loader as u64, number);
            assert_eq!(Loader::of_number(number), loader);
        }
        assert_eq!(Loader::of_number(5), Loader::Unknown);
        assert_eq!(Loader::of_number(u64::MAX), Loader::Unknown);
    }
}
