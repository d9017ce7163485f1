//! The shadows of values that were consumed: computed with, tested, or given to
//! native code.
//!
//! Probes note them in memory beside the file, a byte for each, so that they need not call
//! anybody. They are written down before somebody reads the profile, and every now and
//! then, for a process that is killed.

use std::sync::atomic::AtomicU64;
use std::sync::atomic::Ordering::{Relaxed, Release};

use arena::{Arena, scattered_words_beside};
use parking_lot::Mutex;
use profile::layout::dataflow;
use profile::layout::dataflow::shadow::{self, FIELD_GROUP};
use rustc_hash::FxHashSet;

use super::edges::new_chunk;

/// The largest number of fields with bytes. The system gives memory only to the groups in use.
const MOST_FIELDS: u32 = 1 << 17;

/// And so many at least, where the address space is limited. Uses of others are slow.
const LEAST_FIELDS: u32 = FIELD_GROUP;

/// What a byte has when a probe has noted something.
const NOTED: u64 = 1;

/// What it has, too, when that is written down.
const KEPT: u64 = 2;

/// A byte of this value in each place.
const EACH: u64 = 0x0101_0101_0101_0101;

/// Entries of a chunk.
const CHUNK: u32 = 1 << 8;

/// What was noted, and what of it is written down.
#[derive(Debug)]
pub struct Consumed {
    /// The byte of a shadow is the one with that number.
    bytes: &'static [AtomicU64],
    file: Mutex<File>,
}

/// The last chunk in the file.
#[derive(Debug, Default)]
struct File {
    next: u32,
    free: u32,
    /// The shadows without bytes that are in the file.
    known: FxHashSet<u64>,
}

impl Consumed {
    /// Nothing is consumed; `None` without memory.
    pub fn new() -> Option<Self> {
        let counts = std::iter::successors(Some(MOST_FIELDS), |count| Some(count / 2));
        let bytes = counts
            .take_while(|&count| count >= LEAST_FIELDS)
            .find_map(|count| scattered_words_beside(words_of(count)))?;
        Some(Self { bytes, file: Mutex::default() })
    }

    /// Address of the bytes.
    pub fn address(&self) -> u64 {
        self.bytes.as_ptr() as u64
    }

    /// Fields with numbers below this have bytes.
    pub fn fields(&self) -> u32 {
        shadow::field(8 * self.bytes.len() as u64)
    }

    /// Hands on each shadow that was noted since the last time, of tags and fields below these.
    pub fn collect(&self, tags: u32, fields: u32, mut keep: impl FnMut(u64)) {
        self.for_each_noted(tags, fields, |word, new, shadow| {
            // In this order, so that who collects at the same time does not miss it. Twice does
            // no harm, and a probe that has seen nothing there may note it once more, too.
            keep(shadow);
            word.fetch_or(new * KEPT, Relaxed);
        });
    }

    /// Forgets what was noted and not handed on.
    pub fn forget(&self, tags: u32, fields: u32) {
        self.for_each_noted(tags, fields, |word, new, _| {
            word.fetch_and(!(new * NOTED), Relaxed);
        });
    }

    /// Calls `each` with the word, the lowest bit of the byte in it, and the shadow.
    fn for_each_noted(&self, tags: u32, fields: u32, mut each: impl FnMut(&AtomicU64, u64, u64)) {
        let groups = self.bytes.chunks(dataflow::TAGS as usize);
        for (group, words) in (0..fields.div_ceil(FIELD_GROUP)).zip(groups) {
            for (tag, word) in (0..tags).zip(words) {
                let bytes = word.load(Relaxed);
                let mut new = bytes & !(bytes >> 1) & EACH;
                while new != 0 {
                    let field = group * FIELD_GROUP + new.trailing_zeros() / 8;
                    each(word, new & new.wrapping_neg(), shadow::of(tag, field));
                    new &= new - 1;
                }
            }
        }
    }

    /// Writes a shadow down, in chunks that hang in a list of this head; false
    /// if there is no room.
    pub fn keep(&self, arena: &Arena, chunks: u32, shadow: u64) -> bool {
        let mut file = self.file.lock();
        let has_byte = shadow / 8 < self.bytes.len() as u64;
        if shadow == 0 || !has_byte && !file.known.insert(shadow) {
            return true;
        }
        file.add(arena, chunks, shadow).is_some()
    }
}

impl File {
    fn add(&mut self, arena: &Arena, chunks: u32, shadow: u64) -> Option<()> {
        if self.free == 0 {
            self.next = new_chunk(arena, chunks, CHUNK, dataflow::CONSUMED_WORDS)?;
            self.free = CHUNK;
        }
        arena.long(self.next)?.store(shadow, Release);
        self.next += dataflow::CONSUMED_WORDS;
        self.free -= 1;
        Some(())
    }
}

/// Words for so many fields, in whole groups.
fn words_of(fields: u32) -> usize {
    (shadow::of(0, fields) / 8) as usize
}

#[cfg(test)]
mod tests {
    use super::*;

    fn collected(consumed: &Consumed, fields: u32) -> Vec<u64> {
        let mut found = Vec::new();
        consumed.collect(100, fields, |shadow| found.push(shadow));
        found
    }

    /// As the probe does.
    fn note(consumed: &Consumed, tag: u32, field: u32) {
        let byte = shadow::of(tag, field);
        consumed.bytes[byte as usize / 8].fetch_or(NOTED << (byte % 8 * 8), Relaxed);
    }

    #[test]
    fn what_is_noted_is_handed_on_once() {
        let consumed = Consumed::new().unwrap();
        note(&consumed, 7, 0);
        note(&consumed, 7, 15);
        note(&consumed, 99, 8);
        assert_eq!(
            collected(&consumed, 16),
            [shadow::of(7, 0), shadow::of(7, 15), shadow::of(99, 8)]
        );
        note(&consumed, 7, 15);
        note(&consumed, 8, 15);
        note(&consumed, 8, 16);
        note(&consumed, 100, 1);
        assert_eq!(collected(&consumed, 16), [shadow::of(8, 15)]);
        assert_eq!(collected(&consumed, 17), [shadow::of(8, 16)]);
    }

    #[test]
    fn what_is_forgotten_can_be_noted_again() {
        let consumed = Consumed::new().unwrap();
        note(&consumed, 1, 2);
        assert_eq!(collected(&consumed, 8), [shadow::of(1, 2)]);
        note(&consumed, 1, 3);
        consumed.forget(100, 8);
        assert_eq!(collected(&consumed, 8), []);
        note(&consumed, 1, 2);
        note(&consumed, 1, 3);
        assert_eq!(collected(&consumed, 8), [shadow::of(1, 3)]);
    }
}
