//! Builds profiles in the live form, as an agent does.

use profile::layout::{
    ARENA_OFFSET, BYTE_ORDER_MARK, FORM_LIVE, LIVE_VERSION, MAGIC, RESERVED_WORDS, header,
    method_flags, metrics, node, segment, tree,
};
use profile::metadata::{ClassRecord, MethodRecord, Record, SiteKind, SiteRecord};
use profile::{ClassId, Definition, NO_PARENT, Profile};

/// A live profile in memory.
pub struct Live {
    pub words: Vec<u32>,
    first_segment: u32,
    last_segment: u32,
    first_tree: u32,
    pub contexts_lost: u64,
    /// Room for records in a segment, in bytes.
    pub segment_capacity: u32,
}

impl Default for Live {
    fn default() -> Self {
        Self::new()
    }
}

impl Live {
    pub fn new() -> Self {
        Self {
            words: vec![0; RESERVED_WORDS as usize],
            first_segment: 0,
            last_segment: 0,
            first_tree: 0,
            contexts_lost: 0,
            segment_capacity: 4096,
        }
    }

    fn allocate(&mut self, words: u32) -> u32 {
        let index = (self.words.len() as u32 + 1) & !1;
        self.words.resize((index + words) as usize, 0);
        index
    }

    pub fn at(&mut self, index: u32) -> &mut u32 {
        &mut self.words[index as usize]
    }

    pub fn record(&mut self, record: &Record) {
        let mut bytes = Vec::new();
        record.encode(&mut bytes);
        let len = bytes.len() as u32;
        let last = self.last_segment;
        let full =
            last == 0 || *self.at(last + segment::USED) + len > *self.at(last + segment::CAPACITY);
        if full {
            let capacity = self.segment_capacity.max(len);
            let new = self.allocate(segment::RECORDS + capacity.div_ceil(4));
            *self.at(new + segment::CAPACITY) = capacity;
            if last == 0 {
                self.first_segment = new;
            } else {
                *self.at(last + segment::NEXT) = new;
            }
            self.last_segment = new;
        }
        let at = self.last_segment;
        let used = *self.at(at + segment::USED);
        for (i, byte) in (used..).zip(bytes) {
            *self.at(at + segment::RECORDS + i / 4) |= u32::from(byte) << (8 * (i % 4));
        }
        *self.at(at + segment::USED) = used + len;
    }

    /// A tree behind those that are there; returns its record.
    pub fn tree(&mut self, name: &str, threads: u32) -> u32 {
        let new = self.allocate(tree::WORDS);
        *self.at(new + tree::THREADS) = threads;
        let mut link = 0;
        let mut next = self.first_tree;
        while next != 0 {
            link = next;
            next = *self.at(next + tree::NEXT);
        }
        if link == 0 {
            self.first_tree = new;
        } else {
            *self.at(link + tree::NEXT) = new;
        }
        self.record(&Record::TreeName { tree: new, threads, name: name.into() });
        new
    }

    /// A node in front of the ring of `slot`.
    pub fn node(&mut self, slot: u32, method: &MethodRecord, calls: u64, costs: [u64; 3]) -> u32 {
        let new = self.allocate(method.node_words());
        *self.at(new + node::METHOD) = method.id;
        let first = *self.at(slot);
        *self.at(new + node::NEXT_SIBLING) = if first == 0 { new } else { first };
        let mut last = first;
        while last != 0 && *self.at(last + node::NEXT_SIBLING) != first {
            last = *self.at(last + node::NEXT_SIBLING);
        }
        if last != 0 {
            *self.at(last + node::NEXT_SIBLING) = new;
        }
        self.counter(new + node::CALLS, calls);
        if let Some(offset) = node::bytecodes(method.flags) {
            self.counter(new + offset, costs[0]);
        }
        if let Some(offset) = node::allocations(method.flags) {
            self.counter(new + offset, costs[1]);
        }
        if let Some(offset) = node::moved(method.flags) {
            self.counter(new + offset, costs[2]);
        }
        *self.at(slot) = new;
        new
    }

    pub fn counter(&mut self, index: u32, value: u64) {
        *self.at(index) = value as u32;
        *self.at(index + 1) = (value >> 32) as u32;
    }

    /// The slot of a site of a node; site 0 is the implicit one.
    pub fn slot(&self, parent: u32, method: &MethodRecord, site: u32) -> u32 {
        if site == 0 {
            return parent + node::IMPLICIT_SLOT;
        }
        let before = &method.sites[..site as usize - 1];
        let slots = before.iter().filter(|site| site.kind == SiteKind::Slot).count();
        parent + node::slot(method.flags, method.counters(), slots as u32)
    }

    /// The file.
    pub fn bytes(&self) -> Vec<u8> {
        let mut bytes = vec![0; ARENA_OFFSET];
        let mut put = |at: usize, value: &[u8]| bytes[at..at + value.len()].copy_from_slice(value);
        put(header::MAGIC, &MAGIC);
        put(header::VERSION, &LIVE_VERSION.to_le_bytes());
        put(header::FORM, &FORM_LIVE.to_le_bytes());
        put(header::BYTE_ORDER, &BYTE_ORDER_MARK.to_le_bytes());
        put(header::COMMITTED, &(self.words.len() as u64 * 4).to_le_bytes());
        put(header::FIRST_SEGMENT, &self.first_segment.to_le_bytes());
        put(header::FIRST_TREE, &self.first_tree.to_le_bytes());
        put(header::CONTEXTS_LOST, &self.contexts_lost.to_le_bytes());
        put(header::METRICS, &metrics::CALLS.to_le_bytes());
        bytes.extend(self.words.iter().flat_map(|word| word.to_le_bytes()));
        bytes
    }
}

/// The methods of a profile as records: ids count from 1, and flags and bases
/// vary. All sites have slots.
pub fn method_records(profile: &Profile) -> Vec<MethodRecord> {
    (1..)
        .zip(&profile.methods)
        .map(|(id, method)| MethodRecord {
            id,
            name: method.name.clone(),
            descriptor: method.descriptor.clone(),
            access: method.access,
            flags: (id % 4)
                | method_flags::SLOTS
                | if id % 3 == 0 { method_flags::MOVED_COUNTER } else { 0 },
            base_bytecodes: id % 5,
            base_allocations: id % 3,
            base_kinds: [0; 4],
            sites: method
                .sites
                .iter()
                .map(|site| SiteRecord { bci: site.bci, line: site.line, kind: SiteKind::Slot })
                .collect(),
            block_counters: 0,
            allocated: Vec::new(),
        })
        .collect()
}

/// Changes the costs of a profile to such as these records can express, and
/// writes it in the live form. The order of siblings is not kept.
pub fn live_from(profile: &mut Profile) -> Live {
    let records = method_records(profile);
    profile.allocated.clear();
    let mut live = Live::new();
    for (index, class) in profile.classes.iter().enumerate() {
        let id = ClassId(index as u32);
        let methods = (0..records.len()).filter(|&m| profile.methods[m].class == id);
        live.record(&Record::Class(ClassRecord {
            id: id.0 + 10,
            name: class.name.clone(),
            source_file: class.source_file.clone(),
            superclass: class.superclass.clone(),
            methods: methods.map(|m| records[m].clone()).collect(),
        }));
        let (class, definition) =
            (id.0 + 10, Definition::clone(&profile.classes[index].definition));
        live.record(&Record::Definition { class, definition });
    }
    live.record(&Record::Code { first_method: 1, hashes: profile.code_hashes.clone() });
    for skipped in &profile.skipped {
        live.record(&Record::Skipped {
            class: skipped.class.clone(),
            method: skipped.method.clone(),
            reason: skipped.reason.clone(),
        });
    }
    let mut places = vec![0; profile.nodes.len()];
    for thread in profile.threads.clone() {
        let tree = live.tree(&thread.name, thread.threads);
        for at in thread.nodes.start as usize..thread.nodes.end as usize {
            let record = &records[profile.nodes.method[at] as usize];
            let slot = match profile.nodes.parent[at] {
                NO_PARENT => tree + tree::ROOT_SLOT,
                parent => {
                    let parent = parent as usize;
                    let caller = &records[profile.nodes.method[parent] as usize];
                    live.slot(places[parent], caller, profile.nodes.site[at])
                }
            };
            let [calls, bytecodes, allocations, moved] =
                [0, 1, 2, 3].map(|m| profile.nodes.metrics.get(m).map_or(0, |m| m.values[at]));
            places[at] = live.node(slot, record, calls, [bytecodes, allocations, moved]);
            let counted = |flag, counter| if record.flags & flag != 0 { counter } else { 0 };
            profile.nodes.metrics[1].values[at] = calls * u64::from(record.base_bytecodes)
                + counted(method_flags::BYTECODES_COUNTER, bytecodes);
            profile.nodes.metrics[2].values[at] = calls * u64::from(record.base_allocations)
                + counted(method_flags::ALLOCATIONS_COUNTER, allocations);
            if let Some(metric) = profile.nodes.metrics.get_mut(3) {
                metric.values[at] = counted(method_flags::MOVED_COUNTER, moved);
            }
        }
    }
    live
}
