//! Whether the counts of a profile that lacks something are those of the whole
//! run, or fewer.

use std::collections::BTreeMap;
use std::path::Path;

use crate::repeatable::is_randomised;
use support::contexts;

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
                path.split(';').any(|frame| frame == main) && !path.split(';').any(may_differ)
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

fn may_differ(frame: &str) -> bool {
    frame.rsplit_once('.').is_some_and(|(class, method)| is_randomised(class, method))
}
