//! Whether the code of a method is the same in two profiles.

use profile::Profile;

use tree::names::method::Method;
use tree::owners::Definitions;

/// What the code of each method of a profile is known by.
#[derive(Debug, Clone, Default)]
pub struct Code {
    /// Sorted, each method once.
    hashes: Vec<(Method, u64)>,
    /// Methods that are known by nothing, sorted: those without code, and those of
    /// generated classes.
    unknown: Vec<Method>,
    /// Names of the classes that the profile knows, sorted.
    classes: Vec<String>,
    /// Who defined them.
    definitions: Definitions,
    /// The JVM, whose release decides which classes the platform has.
    jvm: String,
}

/// What is known of a method's code in two profiles.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Sameness {
    /// It is the same.
    Same,
    /// It is another one.
    Changed,
    /// It is another one, and so are the types of its parameters or of its result.
    OtherSignature,
    /// One of the profiles does not say.
    Unknown,
}

impl Code {
    /// Takes note of a profile's hashes.
    pub fn of(profile: &Profile) -> Self {
        let mut code = Self::default();
        code.add(profile);
        code
    }

    /// Adds what a further run of the same program knows.
    pub fn add(&mut self, profile: &Profile) {
        let named =
            profile.methods.iter().zip(&profile.code_hashes).filter_map(|(method, &hash)| {
                let class = profile.classes.get(method.class.0 as usize)?.name.clone();
                let (name, descriptor) = (method.name.clone(), method.descriptor.clone());
                Some((Method { class, name, descriptor }, hash))
            });
        let (mut hashes, unknown): (Vec<_>, Vec<_>) = named.partition(|(_, hash)| *hash != 0);
        self.unknown.extend(unknown.into_iter().map(|(method, _)| method));
        self.unknown.sort_unstable();
        self.unknown.dedup();
        hashes.sort_unstable();
        // Several loaders may define the same class, and generated classes
        // share their names. They are the same if all their versions are.
        hashes.dedup();
        hashes.dedup_by(|(method, hash), (kept, together)| {
            let same = method == kept;
            if same {
                *together = together.rotate_left(7) ^ *hash;
            }
            same
        });
        self.hashes.append(&mut hashes);
        // Stable: what the first run knows of a method stays.
        self.hashes.sort_by(|(one, _), (other, _)| one.cmp(other));
        self.hashes.dedup_by(|(one, _), (kept, _)| one == kept);
        self.definitions.add(&profile.run, &profile.classes);
        self.classes.extend(profile.classes.iter().map(|class| class.name.clone()));
        self.classes.sort_unstable();
        self.classes.dedup();
        self.jvm.clone_from(&profile.run.jvm);
    }

    /// True if the code of no method is known.
    pub fn is_empty(&self) -> bool {
        self.hashes.is_empty()
    }

    /// What the code of a method is known by; 0 if by nothing.
    pub fn hash_of(&self, method: &Method) -> u64 {
        let found = self.hashes.binary_search_by(|(known, _)| known.cmp(method));
        found.map_or(0, |at| self.hashes[at].1)
    }

    /// True if the profile knows a class of this name.
    pub fn has_class(&self, name: &str) -> bool {
        self.classes.binary_search_by(|known| known.as_str().cmp(name)).is_ok()
    }

    /// Whether the JDK comes with a class of this name.
    pub fn is_platform(&self, class: &str) -> bool {
        self.definitions.is_platform(class)
    }

    /// Name and version of the JVM; empty if unknown.
    pub fn jvm(&self) -> &str {
        &self.jvm
    }

    /// Compares a method's code here with that in another profile.
    pub fn compare(&self, other: &Self, method: &Method) -> Sameness {
        match (self.hash(method), other.hash(method)) {
            (Some(one), Some(other)) if one == other => Sameness::Same,
            (Some(_), Some(_)) => Sameness::Changed,
            _ => Sameness::Unknown,
        }
    }

    /// The methods with code, sorted, that another profile does not have, of classes
    /// that it knows.
    pub fn missing_in(&self, other: &Self) -> Vec<&Method> {
        let methods = self.hashes.iter().map(|(method, _)| method);
        let is_missing = |method: &&Method| {
            other.hash(method).is_none()
                && other.unknown.binary_search(method).is_err()
                && other.has_class(&method.class)
        };
        methods.filter(is_missing).collect()
    }

    /// True if the profile knows the method, executed or not.
    pub fn knows(&self, method: &Method) -> bool {
        self.hash(method).is_some() || self.unknown.binary_search(method).is_ok()
    }

    /// What the code of a method is known by.
    pub fn hash(&self, method: &Method) -> Option<u64> {
        let at = self.hashes.binary_search_by(|(known, _)| known.cmp(method)).ok()?;
        Some(self.hashes[at].1)
    }
}
