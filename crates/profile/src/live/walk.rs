//! Walks through the trees of an image, parents first.

use super::METRICS;
use super::arena::{self, Arena};
use super::catalog::{Catalog, ImpliedCall};
use crate::layout::{cut, header, node, tree};
use crate::{Error, Image};

/// What a context counted: one number for each of [`METRICS`].
pub(super) type Costs = [u64; METRICS.len()];

/// Takes calling contexts in preorder.
pub(super) trait Sink {
    /// The next context; arguments are as for
    /// [`CompactWriter::push`](crate::CompactWriter::push).
    fn push(&mut self, depth: u32, method: u32, site: u32, costs: Costs) -> Result<(), Error>;

    /// Ends a thread. Returns the number of contexts so far.
    fn end_thread(&mut self) -> u32;

    /// Says whether to go on with a node: to hand its context on, and what lies below it.
    fn follows(&mut self, _: LiveNode, _: &Catalog) -> bool {
        true
    }
}

/// A node that a walk has come to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct LiveNode {
    /// Its word index: a node stays where it is.
    pub node: u32,
    /// How many nodes lie above it, from where the walk began.
    pub depth: u32,
    /// The place of its method among those that are known.
    pub method: u32,
    /// How often it has been called.
    pub calls: u64,
}

/// A tree record and the number of contexts up to its end.
#[derive(Debug, Clone, Copy)]
pub(super) struct Tree {
    pub(super) record: u32,
    pub(super) threads: u32,
    pub(super) end: u32,
}

/// How often something was cut off.
#[derive(Debug, Clone, Copy)]
struct CutCount {
    /// Says what.
    id: u32,
    times: u64,
}

/// Where the walk is in a node on its path.
struct Frame {
    node: u32,
    /// Place of its method in the catalog.
    method: u32,
    /// The next of its slots to follow.
    slot: u32,
    /// The siblings that are being followed.
    ring: Ring,
    /// Their site's number.
    site: u32,
}

/// A way around a ring of siblings, once.
#[derive(Clone, Copy, Default)]
struct Ring {
    first: u32,
    /// The next one, 0 at the end.
    next: u32,
}

impl Ring {
    /// What a slot holds is the first one.
    fn from_first(first: u32) -> Self {
        Self { first, next: first }
    }

    /// What comes behind one of the siblings, 0 if that is the first one.
    fn behind(self, image: &impl Image, sibling: u32) -> u32 {
        let next = image.word(sibling + node::NEXT_SIBLING);
        if next == self.first { 0 } else { next }
    }
}

/// A walk over all trees, with what keeps it from going on for ever.
pub(super) struct Walk<'a, I, S> {
    arena: &'a Arena<'a, I>,
    catalog: &'a mut Catalog,
    sink: &'a mut S,
    /// Words of the nodes visited. Nodes do not overlap, so more than the
    /// arena has means that some list runs in a circle.
    words: u64,
    /// Call sites without nodes, many of which take no room in the arena.
    implied: u64,
    /// Contexts that are missing from the image or whose method is.
    pub(super) lost: u64,
    /// Slots in which threads stand, in ascending order.
    active: &'a [u32],
    /// Nodes on the paths to these slots.
    pub(super) active_nodes: u64,
    /// The path; kept between trees for its memory.
    path: Vec<Frame>,
    /// Contexts that counted nothing, from which the next may hang: where counts were set
    /// to zero between two recordings, most of the tree's counted nothing since.
    uncounted: Vec<Uncounted>,
}

/// A context that is handed on only if something that counted hangs below it.
struct Uncounted {
    depth: u32,
    method: u32,
    site: u32,
}

impl<'a, I: Image, S: Sink> Walk<'a, I, S> {
    pub(super) fn new(
        arena: &'a Arena<'a, I>,
        catalog: &'a mut Catalog,
        active: &'a [u32],
        sink: &'a mut S,
    ) -> Self {
        Self {
            arena,
            catalog,
            sink,
            words: 0,
            implied: 0,
            lost: 0,
            active,
            active_nodes: 0,
            path: Vec::new(),
            uncounted: Vec::new(),
        }
    }

    /// Walks through all trees in the order of their records.
    pub(super) fn all(&mut self) -> Result<Vec<Tree>, Error> {
        let mut trees = Vec::new();
        let mut record = self.arena.image.header_u32(header::FIRST_TREE);
        while record != 0 {
            if self.catalog.may_be_torn() && self.arena.is_beyond(record, tree::WORDS) {
                break;
            }
            self.arena.check(record, tree::WORDS, "a tree record")?;
            if trees.len() as u64 > u64::from(self.arena.image.words() / tree::WORDS) {
                return Err(arena::error(record, "the tree records run in a circle"));
            }
            let threads = self.arena.image.word(record + tree::THREADS);
            self.tree(self.arena.image.word(record + tree::ROOT_SLOT))?;
            self.uncounted.clear();
            trees.push(Tree { record, threads, end: self.sink.end_thread() });
            record = self.arena.image.word(record + tree::NEXT);
        }
        Ok(trees)
    }

    /// Walks through what hangs below a slot.
    pub(super) fn below(&mut self, slot: u32) -> Result<(), Error> {
        self.arena.check(slot, 1, "a slot")?;
        self.tree(self.arena.image.word(slot))
    }

    fn tree(&mut self, root: u32) -> Result<(), Error> {
        // The ring of the roots belongs to no node.
        let mut roots = Ring::from_first(root);
        loop {
            let (ring, site) =
                self.path.last().map_or((roots, 0), |frame| (frame.ring, frame.site));
            let at = ring.next;
            if at == 0 {
                if !self.next_ring() {
                    return Ok(());
                }
                continue;
            }
            let present = self.is_present(at)?;
            let sibling = if present { ring.behind(self.arena.image, at) } else { 0 };
            match self.path.last_mut() {
                Some(frame) => frame.ring.next = sibling,
                None => roots.next = sibling,
            }
            if present && self.arena.image.word(at + node::METHOD) & cut::MARK != 0 {
                // Its method has accounted for it.
                self.count(at, node::FIXED_WORDS)?;
                continue;
            }
            match if present { self.enter(at, site)? } else { None } {
                Some(frame) => self.path.push(frame),
                None => self.lost += 1,
            }
        }
    }

    /// Turns to the next ring of siblings below the path. Returns false if the
    /// path was empty.
    fn next_ring(&mut self) -> bool {
        let Some(frame) = self.path.last_mut() else { return false };
        match self.catalog.shape(frame.method).slots.get(frame.slot as usize) {
            Some(&(offset, site)) => {
                frame.slot += 1;
                frame.site = site;
                let first = self.arena.image.word(frame.node + offset);
                frame.ring = Ring::from_first(first);
            }
            None => {
                self.path.pop();
            }
        }
        true
    }

    /// True if the fixed part of a node can be read.
    fn is_present(&self, at: u32) -> Result<bool, Error> {
        if self.catalog.may_be_torn() && self.arena.is_beyond(at, node::FIXED_WORDS) {
            return Ok(false);
        }
        self.arena.check(at, node::FIXED_WORDS, "a node")?;
        if at & 1 != 0 {
            return Err(arena::error(at, "a node at an odd word"));
        }
        Ok(true)
    }

    /// Hands on a node and its callees without nodes. `None` if the node is
    /// not wholly in the image, or nothing is known about its method: then the
    /// copy is torn, or there was no room left for the record.
    fn enter(&mut self, at: u32, site: u32) -> Result<Option<Frame>, Error> {
        let image = self.arena.image;
        let id = image.word(at + node::METHOD);
        let Some(method) = self.catalog.place_now(id, self.arena)? else {
            // The walk over the siblings goes on, so this is counted, too.
            self.count(at, node::FIXED_WORDS)?;
            return Ok(None);
        };
        let words = self.catalog.shape(method).words;
        self.count(at, words)?;
        if self.catalog.may_be_torn() && self.arena.is_beyond(at, words) {
            return Ok(None);
        }
        self.arena.check(at, words, "a node")?;
        let calls = image.counter(at + node::CALLS);
        let depth = self.path.len() as u32;
        if !self.sink.follows(LiveNode { node: at, depth, method, calls }, self.catalog) {
            let past_all = u32::MAX;
            let ring = Ring::default();
            return Ok(Some(Frame { node: at, method, slot: past_all, ring, site: 0 }));
        }
        let shape = self.catalog.shape(method);
        let counter = |offset: Option<u32>| offset.map_or(0, |offset| image.counter(at + offset));
        let cuts = if shape.has_slots() { self.cuts(at)? } else { Vec::new() };
        let shape = self.catalog.shape(method);
        // A counter is negative where an exception cut a block short whose
        // bytecodes are in the base. In a copy made while the program ran, the
        // parts may not fit, but no cost is less than 0.
        let cost = |base: u64, counter: u64, cut: fn(u32) -> u32| {
            let cut: i128 = cuts.iter().map(|c| i128::from(c.times) * i128::from(cut(c.id))).sum();
            let sum = i128::from(calls) * i128::from(base) + i128::from(counter as i64) - cut;
            u64::try_from(sum.max(0)).unwrap_or(u64::MAX)
        };
        let bytecodes =
            cost(shape.base_bytecodes, counter(shape.bytecodes_counter), cut::bytecodes);
        let allocations =
            cost(shape.base_allocations, counter(shape.allocations_counter), cut::allocations);
        let kind = |index: u32| {
            let counted = counter(shape.kinds_counters.map(|first| first + 2 * index));
            // Negative, as above.
            let base = u64::from(shape.base_kinds[index as usize]);
            let sum = i128::from(calls) * i128::from(base) + i128::from(counted as i64);
            u64::try_from(sum.max(0)).unwrap_or(u64::MAX)
        };
        let copies = counter(shape.copies_counter);
        let moved = counter(shape.moved_counter);
        let [loads, stores, alu, comparisons] = [0, 1, 2, 3].map(kind);
        let bytes = match shape.bytes_counters {
            Some((first, count)) => {
                self.catalog.allocated.add(method, self.arena, at + first, count)
            }
            None => 0,
        };
        let costs =
            [calls, bytecodes, allocations, moved, copies, loads, stores, alu, comparisons, bytes];
        self.hand_on(depth, method, site, costs)?;
        let shape = self.catalog.shape(method);
        let implies = !shape.implied.is_empty();
        let counters = shape.block_counters;
        self.count_active(at, words);
        match counters {
            Some((first, count)) => {
                self.catalog.blocks.add(method, self.arena, at + first, count);
            }
            None => self.catalog.blocks.call(method),
        }
        if implies {
            self.imply(at, method, calls, &cuts)?;
        }
        Ok(Some(Frame { node: at, method, slot: 0, ring: Ring::default(), site: 0 }))
    }

    /// Hands a context on, or keeps it until one below it is handed on.
    fn hand_on(&mut self, depth: u32, method: u32, site: u32, costs: Costs) -> Result<(), Error> {
        if self.catalog.run.is_attached {
            let on_path = |kept: &Uncounted| kept.depth < depth;
            let kept = self.uncounted.iter().take_while(|kept| on_path(kept)).count();
            self.uncounted.truncate(kept);
            if costs == Costs::default() {
                self.uncounted.push(Uncounted { depth, method, site });
                return Ok(());
            }
            for kept in self.uncounted.drain(..) {
                self.sink.push(kept.depth, kept.method, kept.site, Costs::default())?;
            }
        }
        self.sink.push(depth, method, site, costs)
    }

    /// How often exceptions cut the first block of a node's method short.
    fn cuts(&self, at: u32) -> Result<Vec<CutCount>, Error> {
        let image = self.arena.image;
        let mut cuts = Vec::new();
        let first = image.word(at + node::IMPLICIT_SLOT);
        let mut ring = Ring::from_first(first);
        // The ring is followed again, and its nodes counted, in the walk.
        let mut rest = image.words() / node::FIXED_WORDS;
        while ring.next != 0 && self.is_present(ring.next)? {
            let id = image.word(ring.next + node::METHOD);
            if id & cut::MARK != 0 {
                cuts.push(CutCount { id, times: image.counter(ring.next + node::CALLS) });
            }
            ring.next = ring.behind(image, ring.next);
            rest = rest
                .checked_sub(1)
                .ok_or_else(|| arena::error(at, "the callees of a node run in a circle"))?;
        }
        Ok(cuts)
    }

    /// Counts the path to a node once for each thread that stands in it.
    fn count_active(&mut self, at: u32, words: u32) {
        let first = self.active.partition_point(|&slot| slot < at);
        for &slot in self.active[first..].iter().take_while(|&&slot| slot < at + words) {
            // Who stands at a node's link to its siblings has come back from it.
            let has_left = slot == at + node::NEXT_SIBLING;
            self.active_nodes += self.path.len() as u64 + u64::from(!has_left);
        }
    }

    fn count(&mut self, at: u32, words: u32) -> Result<(), Error> {
        self.words += u64::from(words);
        if self.words <= u64::from(self.arena.image.words()) {
            return Ok(());
        }
        Err(arena::error(at, "the nodes run in a circle"))
    }

    /// Hands on the callees of a node that have no nodes of their own.
    fn imply(
        &mut self,
        at: u32,
        caller: u32,
        caller_calls: u64,
        cuts: &[CutCount],
    ) -> Result<(), Error> {
        let depth = self.path.len() as u32 + 1;
        let is_derived = |call: &&ImpliedCall| call.counter.is_none();
        let mut derived_left =
            self.catalog.shape(caller).implied.iter().filter(is_derived).count() as u32;
        for index in 0..self.catalog.shape(caller).implied.len() {
            let ImpliedCall { site, target, counter } = self.catalog.shape(caller).implied[index];
            self.implied += 1;
            // Far more than a program has, and few enough to come to an end.
            if self.implied > (64 * u64::from(self.arena.image.words())).max(1 << 20) {
                return Err(arena::error(at, "calls without nodes beyond all measure"));
            }
            let calls = match counter {
                Some(offset) => self.arena.image.counter(at + offset),
                None => {
                    let missed: u64 = cuts
                        .iter()
                        .filter(|cut| cut::derived_calls(cut.id) >= derived_left)
                        .fold(0, |sum, cut| sum.saturating_add(cut.times));
                    derived_left -= 1;
                    caller_calls.saturating_sub(missed)
                }
            };
            if calls == 0 {
                continue;
            }
            let Some(method) = self.catalog.place_now(target, self.arena)? else {
                self.lost += 1;
                continue;
            };
            let shape = self.catalog.shape(method);
            let of_calls = |base: u64| calls.saturating_mul(base);
            let [loads, stores, alu, comparisons] =
                shape.base_kinds.map(|base| of_calls(base.into()));
            let (bytecodes, allocations) =
                (of_calls(shape.base_bytecodes), of_calls(shape.base_allocations));
            let costs = [calls, bytecodes, allocations, 0, 0, loads, stores, alu, comparisons, 0];
            self.hand_on(depth, method, site, costs)?;
            self.catalog.blocks.call(method);
        }
        Ok(())
    }
}
