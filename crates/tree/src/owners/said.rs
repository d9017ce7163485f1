//! What somebody says is one's own code.

use std::fmt::{self, Debug, Display};
use std::sync::Arc;

use profile::Definition;

use crate::names::pattern::Pattern;

/// The agent's option that says it.
const OWN_OPTION: &str = "own=";

/// Source files that are one's own.
pub trait OwnSources: Debug + Send + Sync {
    /// Whether the source file of a class is among them. `source_file` is what the class file
    /// says of its name, possibly nothing.
    fn contains(&self, class: &str, source_file: &str) -> bool;

    /// Where they are, for the user.
    fn places(&self) -> String;
}

/// What the user of a command says is their own code.
#[derive(Debug, Clone, Default)]
pub struct OwnCode {
    /// Their classes; that goes before everything else.
    pub classes: Option<Said>,
    /// Their source files.
    pub sources: Option<Arc<dyn OwnSources>>,
}

impl OwnCode {
    /// What a pattern says, and the source files.
    pub fn new(pattern: Option<&str>, sources: Option<Arc<dyn OwnSources>>) -> Self {
        let classes = pattern.map(|pattern| Said::new(pattern, "as --own says"));
        Self { classes, sources }
    }
}

/// Classes that are said to be one's own.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Said {
    names: Pattern,
    /// Folders and archives that such classes come from.
    places: Pattern,
    has_names: bool,
    /// Where it is said.
    by: &'static str,
}

impl Said {
    /// What a pattern says, in which names of folders and archives begin with a slash. `by` is
    /// where it stands, for the user.
    pub fn new(pattern: &str, by: &'static str) -> Self {
        let (places, names): (Vec<&str>, Vec<&str>) =
            pattern.split(';').filter(|one| !one.is_empty()).partition(|one| one.starts_with('/'));
        let has_names = !names.is_empty();
        // Folders are often written with a slash at the end.
        let places: Vec<&str> =
            places.iter().map(|one| one.strip_suffix('/').unwrap_or(one)).collect();
        let [names, places] = [names, places].map(|all| Pattern::new(&all.join(";")));
        Self { names, places, has_names, by }
    }

    /// What the options of the agent say.
    pub fn in_options(options: &str) -> Option<Self> {
        let said = options.split(',').find_map(|option| option.strip_prefix(OWN_OPTION))?;
        Some(Self::new(said, "as the agent's option own= says"))
    }

    /// Whether it names classes, not only where they come from.
    pub fn has_names(&self) -> bool {
        self.has_names
    }

    /// Whether a class of this name is among them.
    pub fn names(&self, class: &str) -> bool {
        self.names.matches(class)
    }

    /// Whether classes with this definition are among them, by where they come from.
    pub fn is_from(&self, definition: &Definition) -> bool {
        let Some(path) = definition.path() else { return false };
        self.places.matches(path.strip_suffix('/').unwrap_or(&path))
    }

    /// Where it is said.
    pub fn by(&self) -> &'static str {
        self.by
    }
}

impl Display for Said {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.names)
    }
}
