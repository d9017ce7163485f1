//! What each thread counts for each tag: objects, and bytes where they do not
//! follow from the number of objects.
//!
//! The counters of a tree lie in the profile's file, in pages that a table
//! leads to, and have one writer at a time as the tree has.

use std::sync::OnceLock;
use std::sync::atomic::Ordering::{Acquire, Release};

use parking_lot::Mutex;
use profile::layout::births;
use profile::metadata::Record;
use profile::object_records::ObjectRecord;
use rustc_hash::FxHashMap;

use arena::Arena;

/// The counters of all trees.
#[derive(Debug, Default)]
pub struct Counters {
    /// The table of each tree that has one.
    tables: Mutex<FxHashMap<u32, u32>>,
    /// Where counts go that nobody will read.
    scratch: OnceLock<Scratch>,
}

#[derive(Debug, Clone, Copy)]
struct Scratch {
    table: u32,
    page: u32,
}

impl Counters {
    /// Takes memory for counts that find no room in the file; false if there
    /// is none.
    pub fn prepare(&self, arena: &Arena) -> bool {
        let take = || {
            let table = arena.take_overflow(births::PAGES)?;
            let page = arena.take_overflow(births::PAGE_WORDS)?;
            for number in 0..births::PAGES {
                arena.word(table + number)?.store(page, Release);
            }
            Some(Scratch { table, page })
        };
        take().is_some_and(|scratch| self.scratch.set(scratch).is_ok())
    }

    /// Word index of the table of a tree.
    pub fn table(&self, arena: &Arena, tree: u32, note: &dyn Fn(&Record)) -> u32 {
        let mut tables = self.tables.lock();
        if let Some(&table) = tables.get(&tree) {
            return table;
        }
        let made = (tree != 0 && tree < arena.overflow()).then(|| arena.take(births::PAGES));
        let Some(table) = made.flatten() else {
            return self.scratch.get().map_or(0, |scratch| scratch.table);
        };
        note(&Record::Object(ObjectRecord::Births { tree, table }));
        tables.insert(tree, table);
        table
    }

    /// Word index of a page of a tree's table.
    pub fn page(&self, arena: &Arena, tree: u32, number: u32) -> u32 {
        let scratch = self.scratch.get().map_or(0, |scratch| scratch.page);
        let tables = self.tables.lock();
        let entry = tables.get(&tree).filter(|_| number < births::PAGES);
        let Some(entry) = entry.and_then(|table| arena.word(table + number)) else {
            return scratch;
        };
        match entry.load(Acquire) {
            0 => {
                let page = arena.take(births::PAGE_WORDS).unwrap_or(scratch);
                entry.store(page, Release);
                page
            }
            page => page,
        }
    }

    /// Where counts go that nobody will read.
    pub fn scratch_page(&self) -> u32 {
        self.scratch.get().map_or(0, |scratch| scratch.page)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_tree_keeps_its_table_and_its_pages() {
        let arena = Arena::in_memory().expect("memory can be mapped");
        let counters = Counters::default();
        assert!(counters.prepare(&arena));
        let tree = arena.take(8).expect("there is room");
        let table = counters.table(&arena, tree, &|_| ());
        assert_eq!(counters.table(&arena, tree, &|_| ()), table);
        let page = counters.page(&arena, tree, 3);
        assert_eq!(counters.page(&arena, tree, 3), page);
        assert_ne!(counters.page(&arena, tree, 4), page);
        assert_eq!(arena.word(table + 3).expect("usable").load(Acquire), page);
    }

    #[test]
    fn threads_without_a_tree_count_where_nobody_reads() {
        let arena = Arena::in_memory().expect("memory can be mapped");
        let counters = Counters::default();
        assert!(counters.prepare(&arena));
        let table = counters.table(&arena, arena.overflow(), &|_| ());
        assert!(table >= arena.overflow());
        let page = arena.word(table + 9).expect("usable").load(Acquire);
        assert_eq!(page, counters.scratch_page());
        assert_eq!(counters.page(&arena, arena.overflow(), 9), page);
    }
}
