//! Calling context trees in the arena: one for each thread that runs.
//!
//! A tree is written by one thread at a time: its nodes need no lock and no
//! atomic addition. When a thread ends, its tree waits for the next thread of
//! the same kind of name, so memory follows the number of live threads.

use std::collections::HashMap;
use std::sync::atomic::AtomicU64;
use std::sync::atomic::Ordering::{Acquire, Relaxed, Release};

use parking_lot::{Mutex, RwLock};
use profile::layout::{cut, header, method_flags, node, tree};
use profile::metadata::MethodRecord;

use crate::callers::Callers;
use crate::entered_methods::EnteredMethods;

use arena::{Arena, Shortage};

/// Words a tree asks for first; doubled with every request up to the last.
const CHUNK_FIRST: u32 = 1 << 8;
const CHUNK_LAST: u32 = 1 << 15;

/// The trees of all threads.
#[derive(Debug, Default)]
pub struct Trees {
    /// Nodes of each method, by its id; without words for ids that have none.
    shapes: RwLock<Vec<NodeShape>>,
    /// For each method that once found no room, the node that takes its counts.
    overflow: RwLock<HashMap<u32, u32>>,
    /// For each method that was entered while recording was off, the node that takes its counts.
    scratch: RwLock<HashMap<u32, u32>>,
    /// Contexts so far.
    contexts: AtomicU64,
    /// Methods that have a context.
    entered: EnteredMethods,
    waiting: Mutex<Waiting>,
    /// Where all nodes lie, if somebody asks who called.
    callers: Option<Callers>,
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

/// Where a node is to be.
#[derive(Debug, Clone, Copy)]
pub struct NodeKey {
    /// The tree of the thread.
    pub tree: u32,
    /// The slot in whose list it is to be.
    pub slot: u32,
    /// Its method.
    pub method: u32,
}

/// How many contexts there may be.
#[derive(Debug, Clone, Copy)]
pub struct MostContexts {
    /// The number of contexts.
    pub count: u64,
    /// Whether everything ends with them. Data flow goes on.
    pub end_all: bool,
}

/// What is needed to make a method's node, and to say what it counted.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct NodeShape {
    /// Its size.
    pub words: u32,
    /// Bytecodes of each call that are not in the counter.
    pub base_bytecodes: u32,
    /// Offset of the counter of bytecodes, if there is one.
    pub bytecodes_counter: Option<u32>,
    /// Offset of the first counter.
    pub counters: u32,
    /// Offset behind the last one, where the slots of call sites go on.
    pub behind_counters: u32,
    /// Whether there are slots, the implicit one among them.
    pub has_slots: bool,
}

impl NodeShape {
    /// The nodes of a method of this description.
    pub fn of(method: &MethodRecord) -> Self {
        Self {
            words: method.node_words(),
            base_bytecodes: method.base_bytecodes,
            bytecodes_counter: node::bytecodes(method.flags),
            counters: node::counters(method.flags),
            behind_counters: node::behind_counters(method.flags, method.counters()),
            has_slots: method.flags & method_flags::SLOTS != 0,
        }
    }
}

/// What was executed without being recorded. A lower bound: threads that count
/// in the same place at the same moment overwrite each other.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Lost {
    /// Calls of methods.
    pub calls: u64,
    /// Executed bytecodes.
    pub bytecodes: u64,
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
    /// None yet. `Trees::default` knows no callers.
    pub fn with_callers() -> Self {
        Self { callers: Some(Callers::default()), ..Self::default() }
    }

    /// The node that has called this one, and where the slot lies in it.
    pub fn caller(&self, node: u32) -> Option<(u32, u32)> {
        self.callers.as_ref()?.of(node)
    }

    /// Whether a method has a context, in any recording of this process.
    pub fn was_entered(&self, method: u32) -> bool {
        self.entered.contains(method)
    }

    /// Notes what the nodes of a method are like.
    pub fn set_shape(&self, method: u32, shape: NodeShape) {
        let mut shapes = self.shapes.write();
        if shapes.len() <= method as usize {
            shapes.resize(method as usize + 1, NodeShape::default());
        }
        shapes[method as usize] = shape;
    }

    fn shape(&self, method: u32) -> Option<NodeShape> {
        if method & cut::MARK != 0 {
            return Some(NodeShape { words: node::FIXED_WORDS, ..NodeShape::default() });
        }
        self.shapes.read().get(method as usize).copied().filter(|shape| shape.words > 0)
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
    ///
    /// A slot outside the file belongs to a frame of a hidden class that was
    /// entered while recording was off, or to one that found no room.
    /// The former is not a context, so its callees begin at the root.
    pub fn create_node(&self, arena: &Arena, place: NodeKey, most: MostContexts) -> u32 {
        let NodeKey { tree, slot, method } = place;
        if tree == 0 || tree >= arena.overflow() {
            return self.scratch_node(arena, method);
        }
        if arena.takes_contexts() {
            let node = if slot < arena.overflow() {
                self.link_new_node(arena, place, most)
            } else {
                let slot = tree + tree::ROOT_SLOT;
                find(arena, slot, method)
                    .or_else(|| self.link_new_node(arena, NodeKey { slot, ..place }, most))
            };
            if let Some(node) = node {
                return node;
            }
        }
        arena.header_long(header::CONTEXTS_LOST).fetch_add(1, Relaxed);
        let node = self.overflow_node(arena, method);
        if slot > arena.overflow() + tree::ROOT_SLOT
            && let Some(slot) = arena.word(slot)
            && slot.load(Relaxed) == 0
        {
            // In the overflow a call finds the callee's node the next time. Slots in
            // the file stay as they are: what hangs there would be read.
            slot.store(node, Release);
        }
        node
    }

    /// The node that takes counts of a method that found no room.
    ///
    /// Each method has its own, because probes write counters and read slots
    /// at offsets that differ by method: in a node that several share, one's
    /// counter would be another's slot.
    pub fn overflow_node(&self, arena: &Arena, method: u32) -> u32 {
        self.node_outside(&self.overflow, arena, method, |node| {
            let store = |field: u32, value: u32| {
                if let Some(word) = arena.word(node + field) {
                    word.store(value, Release);
                }
            };
            store(node::METHOD, method);
            // A search from it comes back without result, so the probe asks again: the first words
            // of the overflow belong to no method, and end the ring.
            store(node::NEXT_SIBLING, arena.overflow());
        })
    }

    /// The node that takes counts of a method while recording is off.
    ///
    /// Its slots stay empty, so that its callees ask again once recording is on.
    pub fn scratch_node(&self, arena: &Arena, method: u32) -> u32 {
        self.node_outside(&self.scratch, arena, method, |_| ())
    }

    fn node_outside(
        &self,
        nodes: &RwLock<HashMap<u32, u32>>,
        arena: &Arena,
        method: u32,
        on_new: impl FnOnce(u32),
    ) -> u32 {
        if let Some(&node) = nodes.read().get(&method) {
            return node;
        }
        // Without a shape nothing of the method is executed.
        let shape = self.shape(method).unwrap_or(NodeShape {
            words: node::words(method_flags::SLOTS, 0, 0),
            has_slots: true,
            ..NodeShape::default()
        });
        let mut nodes = nodes.write();
        *nodes.entry(method).or_insert_with(|| {
            // There is room for more methods than a JVM can hold.
            let Some(node) = arena.take_overflow(shape.words) else { return arena.overflow() };
            on_new(node);
            node
        })
    }

    /// Sets the counts of all nodes to zero. The nodes stay: threads may stand in them.
    /// Nothing may count meanwhile.
    pub fn forget_counts(&self, arena: &Arena) {
        let word = |index: u32| arena.word(index).map_or(0, |word| word.load(Relaxed));
        let mut record = arena.header_word(header::FIRST_TREE).load(Relaxed);
        // Nodes that are to be visited, each with the first one of its ring.
        let mut rings = Vec::new();
        let ring = |slot: u32| {
            let first = word(slot);
            (first, first)
        };
        while record != 0 {
            rings.push(ring(record + tree::ROOT_SLOT));
            record = word(record + tree::NEXT);
        }
        while let Some((node, first)) = rings.pop() {
            if node == 0 {
                continue;
            }
            let next = word(node + node::NEXT_SIBLING);
            if next != first {
                rings.push((next, first));
            }
            let Some(shape) = self.shape(word(node + node::METHOD)) else { continue };
            let counters = (shape.counters..shape.behind_counters).step_by(2);
            for counter in counters.chain([node::CALLS]) {
                if let Some(counter) = arena.long(node + counter) {
                    counter.store(0, Relaxed);
                }
            }
            if shape.has_slots {
                rings.extend((shape.behind_counters..shape.words).map(|slot| ring(node + slot)));
                rings.push(ring(node + node::IMPLICIT_SLOT));
                rings.push(ring(node + node::FIRST_SITE_SLOT));
            }
        }
    }

    /// What the nodes without room have counted.
    pub fn lost(&self, arena: &Arena) -> Lost {
        let mut lost = Lost::default();
        for (&method, &node) in &*self.overflow.read() {
            // A cut says what a call left unexecuted; the method's own node counts the call.
            let shape = if method & cut::MARK == 0 { self.shape(method) } else { None };
            let Some(shape) = shape else { continue };
            let counter = |offset: u32| arena.long(node + offset).map_or(0, |c| c.load(Relaxed));
            let calls = counter(node::CALLS);
            let bytecodes = calls.saturating_mul(u64::from(shape.base_bytecodes));
            lost.calls += calls;
            lost.bytecodes = lost
                .bytecodes
                .saturating_add(bytecodes)
                .saturating_add_signed(shape.bytecodes_counter.map_or(0, counter) as i64);
        }
        lost
    }

    fn link_new_node(&self, arena: &Arena, place: NodeKey, most: MostContexts) -> Option<u32> {
        let NodeKey { tree, slot, method } = place;
        let NodeShape { words, .. } = self.shape(method)?;
        let place = arena.word(slot)?;
        if self.contexts.fetch_add(1, Relaxed) >= most.count {
            let shortage = Shortage::MaxContexts(most.count);
            if most.end_all {
                arena.end_with(shortage);
            } else {
                arena.end_contexts_with(shortage);
            }
            return None;
        }
        let node = room_for_node(arena, tree, words)?;
        self.entered.note(method);
        if let Some(callers) = &self.callers {
            callers.add(node, words, slot);
        }
        arena.word(node + node::METHOD)?.store(method, Relaxed);
        // The first callee of a site is likely to stay its most frequent one, so the slot
        // leads to it for ever. A sibling's link never is empty, and leads into the same ring.
        let known = place.load(Relaxed);
        let (link, next) = if known == 0 {
            (place, node)
        } else {
            let link = arena.word(known + node::NEXT_SIBLING)?;
            (link, link.load(Relaxed))
        };
        arena.word(node + node::NEXT_SIBLING)?.store(next, Relaxed);
        // Everything above must be there before the node can be found, also for a command
        // that reads the file after a kill.
        link.store(node, Release);
        Some(node)
    }
}

/// The node of a method in the ring of a slot.
fn find(arena: &Arena, slot: u32, method: u32) -> Option<u32> {
    let first = arena.word(slot)?.load(Acquire);
    let mut node = first;
    while node != 0 {
        if arena.word(node + node::METHOD)?.load(Relaxed) == method {
            return Some(node);
        }
        let next = arena.word(node + node::NEXT_SIBLING)?.load(Acquire);
        node = if next == first { 0 } else { next };
    }
    None
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
    // Where pages were lost, the end may read as zero.
    if end.load(Relaxed).saturating_sub(at) >= words {
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
    use base::whole_file::create_private;

    use super::*;

    struct Fixture {
        arena: Arena,
        path: std::path::PathBuf,
    }

    impl Fixture {
        fn new(name: &str) -> Self {
            let file = format!("subsume-trees-{}-{name}", std::process::id());
            let path = std::env::temp_dir().join(file);
            let arena = create_private(&path)
                .and_then(|file| Arena::create(file, None))
                .expect("a temporary file can be mapped");
            Self { arena, path }
        }
    }

    impl Drop for Fixture {
        fn drop(&mut self) {
            let _ = std::fs::remove_file(&self.path);
        }
    }

    const NO_LIMIT: MostContexts = MostContexts { count: u64::MAX, end_all: true };

    fn small() -> NodeShape {
        NodeShape { words: 8, has_slots: true, ..NodeShape::default() }
    }

    #[test]
    fn siblings_form_a_ring_from_the_first_one_on() {
        let f = Fixture::new("siblings");
        let trees = Trees::default();
        for method in 1..=4 {
            trees.set_shape(method, small());
        }
        let tree = trees.take(&f.arena, "main").expect("room").tree;
        let slot = tree + tree::ROOT_SLOT;
        let create =
            |slot, method| trees.create_node(&f.arena, NodeKey { tree, slot, method }, NO_LIMIT);
        let word = |index| f.arena.word(index).expect("usable").load(Relaxed);
        let ring = || {
            let mut ring = vec![word(slot)];
            while let Some(&last) = ring.last()
                && word(last + node::NEXT_SIBLING) != ring[0]
            {
                ring.push(word(last + node::NEXT_SIBLING));
            }
            ring
        };
        let [first, second, third] = [1, 2, 3].map(|method| {
            let node = create(slot, method);
            assert!(ring().contains(&node));
            node
        });
        assert_eq!(ring(), [first, third, second]);
        // Where code without probes has called the second one before.
        let fourth = create(second + node::NEXT_SIBLING, 4);
        assert_eq!(ring(), [first, fourth, third, second]);
        for from in [slot, second + node::NEXT_SIBLING, fourth + node::NEXT_SIBLING] {
            let found = [1, 2, 3, 4, 5].map(|method| find(&f.arena, from, method));
            assert_eq!(found, [Some(first), Some(second), Some(third), Some(fourth), None]);
        }
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
        trees.set_shape(1, NodeShape { base_bytecodes: 3, ..small() });
        trees.set_shape(2, NodeShape { bytecodes_counter: Some(6), ..small() });
        let tree = trees.take(&f.arena, "main").expect("room").tree;
        let root = tree + tree::ROOT_SLOT;
        let most = MostContexts { count: 1, end_all: true };
        let create =
            |slot, method| trees.create_node(&f.arena, NodeKey { tree, slot, method }, most);
        let kept = create(root, 1);
        let first = create(kept + node::IMPLICIT_SLOT, 1);
        assert_eq!(f.arena.shortage(), Some(Shortage::MaxContexts(1)));
        let second = create(first + node::IMPLICIT_SLOT, 2);
        assert!(kept < f.arena.overflow() && first > f.arena.overflow());
        assert!(second >= first + 8);
        assert_eq!(create(second + node::IMPLICIT_SLOT, 1), first);
        assert_eq!(f.arena.header_long(header::CONTEXTS_LOST).load(Relaxed), 3);
        // A slot in the file leads nowhere, one outside to the callee.
        let word = |index| f.arena.word(index).expect("usable").load(Relaxed);
        assert_eq!(word(kept + node::IMPLICIT_SLOT), 0);
        assert_eq!(word(first + node::IMPLICIT_SLOT), second);
        // A search from there finds nothing, and creating nodes does not change that.
        let link = first + node::NEXT_SIBLING;
        assert_eq!([1, 2].map(|method| find(&f.arena, link, method)), [None; 2]);
        assert_eq!([create(link, 1), create(link, 2)], [first, second]);
        assert_eq!([1, 2].map(|method| find(&f.arena, link, method)), [None; 2]);
        assert_eq!(word(f.arena.overflow() + node::NEXT_SIBLING), 0);
        f.arena.long(first + node::CALLS).expect("usable").store(5, Relaxed);
        f.arena.long(second + node::CALLS).expect("usable").store(2, Relaxed);
        f.arena.long(second + 6).expect("usable").store(100, Relaxed);
        assert_eq!(trees.lost(&f.arena), Lost { calls: 7, bytecodes: 115 });
    }

    #[test]
    fn callees_of_frames_entered_while_off_begin_at_the_root() {
        let f = Fixture::new("scratch");
        let trees = Trees::default();
        trees.set_shape(1, small());
        trees.set_shape(2, small());
        let tree = trees.take(&f.arena, "main").expect("room").tree;
        let create =
            |slot, method| trees.create_node(&f.arena, NodeKey { tree, slot, method }, NO_LIMIT);
        let scratch = trees.scratch_node(&f.arena, 1);
        let callee = create(scratch + node::IMPLICIT_SLOT, 2);
        let word = |index| f.arena.word(index).expect("usable").load(Relaxed);
        assert_eq!(word(tree + tree::ROOT_SLOT), callee);
        assert_eq!(create(scratch + node::IMPLICIT_SLOT, 2), callee);
        assert_eq!(word(scratch + node::IMPLICIT_SLOT), 0, "other threads come by here");
        assert_eq!(f.arena.header_long(header::CONTEXTS_LOST).load(Relaxed), 0);
    }
}
