//! Memory that the probes of `mode=costs` read and write.

use std::sync::atomic::Ordering::{Acquire, Relaxed, Release};
use std::sync::atomic::{AtomicU32, AtomicU64};

use parking_lot::Mutex;
use profile::layout::dataflow::frequencies;
use rustc_hash::FxHashMap;

use super::cache;
pub use super::thread_rows::METHODS;
use super::thread_rows::{ThreadRows, TreeRows};
use crate::dataflow::objects::contexts::{ContextKind, Contexts};
use arena::Arena;

/// Entries of the cache of dependences; as in `SubsumeCosts`.
pub const KNOWN: usize = 1 << 16;

/// Words of the counters of a method in a slot, and of what is behind them, at most.
const MOST_WORDS: u32 = 1 << 17;

/// Words in a page of that memory.
const PAGE: usize = 1 << 10;

/// Words for each slot in the row of a method that has counters for each tag of its
/// receiver; as in `SubsumeActivation`.
pub const WAYS: u32 = 4;

/// Which counters of basic blocks are meant.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct CountersKey {
    /// The method, by its number.
    pub method: u32,
    /// The context slot.
    pub slot: u32,
    /// The tag of the receiver; 0 for any.
    pub receiver: u32,
}

/// What a method counts in a slot.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct CountersSize {
    /// Counters of basic blocks, two words each.
    pub counters: u32,
    /// Words of inline caches, which lie behind the counters.
    pub cache_words: u32,
    /// True if each tag of the receiver has its own.
    pub is_by_receiver: bool,
}

/// The tables of a recording.
#[derive(Debug)]
pub struct CostTables {
    contexts: Contexts,
    /// Dependences that are known to be noted.
    known: &'static [AtomicU64],
    /// Word index of the head of the list of counters.
    list: u32,
    /// Scratch counters and caches, which nobody reads, enough for any method: word
    /// index of those of slot 0. Those of the other slots follow.
    scratch: u32,
    /// Words of scratch counters and caches in each slot.
    scratch_words: u32,
    /// Rows that belong to no method of a tree: word indices of one that leads
    /// nowhere, and of one that leads to the scratch counters.
    no_row: u32,
    scratch_row: u32,
    /// For each slot, an entry of a cache that leads to the scratch counters.
    unread: &'static [[u64; cache::entry::WORDS / 2]],
    inner: Mutex<Inner>,
}

#[derive(Debug, Default)]
struct Inner {
    next_instruction: u32,
    /// For each method, its first instruction and how many it has.
    instructions: FxHashMap<u32, (u32, u32)>,
    /// For each method, how many counters it has, and words of its instructions'
    /// inline caches.
    counters: FxHashMap<u32, CountersSize>,
    /// For each tree, what leads to its counters: a word for each method says where
    /// its row is, counted from `no_row`, which has a word for each slot: the word
    /// index of the first counter, or 0. If tags of receivers have their own, there are
    /// [`WAYS`] times as many words. Behind them is the [`cache`] of activations.
    rows: ThreadRows,
}

impl CostTables {
    /// Empty tables; `None` without room. `list` is the word of the head of the list of counters.
    pub fn new(arena: &Arena, contexts: Contexts, list: u32) -> Option<Self> {
        // The overflow has other uses, too.
        let room = arena.overflow_words() / 2 / (contexts.slots + 1);
        let scratch_words = room.min(frequencies::FIRST + MOST_WORDS) & !1;
        let scratch = arena.take_overflow((contexts.slots + 1) * scratch_words)?;
        for slot in 0..=contexts.slots {
            let its = arena.word(scratch + slot * scratch_words + frequencies::SLOT)?;
            its.store(slot, Relaxed);
        }
        let counters_in = |slot| scratch + slot * scratch_words + frequencies::FIRST;
        let words = WAYS * (contexts.slots + 1);
        let no_row = arena.take_overflow(words)?;
        let scratch_row = arena.take_overflow(words)?;
        for word in 0..words {
            let slot = word % (contexts.slots + 1);
            arena.word(scratch_row + word)?.store(counters_in(slot), Relaxed);
        }
        let address = |word: u32| arena.base_address() + u64::from(word) * 4;
        let unread = |slot| cache::leading_to(address(counters_in(slot)), slot);
        Some(Self {
            contexts,
            // Instrumented code keeps the address until the process ends.
            known: (0..KNOWN).map(|_| AtomicU64::new(0)).collect::<Vec<_>>().leak(),
            list,
            scratch,
            scratch_words,
            no_row,
            scratch_row,
            unread: (0..=contexts.slots).map(unread).collect::<Vec<_>>().leak(),
            inner: Mutex::new(Inner { next_instruction: 1, ..Inner::default() }),
        })
    }

    /// Address of the cache of dependences.
    pub fn known(&self) -> u64 {
        self.known.as_ptr() as u64
    }

    /// How many context slots there are beside that of no context.
    pub fn slots(&self) -> u32 {
        self.contexts.slots
    }

    /// 1 where a context depends on the caller's, else 0.
    pub fn factor(&self) -> u32 {
        if self.contexts.kind == ContextKind::Chain { 1 } else { 0 }
    }

    /// Numbers for the instructions of a method: the first one's, and how many
    /// nodes each may have. `None` when they run out.
    pub fn instructions(&self, method: u32, count: u32) -> Option<(u32, u32)> {
        let scale = self.contexts.slots + 1;
        if method as usize >= METHODS {
            return None;
        }
        let mut inner = self.inner.lock();
        if let Some(&(first, known)) = inner.instructions.get(&method)
            && known == count
        {
            return Some((first, scale));
        }
        let first = inner.next_instruction;
        let next = first.checked_add(count)?;
        // Nodes are below 2^31, which is a mark.
        next.checked_mul(scale).filter(|&end| end < 1 << 31)?;
        inner.next_instruction = next;
        inner.instructions.insert(method, (first, count));
        Some((first, scale))
    }

    /// Notes how many counters a method has, and how many words of inline caches.
    /// False if those are too many.
    ///
    /// A method may be rewritten in another way later. What was made for it is
    /// given up then if it is too small, and what is made from now on is enough
    /// for its earlier code too, which may still run.
    pub fn set_counters(&self, method: u32, size: CountersSize) -> bool {
        let needed = size.counters.saturating_mul(2).saturating_add(size.cache_words);
        if needed.saturating_add(frequencies::FIRST) > self.scratch_words {
            return false;
        }
        let mut inner = self.inner.lock();
        let before = inner.counters.get(&method).copied();
        let known = before.unwrap_or_default();
        let size = CountersSize {
            counters: size.counters.max(known.counters),
            cache_words: size.cache_words.max(known.cache_words),
            is_by_receiver: size.is_by_receiver || known.is_by_receiver,
        };
        inner.counters.insert(method, size);
        if before.is_some_and(|before| before != size) {
            for words in inner.rows.all() {
                let (rows, cache) = words.split_at(METHODS);
                if let Some(row) = rows.get(method as usize) {
                    row.store(0, Release);
                    cache::forget(cache, method);
                }
            }
        }
        true
    }

    /// The word for a slot and a receiver in a row.
    fn slot_word<'a>(&self, arena: &'a Arena, row: u32, key: CountersKey) -> Option<&'a AtomicU32> {
        let word = key.receiver % WAYS * (self.contexts.slots + 1) + key.slot;
        arena.word(self.no_row.wrapping_add(row).checked_add(word)?)
    }

    /// Address of the words that lead to the rows of a tree; 0 if nothing was counted in
    /// it, or without memory.
    pub fn rows(&self, tree: u32) -> u64 {
        self.inner.lock().rows.known(tree).map_or(0, |words| words.as_ptr() as u64)
    }

    /// The thread of a tree has ended, and reads nothing of this any more.
    pub fn thread_ended(&self, arena: &Arena, tree: u32) {
        self.inner.lock().rows.thread_ended(arena, tree);
    }

    /// Address of the entries, one for each slot, that lead to counters which nobody reads.
    pub fn unread(&self) -> u64 {
        self.unread.as_ptr() as u64
    }

    /// Word index of the row that methods have which are not in a tree yet.
    pub fn no_row(&self) -> u32 {
        self.no_row
    }

    /// The row of a method in a tree; a new one where there is none. Without room it
    /// leads to counters that nobody reads, so that nobody asks again.
    fn row(&self, arena: &Arena, tree: &mut TreeRows, method: u32, ways: u32) -> Option<u32> {
        let rows = &tree.words()[..METHODS];
        let place = rows.get(method as usize)?;
        let known = place.load(Acquire);
        if known != 0 {
            return Some(known);
        }
        let page = rows.chunks(PAGE).nth(method as usize / PAGE)?;
        let is_new_page = page.iter().all(|row| row.load(Relaxed) == 0);
        let has_room = !is_new_page || tree.count(arena, PAGE as u64 * 4);
        let taken = if has_room { arena.take(ways * (self.contexts.slots + 1)) } else { None };
        let row = taken.unwrap_or(self.scratch_row).wrapping_sub(self.no_row);
        place.store(row, Release);
        Some(row)
    }

    /// Word index of the counters; what they count is kept if `is_kept`.
    pub fn counters(&self, arena: &Arena, tree: u32, key: CountersKey, is_kept: bool) -> u32 {
        let mut inner = self.inner.lock();
        // A row must have the words that the code of its method looks at, so one of which
        // nothing is known gets none.
        let size = inner.counters.get(&key.method).copied();
        let rows = if is_kept { inner.rows.of(arena, tree) } else { None };
        let made = rows.zip(size).and_then(|(rows, size)| self.take(arena, rows, key, size));
        made.unwrap_or(self.scratch_in(key.slot))
    }

    /// Counters that nobody reads.
    fn scratch_in(&self, slot: u32) -> u32 {
        self.scratch + slot.min(self.contexts.slots) * self.scratch_words + frequencies::FIRST
    }

    fn take(
        &self,
        arena: &Arena,
        rows: &mut TreeRows,
        key: CountersKey,
        size: CountersSize,
    ) -> Option<u32> {
        let CountersKey { method, slot, receiver } = key;
        let (count, cache_words) = (size.counters.max(1), size.cache_words);
        let row = self.row(arena, rows, method, if size.is_by_receiver { WAYS } else { 1 })?;
        let word = self.slot_word(arena, row, key)?;
        let known = word.load(Acquire);
        let fact = |of: u32, fact| arena.word(of - frequencies::FIRST + fact);
        let is_wanted = |of: u32| {
            let its = fact(of, frequencies::RECEIVER).map(|word| word.load(Acquire));
            receiver == 0 || its == Some(receiver)
        };
        if known >= self.scratch || known != 0 && is_wanted(known) {
            return Some(known);
        }
        let Some(at) = arena.take(frequencies::FIRST + 2 * count + cache_words) else {
            // So that nobody asks again.
            word.store(self.scratch_in(slot), Release);
            return None;
        };
        arena.word(at + frequencies::METHOD)?.store(method, Relaxed);
        arena.word(at + frequencies::SLOT)?.store(slot, Relaxed);
        arena.word(at + frequencies::COUNT)?.store(count, Relaxed);
        arena.word(at + frequencies::MET)?.store(cache_words, Relaxed);
        arena.word(at + frequencies::RECEIVER)?.store(receiver, Relaxed);
        let head = arena.word(self.list)?;
        // Nobody else is here meanwhile.
        arena.word(at + frequencies::NEXT)?.store(head.load(Relaxed), Relaxed);
        head.store(at, Release);
        let made = at + frequencies::FIRST;
        let is_counted = known != 0 && known < self.scratch;
        let others = if is_counted { fact(known, frequencies::OTHER) } else { None };
        let next = others.map_or(made, |others| others.swap(made, Relaxed));
        fact(made, frequencies::OTHER)?.store(next, Relaxed);
        word.store(made, Release);
        Some(made)
    }
}

#[cfg(test)]
mod tests {
    use base::whole_file::create_private;

    use super::*;

    fn key(method: u32, slot: u32, receiver: u32) -> CountersKey {
        CountersKey { method, slot, receiver }
    }

    fn size(counters: u32, cache_words: u32) -> CountersSize {
        CountersSize { counters, cache_words, is_by_receiver: false }
    }

    fn rows_of(arena: &Arena, tables: &CostTables, tree: u32) -> &'static [AtomicU32] {
        tables.inner.lock().rows.of(arena, tree).expect("there is memory").words()
    }

    /// The word that leads to the counters of a method in a slot of a tree, as the
    /// probe finds it.
    fn counters_in(arena: &Arena, tables: &CostTables, tree: u32, method: u32, slot: u32) -> u32 {
        let rows = rows_of(arena, tables, tree);
        let row = rows[method as usize].load(Acquire);
        let at = tables.no_row().wrapping_add(row) + slot;
        arena.word(at).expect("usable").load(Acquire)
    }

    fn tables(arena: &Arena) -> (CostTables, u32) {
        let contexts = Contexts { kind: ContextKind::Chain, slots: 16 };
        let list = arena.take(2).expect("there is room");
        (CostTables::new(arena, contexts, list).expect("there is room"), list)
    }

    #[test]
    fn a_method_keeps_its_numbers() {
        let arena = Arena::in_memory().expect("memory can be mapped");
        let (tables, _) = tables(&arena);
        assert_eq!(tables.instructions(7, 10), Some((1, 17)));
        assert_eq!(tables.instructions(8, 5), Some((11, 17)));
        assert_eq!(tables.instructions(7, 10), Some((1, 17)));
        assert_eq!(tables.instructions(9, u32::MAX / 17), None);
    }

    #[test]
    fn there_is_room_for_as_many_slots_as_options_take() {
        let arena = Arena::in_memory().expect("memory can be mapped");
        let contexts = Contexts { kind: ContextKind::Chain, slots: 256 };
        let tables = CostTables::new(&arena, contexts, 16).expect("there is room");
        assert!(tables.set_counters(5, size(1_000, 20_000)));
        assert!(!tables.set_counters(6, size(u32::MAX, 0)));
        let scratch = tables.counters(&arena, 8, key(5, 256, 0), false);
        let slot = arena.word(scratch - frequencies::FIRST + frequencies::SLOT);
        assert_eq!(slot.map(|slot| slot.load(Relaxed)), Some(256));
    }

    #[test]
    fn counters_are_found_again_and_in_the_list() {
        let arena = Arena::in_memory().expect("memory can be mapped");
        let (tables, list) = tables(&arena);
        assert!(tables.set_counters(5, size(3, 8)));
        let tree = arena.take(8).expect("there is room");
        let first = tables.counters(&arena, tree, key(5, 2, 0), true);
        assert_eq!(tables.counters(&arena, tree, key(5, 2, 0), true), first);
        let other = tables.counters(&arena, tree, key(5, 3, 0), true);
        let slots = [(5, 2), (5, 3), (5, 4), (6, 2)];
        let found = slots.map(|(method, slot)| counters_in(&arena, &tables, tree, method, slot));
        assert_eq!(found, [first, other, 0, 0]);
        assert_ne!(other, first);
        let word = |at| arena.word(at).expect("usable").load(Acquire);
        let block = word(list);
        assert_eq!(block + frequencies::FIRST, other);
        assert_eq!(word(block + frequencies::NEXT) + frequencies::FIRST, first);
        assert_eq!((word(block + frequencies::METHOD), word(block + frequencies::SLOT)), (5, 3));
        assert_eq!(word(block + frequencies::COUNT), 3);
        assert_eq!(word(block + frequencies::MET), 8);
    }

    #[test]
    fn code_that_needs_more_counters_gets_others() {
        let arena = Arena::in_memory().expect("memory can be mapped");
        let (tables, _) = tables(&arena);
        let count_at = |at| {
            arena.word(at - frequencies::FIRST + frequencies::COUNT).expect("usable").load(Acquire)
        };
        assert!(tables.set_counters(5, size(3, 8)));
        let first = tables.counters(&arena, 8, key(5, 2, 0), true);
        assert!(tables.set_counters(5, size(2, 4)));
        assert_eq!(tables.counters(&arena, 8, key(5, 2, 0), true), first);
        assert!(tables.set_counters(5, size(2, 12)));
        let second = tables.counters(&arena, 8, key(5, 2, 0), true);
        assert_ne!(second, first);
        // As many as the earlier code needs.
        assert_eq!((count_at(first), count_at(second)), (3, 3));
    }

    #[test]
    fn entries_of_the_cache_for_smaller_counters_lead_nowhere() {
        let arena = Arena::in_memory().expect("memory can be mapped");
        let (tables, _) = tables(&arena);
        assert!(tables.set_counters(5, size(3, 8)));
        tables.counters(&arena, 8, key(5, 2, 0), true);
        let rows = rows_of(&arena, &tables, 8);
        let keys = [5, 6].map(|method: u32| &rows[METHODS + method as usize * cache::entry::WORDS]);
        for (key, method) in keys.iter().zip([5, 6]) {
            key.store(method, Relaxed);
        }
        assert!(tables.set_counters(5, size(2, 4)));
        assert_eq!(keys.map(|key| key.load(Relaxed)), [5, 6]);
        assert!(tables.set_counters(5, size(4, 8)));
        assert_eq!(keys.map(|key| key.load(Relaxed)), [0, 6]);
    }

    #[test]
    fn receivers_with_other_tags_have_other_counters() {
        let arena = Arena::in_memory().expect("memory can be mapped");
        let (tables, list) = tables(&arena);
        assert!(tables.set_counters(5, CountersSize { is_by_receiver: true, ..size(3, 8) }));
        let one = tables.counters(&arena, 8, key(5, 2, 100), true);
        assert_eq!(tables.counters(&arena, 8, key(5, 2, 100), true), one);
        let in_another_way = tables.counters(&arena, 8, key(5, 2, 101), true);
        let other = tables.counters(&arena, 8, key(5, 2, 100 + WAYS), true);
        assert_ne!(other, one);
        assert_ne!(other, in_another_way);
        // Code that does not ask takes what was used last.
        assert_eq!(tables.counters(&arena, 8, key(5, 2, 0), true), other);
        let word = |at| arena.word(at).expect("usable").load(Acquire);
        let block = word(list);
        assert_eq!(word(block + frequencies::RECEIVER), 100 + WAYS);
        assert_eq!(word(word(block + frequencies::NEXT) + frequencies::RECEIVER), 101);
        let third = tables.counters(&arena, 8, key(5, 2, 100 + 2 * WAYS), true);
        let next = |at: u32| word(at - frequencies::FIRST + frequencies::OTHER);
        assert_eq!([third, other, one].map(next), [one, third, other]);
    }

    #[test]
    fn methods_of_which_nothing_is_known_get_no_rows() {
        let arena = Arena::in_memory().expect("memory can be mapped");
        let (tables, list) = tables(&arena);
        // The probe would look for the words of other tags behind the row's end.
        assert!(tables.counters(&arena, 8, key(5, 2, 101), true) >= arena.overflow());
        assert_eq!(counters_in(&arena, &tables, 8, 5, 2), 0);
        assert_eq!(arena.word(list).expect("usable").load(Acquire), 0);
    }

    #[test]
    fn what_is_not_kept_is_counted_where_nobody_reads() {
        let arena = Arena::in_memory().expect("memory can be mapped");
        let (tables, list) = tables(&arena);
        assert!(tables.counters(&arena, 8, key(5, 0, 0), false) >= arena.overflow());
        assert_eq!(arena.word(list).expect("usable").load(Acquire), 0);
    }

    #[test]
    fn without_room_nobody_asks_again() {
        let path = std::env::temp_dir().join(format!("subsume-rows-{}", std::process::id()));
        let arena = create_private(&path)
            .and_then(|file| Arena::create(file, Some(1 << 22)))
            .expect("there is room");
        let contexts = Contexts { kind: ContextKind::Chain, slots: 16 };
        let tables = CostTables::new(&arena, contexts, 16).expect("there is room");
        assert!(tables.set_counters(5, size(3, 8)));
        // Each tree takes a page and a cache beside the file, which count.
        let mut trees = 0;
        while tables.counters(&arena, trees, key(5, 2, 0), true) < arena.overflow() {
            trees += 1;
        }
        assert!((25..31).contains(&trees), "{trees} trees");
        // Nothing more is taken; what there is stays.
        tables.thread_ended(&arena, 0);
        let scratch = tables.counters(&arena, trees, key(5, 2, 0), true);
        assert_eq!(counters_in(&arena, &tables, trees, 5, 2), scratch);
        let _ = std::fs::remove_file(path);
    }
}
