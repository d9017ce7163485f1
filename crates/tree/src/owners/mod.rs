//! Whose code classes are: one's own, that of libraries, or the JDK's.
//!
//! What somebody says decides, or what loaded a class, and from where. Names decide only where
//! that is not known: in files of other tools and of older agents, and for classes that are
//! made while the program runs.

mod definitions;
mod packages;
mod rules;
mod said;
#[cfg(test)]
mod tests;

use base::number::grouped;
use profile::{NO_PARENT, Profile};

pub use self::definitions::Definitions;
pub use self::packages::{NO_PACKAGE, package, package_of};
pub use self::said::{OwnCode, OwnSources};

use self::packages::is_in;
use self::rules::{Classes, Own, Places, own};
use crate::Tree;
use crate::names::method::Method;

/// Whose code it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Owner {
    /// One's own.
    Own,
    /// Of libraries.
    Library,
    /// Of the JDK.
    Platform,
}

impl Owner {
    /// For programs.
    pub fn word(self) -> &'static str {
        match self {
            Self::Own => "own",
            Self::Library => "library",
            Self::Platform => "jdk",
        }
    }
}

/// Who owns which classes.
#[derive(Debug, Clone)]
pub struct Owners {
    definitions: Definitions,
    own: Own,
}

impl Default for Owners {
    /// Nothing is known.
    fn default() -> Self {
        Self { definitions: Definitions::default(), own: Own::unknown() }
    }
}

impl Owners {
    /// Decides by what is known of the definitions of classes. `mains` are methods at the
    /// bottom of stacks, `all` all that may be one's own, each with the likeliest first.
    pub fn new<'a>(
        definitions: Definitions,
        mains: impl IntoIterator<Item = &'a Method>,
        all: impl IntoIterator<Item = &'a Method>,
    ) -> Self {
        let own = own(&definitions, mains, all);
        Self { definitions, own }
    }

    /// Those of a profile's classes by its tables alone, without its contexts; `said` is what
    /// the user says.
    pub fn of_tables(tables: &Profile, said: &OwnCode) -> Self {
        let mut definitions = Definitions::with_own(said);
        definitions.add(&tables.run, &tables.classes);
        let named = tables.methods.iter().map(|method| Method {
            class: tables.classes[method.class.0 as usize].name.clone(),
            name: method.name.clone(),
            descriptor: method.descriptor.clone(),
        });
        Self::new(definitions, [], &named.collect::<Vec<_>>())
    }

    /// Those of the classes of some profiles, without their contexts. `said` is what the user
    /// says, `methods` are all that may be one's own.
    pub fn of_profiles<'p, 'm>(
        profiles: impl IntoIterator<Item = &'p Profile>,
        said: &OwnCode,
        methods: impl IntoIterator<Item = &'m Method>,
    ) -> Self {
        let mut definitions = Definitions::with_own(said);
        for profile in profiles {
            definitions.add(&profile.run, &profile.classes);
        }
        Self::new(definitions, [], methods)
    }

    /// Whose class it is.
    pub fn owner(&self, class: &str) -> Owner {
        if self.definitions.is_said(class) {
            return Owner::Own;
        }
        if self.is_platform(class) {
            return Owner::Platform;
        }
        let location = self.definitions.of(class).map(|definition| &*definition.location);
        let location = location.filter(|location| !location.is_empty());
        let is_own = match &self.own {
            Own::Nothing => false,
            Own::Places(own) => match location {
                Some(location) => own.places.contains(location),
                None => own.packages.contains(package_of(class)),
            },
            Own::Classes(own) => {
                own.classes.contains(class)
                    || location.is_none() && own.packages.contains(package_of(class))
            }
            Own::Package(package) => is_in(class, package),
        };
        if is_own { Owner::Own } else { Owner::Library }
    }

    /// Whether the JDK comes with a class.
    pub fn is_platform(&self, class: &str) -> bool {
        self.definitions.is_platform(class)
    }

    /// Where a class comes from, to tell libraries apart; its package if that is not known.
    pub fn origin<'a>(&'a self, class: &'a str) -> &'a str {
        let place = self.definitions.of(class).map(|definition| &*definition.location);
        place.filter(|place| !place.is_empty()).unwrap_or_else(|| package_of(class))
    }

    /// What was taken for one's own, for the user.
    pub fn explanation(&self) -> String {
        let said = self.definitions.said().filter(|said| said.has_names());
        let named = said.map(|said| format!("classes that match {said}"));
        match &self.own {
            Own::Places(Places { places, what, .. }) => {
                let places: Vec<&str> = places.iter().map(String::as_str).collect();
                let named = named.map_or_else(String::new, |named| named + ", and ");
                format!("{named}classes from {}: {what}", places.join(", "))
            }
            Own::Classes(Classes { classes, sources, .. }) => {
                let count = match classes.len() {
                    1 => "1 class".to_owned(),
                    more => format!("{} classes", grouped(more as u64)),
                };
                format!("{count} with source files in {sources}: what --sources contains")
            }
            Own::Nothing => match (named, said) {
                (Some(named), Some(said)) => format!("{named}, {}", said.by()),
                _ => "none: all that was executed is the JDK's or a launcher's".to_owned(),
            },
            Own::Package(package) if package == NO_PACKAGE => {
                "classes without a package, by name: where classes come from is not known"
                    .to_owned()
            }
            Own::Package(package) => {
                format!("classes in {package}, by name: where classes come from is not known")
            }
        }
    }
}

/// The roots of columns in preorder, the costliest first: what costs most is the program's.
fn roots(parent: &[u32], cost: &[u64]) -> Vec<usize> {
    let mut roots: Vec<(usize, u64)> = Vec::new();
    for (node, &above) in parent.iter().enumerate() {
        let own = cost.get(node).copied().unwrap_or(0);
        match roots.last_mut().filter(|_| above != NO_PARENT) {
            Some((_, sum)) => *sum = sum.saturating_add(own),
            None => roots.push((node, own)),
        }
    }
    roots.sort_by_key(|&(_, cost)| std::cmp::Reverse(cost));
    roots.into_iter().map(|(root, _)| root).collect()
}

impl Tree {
    /// Who owns which of the tree's classes.
    pub fn owners(&self) -> Owners {
        let costs = self.metrics.first().map_or(&[][..], |metric| &metric.values);
        let roots = roots(&self.parent, costs);
        let at = |node: usize| &self.methods[self.method[node] as usize];
        let mains = roots.iter().map(|&root| at(root)).filter(|method| method.name == "main");
        let first = roots.first().copied().unwrap_or(self.method.len());
        let all = (first..self.method.len()).map(at);
        Owners::new(self.definitions.clone(), mains, all)
    }

    /// Of each method whether the JDK comes with it.
    pub fn are_platform(&self) -> Vec<bool> {
        self.methods.iter().map(|method| self.definitions.is_platform(&method.class)).collect()
    }

    /// Of each method whether what it does is done for its callers: what the JDK's do, and
    /// where the user of a command says what is their own code, what all others do.
    pub fn work_for_callers(&self) -> Vec<bool> {
        if !self.definitions.are_by_user() {
            return self.are_platform();
        }
        let owners = self.owners();
        self.methods.iter().map(|method| owners.owner(&method.class) != Owner::Own).collect()
    }
}
