//! Walks through the trees of an image, parents first.

use super::arena::{self, Arena};
use super::catalog::{Catalog, ImpliedCall};
use crate::layout::{header, node, tree};
use crate::{Error, Image};

/// Takes calling contexts in preorder.
pub(super) trait Sink {
    /// The next context; arguments are as for
    /// [`CompactWriter::push`](crate::CompactWriter::push).
    fn push(&mut self, depth: u32, method: u32, site: u32, costs: [u64; 3]) -> Result<(), Error>;

    /// Ends a thread. Returns the number of contexts so far.
    fn end_thread(&mut self) -> u32;
}

/// A tree record and the number of contexts up to its end.
#[derive(Debug, Clone, Copy)]
pub(super) struct Tree {
    pub(super) record: u32,
    pub(super) threads: u32,
    pub(super) end: u32,
}

/// Where the walk is in a node on its path.
struct Frame {
    node: u32,
    /// Place of its method in the catalog.
    method: u32,
    /// The next of its slots to follow.
    slot: u32,
    /// Next node of the sibling list that is being followed, 0 at its end.
    next: u32,
    /// Site number of that list.
    site: u32,
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
            trees.push(Tree { record, threads, end: self.sink.end_thread() });
            record = self.arena.image.word(record + tree::NEXT);
        }
        Ok(trees)
    }

    fn tree(&mut self, root: u32) -> Result<(), Error> {
        // The list of the roots belongs to no node.
        let mut roots = root;
        loop {
            let (at, site) = self.path.last().map_or((roots, 0), |frame| (frame.next, frame.site));
            if at == 0 {
                if !self.next_list() {
                    return Ok(());
                }
                continue;
            }
            let present = self.is_present(at)?;
            let sibling = if present { self.arena.image.word(at + node::NEXT_SIBLING) } else { 0 };
            match self.path.last_mut() {
                Some(frame) => frame.next = sibling,
                None => roots = sibling,
            }
            match if present { self.enter(at, site)? } else { None } {
                Some(frame) => self.path.push(frame),
                None => self.lost += 1,
            }
        }
    }

    /// Turns to the next sibling list below the path. Returns false if the
    /// path was empty.
    fn next_list(&mut self) -> bool {
        let Some(frame) = self.path.last_mut() else { return false };
        match self.catalog.shape(frame.method).slots.get(frame.slot as usize) {
            Some(&(offset, site)) => {
                frame.slot += 1;
                frame.site = site;
                frame.next = self.arena.image.word(frame.node + offset);
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
        let shape = self.catalog.shape(method);
        let counter = |offset: Option<u32>| offset.map_or(0, |offset| image.counter(at + offset));
        let calls = image.counter(at + node::CALLS);
        let cost = |base: u64, counter: u64| calls.saturating_mul(base).saturating_add(counter);
        let bytecodes = cost(shape.base_bytecodes, counter(shape.bytecodes_counter));
        let allocations = cost(shape.base_allocations, counter(shape.allocations_counter));
        let depth = self.path.len() as u32;
        self.sink.push(depth, method, site, [calls, bytecodes, allocations])?;
        let implies = !shape.implied.is_empty();
        self.count_active(at, words);
        if implies {
            self.imply(at, method, calls)?;
        }
        Ok(Some(Frame { node: at, method, slot: 0, next: 0, site: 0 }))
    }

    /// Counts the path to a node once for each thread that stands in it.
    fn count_active(&mut self, at: u32, words: u32) {
        let first = self.active.partition_point(|&slot| slot < at);
        let standing = self.active[first..].iter().take_while(|&&slot| slot < at + words).count();
        self.active_nodes += standing as u64 * (self.path.len() as u64 + 1);
    }

    fn count(&mut self, at: u32, words: u32) -> Result<(), Error> {
        self.words += u64::from(words);
        if self.words <= u64::from(self.arena.image.words()) {
            return Ok(());
        }
        Err(arena::error(at, "the nodes run in a circle"))
    }

    /// Hands on the callees of a node that have no nodes of their own.
    fn imply(&mut self, at: u32, caller: u32, caller_calls: u64) -> Result<(), Error> {
        let depth = self.path.len() as u32 + 1;
        for index in 0..self.catalog.shape(caller).implied.len() {
            let ImpliedCall { site, target, counter } = self.catalog.shape(caller).implied[index];
            self.implied += 1;
            // Far more than a program has, and few enough to come to an end.
            if self.implied > (64 * u64::from(self.arena.image.words())).max(1 << 20) {
                return Err(arena::error(at, "calls without nodes beyond all measure"));
            }
            let calls =
                counter.map_or(caller_calls, |offset| self.arena.image.counter(at + offset));
            if calls == 0 {
                continue;
            }
            let Some(method) = self.catalog.place_now(target, self.arena)? else {
                self.lost += 1;
                continue;
            };
            let shape = self.catalog.shape(method);
            let costs = [
                calls,
                calls.saturating_mul(shape.base_bytecodes),
                calls.saturating_mul(shape.base_allocations),
            ];
            self.sink.push(depth, method, site, costs)?;
        }
        Ok(())
    }
}
