//! What a recording of data flow keeps beside the trees.

use std::any::Any;
use std::sync::Arc;
use std::sync::atomic::AtomicU8;
use std::sync::atomic::Ordering::{Relaxed, Release};

use arena::Arena;
use profile::layout::{dataflow as layout, header};

use super::graph::consumed::Consumed;
use super::graph::edges::{Edge, EdgeTables};
use super::graph::numbers::{FieldName, Numbers};
use super::last_writers::fields::LastWriters;
use super::objects::clones::Clones;
use live::profile_writer::ProfileWriter;
use live::switch::Switch;

/// What a mode's graph has beside its edges.
#[derive(Debug, Clone, Copy)]
pub struct Parts {
    /// Who wrote each location last.
    pub last_writers: bool,
    /// Which values were consumed.
    pub consumed: bool,
}

/// What a mode keeps beside the graph: a type of its own.
pub type Tables = Box<dyn Any + Send + Sync>;

/// The graph of data flow while it grows.
#[derive(Debug)]
pub struct Graph {
    arena: &'static Arena,
    switch: Switch,
    writer: Arc<ProfileWriter>,
    /// Numbers of fields and stores.
    pub numbers: Numbers,
    /// What the mode keeps beside.
    tables: Tables,
    /// Which classes have last writers, where any have.
    pub last_writers: Option<LastWriters>,
    edges: EdgeTables,
    /// The shadows that were consumed, where the mode asks for them.
    pub consumed: Option<Consumed>,
    /// What clones copy.
    pub clones: Clones,
    /// The record of data flow in the file.
    record: u32,
    /// Takes the counts of edges that find no room.
    sink: u32,
    /// The number of the next block of objects without numbers.
    identities: u32,
    /// Bytes of a reference in the Java heap.
    reference_bytes: AtomicU8,
}

impl Graph {
    /// An empty graph; `None` without room. `tables` makes what the mode keeps beside the
    /// record of data flow, which starts at this word of the arena.
    pub fn new(
        arena: &'static Arena,
        switch: Switch,
        writer: Arc<ProfileWriter>,
        parts: Parts,
        tables: impl FnOnce(u32) -> Option<Tables>,
    ) -> Option<Self> {
        let record = arena.take(layout::WORDS)?;
        arena.header_word(header::FLOW).store(record, Release);
        let last_writers = match parts.last_writers {
            true => Some(LastWriters::new()?),
            false => None,
        };
        let consumed = match parts.consumed {
            true => Some(Consumed::new()?),
            false => None,
        };
        Some(Self {
            arena,
            switch,
            writer,
            numbers: Numbers::default(),
            tables: tables(record)?,
            last_writers,
            edges: EdgeTables::default(),
            consumed,
            clones: Clones::default(),
            record,
            // Behind as many zeros, it also passes for an empty table of edges.
            sink: arena.take_overflow(2 * layout::edge::WORDS)? + layout::edge::WORDS,
            identities: arena.take_overflow(2)?,
            reference_bytes: AtomicU8::new(4),
        })
    }

    /// Word of the counters of lost origins.
    pub fn lost(&self) -> u32 {
        self.record + layout::LOST
    }

    /// Address of the heads of a tree's table of edges; without room, of one that
    /// stays empty.
    pub fn edge_heads(&self, tree: u32) -> u64 {
        let heads = self.edges.heads(self.arena, tree).unwrap_or(self.sink);
        self.arena.base_address() + u64::from(heads) * 4
    }

    /// Address of the number of the next block of objects without numbers.
    pub fn identities(&self) -> u64 {
        self.arena.base_address() + u64::from(self.identities) * 4
    }

    /// About how many objects have got numbers.
    pub fn identities_drawn(&self) -> u64 {
        self.arena.word(self.identities).map_or(0, |word| word.load(Relaxed)).into()
    }

    /// What the mode keeps beside the graph, if it is of this type.
    pub fn tables<T: 'static>(&self) -> Option<&T> {
        self.tables.downcast_ref()
    }

    /// The memory that probes write to.
    pub fn arena(&self) -> &'static Arena {
        self.arena
    }

    /// Whether what the thread of this tree writes is kept.
    pub fn keeps(&self, tree: u32) -> bool {
        self.switch.is_on() && tree != 0 && tree < self.arena.overflow()
    }

    /// A new edge in a tree's table; if there is no room, or while recording is off,
    /// one that nobody reads.
    pub fn create_edge(&self, tree: u32, new: Edge) -> u32 {
        if !self.keeps(tree) {
            return self.sink;
        }
        let _view = self.arena.hold_view();
        let list = self.record + layout::FIRST_EDGES;
        // Without room threads come again and again, and should not wait for each other.
        let is_full = self.arena.is_full();
        let made = (!is_full).then(|| self.edges.create(self.arena, list, tree, new)).flatten();
        made.unwrap_or_else(|| {
            self.lose();
            self.sink
        })
    }

    /// Number of an instance field of a class with this internal name.
    pub fn field_number(&self, class: &[u8], name: &[u8], descriptor: &[u8]) -> u32 {
        let field = FieldName { class, name, descriptor, is_static: false };
        self.numbers.field(field, |record| {
            self.writer.append(record);
        })
    }

    /// Number of a store of a field by a call that stores into any.
    /// Without a descriptor the value is as large as the elements that the call
    /// stores.
    pub fn store_of_field(&self, store: u32, field: u32, descriptor: Option<&[u8]>) -> u32 {
        let bytes = descriptor.map(|descriptor| self.bytes_of(descriptor));
        self.numbers.store_of_field(store, field, bytes, |record| {
            self.writer.append(record);
        })
    }

    /// Address of what probes keep of such a store, as large as the elements that the call
    /// stores: see [`Numbers::store_of_field_at`]. `None` if it is none.
    pub fn store_of_field_at(&self, store: u32, field: u32) -> Option<u64> {
        match self.store_of_field(store, field, None) {
            0 => None,
            _ => self.numbers.store_of_field_at(store, field),
        }
    }

    /// Word of the counters of what is approximate about last writers of elements.
    pub fn arrays(&self) -> u32 {
        self.record + layout::SHARED
    }

    fn lose(&self) {
        if let Some(lost) = self.arena.long(self.record + layout::LOST + layout::NO_ROOM) {
            lost.fetch_add(1, Relaxed);
        }
    }

    /// Writes down a shadow that was consumed, unless recording is off or there is no room.
    pub fn keep_consumed(&self, shadow: u64) {
        if let Some(consumed) = &self.consumed
            && self.switch.is_on()
        {
            self.write_consumed(consumed, shadow);
        }
    }

    fn write_consumed(&self, consumed: &Consumed, shadow: u64) {
        let _view = self.arena.hold_view();
        if !consumed.keep(self.arena, self.record + layout::FIRST_CONSUMED, shadow) {
            self.lose();
        }
    }

    /// Writes down what probes have noted as consumed, of tags below this one; nothing while
    /// recording is off.
    pub fn collect_consumed(&self, tags: u32) {
        if let Some(consumed) = &self.consumed
            && self.switch.is_on()
        {
            // What is noted already is kept, though recording may end meanwhile.
            let fields = self.numbers.fields();
            consumed.collect(tags, fields, |shadow| self.write_consumed(consumed, shadow));
        }
    }

    /// Forgets what probes have noted while recording was off.
    pub fn forget_consumed(&self, tags: u32) {
        if let Some(consumed) = &self.consumed {
            consumed.forget(tags, self.numbers.fields());
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
