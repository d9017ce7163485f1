//! How far code is followed.

use std::collections::BTreeMap;

use base::wildcard;

/// What a recording takes from a method.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Following {
    /// Its values.
    pub values: bool,
    /// Where it makes objects.
    pub sites: bool,
    /// Its receiver, in chains of them.
    pub receiver: bool,
    /// If not its values: that it stores them.
    pub stores: bool,
}

impl Following {
    /// Everything.
    pub const ALL: Self = Self { values: true, sites: true, receiver: true, stores: true };
    /// Nothing but that it stores: it has no other probes.
    pub const NOTHING: Self = Self { values: false, sites: false, receiver: false, stores: true };
}

/// Code that is not followed, or not in every respect.
#[derive(Debug, Clone, Default)]
pub struct Unfollowed {
    /// Patterns for names of classes, with dots.
    pub classes: Vec<String>,
    /// Methods (class, name and descriptor) that have no room for all probes.
    pub methods: BTreeMap<String, Following>,
}

impl Unfollowed {
    /// How far a method is followed: `class` with dots, `method` with its name and
    /// descriptor behind that.
    pub fn following(&self, class: &str, method: &str) -> Following {
        // Method handles never have probes.
        let is_handle = class.starts_with("java.lang.invoke.");
        if is_handle || self.classes.iter().any(|pattern| wildcard::matches(pattern, class)) {
            return Following::NOTHING;
        }
        self.methods.get(method).copied().unwrap_or(Following::ALL)
    }
}
