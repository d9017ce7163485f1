//! The rules by which one's own code is found, the first of which that holds decides.

use std::collections::BTreeSet;

use profile::{Definition, Loader};

use super::definitions::{Definitions, is_launcher};
use super::packages::{NO_PACKAGE, package, package_of};
use crate::names::method::Method;

/// Folders in archives that hold the classes of the one who made the archive.
const OWN_FOLDERS: [&str; 2] = ["BOOT-INF/classes", "WEB-INF/classes"];

/// What is one's own.
#[derive(Debug, Clone)]
pub enum Own {
    /// Classes from these places.
    Places(Places),
    /// These classes.
    Classes(Classes),
    /// Classes of this package and those below it.
    Package(String),
    /// None but what somebody says by names: all that was executed is others'.
    Nothing,
}

/// Places that one's own classes come from.
#[derive(Debug, Clone)]
pub struct Places {
    /// The places.
    pub places: BTreeSet<String>,
    /// Packages of these classes: what is made while the program runs is in the package that
    /// it is for.
    pub packages: BTreeSet<String>,
    /// What the places are.
    pub what: &'static str,
}

/// Classes whose source files are one's own.
#[derive(Debug, Clone)]
pub struct Classes {
    /// The classes.
    pub classes: BTreeSet<String>,
    /// Their packages.
    pub packages: BTreeSet<String>,
    /// Where the source files are.
    pub sources: String,
}

impl Places {
    fn new(definitions: &Definitions, places: BTreeSet<String>, what: &'static str) -> Self {
        let own = definitions.classes().filter(|(_, one)| places.contains(&one.location));
        let packages = packages(own.map(|(class, _)| class));
        Self { places, packages, what }
    }
}

fn packages<'a>(classes: impl Iterator<Item = &'a str>) -> BTreeSet<String> {
    classes.map(|class| package_of(class).to_owned()).collect()
}

/// What is one's own. `mains` are methods at the bottom of stacks, `all` all that may be one's
/// own, each with the likeliest first.
pub fn own<'a>(
    definitions: &Definitions,
    mains: impl IntoIterator<Item = &'a Method>,
    all: impl IntoIterator<Item = &'a Method>,
) -> Own {
    let chosen = |is_chosen: &dyn Fn(&Definition) -> bool| -> BTreeSet<String> {
        let chosen = definitions.classes().filter(|(_, definition)| is_chosen(definition));
        chosen.map(|(_, definition)| definition.location.clone()).collect()
    };
    if let Some(said) = definitions.said() {
        let places = chosen(&|definition| said.is_from(definition));
        if !places.is_empty() {
            return Own::Places(Places::new(definitions, places, said.by()));
        }
        if said.has_names() {
            return Own::Nothing;
        }
    }
    if let Some((sources, classes)) = definitions.of_sources()
        && !classes.is_empty()
    {
        let packages = packages(classes.iter().map(String::as_str));
        return Own::Classes(Classes { classes, packages, sources: sources.places() });
    }
    let of_program =
        |method: &&Method| !definitions.is_platform(&method.class) && !is_launcher(&method.class);
    let is_folder = |place: &str| place.starts_with("file:") && place.ends_with('/');
    let is_on_path = |definition: &Definition| definition.loader == Loader::Application;
    let archived =
        chosen(&|definition| OWN_FOLDERS.iter().any(|folder| definition.location.contains(folder)));
    let on_path = chosen(&|definition| is_on_path(definition) && is_folder(&definition.location));
    let started = definitions.started();
    let what = match (archived.is_empty(), on_path.is_empty(), started.is_empty()) {
        (false, ..) => "the application's classes in its archive",
        (true, false, true) => "folders of the class path",
        (true, true, false) => "where the program starts",
        (true, ..) => "folders of the class path, and where the program starts",
    };
    let known = archived.into_iter().chain(on_path).chain(started).collect();
    let folders = || chosen(&|definition| is_folder(&definition.location));
    let of_main = || {
        let main = mains.into_iter().find(of_program).and_then(|main| definitions.of(&main.class));
        main.map(|main| main.location.clone()).filter(|place| !place.is_empty())
    };
    let some = |places: BTreeSet<String>, what| (!places.is_empty()).then_some((places, what));
    let found = some(known, what)
        .or_else(|| some(folders(), "folders that classes were loaded from"))
        .or_else(|| some(of_main().into_iter().collect(), "where the program starts"));
    if let Some((places, what)) = found {
        return Own::Places(Places::new(definitions, places, what));
    }
    let first = all.into_iter().find(of_program);
    first.map_or(Own::Nothing, |method| Own::Package(package(&method.class)))
}

impl Own {
    /// Nothing is known.
    pub fn unknown() -> Self {
        Self::Package(NO_PACKAGE.to_owned())
    }
}
