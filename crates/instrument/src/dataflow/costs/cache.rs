//! The cache of activations that each thread has: by method, tag of the receiver and
//! context of the caller, the counters of the method, its slot, and the context of what
//! it calls.
//!
//! It is direct-mapped, and only its own thread reads and writes it, in
//! `java.lang.SubsumeActivation`. It lies behind the words that lead to a tree's rows
//! ([`tables`](super::tables)). When a method gets larger counters, because it has been
//! rewritten, its [entries](ENTRIES) must lead nowhere before new code runs.

use std::sync::atomic::Ordering::Relaxed;
use std::sync::atomic::{AtomicU32, Ordering, fence};

/// Entries of a cache; as in `SubsumeActivation`.
pub const ENTRIES: usize = 1 << 12;

/// Words of a cache.
pub const WORDS: usize = ENTRIES * entry::WORDS;

/// Bits of a key that are the number of the method, the lowest ones.
pub const METHOD_BITS: u32 = 19;

/// Word offsets in an entry.
pub mod entry {
    /// What it is for, u64: the method, above it the caller's context, and above that
    /// the tag of the receiver with a bit; 0 if it is for nothing.
    pub const KEY: u32 = 0;
    /// Address of the counters, u64.
    pub const FOUND: u32 = 2;
    /// The context of what the method calls.
    pub const CHAIN: u32 = 4;
    /// The slot.
    pub const SLOT: u32 = 5;
    /// Words of an entry, a power of two.
    pub const WORDS: usize = 8;
}

/// Makes all entries for a method lead nowhere. The word that leads to the method's rows was
/// taken before this; a thread that has just filled an entry looks at that word afterwards.
pub fn forget(cache: &[AtomicU32], method: u32) {
    fence(Ordering::SeqCst);
    let number = (1 << METHOD_BITS) - 1;
    for entry in cache.chunks_exact(entry::WORDS) {
        let [low, high] = [entry::KEY, entry::KEY + 1].map(|word| &entry[word as usize]);
        if low.load(Relaxed) & number == method {
            // The upper half of a key is never 0, so what is left in between is none.
            high.store(0, Ordering::Release);
            low.store(0, Ordering::Release);
        }
    }
}

/// An entry that leads to counters, whatever asked for it.
pub fn leading_to(counters: u64, slot: u32) -> [u64; entry::WORDS / 2] {
    let mut words = [0; entry::WORDS / 2];
    words[entry::FOUND as usize / 2] = counters;
    words[entry::CHAIN as usize / 2] = u64::from(slot) << (32 * (entry::SLOT - entry::CHAIN));
    words
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_is_for_a_method_is_forgotten() {
        let words: Vec<AtomicU32> = (0..3 * entry::WORDS).map(|_| AtomicU32::new(7)).collect();
        words[entry::WORDS + entry::KEY as usize].store(5 | 9 << METHOD_BITS, Relaxed);
        forget(&words, 5);
        let keys =
            words.chunks(entry::WORDS).map(|entry| [0, 1].map(|word| entry[word].load(Relaxed)));
        assert_eq!(keys.collect::<Vec<_>>(), [[7, 7], [0, 0], [7, 7]]);
    }

    #[test]
    fn an_entry_has_counters_and_slot_in_their_places() {
        let words = leading_to(0x7F00_0000_0010, 3);
        let bytes: Vec<u8> = words.iter().flat_map(|word| word.to_le_bytes()).collect();
        let at = |word: u32| &bytes[word as usize * 4..];
        assert_eq!(at(entry::FOUND)[..8], 0x7F00_0000_0010_u64.to_le_bytes());
        assert_eq!(at(entry::SLOT)[..4], 3_u32.to_le_bytes());
        assert_eq!(at(entry::KEY)[..8], [0; 8]);
    }
}
