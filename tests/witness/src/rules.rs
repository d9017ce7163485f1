//! Which numbers are not compared, and why. `docs/exactness.md` tells users the
//! same; nothing else is exempt.

use std::collections::HashSet;

use profile::Profile;

use crate::name::Method;

/// What a profile says that it does not show.
///
/// Such frames are transparent: what they call belongs to the next frame
/// outwards that is shown.
#[derive(Debug, Default)]
pub struct Skipped {
    classes: HashSet<String>,
    /// Class, and name with descriptor.
    methods: HashSet<(String, String)>,
}

impl Skipped {
    /// The list of a profile.
    pub fn of(profile: &Profile) -> Self {
        let mut skipped = Self::default();
        for entry in &profile.skipped {
            let class = Method::new(&entry.class, "", "").class;
            if entry.method.is_empty() {
                skipped.classes.insert(class);
            } else {
                skipped.methods.insert((class, entry.method.clone()));
            }
        }
        skipped
    }

    /// True if the profile says that it leaves this method out.
    pub fn contains(&self, method: &Method) -> bool {
        self.classes.contains(&method.class)
            || self
                .methods
                .contains(&(method.class.clone(), format!("{}{}", method.name, method.descriptor)))
    }

    /// True for methods that have no probes and are counted where they are
    /// called, so that a caller without bytecodes or without probes does not
    /// count them: natives, and the constructor of `Object`.
    pub fn needs_counting_caller(&self, method: &Method, is_native: bool) -> bool {
        is_native || (method.class == "java.lang.Object" && method.name == "<init>")
    }
}
