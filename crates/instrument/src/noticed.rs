//! Which classes the JVM has shown to the agent.
//!
//! Not all are: JDK 21 to 23 post no event from a thread that is changing between a virtual
//! thread and its carrier, and in that state the JDK's own code loads classes (a virtual
//! thread that sleeps needs `ScheduledThreadPoolExecutor`). Such a class has no probes, and
//! none of the fields that it would have got.

use std::hash::BuildHasher;

use parking_lot::Mutex;
use rustc_hash::{FxBuildHasher, FxHashMap};

/// Classes by hashes of their internal names. One of a name stands for all: only classes of
/// the boot loader are known to be loaded so.
#[derive(Debug, Default)]
pub struct Noticed {
    classes: Mutex<FxHashMap<u64, When>>,
}

/// When a class was shown first.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum When {
    /// As it was loaded.
    Loaded,
    /// When somebody had it retransformed or redefined.
    Later,
}

impl Noticed {
    /// The JVM shows a class: `is_loaded` says that it was loaded before.
    pub fn note(&self, class: &[u8], is_loaded: bool) {
        let when = if is_loaded { When::Later } else { When::Loaded };
        let mut classes = self.classes.lock();
        let known = classes.entry(FxBuildHasher.hash_one(class)).or_insert(when);
        if when == When::Loaded {
            *known = when;
        }
    }

    /// True if a class of this name was shown, whenever that was.
    pub fn was_shown(&self, class: &[u8]) -> bool {
        self.classes.lock().contains_key(&FxBuildHasher.hash_one(class))
    }

    /// True if a class of this name was shown as it was loaded.
    pub fn was_shown_in_time(&self, class: &[u8]) -> bool {
        self.classes.lock().get(&FxBuildHasher.hash_one(class)) == Some(&When::Loaded)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_class_that_is_shown_late_was_not_shown_in_time() {
        let noticed = Noticed::default();
        noticed.note(b"Early", false);
        noticed.note(b"Early", true);
        noticed.note(b"Late", true);
        let was_shown = [b"Early" as &[u8], b"Late", b"Never"].map(|name| noticed.was_shown(name));
        assert_eq!(was_shown, [true, true, false]);
        let in_time = [b"Early" as &[u8], b"Late"].map(|name| noticed.was_shown_in_time(name));
        assert_eq!(in_time, [true, false]);
    }
}
