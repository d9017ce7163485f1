//! Entries of the old constant pool that an edit can use.

use super::text_hash::hash;
use crate::read::constant_pool::{ConstantPool, tag};

/// The classes that a constant pool names, and the name of the one attribute
/// that edits add.
///
/// Frames and probes name classes that the class knows already, most of them.
/// A JVM that redefines a class compares each new entry of the constant pool
/// with all old ones, so what is not appended is saved more than once.
#[derive(Clone, Debug, Default)]
pub(crate) struct KnownEntries {
    /// The texts of all entries.
    texts: Vec<u8>,
    entries: Vec<Known>,
    /// Open addressing over `entries`: number + 1, or 0 for a free slot. Its
    /// length is a power of two, at least twice that of `entries`.
    slots: Vec<u32>,
}

#[derive(Clone, Copy, Debug)]
struct Known {
    kind: u8,
    start: u32,
    end: u32,
    index: u16,
}

/// The attribute whose name is looked for.
const ATTRIBUTE: &[u8] = b"StackMapTable";

impl KnownEntries {
    /// Starts again for another constant pool.
    pub(crate) fn restart(&mut self, pool: &ConstantPool<'_>) {
        self.texts.clear();
        self.entries.clear();
        for index in pool.indices() {
            let (kind, text) = match pool.tag(index) {
                Some(tag::CLASS) => (tag::CLASS, pool.class_name(index)),
                Some(tag::UTF8) => (tag::UTF8, pool.utf8(index)),
                _ => continue,
            };
            let Ok(text) = text else { continue };
            if kind == tag::CLASS || text == ATTRIBUTE {
                let start = self.texts.len() as u32;
                self.texts.extend_from_slice(text);
                self.entries.push(Known { kind, start, end: self.texts.len() as u32, index });
            }
        }
        self.slots.clear();
        self.slots.resize((2 * self.entries.len()).next_power_of_two(), 0);
        let mask = self.slots.len() - 1;
        for (number, entry) in (1..).zip(&self.entries) {
            let mut slot = hash(self.text(entry)) & mask;
            while self.slots[slot] != 0 {
                slot = (slot + 1) & mask;
            }
            self.slots[slot] = number;
        }
    }

    fn text(&self, entry: &Known) -> &[u8] {
        self.texts.get(entry.start as usize..entry.end as usize).unwrap_or_default()
    }

    /// The index of an entry of this kind that consists of this text.
    pub(crate) fn find(&self, kind: u8, text: &[u8]) -> Option<u16> {
        let mask = self.slots.len().checked_sub(1)?;
        let mut slot = hash(text) & mask;
        loop {
            let number = self.slots.get(slot)?.checked_sub(1)?;
            let entry = self.entries.get(number as usize)?;
            if entry.kind == kind && self.text(entry) == text {
                return Some(entry.index);
            }
            slot = (slot + 1) & mask;
        }
    }
}
