//! What a recording of typestate histories keeps, and the memory in which threads count.
//!
//! A thread has a block of entries, each for an event after a node: where that leads, and
//! how often the thread has seen it. What is not there is looked up in the [`Histories`].

use std::sync::atomic::Ordering::Relaxed;

use arena::Arena;
use parking_lot::{Mutex, RwLock};
use rustc_hash::{FxHashMap, FxHashSet};

use super::hierarchy::Hierarchy;
use super::histories::{Histories, Instruction, Step};
use crate::dataflow::protocols::Protocols;
use crate::dataflow::protocols::protocol::Asked;

/// Word offsets in an entry of a thread's block, and what there is of them.
pub mod entry {
    /// A u64: the number of the node before, above the event; 0 if the entry is free.
    pub const KEY: u32 = 0;
    /// A u64: how often.
    pub const COUNT: u32 = 2;
    /// Number of the node to which it leads.
    pub const TO: u32 = 4;
    /// Number of the edge, 0 if the event says nothing.
    pub const EDGE: u32 = 5;
    /// Words of an entry.
    pub const WORDS: u32 = 6;
    /// Binary logarithm of the number of entries.
    pub const BITS: u32 = 10;
}

/// The golden ratio.
pub const HASH_FACTOR: u64 = 0x9E37_79B9_7F4A_7C15;

/// Where a key is in a block, in words.
pub fn slot_of(key: u64) -> u32 {
    (key.wrapping_mul(HASH_FACTOR) >> (u64::BITS - entry::BITS)) as u32 * entry::WORDS
}

/// What a recording of typestate histories keeps.
#[derive(Debug)]
pub struct TypestateTables {
    /// The classes that were loaded.
    pub hierarchy: RwLock<Hierarchy>,
    asked: FxHashMap<Box<[u8]>, Asked>,
    inner: Mutex<Inner>,
}

#[derive(Debug)]
struct Inner {
    histories: Histories,
    /// Words of blocks, by the thread's tree.
    blocks: FxHashMap<u32, u32>,
    /// Classes of which objects have no room for their state.
    unfollowed: FxHashSet<Box<[u8]>>,
}

/// What there is to write down.
#[derive(Debug)]
pub struct Told<'t> {
    /// The histories.
    pub histories: &'t Histories,
    /// How often each edge was seen, the one of number 1 first.
    pub counts: Vec<u64>,
    /// Classes of which objects are not followed.
    pub unfollowed: u64,
}

impl TypestateTables {
    /// Nothing yet.
    pub fn new(protocols: Protocols) -> Self {
        let mut asked = FxHashMap::default();
        protocols.iter().for_each(|protocol| protocol.ask(&mut asked));
        Self {
            hierarchy: RwLock::new(Hierarchy::new(protocols)),
            asked,
            inner: Mutex::new(Inner {
                histories: Histories::new(protocols),
                blocks: FxHashMap::default(),
                unfollowed: FxHashSet::default(),
            }),
        }
    }

    /// What the protocols ask of calls of methods of this name.
    pub fn asked(&self, method: &[u8]) -> Asked {
        self.asked.get(method).copied().unwrap_or_default()
    }

    /// The event of an instruction; `None` if there are too many.
    pub fn event(&self, instruction: Instruction) -> Option<u32> {
        self.inner.lock().histories.event(instruction)
    }

    /// The number of the protocol, from 1 on, that the objects of a class follow.
    pub fn protocol_of<'n>(
        &self,
        class: &[u8],
        supertypes: impl Iterator<Item = &'n [u8]> + Clone,
    ) -> Option<u32> {
        let inner = self.inner.lock();
        let mut all = inner.histories.protocols().iter();
        all.position(|one| one.is_of(class, supertypes.clone())).map(|at| at as u32 + 1)
    }

    /// Notes that objects of a class have no room for their state; true if that is new.
    pub fn lack(&self, class: &[u8]) -> bool {
        self.inner.lock().unfollowed.insert(class.into())
    }

    /// Address of the block of the thread of this tree; 0 without room.
    pub fn attach(&self, arena: &Arena, tree: u32) -> u64 {
        let mut inner = self.inner.lock();
        let known = inner.blocks.get(&tree).copied();
        let block = known.or_else(|| {
            let block = arena.take_overflow(entry::WORDS << entry::BITS)?;
            inner.blocks.insert(tree, block);
            Some(block)
        });
        block.map_or(0, |block| arena.base_address() + u64::from(block) * 4)
    }

    /// Fills the entry of a key in the block of the thread of this tree, which asks for it
    /// itself; false if it has none.
    pub fn fill(&self, arena: &Arena, tree: u32, key: u64) -> bool {
        let inner = &mut *self.inner.lock();
        let Some(&block) = inner.blocks.get(&tree) else { return false };
        let step = inner.histories.step((key >> 32) as u32, key as u32);
        let at = block + slot_of(key);
        if let Some((edge, count)) = counted(arena, at) {
            inner.histories.count(edge, count);
        }
        let Step { to, edge } = step;
        let long = |offset, number| arena.long(at + offset).map(|word| word.store(number, Relaxed));
        let word = |offset, number| arena.word(at + offset).map(|word| word.store(number, Relaxed));
        long(entry::COUNT, 0);
        word(entry::TO, to);
        word(entry::EDGE, edge);
        long(entry::KEY, key);
        true
    }

    /// Runs with all that was told.
    pub fn told<R>(&self, arena: &Arena, body: impl FnOnce(&Told<'_>) -> R) -> R {
        let inner = self.inner.lock();
        let edges = inner.histories.edges();
        let mut counts: Vec<u64> = edges.iter().map(|edge| edge.count).collect();
        for &block in inner.blocks.values() {
            let entries = (0..1 << entry::BITS).map(|number| block + number * entry::WORDS);
            for (edge, count) in entries.filter_map(|at| counted(arena, at)) {
                if let Some(sum) = counts.get_mut(edge as usize - 1) {
                    *sum += count;
                }
            }
        }
        let unfollowed = inner.unfollowed.len() as u64;
        body(&Told { histories: &inner.histories, counts, unfollowed })
    }
}

/// The edge of an entry and how often it was seen; `None` if there is none.
fn counted(arena: &Arena, at: u32) -> Option<(u32, u64)> {
    let edge = arena.word(at + entry::EDGE)?.load(Relaxed);
    let count = arena.long(at + entry::COUNT)?.load(Relaxed);
    (edge != 0).then_some((edge, count))
}
