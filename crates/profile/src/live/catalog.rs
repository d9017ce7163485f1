//! What the metadata says: the tables of the profile, and how nodes are laid
//! out.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use super::allocated::AllocatedSums;
use super::arena::{self, Arena};
use super::blocks::BlockSums;
use super::dataflow_records::DataFlowRecords;
use crate::layout::{cut, header, method_flags, node, record, segment};
use crate::metadata::{ClassRecord, MethodRecord, Record, SiteKind};
use crate::{CallSite, ClassId, ClassInfo, Definition, Error, Image, MethodInfo, RunInfo, Skipped};

/// Metadata read so far. It can be read on when the image has grown.
#[derive(Debug, Default)]
pub(super) struct Catalog {
    pub(super) run: RunInfo,
    pub(super) classes: Vec<ClassInfo>,
    pub(super) methods: Vec<MethodInfo>,
    pub(super) skipped: Vec<Skipped>,
    /// Last name of each tree, by the word index of its record.
    pub(super) tree_names: HashMap<u32, String>,
    /// As far as they are known; see [`Catalog::complete`].
    pub(super) code_hashes: Vec<u64>,
    /// An end record was there.
    pub(super) ended: bool,
    /// What names the numbers of data flow.
    pub(super) dataflow: DataFlowRecords,
    /// Executions of basic blocks, as far as they are counted.
    pub(super) blocks: BlockSums,
    /// Bytes by allocated class, as far as they are counted.
    pub(super) allocated: AllocatedSums,
    /// Those of all classes, each once.
    definitions: HashSet<Arc<Definition>>,
    /// Parallel to `methods`.
    shapes: Vec<NodeShape>,
    /// Place in `classes` of each class id.
    class_places: HashMap<u32, u32>,
    /// By method id: one more than the place in `methods`, or 0. A table and
    /// no map because every node looks here; ids are dense.
    method_places: Vec<u32>,
    position: Position,
}

/// Up to where the chain of segments has been read.
#[derive(Debug, Default)]
struct Position {
    /// Word index of the segment, 0 before the first one.
    segment: u32,
    /// Bytes of its records that are done.
    done: u32,
    /// Bytes of all segments so far with their headers. Segments do not
    /// overlap, so more than the arena has means that the chain is a circle.
    total: u64,
}

/// How to read the nodes of a method.
#[derive(Debug)]
pub(super) struct NodeShape {
    pub(super) words: u32,
    pub(super) bytecodes_counter: Option<u32>,
    pub(super) allocations_counter: Option<u32>,
    pub(super) base_bytecodes: u64,
    pub(super) base_allocations: u64,
    /// Offsets of the counters of kinds, which follow each other.
    pub(super) kinds_counters: Option<u32>,
    pub(super) copies_counter: Option<u32>,
    /// Offset of the counter of moved elements.
    pub(super) moved_counter: Option<u32>,
    pub(super) base_kinds: [u32; 4],
    /// Offset of each slot in a node, and its site number.
    pub(super) slots: Box<[(u32, u32)]>,
    /// The calls for which there are no nodes.
    pub(super) implied: Box<[ImpliedCall]>,
    /// Offset of the first counter of a basic block, and how many there are.
    pub(super) block_counters: Option<(u32, u32)>,
    /// Offset of the first counter of allocated bytes, and how many there are.
    pub(super) bytes_counters: Option<(u32, u32)>,
}

/// A call site whose callee has no node.
#[derive(Debug, Clone, Copy)]
pub(super) struct ImpliedCall {
    pub(super) site: u32,
    /// Method id of the callee.
    pub(super) target: u32,
    /// Offset in the caller's node of the number of calls; without it they are
    /// as many as those of the caller.
    pub(super) counter: Option<u32>,
}

impl NodeShape {
    fn new(method: &MethodRecord) -> Self {
        let flags = method.flags;
        let has_slots = flags & method_flags::SLOTS != 0;
        let mut slots = Vec::new();
        let mut implied = Vec::new();
        let mut next_counter = node::call_counters(flags);
        let mut place = 0;
        if has_slots {
            slots.push((node::IMPLICIT_SLOT, 0));
        }
        for (number, site) in (1..).zip(&method.sites) {
            match site.kind {
                SiteKind::Slot => {
                    if has_slots {
                        slots.push((node::slot(flags, method.counters(), place), number));
                    }
                    place += 1;
                }
                SiteKind::Derived { target } => {
                    implied.push(ImpliedCall { site: number, target, counter: None });
                }
                SiteKind::Counted { target } => {
                    let counter = Some(next_counter);
                    implied.push(ImpliedCall { site: number, target, counter });
                    next_counter += 2;
                }
            }
        }
        Self {
            words: method.node_words(),
            bytecodes_counter: node::bytecodes(flags),
            allocations_counter: node::allocations(flags),
            base_bytecodes: u64::from(method.base_bytecodes),
            base_allocations: u64::from(method.base_allocations),
            kinds_counters: node::kinds(flags),
            copies_counter: node::copies(flags),
            moved_counter: node::moved(flags),
            base_kinds: method.base_kinds,
            slots: slots.into(),
            implied: implied.into(),
            block_counters: (method.block_counters > 0)
                .then_some((next_counter, method.block_counters)),
            bytes_counters: (!method.allocated.is_empty()).then_some((
                next_counter + 2 * method.block_counters,
                method.allocated.len() as u32,
            )),
        }
    }

    /// True if what is called hangs below the nodes.
    pub(super) fn has_slots(&self) -> bool {
        !self.slots.is_empty()
    }
}

impl Catalog {
    /// Reads the records that have been added since the last time.
    pub(super) fn catch_up<I: Image>(&mut self, arena: &Arena<'_, I>) -> Result<(), Error> {
        loop {
            if self.position.segment == 0 {
                let first = arena.image.header_u32(header::FIRST_SEGMENT);
                if !self.enter(first, arena)? {
                    return Ok(());
                }
            }
            let Position { segment: at, done, .. } = self.position;
            // In this order: once there is a next segment, this one is full.
            let next = arena.image.word(at + segment::NEXT);
            let used = arena.image.word(at + segment::USED);
            if used > arena.image.word(at + segment::CAPACITY) || used < done {
                return Err(arena::error(at + segment::USED, "a metadata segment is overfull"));
            }
            if used > done {
                self.read_records(arena, at, done, used)?;
            }
            if !self.enter(next, arena)? {
                return Ok(());
            }
        }
    }

    /// Goes on with the segment at `index`. Returns false if it is none or not
    /// in the image.
    fn enter<I: Image>(&mut self, index: u32, arena: &Arena<'_, I>) -> Result<bool, Error> {
        if index == 0 || (self.may_be_torn() && arena.is_beyond(index, segment::RECORDS)) {
            return Ok(false);
        }
        arena.check(index, segment::RECORDS, "a metadata segment")?;
        self.position.segment = index;
        self.position.done = 0;
        self.count(index, 4 * segment::RECORDS, arena)?;
        Ok(true)
    }

    /// True as long as there is no end record. The image may then be a copy
    /// made while the program ran, page after page: what a link leads to can
    /// be newer than the copy. Later it would be damage.
    pub(super) fn may_be_torn(&self) -> bool {
        !self.ended
    }

    fn count<I: Image>(&mut self, at: u32, bytes: u32, arena: &Arena<'_, I>) -> Result<(), Error> {
        self.position.total += u64::from(bytes);
        if self.position.total > 4 * u64::from(arena.image.words()) {
            return Err(arena::error(at, "the metadata segments run in a circle"));
        }
        Ok(())
    }

    fn read_records<I: Image>(
        &mut self,
        arena: &Arena<'_, I>,
        at: u32,
        done: u32,
        used: u32,
    ) -> Result<(), Error> {
        self.count(at, used - done, arena)?;
        let records = at + segment::RECORDS;
        let bytes = arena.bytes(records, done, used - done, "a metadata segment")?;
        let origin = arena::offset(records) + u64::from(done);
        // Ids are dense, so a larger table of method ids is damaged.
        let ids = u64::from(arena.image.words()).saturating_mul(4).max(1 << 16);
        let mut start = 0;
        while start < bytes.len() {
            let offset = origin + start as u64;
            match self.read_record(&bytes[start..], ids, offset, arena) {
                Ok(len) => start += len,
                // The rest of the segment is lost; the next ones need not be.
                Err(_) if arena.image.lacks_parts() => break,
                Err(error) => return Err(error),
            }
        }
        self.position.done = used;
        Ok(())
    }

    /// Reads the first record of `bytes`, which goes up to the end of a segment.
    /// Returns its length.
    fn read_record<I: Image>(
        &mut self,
        bytes: &[u8],
        ids: u64,
        offset: u64,
        arena: &Arena<'_, I>,
    ) -> Result<usize, Error> {
        let (record, len) = Record::decode(bytes, offset)?;
        if arena.image.lacks_parts() && ends_in_zeros(bytes, len) {
            return Err(Error::at(offset, "a metadata record lost its end"));
        }
        if let Some(record) = record {
            self.add(record, ids, offset)?;
        }
        Ok(len)
    }

    fn add(&mut self, record: Record, ids: u64, offset: u64) -> Result<(), Error> {
        match record {
            Record::Class(class) => self.add_class(class, ids, offset)?,
            Record::TreeName { tree, name, .. } => {
                self.tree_names.insert(tree, name);
            }
            Record::Skipped { class, method, reason } => {
                self.skipped.push(Skipped { class, method, reason });
            }
            Record::RunInfo { key, value } => self.run.set(&key, &value),
            Record::Field(field) => self.dataflow.fields.push(field),
            Record::Stores(stores) => self.dataflow.stores.push(stores),
            Record::CostNodes(nodes) => {
                self.dataflow.nodes.insert(nodes.method, nodes);
            }
            Record::NullNodes(nodes) => {
                self.dataflow.null_nodes.insert(nodes.method, nodes);
            }
            Record::Loop(one) => {
                self.dataflow.loops.insert((one.number, one.node), one);
            }
            Record::LoopTotals(totals) => self.dataflow.loop_totals = Some(totals),
            Record::Growth(one) => {
                self.dataflow.growth.insert(one.number, one);
            }
            Record::GrowthTotals(totals) => self.dataflow.growth_totals = Some(totals),
            Record::MethodResults(one) => {
                self.dataflow.results.insert((one.0.method.0, one.0.depth), one);
            }
            Record::ResultsTotals(totals) => self.dataflow.results_totals = Some(totals),
            Record::Protocol(protocol) => {
                self.dataflow.protocols.insert(protocol.number, protocol);
            }
            Record::TypestateSite(site) => {
                self.dataflow.typestate_sites.insert(site.number, site);
            }
            Record::TypestateNode(node) => {
                self.dataflow.typestate_nodes.insert(node.number, node);
            }
            Record::TypestateTotals(totals) => self.dataflow.typestate_totals = Some(totals),
            // Without room for the record of a class there is nothing to count.
            Record::Blocks(blocks) => {
                if let Some(method) = self.place(blocks.method) {
                    self.blocks.describe(method, blocks);
                }
            }
            Record::Structure(structure) => self.dataflow.structures.push(structure),
            Record::Object(object) => self.dataflow.objects.push(object),
            Record::Code { first_method, hashes } => {
                self.code_hashes.resize(self.methods.len(), 0);
                for (id, hash) in (u64::from(first_method)..).zip(hashes) {
                    let place = u32::try_from(id).ok().and_then(|id| self.place(id));
                    let place = place.ok_or_else(|| {
                        Error::at(offset, format!("a hash of the code of unknown method {id}"))
                    })?;
                    self.code_hashes[place as usize] = hash;
                }
            }
            Record::Definition { class, definition } => self.define(class, definition),
            Record::End { end_millis, .. } => {
                self.ended = true;
                self.run.end_millis = end_millis;
            }
        }
        Ok(())
    }

    /// Notes who defined a class, unless that is known. Without room for the record of the
    /// class there is nothing to note.
    fn define(&mut self, class: u32, definition: Definition) {
        let Some(&place) = self.class_places.get(&class) else { return };
        let known = &mut self.classes[place as usize].definition;
        if known.is_known() {
            return;
        }
        *known = match self.definitions.get(&definition) {
            Some(same) => Arc::clone(same),
            None => {
                let new = Arc::new(definition);
                self.definitions.insert(Arc::clone(&new));
                new
            }
        };
    }

    fn add_class(&mut self, class: ClassRecord, ids: u64, offset: u64) -> Result<(), Error> {
        let place = *self.class_places.entry(class.id).or_insert_with(|| {
            let ClassRecord { name, source_file, superclass, .. } = class;
            self.classes.push(ClassInfo { name, source_file, superclass, ..ClassInfo::default() });
            (self.classes.len() - 1) as u32
        });
        for method in class.methods {
            let id = method.id;
            if id == 0 || u64::from(id) > ids || id & cut::MARK != 0 {
                return Err(Error::at(offset, format!("method id {id} is out of range")));
            }
            if self.place(id).is_some() {
                return Err(Error::at(offset, format!("method id {id} is described twice")));
            }
            let index = id as usize;
            if index >= self.method_places.len() {
                self.method_places.resize(index + 1, 0);
            }
            self.shapes.push(NodeShape::new(&method));
            if !method.allocated.is_empty() {
                self.allocated.describe(self.shapes.len() as u32 - 1, method.allocated);
            }
            self.method_places[index] = self.shapes.len() as u32;
            let site =
                |site: crate::metadata::SiteRecord| CallSite { bci: site.bci, line: site.line };
            self.methods.push(MethodInfo {
                class: ClassId(place),
                name: method.name,
                descriptor: method.descriptor,
                access: method.access,
                sites: method.sites.into_iter().map(site).collect(),
            });
        }
        Ok(())
    }

    /// Gives each method a hash of its code if any has one.
    pub(super) fn complete(&mut self) {
        if !self.code_hashes.is_empty() {
            self.code_hashes.resize(self.methods.len(), 0);
        }
    }

    /// The place in `methods` of a method id.
    pub(super) fn place(&self, id: u32) -> Option<u32> {
        self.method_places.get(id as usize)?.checked_sub(1)
    }

    /// The place of a method id that may have been added since the last
    /// reading of metadata: its record always precedes its first node.
    pub(super) fn place_now<I: Image>(
        &mut self,
        id: u32,
        arena: &Arena<'_, I>,
    ) -> Result<Option<u32>, Error> {
        if let Some(place) = self.place(id) {
            return Ok(Some(place));
        }
        self.catch_up(arena)?;
        Ok(self.place(id))
    }

    /// How nodes of the method at that place are laid out.
    pub(super) fn shape(&self, place: u32) -> &NodeShape {
        &self.shapes[place as usize]
    }
}

/// True if zeros begin within the first `len` of `bytes`, and no record follows: where
/// a part of the memory was taken away, a record that reached into it ends so.
fn ends_in_zeros(bytes: &[u8], len: usize) -> bool {
    bytes[len - 1..].iter().take(1 + record::HEADER_LEN).all(|&byte| byte == 0)
}
