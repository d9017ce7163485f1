//! Whether the counts of a profile that lacks something are those of the whole
//! run, or fewer.

use std::collections::BTreeMap;
use std::path::Path;

use crate::rig::contexts;

/// JVM options with which a deterministic program has the same tree in every
/// run: no collection clears weak tables, identity hashes are alike.
pub const REPEATABLE: &[&str] =
    &["-Xmx2g", "-Xms2g", "-Xmn1500m", "-XX:+UnlockExperimentalVMOptions", "-XX:hashCode=2"];

/// Classes of the class library that take a different way in every run.
const RANDOMISED: &[&str] =
    &["java.util.ImmutableCollections", "java.lang.Module", "jdk.internal.loader"];

/// Calls and bytecodes of the contexts below the main method of a class, which
/// do the same in every run.
#[derive(Debug)]
pub struct BelowMain {
    calls: BTreeMap<String, u64>,
    bytecodes: BTreeMap<String, u64>,
}

impl BelowMain {
    /// Reads them from a profile. The run must have been made repeatable.
    pub fn of(profile: &Path, class: &str) -> Self {
        let main = format!("{class}.main");
        let below = |metric| {
            let mut found = contexts(profile, metric);
            found.retain(|path, _| {
                path.split(';').any(|frame| frame == main) && !path.split(';').any(is_randomised)
            });
            found
        };
        Self { calls: below("calls"), bytecodes: below("bytecodes") }
    }

    /// Number of contexts that were called.
    pub fn len(&self) -> usize {
        self.calls.len()
    }

    /// Fails if anything here counts more than it does in the whole run.
    pub fn assert_within(&self, whole: &Self, what: &str) {
        for (part, whole) in [(&self.calls, &whole.calls), (&self.bytecodes, &whole.bytecodes)] {
            for (path, &count) in part {
                let most = whole.get(path).copied().unwrap_or(0);
                assert!(count <= most, "{count} of {most} on {what}: {path}");
            }
        }
    }
}

fn is_randomised(frame: &str) -> bool {
    RANDOMISED.iter().any(|class| frame.starts_with(class))
}
