//! Who defined classes, and how their programs were started.

use std::collections::BTreeSet;
use std::sync::Arc;

use profile::platform::is_platform;
use profile::{ClassInfo, Definition, RunInfo};
use rustc_hash::{FxHashMap, FxHashSet};

use super::said::{OwnCode, OwnSources, Said};
use crate::names::command_line::program_of;

/// What starts others' programs, and is nobody's own code.
const LAUNCHERS: [&str; 8] = [
    "org.junit.",
    "org.testng.",
    "org.apache.maven.",
    "org.codehaus.",
    "org.gradle.",
    "org.openjdk.jmh.",
    "org.springframework.boot.loader.",
    "worker.org.",
];

/// Who defined classes, as far as it is known, and how their programs were started.
#[derive(Debug, Clone, Default)]
pub struct Definitions {
    by_name: FxHashMap<String, Arc<Definition>>,
    command_lines: BTreeSet<String>,
    said: Option<Said>,
    sources: Option<Arc<dyn OwnSources>>,
    /// Classes whose source files are one's own.
    of_sources: FxHashSet<String>,
    /// Whether the user of the command says anything of that.
    is_by_user: bool,
}

impl Definitions {
    /// With what the user says is one's own code.
    pub fn with_own(own: &OwnCode) -> Self {
        let OwnCode { classes, sources } = own.clone();
        let is_by_user = classes.is_some() || sources.is_some();
        Self { said: classes, sources, is_by_user, ..Self::default() }
    }

    /// Whether the user of the command says what is their own code.
    pub fn are_by_user(&self) -> bool {
        self.is_by_user
    }

    /// Takes note of a run and its classes, unless they are known.
    pub fn add(&mut self, run: &RunInfo, classes: &[ClassInfo]) {
        self.command_lines.insert(run.command_line.clone());
        if self.said.is_none() {
            self.said = Said::in_options(&run.options);
        }
        for class in classes {
            if let Some(sources) = &self.sources
                && !self.of_sources.contains(&class.name)
                && sources.contains(&class.name, &class.source_file)
            {
                self.of_sources.insert(class.name.clone());
            }
            if class.definition.is_known() && !self.by_name.contains_key(&class.name) {
                self.by_name.insert(class.name.clone(), Arc::clone(&class.definition));
            }
        }
    }

    /// Classes with what is known of their definitions.
    pub(super) fn classes(&self) -> impl Iterator<Item = (&str, &Definition)> {
        self.by_name.iter().map(|(class, definition)| (class.as_str(), &**definition))
    }

    /// What is known of a class's definition.
    pub(super) fn of(&self, class: &str) -> Option<&Definition> {
        self.by_name.get(class).map(|definition| &**definition)
    }

    /// What somebody says is one's own.
    pub(super) fn said(&self) -> Option<&Said> {
        self.said.as_ref()
    }

    /// The source files that are one's own, and classes that were compiled from them. The
    /// JDK's stay the JDK's.
    pub(super) fn of_sources(&self) -> Option<(&dyn OwnSources, BTreeSet<String>)> {
        let classes = self.of_sources.iter().filter(|class| !self.is_platform(class)).cloned();
        Some((&**self.sources.as_ref()?, classes.collect()))
    }

    /// Where the main classes are that command lines name, or which jars they start, without
    /// those that start others' programs.
    pub(super) fn started(&self) -> BTreeSet<String> {
        let mut places = BTreeSet::new();
        for program in self.command_lines.iter().map(|line| program_of(line)) {
            if let Some(main) = self.of(&program).filter(|main| !main.location.is_empty()) {
                places.insert(main.location.clone());
                continue;
            }
            let jar = format!("/{program}.jar");
            let is_jar =
                |one: &&Arc<Definition>| one.path().is_some_and(|path| path.ends_with(&jar));
            let found = self.by_name.values().filter(is_jar);
            places.extend(found.map(|one| one.location.clone()));
        }
        for (class, definition) in &self.by_name {
            if is_launcher(class) || self.is_platform(class) {
                places.remove(&definition.location);
            }
        }
        places
    }

    /// Whether the JDK comes with a class.
    pub fn is_platform(&self, class: &str) -> bool {
        !self.is_said(class) && is_platform(class, self.of(class).unwrap_or(&Definition::UNKNOWN))
    }

    /// Whether somebody says, by its name, that a class is one's own.
    pub(super) fn is_said(&self, class: &str) -> bool {
        self.said.as_ref().is_some_and(|said| said.names(class))
    }
}

/// Whether a class is of what starts others' programs.
pub(super) fn is_launcher(class: &str) -> bool {
    LAUNCHERS.iter().any(|launcher| class.starts_with(launcher))
}
