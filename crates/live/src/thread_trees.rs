//! The calling context trees of threads, and their records in the profile.

use std::sync::Arc;
use std::sync::atomic::Ordering::Release;

use arena::Arena;
use profile::layout;
use profile::metadata::Record;

use crate::profile_writer::ProfileWriter;
use crate::switch::Switch;
use crate::trees::{Lost, MostContexts, Named, NodeKey, NodeShape, Trees};

/// How many methods have a place in the table of nodes for calls while recording is off.
pub const SCRATCH_METHODS: u32 = 1 << 20;

/// The trees of one recording.
#[derive(Debug)]
pub struct ThreadTrees {
    arena: &'static Arena,
    switch: Switch,
    writer: Arc<ProfileWriter>,
    trees: Trees,
    most: MostContexts,
    /// Where probes find the nodes of [`Trees::scratch_node`], by method.
    scratch_table: Option<u32>,
}

impl ThreadTrees {
    /// None yet.
    pub fn new(
        arena: &'static Arena,
        switch: Switch,
        writer: Arc<ProfileWriter>,
        most: MostContexts,
        asks_for_callers: bool,
    ) -> Self {
        let trees = if asks_for_callers { Trees::with_callers() } else { Trees::default() };
        let scratch_table = arena.take_overflow(SCRATCH_METHODS);
        Self { arena, switch, writer, trees, most, scratch_table }
    }

    /// Notes what the nodes of a method are like.
    pub fn set_shape(&self, method: u32, shape: NodeShape) {
        self.trees.set_shape(method, shape);
    }

    /// A tree for a thread of this name; `None` if there is no room.
    pub fn take(&self, thread_name: &str) -> Option<u32> {
        let _view = self.arena.hold_view();
        let named = self.trees.take(self.arena, thread_name)?;
        let tree = named.tree;
        self.tell_name(named);
        Some(tree)
    }

    /// Names a tree after the thread that uses it.
    pub fn name(&self, tree: u32, thread_name: &str) {
        if let Some(named) = self.trees.rename(tree, thread_name) {
            self.tell_name(named);
        }
    }

    fn tell_name(&self, named: Named) {
        self.writer.append(&Record::TreeName {
            tree: named.tree,
            threads: named.threads,
            name: named.name,
        });
    }

    /// The thread of this tree has ended.
    pub fn release(&self, tree: u32) {
        self.trees.release(tree);
    }

    /// Address of the slot that a thread's first callee hangs below.
    pub fn root_slot(&self, tree: u32) -> u64 {
        self.arena.base_address() + u64::from(tree + layout::tree::ROOT_SLOT) * 4
    }

    /// A new node, for the probes' slow path.
    pub fn create_node(&self, key: NodeKey) -> u32 {
        if !self.switch.is_on() {
            return self.scratch_node(key.method);
        }
        let _view = self.arena.hold_view();
        self.trees.create_node(self.arena, key, self.most)
    }

    /// The node that takes counts of a method while recording is off.
    pub fn scratch_node(&self, method: u32) -> u32 {
        let node = self.trees.scratch_node(self.arena, method);
        if method < SCRATCH_METHODS
            && let Some(table) = self.scratch_table
            && let Some(place) = self.arena.word(table + method)
        {
            place.store(node, Release);
        }
        node
    }

    /// Address of a table of [`SCRATCH_METHODS`] words: the node of each method for calls
    /// while recording is off, as far as it was asked for. 0 if there is no table.
    pub fn scratch_table(&self) -> u64 {
        self.scratch_table.map_or(0, |table| self.arena.base_address() + u64::from(table) * 4)
    }

    /// The node that has called this one, and where its slot lies in that, if it was
    /// asked for from the start.
    pub fn caller(&self, node: u32) -> Option<(u32, u32)> {
        self.trees.caller(node)
    }

    /// Whether a method has a context, in any recording of this process.
    pub fn was_entered(&self, method: u32) -> bool {
        self.trees.was_entered(method)
    }

    /// Sets all counts to zero; nothing may count meanwhile.
    pub fn forget_counts(&self) {
        let _view = self.arena.hold_view();
        self.trees.forget_counts(self.arena);
    }

    /// What nodes without room have counted.
    pub fn lost(&self) -> Lost {
        self.trees.lost(self.arena)
    }
}
