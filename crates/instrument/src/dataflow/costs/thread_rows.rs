//! What leads a thread to its counters: memory beside the file that belongs to its tree.
//!
//! When a thread ends, its tree waits for another one, and what leads to the tree's counters
//! waits with it, so that the next thread finds them again. Where there is little room, it does
//! not: first the caches of ended threads go, which the next one fills again, and then, before
//! nothing more is recorded, all that leads to their counters. The counters themselves belong to
//! the recording, and stay. A thread that looks for them then gets others, and both are read.

use std::sync::atomic::AtomicU32;

use arena::{Arena, RoomBeside, Shortage, addresses_beside, forget_words, words_beside};
use rustc_hash::FxHashMap;

use super::cache;

/// Methods that may have counters. Each tree has a word for each of them, in memory
/// that is taken a page at a time.
pub const METHODS: usize = 1 << cache::METHOD_BITS;

/// Words of a tree: one for each method, and the cache.
const WORDS: usize = METHODS + cache::WORDS;
/// Bytes of the cache.
const CACHE_BYTES: u64 = cache::WORDS as u64 * 4;

/// What leads to the counters of trees.
#[derive(Debug, Default)]
pub struct ThreadRows {
    /// By tree; `None` without memory.
    trees: FxHashMap<u32, Option<TreeRows>>,
    /// Trees of ended threads, whose caches have not been given back.
    ended: Vec<u32>,
    /// Words that no tree has any more; all are 0.
    spare: Vec<&'static [AtomicU32]>,
    /// How many trees have had some at the same time.
    made: u64,
}

/// What leads to the counters of a tree.
#[derive(Debug)]
pub struct TreeRows {
    words: &'static [AtomicU32],
    /// Bytes of them that count, without those of the cache.
    counted: u64,
    /// Whether those of the cache do.
    has_cache: bool,
    /// Whether its thread has ended, and none has come since.
    has_ended: bool,
    /// Whether it is in the list of those.
    is_listed: bool,
}

impl TreeRows {
    /// The words: one for each method, and the cache.
    pub fn words(&self) -> &'static [AtomicU32] {
        self.words
    }

    /// Counts bytes of them that are used from now on; false if there is no room.
    pub fn count(&mut self, arena: &Arena, bytes: u64) -> bool {
        self.counted += bytes;
        arena.count_beside(bytes)
    }

    /// Gives the cache back.
    fn forget_cache(&mut self, arena: &Arena) {
        if std::mem::take(&mut self.has_cache) {
            forget_words(&self.words[METHODS..]);
            arena.discount_beside(CACHE_BYTES);
        }
    }
}

impl ThreadRows {
    /// All words that trees have.
    pub fn all(&self) -> impl Iterator<Item = &'static [AtomicU32]> {
        self.trees.values().flatten().map(|tree| tree.words)
    }

    /// Those of a tree, if it has some.
    pub fn known(&self, tree: u32) -> Option<&'static [AtomicU32]> {
        self.trees.get(&tree)?.as_ref().map(|tree| tree.words)
    }

    /// Those of a tree whose thread counts; `None` without memory.
    pub fn of(&mut self, arena: &Arena, tree: u32) -> Option<&mut TreeRows> {
        if !self.trees.contains_key(&tree) {
            let made = self.make(arena);
            self.trees.insert(tree, made);
        }
        let rows = self.trees.get_mut(&tree)?.as_mut()?;
        rows.has_ended = false;
        if !rows.has_cache {
            rows.has_cache = true;
            arena.count_beside(CACHE_BYTES);
        }
        Some(rows)
    }

    fn make(&mut self, arena: &Arena) -> Option<TreeRows> {
        let has_addresses = |made: u64| (made + 1) * WORDS as u64 * 4 <= addresses_beside();
        if arena.room_beside(CACHE_BYTES) == RoomBeside::None
            || self.spare.is_empty() && !has_addresses(self.made)
        {
            self.forget_ended(arena);
        }
        // Without room, rows still say so; then the cache takes no memory.
        arena.count_beside(CACHE_BYTES);
        let words = self.spare.pop().or_else(|| {
            let made = if has_addresses(self.made) { words_beside(WORDS) } else { None };
            match made {
                Some(_) => self.made += 1,
                // Threads without them count where nobody reads, which is to be told.
                None => arena.end_with(Shortage::Addresses(self.made * WORDS as u64 * 4)),
            }
            made
        });
        words.map(|words| TreeRows {
            words,
            counted: 0,
            has_cache: true,
            has_ended: false,
            is_listed: false,
        })
    }

    /// The thread of a tree has ended, and reads nothing of this any more.
    pub fn thread_ended(&mut self, arena: &Arena, tree: u32) {
        let Some(Some(rows)) = self.trees.get_mut(&tree) else { return };
        rows.has_ended = true;
        if !std::mem::replace(&mut rows.is_listed, true) {
            self.ended.push(tree);
        }
        if arena.room_beside(0) == RoomBeside::Much {
            return;
        }
        for tree in self.ended.drain(..) {
            let Some(Some(rows)) = self.trees.get_mut(&tree) else { continue };
            rows.is_listed = false;
            if rows.has_ended {
                rows.forget_cache(arena);
            }
        }
    }

    /// Gives back all that leads to the counters of ended threads.
    fn forget_ended(&mut self, arena: &Arena) {
        // Those that go on are listed again when they end.
        for tree in self.ended.drain(..) {
            if let Some(Some(rows)) = self.trees.get_mut(&tree) {
                rows.is_listed = false;
            }
        }
        let has_ended =
            |_: &u32, rows: &mut Option<TreeRows>| rows.as_ref().is_some_and(|rows| rows.has_ended);
        for (_, rows) in self.trees.extract_if(has_ended) {
            let Some(mut rows) = rows else { continue };
            rows.forget_cache(arena);
            forget_words(&rows.words[..METHODS]);
            arena.discount_beside(rows.counted);
            self.spare.push(rows.words);
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::Ordering::Relaxed;

    use super::*;

    /// Room for 32 caches and some more.
    fn arena(name: &str) -> Arena {
        let file = format!("subsume-thread-rows-{name}-{}", std::process::id());
        let path = std::env::temp_dir().join(file);
        let arena = base::whole_file::create_private(&path)
            .and_then(|file| Arena::create(file, Some(5 << 20)))
            .expect("there is room");
        std::fs::remove_file(path).expect("it was created");
        arena
    }

    fn use_page(arena: &Arena, rows: &mut ThreadRows, tree: u32) -> bool {
        let tree = rows.of(arena, tree).expect("there is memory");
        tree.words()[0].store(7, Relaxed);
        tree.words()[METHODS].store(9, Relaxed);
        tree.count(arena, 4096)
    }

    #[test]
    fn threads_that_end_make_room_for_others() {
        let arena = arena("ended");
        let mut rows = ThreadRows::default();
        // Many threads with different names, so that they share no trees.
        for tree in 1..500 {
            assert!(use_page(&arena, &mut rows, tree), "thread {tree}");
            rows.thread_ended(&arena, tree);
        }
        assert_eq!(arena.shortage(), None);
        assert!(rows.made < 500, "words are used again");
    }

    #[test]
    fn the_next_thread_of_a_tree_finds_what_led_to_counters() {
        let arena = arena("next");
        let mut rows = ThreadRows::default();
        for tree in 1..=20 {
            assert!(use_page(&arena, &mut rows, tree));
        }
        rows.thread_ended(&arena, 3);
        let words = rows.known(3).expect("it waits");
        // Half of the room is used, so its cache is gone.
        assert_eq!((words[0].load(Relaxed), words[METHODS].load(Relaxed)), (7, 0));
        assert_eq!(rows.of(&arena, 3).map(|tree| tree.words().as_ptr()), Some(words.as_ptr()));
        assert_eq!(words[0].load(Relaxed), 7);
    }

    #[test]
    fn live_threads_keep_all_they_have() {
        let arena = arena("live");
        let mut rows = ThreadRows::default();
        let live = (1..).take_while(|&tree| use_page(&arena, &mut rows, tree)).count();
        assert!((25..40).contains(&live), "{live} threads");
        let words: Vec<_> = rows.all().collect();
        assert!(words.iter().all(|words| words[METHODS].load(Relaxed) == 9));
        assert!(matches!(arena.shortage(), Some(Shortage::MaxMemory(_))));
    }
}
