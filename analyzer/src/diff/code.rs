//! Whether the code of a method is the same in two profiles.

use profile::Profile;

use crate::names::method::Method;

/// What the code of each method of a profile is known by.
#[derive(Debug, Default)]
pub struct Code {
    /// Sorted, each method once.
    hashes: Vec<(Method, u64)>,
}

/// What is known of a method's code in two profiles.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Sameness {
    /// It is the same.
    Same,
    /// It is another one.
    Changed,
    /// One of the profiles does not say.
    Unknown,
}

impl Code {
    /// Takes note of a profile's hashes.
    pub fn of(profile: &Profile) -> Self {
        let known =
            profile.methods.iter().zip(&profile.code_hashes).filter(|(_, hash)| **hash != 0);
        let named = known.filter_map(|(method, &hash)| {
            let class = profile.classes.get(method.class.0 as usize)?.name.clone();
            let (name, descriptor) = (method.name.clone(), method.descriptor.clone());
            Some((Method { class, name, descriptor }, hash))
        });
        let mut hashes: Vec<(Method, u64)> = named.collect();
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
        Self { hashes }
    }

    /// Compares a method's code here with that in another profile.
    pub fn compare(&self, other: &Self, method: &Method) -> Sameness {
        match (self.of_method(method), other.of_method(method)) {
            (Some(one), Some(other)) if one == other => Sameness::Same,
            (Some(_), Some(_)) => Sameness::Changed,
            _ => Sameness::Unknown,
        }
    }

    fn of_method(&self, method: &Method) -> Option<u64> {
        let at = self.hashes.binary_search_by(|(known, _)| known.cmp(method)).ok()?;
        Some(self.hashes[at].1)
    }
}
