//! The shadows of values that were consumed: computed with, tested, or given to
//! native code.

use std::sync::atomic::Ordering::Release;

use parking_lot::Mutex;
use profile::layout::dataflow;
use rustc_hash::FxHashSet;

use super::edges::new_chunk;
use arena::Arena;

/// Entries of a chunk.
const CHUNK: u32 = 1 << 8;

/// Each shadow once.
#[derive(Debug, Default)]
pub struct Consumed {
    inner: Mutex<Inner>,
}

#[derive(Debug, Default)]
struct Inner {
    known: FxHashSet<u64>,
    next: u32,
    free: u32,
}

impl Consumed {
    /// Writes a shadow down, in chunks that hang in a list of this head; false
    /// if there is no room.
    pub fn keep(&self, arena: &Arena, chunks: u32, shadow: u64) -> bool {
        let mut inner = self.inner.lock();
        inner.known.contains(&shadow) || inner.add(arena, chunks, shadow).is_some()
    }
}

impl Inner {
    fn add(&mut self, arena: &Arena, chunks: u32, shadow: u64) -> Option<()> {
        if self.free == 0 {
            self.next = new_chunk(arena, chunks, CHUNK, dataflow::CONSUMED_WORDS)?;
            self.free = CHUNK;
        }
        arena.long(self.next)?.store(shadow, Release);
        self.next += dataflow::CONSUMED_WORDS;
        self.free -= 1;
        self.known.insert(shadow);
        Some(())
    }
}
