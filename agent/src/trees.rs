//! Calling context trees in the arena: one for each thread that runs.
//!
//! A tree is written by one thread at a time: its nodes need no lock and no
//! atomic addition. When a thread ends, its tree waits for the next thread of
//! the same kind of name, so memory follows the number of live threads.

use std::collections::HashMap;
use std::sync::atomic::Ordering::{Relaxed, Release};

use parking_lot::{Mutex, RwLock};
use profile::layout::{header, node, tree};

use crate::arena::Arena;

/// Words a tree asks for first; doubled with every request up to the last.
const CHUNK_FIRST: u32 = 1 << 8;
const CHUNK_LAST: u32 = 1 << 15;

/// The trees of all threads.
#[derive(Debug, Default)]
pub struct Trees {
    /// Words of a node, by method id; 0 for ids that have none.
    sizes: RwLock<Vec<u32>>,
    /// For each method that once found no room, the node that takes its counts.
    overflow: RwLock<HashMap<u32, u32>>,
    waiting: Mutex<Waiting>,
}

#[derive(Debug, Default)]
struct Waiting {
    /// Trees of ended threads, by the kind of their name.
    free: HashMap<String, Vec<Tree>>,
    /// Trees in use, by record.
    used: HashMap<u32, Tree>,
}

#[derive(Debug, Clone)]
struct Tree {
    record: u32,
    name: String,
    threads: u32,
}

/// What is to be told about a tree after a thread took it.
#[derive(Debug, PartialEq, Eq)]
pub struct Named {
    /// Word index of the tree's record.
    pub tree: u32,
    /// Threads that used it so far.
    pub threads: u32,
    /// The thread's name, or what the names of its threads have in common.
    pub name: String,
}

impl Trees {
    /// Notes how large the nodes of a method are.
    pub fn set_node_words(&self, method: u32, words: u32) {
        let mut sizes = self.sizes.write();
        if sizes.len() <= method as usize {
            sizes.resize(method as usize + 1, 0);
        }
        sizes[method as usize] = words;
    }

    fn node_words(&self, method: u32) -> Option<u32> {
        self.sizes.read().get(method as usize).copied().filter(|&words| words > 0)
    }

    /// A tree for a thread of this name; `None` when the arena is full.
    pub fn take(&self, arena: &Arena, thread_name: &str) -> Option<Named> {
        let kind = kind_of(thread_name);
        let mut waiting = self.waiting.lock();
        let free = waiting.free.get_mut(&kind).and_then(Vec::pop);
        let tree = match free {
            Some(mut tree) => {
                tree.threads += 1;
                if tree.name != thread_name {
                    tree.name = kind;
                }
                arena.word(tree.record + tree::THREADS)?.store(tree.threads, Relaxed);
                tree
            }
            None => {
                let record = new_record(arena)?;
                Tree { record, name: thread_name.to_owned(), threads: 1 }
            }
        };
        let named = Named { tree: tree.record, threads: tree.threads, name: tree.name.clone() };
        waiting.used.insert(tree.record, tree);
        Some(named)
    }

    /// Names a tree whose thread had no name yet when it took it.
    pub fn rename(&self, tree: u32, thread_name: &str) -> Option<Named> {
        let mut waiting = self.waiting.lock();
        let tree = waiting.used.get_mut(&tree)?;
        tree.name = thread_name.to_owned();
        Some(Named { tree: tree.record, threads: tree.threads, name: tree.name.clone() })
    }

    /// The thread of this tree has ended.
    pub fn release(&self, tree: u32) {
        let mut waiting = self.waiting.lock();
        if let Some(tree) = waiting.used.remove(&tree) {
            waiting.free.entry(kind_of(&tree.name)).or_default().push(tree);
        }
    }

    /// A new node for `method` below `slot`, linked; if there is no room, the
    /// method's overflow node.
    pub fn create_node(&self, arena: &Arena, tree: u32, slot: u32, method: u32) -> u32 {
        if slot < arena.overflow()
            && let Some(node) = self.link_new_node(arena, tree, slot, method)
        {
            return node;
        }
        arena.header_long(header::CONTEXTS_LOST).fetch_add(1, Relaxed);
        self.overflow_node(arena, method)
    }

    /// The node that takes counts of a method that nobody will read.
    ///
    /// Each method has its own, because probes write counters and read slots
    /// at offsets that differ by method: in a node that several share, one's
    /// counter would be another's slot. The slots of these nodes stay empty.
    pub fn overflow_node(&self, arena: &Arena, method: u32) -> u32 {
        if let Some(&node) = self.overflow.read().get(&method) {
            return node;
        }
        let words = self.node_words(method).unwrap_or(node::FIXED_WORDS);
        let mut overflow = self.overflow.write();
        *overflow.entry(method).or_insert_with(|| {
            // There is room for more methods than a JVM can hold.
            arena.take_overflow(words).unwrap_or(arena.overflow())
        })
    }

    fn link_new_node(&self, arena: &Arena, tree: u32, slot: u32, method: u32) -> Option<u32> {
        let words = self.node_words(method)?;
        let place = arena.word(slot)?;
        let node = room_for_node(arena, tree, words)?;
        arena.word(node + node::METHOD)?.store(method, Relaxed);
        arena.word(node + node::PARENT_SLOT)?.store(slot, Relaxed);
        let head = place.load(Relaxed);
        if head == 0 {
            // Everything above must be there before the node can be found, also
            // for whoever reads the file after a kill.
            place.store(node, Release);
        } else {
            // The first callee of a site is likely to stay its most frequent
            // one, so it keeps its place at the head.
            let next = arena.word(head + node::NEXT_SIBLING)?;
            arena.word(node + node::NEXT_SIBLING)?.store(next.load(Relaxed), Relaxed);
            next.store(node, Release);
        }
        Some(node)
    }
}

/// A new tree record, linked into the list in the header.
fn new_record(arena: &Arena) -> Option<u32> {
    let record = arena.take(tree::WORDS)?;
    arena.word(record + tree::THREADS)?.store(1, Relaxed);
    let first = arena.header_word(header::FIRST_TREE);
    // The caller holds the lock of `waiting`, so nobody else changes the list.
    arena.word(record + tree::NEXT)?.store(first.load(Relaxed), Relaxed);
    first.store(record, Release);
    Some(record)
}

/// Words from the tree's own chunk, so that threads do not meet at one counter.
fn room_for_node(arena: &Arena, tree: u32, words: u32) -> Option<u32> {
    let cursor = arena.word(tree + tree::ALLOCATION_CURSOR)?;
    let end = arena.word(tree + tree::ALLOCATION_END)?;
    let at = cursor.load(Relaxed);
    if end.load(Relaxed) - at >= words {
        cursor.store(at + words, Relaxed);
        return Some(at);
    }
    let last = arena.word(tree + tree::LAST_CHUNK)?;
    let chunk = (last.load(Relaxed) * 2).clamp(CHUNK_FIRST, CHUNK_LAST);
    if words > chunk / 4 {
        return arena.take(words);
    }
    let at = arena.take(chunk)?;
    last.store(chunk, Relaxed);
    cursor.store(at + words, Relaxed);
    end.store(at + chunk, Relaxed);
    Some(at)
}

/// A thread's name without its numbers: `pool-1-thread-7` and
/// `pool-12-thread-3` are both `pool-#-thread-#`.
fn kind_of(name: &str) -> String {
    let mut kind = String::with_capacity(name.len());
    for c in name.chars() {
        if !c.is_ascii_digit() {
            kind.push(c);
        } else if !kind.ends_with('#') {
            kind.push('#');
        }
    }
    kind
}

#[cfg(test)]
mod tests {
    use super::*;

    struct Fixture {
        arena: Arena,
        path: std::path::PathBuf,
    }

    impl Fixture {
        fn new(name: &str) -> Self {
            let file = format!("subsume-trees-{}-{name}", std::process::id());
            let path = std::env::temp_dir().join(file);
            let arena = Arena::create(&path).expect("a temporary file can be mapped");
            Self { arena, path }
        }
    }

    impl Drop for Fixture {
        fn drop(&mut self) {
            let _ = std::fs::remove_file(&self.path);
        }
    }

    #[test]
    fn siblings_keep_the_first_at_the_head() {
        let f = Fixture::new("siblings");
        let trees = Trees::default();
        for method in 1..=3 {
            trees.set_node_words(method, 8);
        }
        let tree = trees.take(&f.arena, "main").expect("room").tree;
        let slot = tree + tree::ROOT_SLOT;
        let nodes: Vec<u32> = (1..=3).map(|m| trees.create_node(&f.arena, tree, slot, m)).collect();
        let word = |index| f.arena.word(index).expect("usable").load(Relaxed);
        assert_eq!(word(slot), nodes[0]);
        assert_eq!(word(nodes[0] + node::NEXT_SIBLING), nodes[2]);
        assert_eq!(word(nodes[2] + node::NEXT_SIBLING), nodes[1]);
        assert_eq!(word(nodes[1] + node::NEXT_SIBLING), 0);
        assert_eq!(word(nodes[1] + node::PARENT_SLOT), slot);
    }

    #[test]
    fn trees_go_to_threads_of_the_same_kind() {
        let f = Fixture::new("kinds");
        let trees = Trees::default();
        let first = trees.take(&f.arena, "worker-1").expect("room");
        let other = trees.take(&f.arena, "worker-2").expect("room");
        assert_ne!(first.tree, other.tree);
        trees.release(first.tree);
        assert_ne!(trees.take(&f.arena, "main").expect("room").tree, first.tree);
        let again = trees.take(&f.arena, "worker-13").expect("room");
        assert_eq!((again.tree, again.threads), (first.tree, 2));
        assert_eq!(again.name, "worker-#");
    }

    #[test]
    fn without_room_every_method_has_a_node_of_its_own() {
        let f = Fixture::new("overflow");
        let trees = Trees::default();
        trees.set_node_words(1, 8);
        trees.set_node_words(2, 8);
        let overflow = f.arena.overflow();
        // A slot in the overflow is never filled, whatever is called there.
        let first = trees.create_node(&f.arena, overflow, overflow + 1, 1);
        let second = trees.create_node(&f.arena, overflow, first + 5, 2);
        assert!(first > overflow && second >= first + 8);
        assert_eq!(trees.create_node(&f.arena, overflow, second + 5, 1), first);
        assert_eq!(f.arena.word(first + 5).expect("usable").load(Relaxed), 0);
        assert_eq!(f.arena.header_long(header::CONTEXTS_LOST).load(Relaxed), 3);
    }
}
