//! Writes metadata into the profile: records, facts about the run, and what is not
//! instrumented.

use std::collections::HashSet;
use std::hash::{DefaultHasher, Hash, Hasher};

use arena::Arena;
use parking_lot::Mutex;
use profile::metadata::Record;

use crate::journal::Journal;

/// The writer of one profile.
#[derive(Debug)]
pub struct ProfileWriter {
    arena: &'static Arena,
    journal: Journal,
    /// Hashes of what is listed as not instrumented.
    skipped: Mutex<HashSet<u64>>,
}

impl ProfileWriter {
    /// A writer into this memory.
    pub fn new(arena: &'static Arena) -> Self {
        Self { arena, journal: Journal::default(), skipped: Mutex::default() }
    }

    /// Appends a record; false if there is no room.
    pub fn append(&self, record: &Record) -> bool {
        let _view = self.arena.hold_view();
        self.journal.append(self.arena, record)
    }

    /// Appends one of the few records with which a recording ends: for them there is
    /// room also when the arena is full.
    pub fn close(&self, record: &Record) {
        let _view = self.arena.hold_view();
        self.journal.close(self.arena, record);
    }

    /// Notes a fact about the run; see [`profile::key`].
    pub fn note(&self, key: &str, value: &str) {
        self.append(&Record::RunInfo { key: key.to_owned(), value: value.to_owned() });
    }

    /// Notes a fact about how the run ended.
    pub fn close_with(&self, key: &str, value: &str) {
        self.close(&Record::RunInfo { key: key.to_owned(), value: value.to_owned() });
    }

    /// Lists something that is not instrumented; an empty method means the class.
    pub fn skip(&self, class: &str, method: &str, reason: &str) {
        let mut hasher = DefaultHasher::new();
        (class, method, reason).hash(&mut hasher);
        // A class is looked at again whenever recording is switched on.
        if !self.skipped.lock().insert(hasher.finish()) {
            return;
        }
        self.append(&Record::Skipped {
            class: class.to_owned(),
            method: method.to_owned(),
            reason: reason.to_owned(),
        });
    }
}
