//! What a recording of data flow keeps beside the trees.

use std::sync::Arc;
use std::sync::atomic::AtomicU8;
use std::sync::atomic::Ordering::{Relaxed, Release};

use parking_lot::Mutex;
use profile::layout::{dataflow as layout, header};
use rustc_hash::FxHashMap;

use super::consumed::Consumed;
use super::costs::tables::CostTables;
use super::edges::{Edge, EdgeTables};
use super::last_writers::LastWriters;
use super::mode::{DomainKind, Flow};
use super::nulls::tables::NullTables;
use super::numbers::Numbers;
use arena::Arena;

/// Entries of the probes' cache of consumed shadows; as in `SubsumeFlow`.
const CONSUMED_CACHE: u32 = 1 << 16;

/// Words behind it, for the probes' table of fields.
const FIELD_LOCKS: u32 = 1 << 10;

/// Objects of which one is cloned to the other.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Cloned {
    /// The tag of the one.
    pub from: u32,
    /// The tag of the other.
    pub to: u32,
    /// The number of the call of `clone`, as a store.
    pub store: u32,
}

/// The copy graph while it grows.
#[derive(Debug)]
pub struct Graph {
    /// Numbers of fields and stores.
    pub numbers: Numbers,
    /// What recordings of costs, and of chains, keep beside.
    pub costs: Option<CostTables>,
    /// What recordings of nulls keep beside.
    pub nulls: Option<NullTables>,
    /// Which classes have last writers, where any have.
    pub last_writers: Option<LastWriters>,
    edges: EdgeTables,
    consumed: Consumed,
    /// What clones copy, by the tags of both objects and the number of the store:
    /// objects of one tag are of one class.
    clones: Mutex<FxHashMap<Cloned, Arc<[Edge]>>>,
    /// The record of data flow in the file.
    record: u32,
    /// A byte for each tag, in the file.
    elements: u32,
    /// The probes' cache of consumed shadows.
    cache: u32,
    /// Takes the counts of edges that find no room.
    sink: u32,
    /// Bytes of a reference in the Java heap.
    reference_bytes: AtomicU8,
}

impl Graph {
    /// An empty graph; `None` without room.
    pub fn new(arena: &Arena, flow: Flow) -> Option<Self> {
        let record = arena.take(layout::WORDS)?;
        let elements = arena.take(layout::TAGS / 4)?;
        arena.word(record + layout::CONSUMED_ELEMENTS)?.store(elements, Relaxed);
        arena.header_word(header::FLOW).store(record, Release);
        let costs = match flow.follows_chains() {
            true => Some(CostTables::new(arena, flow, record + layout::FIRST_FREQUENCIES)?),
            false => None,
        };
        let last_writers = match flow.has_last_writers() {
            true => Some(LastWriters::new()?),
            false => None,
        };
        Some(Self {
            numbers: Numbers::default(),
            costs,
            nulls: (flow.domain == DomainKind::Nulls).then(NullTables::default),
            last_writers,
            edges: EdgeTables::default(),
            consumed: Consumed::default(),
            clones: Mutex::default(),
            record,
            elements,
            cache: arena.take_overflow(2 * CONSUMED_CACHE + FIELD_LOCKS)?,
            // Behind as many zeros, it also passes for an empty table of edges.
            sink: arena.take_overflow(2 * layout::edge::WORDS)? + layout::edge::WORDS,
            reference_bytes: AtomicU8::new(4),
        })
    }

    /// Word of the bytes that say of which tags elements were consumed.
    pub fn elements(&self) -> u32 {
        self.elements
    }

    /// Word of the probes' cache of consumed shadows.
    pub fn consumed_cache(&self) -> u32 {
        self.cache
    }

    /// Word of what guards the probes' table of fields.
    pub fn field_locks(&self) -> u32 {
        self.cache + 2 * CONSUMED_CACHE
    }

    /// Word of the counters of lost origins.
    pub fn lost(&self) -> u32 {
        self.record + layout::LOST
    }

    /// Word of the first head of a tree's table of edges.
    pub fn heads(&self, arena: &Arena, tree: u32) -> Option<u32> {
        self.edges.heads(arena, tree)
    }

    /// A new edge in a tree's table; if there is no room, one that nobody reads.
    pub fn create_edge(&self, arena: &Arena, tree: u32, new: Edge) -> u32 {
        let list = self.record + layout::FIRST_EDGES;
        // Without room threads come again and again, and should not wait for each other.
        let is_full = arena.is_full();
        let made = (!is_full).then(|| self.edges.create(arena, list, tree, new)).flatten();
        made.unwrap_or_else(|| {
            self.lose(arena);
            self.sink
        })
    }

    /// Counts an edge once more in a tree's table.
    pub fn count_edge(&self, arena: &Arena, tree: u32, edge: Edge) {
        let list = self.record + layout::FIRST_EDGES;
        if self.edges.heads(arena, tree).is_none() || !self.edges.count(arena, list, tree, edge) {
            self.lose(arena);
        }
    }

    /// The edges of a clone; `find` finds them the first time.
    pub fn edges_of_clone(&self, clone: Cloned, find: impl FnOnce() -> Vec<Edge>) -> Arc<[Edge]> {
        if let Some(known) = self.clones.lock().get(&clone) {
            return Arc::clone(known);
        }
        let edges: Arc<[Edge]> = find().into();
        self.clones.lock().insert(clone, Arc::clone(&edges));
        edges
    }

    /// Word of the counters of what is approximate about last writers of elements.
    pub fn arrays(&self) -> u32 {
        self.record + layout::SHARED
    }

    fn lose(&self, arena: &Arena) {
        if let Some(lost) = arena.long(self.record + layout::LOST + layout::NO_ROOM) {
            lost.fetch_add(1, Relaxed);
        }
    }

    /// What takes counts while recording is off.
    pub fn sink(&self) -> u32 {
        self.sink
    }

    /// Writes a consumed shadow down; without room it is lost.
    pub fn keep_consumed(&self, arena: &Arena, shadow: u64) {
        if !self.consumed.keep(arena, self.record + layout::FIRST_CONSUMED, shadow) {
            self.lose(arena);
        }
    }

    /// Notes how large references in the heap are.
    pub fn set_reference_bytes(&self, bytes: u8) {
        self.reference_bytes.store(bytes, Relaxed);
    }

    /// Bytes that a value of this type takes in the heap.
    pub fn bytes_of(&self, descriptor: &[u8]) -> u8 {
        match descriptor.first() {
            Some(b'B' | b'Z') => 1,
            Some(b'C' | b'S') => 2,
            Some(b'I' | b'F') => 4,
            Some(b'J' | b'D') => 8,
            _ => self.reference_bytes.load(Relaxed),
        }
    }
}
