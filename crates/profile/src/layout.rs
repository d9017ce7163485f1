//! The live form, as numbers: what lies where while the program runs.
//!
//! `docs/reference/format.md` explains the same layout in words. A change of it
//! increments the version of the form that it changes.
//!
//! The file is a header page and an arena. The arena is addressed in words of
//! four bytes, counted from [`ARENA_OFFSET`]; all numbers are little-endian.
//! Its first [`RESERVED_WORDS`] words stay 0, so that word 0 can mean "none"
//! and following it reads zeros.

pub use crate::results;

/// First bytes of both forms.
pub const MAGIC: [u8; 8] = *b"SUBSUME\n";

/// Version of the live form.
pub const LIVE_VERSION: u16 = 21;

/// Version of the compact form: the last one that has changed it.
pub const COMPACT_VERSION: u16 = 20;

/// The oldest version of the live form that is read: the one before [`LIVE_VERSION`], but
/// none before 19.
pub const OLDEST_LIVE_VERSION: u16 = 19;

/// The oldest version of the compact form that is read: the one before [`COMPACT_VERSION`],
/// but none before 20.
pub const OLDEST_COMPACT_VERSION: u16 = 20;

/// In the header: written in place while the program runs.
pub const FORM_LIVE: u16 = 1;

/// In the header: written in one go afterwards.
pub const FORM_COMPACT: u16 = 2;

/// Reads the same only if the bytes are in the order they were written in.
pub const BYTE_ORDER_MARK: u32 = 0x0A0B_0C0D;

/// Byte offsets in the header page.
pub mod header {
    /// [`MAGIC`](super::MAGIC), 8 bytes.
    pub const MAGIC: usize = 0;
    /// u16, [`LIVE_VERSION`](super::LIVE_VERSION) or [`COMPACT_VERSION`](super::COMPACT_VERSION).
    pub const VERSION: usize = 8;
    /// u16, [`FORM_LIVE`](super::FORM_LIVE) or [`FORM_COMPACT`](super::FORM_COMPACT).
    pub const FORM: usize = 10;
    /// u32, [`BYTE_ORDER_MARK`](super::BYTE_ORDER_MARK).
    pub const BYTE_ORDER: usize = 12;
    /// Where the header of the compact form ends and its first section begins.
    pub const COMPACT_LEN: usize = 16;
    /// u64, bytes of the arena that are usable; published after they are.
    pub const COMMITTED: usize = 16;
    /// u32, word index of the first metadata segment, 0 if there is none.
    pub const FIRST_SEGMENT: usize = 24;
    /// u32, word index of the first tree record, 0 if there is none.
    pub const FIRST_TREE: usize = 28;
    /// u64, calling contexts that found no room.
    pub const CONTEXTS_LOST: usize = 32;
    /// u32, word index of the [`dataflow`](super::dataflow) record, 0 if no data flow
    /// is recorded.
    pub const FLOW: usize = 40;
    /// u32, how many metrics each calling context has; see [`metrics`](super::metrics).
    pub const METRICS: usize = 44;
}

/// How many metrics a recording has. The number says which ones; `docs/reference/format.md`
/// lists them.
pub mod metrics {
    /// Calling contexts are not recorded.
    pub const NONE: u32 = 0;
    /// Calls, bytecodes, allocations and elements moved.
    pub const CALLS: u32 = 4;
    /// These and bytes.
    pub const BYTES: u32 = 5;
    /// Calls, bytecodes, allocations and elements moved; copies, and instructions by kind.
    pub const COPIES: u32 = 9;
}

/// Where the arena starts in the file, in bytes.
pub const ARENA_OFFSET: usize = 4096;

/// Words at the start of the arena that stay 0.
pub const RESERVED_WORDS: u32 = 16;

/// Word offsets in a node. Where its method has slots, two more words follow those that every
/// node has, for slots; then come counters and further slots, see [`slot`](node::slot).
pub mod node {
    use super::method_flags;

    /// Method id, at least 1.
    pub const METHOD: u32 = 0;
    /// Next node of the same ring of siblings: itself if it is alone. To probes it is a slot,
    /// too: that of the whole ring, wherever it was reached.
    pub const NEXT_SIBLING: u32 = 1;
    /// Number of calls, u64.
    pub const CALLS: u32 = 2;
    /// Words of the part that every node has. One of a method without slots has no more of
    /// that kind: nothing is called from it, so nobody comes back to it.
    pub const FIXED_WORDS: u32 = 4;
    /// Slot of what the VM, or frames without probes, call on the method's behalf, where the
    /// method has slots.
    pub const IMPLICIT_SLOT: u32 = 4;
    /// Slot of the first call site that has one, where the method has slots.
    pub const FIRST_SITE_SLOT: u32 = 5;

    /// Where the counters begin.
    pub const fn counters(flags: u32) -> u32 {
        if flags & method_flags::SLOTS != 0 { FIRST_SITE_SLOT + 1 } else { FIXED_WORDS }
    }

    /// Offset of the u64 that counts bytecodes beyond the base, if the
    /// method's flags say that there is one.
    pub const fn bytecodes(flags: u32) -> Option<u32> {
        if flags & method_flags::BYTECODES_COUNTER != 0 { Some(counters(flags)) } else { None }
    }

    /// Offset of the u64 that counts allocations beyond the base, if the
    /// method's flags say that there is one.
    pub const fn allocations(flags: u32) -> Option<u32> {
        if flags & method_flags::ALLOCATIONS_COUNTER == 0 {
            None
        } else if flags & method_flags::BYTECODES_COUNTER != 0 {
            Some(counters(flags) + 2)
        } else {
            Some(counters(flags))
        }
    }

    /// Words of the counters of bytecodes and allocations, as far as there are.
    const fn basic_words(flags: u32) -> u32 {
        let mut words = 0;
        if flags & method_flags::BYTECODES_COUNTER != 0 {
            words += 2;
        }
        if flags & method_flags::ALLOCATIONS_COUNTER != 0 {
            words += 2;
        }
        words
    }

    /// Words of the counters of kinds.
    const KINDS_WORDS: u32 = 8;

    /// From [`kinds`] on: the u64 of loads.
    pub const LOADS: u32 = 0;
    /// From [`kinds`] on: the u64 of stores.
    pub const STORES: u32 = 2;
    /// From [`kinds`] on: the u64 of alu.
    pub const ALU: u32 = 4;
    /// From [`kinds`] on: the u64 of comparisons.
    pub const COMPARISONS: u32 = 6;

    /// Offset of the four u64 that count loads, stores, alu and comparisons
    /// beyond the base, if the method's flags say that there are.
    pub const fn kinds(flags: u32) -> Option<u32> {
        if flags & method_flags::KINDS_COUNTERS == 0 {
            None
        } else {
            Some(counters(flags) + basic_words(flags))
        }
    }

    /// Offset of the u64 that counts copies, if the method's flags say that
    /// there is one.
    pub const fn copies(flags: u32) -> Option<u32> {
        if flags & method_flags::COPIES_COUNTER == 0 {
            None
        } else if flags & method_flags::KINDS_COUNTERS != 0 {
            Some(counters(flags) + basic_words(flags) + KINDS_WORDS)
        } else {
            Some(counters(flags) + basic_words(flags))
        }
    }

    /// Offset of the u64 that counts moved elements, if the method's flags say that
    /// there is one.
    pub const fn moved(flags: u32) -> Option<u32> {
        if flags & method_flags::MOVED_COUNTER == 0 { None } else { Some(call_counters(flags) - 2) }
    }

    /// Offset of the u64 of the first counted call site; those of the others
    /// follow, then those of the blocks, then those of allocated bytes.
    pub const fn call_counters(flags: u32) -> u32 {
        let mut offset = counters(flags) + basic_words(flags);
        if flags & method_flags::KINDS_COUNTERS != 0 {
            offset += KINDS_WORDS;
        }
        if flags & method_flags::COPIES_COUNTER != 0 {
            offset += 2;
        }
        if flags & method_flags::MOVED_COUNTER != 0 {
            offset += 2;
        }
        offset
    }

    /// Offset behind the counters, in a method with `counted` counted call sites and
    /// counters of blocks.
    pub const fn behind_counters(flags: u32, counted: u32) -> u32 {
        call_counters(flags) + 2 * counted
    }

    /// Offset of the slot of a call site that has one, in such a method; `place` says how
    /// many come before it. The first one fills the word in front of the counters.
    pub const fn slot(flags: u32, counted: u32, place: u32) -> u32 {
        if place == 0 { FIRST_SITE_SLOT } else { behind_counters(flags, counted) + place - 1 }
    }

    /// Size in words of a node with `counted` counted call sites and counters of
    /// blocks, and `slotted` call sites with slots. Even, because nodes stand at even indices so that
    /// their u64 fields are aligned.
    pub const fn words(flags: u32, counted: u32, slotted: u32) -> u32 {
        (behind_counters(flags, counted) + slotted.saturating_sub(1) + 1) & !1
    }
}

/// Nodes that say how often an exception cut the first block of a method
/// short, where what the block does is counted by the calls of the method.
///
/// Such a node lies below the implicit slot of the method's node. In place of
/// a method id it has a *cut id*: what was not executed, each time.
pub mod cut {
    /// The bit that tells a cut id from a method id.
    pub const MARK: u32 = 1 << 31;

    /// The id of a cut that left so much unexecuted; `None` if it has none.
    pub const fn id(bytecodes: u32, allocations: u32, derived_calls: u32) -> Option<u32> {
        if bytecodes < 1 << 15 && allocations < 1 << 8 && derived_calls < 1 << 8 {
            Some(MARK | bytecodes << 16 | allocations << 8 | derived_calls)
        } else {
            None
        }
    }

    /// Bytecodes that a cut left unexecuted.
    pub const fn bytecodes(id: u32) -> u32 {
        (id & !MARK) >> 16
    }

    /// Allocations that a cut left unexecuted.
    pub const fn allocations(id: u32) -> u32 {
        id >> 8 & 0xff
    }

    /// Derived call sites that a cut left unexecuted: the last ones.
    pub const fn derived_calls(id: u32) -> u32 {
        id & 0xff
    }
}

/// Word offsets in a tree record.
pub mod tree {
    /// Next tree record, 0 at the end.
    pub const NEXT: u32 = 0;
    /// Slot that holds the first root of the tree.
    pub const ROOT_SLOT: u32 = 1;
    /// Number of threads that have used the tree so far.
    pub const THREADS: u32 = 2;
    /// Where the tree's next node goes; of no interest to readers.
    pub const ALLOCATION_CURSOR: u32 = 3;
    /// End of the memory that the tree has for nodes; of no interest to readers.
    pub const ALLOCATION_END: u32 = 4;
    /// Words of memory that the tree took last; of no interest to readers.
    pub const LAST_CHUNK: u32 = 5;
    /// Words of a tree record.
    pub const WORDS: u32 = 6;
}

/// Word offsets in a metadata segment.
pub mod segment {
    /// Next segment, 0 at the end. Set after the last [`USED`] of this one.
    pub const NEXT: u32 = 0;
    /// Bytes of room for records.
    pub const CAPACITY: u32 = 1;
    /// Bytes of whole records; published after their bytes are written.
    pub const USED: u32 = 2;
    /// Where the records start.
    pub const RECORDS: u32 = 4;
}

/// Kinds of metadata records.
pub mod record {
    /// A class with its methods and their call sites.
    pub const CLASS: u8 = 1;
    /// The name of the thread that now uses a tree.
    pub const TREE_NAME: u8 = 2;
    /// Something that was not instrumented.
    pub const SKIPPED: u8 = 3;
    /// One fact about the run.
    pub const RUN_INFO: u8 = 4;
    /// The run ended in an orderly way.
    pub const END: u8 = 5;
    /// An allocation site, with its number.
    pub const ALLOCATION_SITE: u8 = 10;
    /// A tag, with its number.
    pub const TAG: u8 = 11;
    /// A context in which objects were made under a tag.
    pub const TAG_CONTEXT: u8 = 12;
    /// Where a tree's counters of objects are.
    pub const BIRTHS: u8 = 13;
    /// The size of the objects with a tag.
    pub const OBJECT_SIZE: u8 = 14;
    /// How objects are told apart.
    pub const TAG_SCHEME: u8 = 15;
    /// A field, with its number.
    pub const FIELD: u8 = 16;
    /// The instructions of a method that store values of known origin.
    pub const STORES: u8 = 17;
    /// A class's superclass, interfaces and fields.
    pub const STRUCTURE: u8 = 18;
    /// The instructions of a method that are nodes of the cost graph.
    pub const COST_NODES: u8 = 19;
    /// The instructions of a method that are nodes where nulls are followed.
    pub const NULL_NODES: u8 = 22;
    /// A loop in a calling context that reads similar values.
    pub const LOOP: u8 = 23;
    /// What was left out of the loops.
    pub const LOOP_TOTALS: u8 = 24;
    /// Sizes and costs of a loop's instances.
    pub const GROWTH: u8 = 25;
    /// How many loop instances have sizes.
    pub const GROWTH_TOTALS: u8 = 26;
    /// Inputs and results of a method.
    pub const RESULTS: u8 = 27;
    /// What the results of all methods are based on.
    pub const RESULTS_TOTALS: u8 = 28;
    /// The basic blocks of a method whose executions are counted.
    pub const BLOCKS: u8 = 30;
    /// A protocol that objects follow.
    pub const PROTOCOL: u8 = 32;
    /// Where objects that follow a protocol were made or obtained.
    pub const TYPESTATE_SITE: u8 = 33;
    /// An event of such objects, and the events before.
    pub const TYPESTATE_NODE: u8 = 34;
    /// What was left out of typestate histories.
    pub const TYPESTATE_TOTALS: u8 = 35;
    /// Hashes of the code of methods with consecutive ids.
    pub const CODE: u8 = 40;
    /// Who defined a class, and from what.
    pub const DEFINITION: u8 = 41;
    /// Bytes before a record's payload: the kind, and the u32 length.
    pub const HEADER_LEN: usize = 5;
}

/// Flags of a method, in its metadata.
pub mod method_flags {
    /// Its nodes count bytecodes beyond the base.
    pub const BYTECODES_COUNTER: u32 = 1;
    /// Its nodes count allocations beyond the base.
    pub const ALLOCATIONS_COUNTER: u32 = 2;
    /// Its nodes have slots: the implicit one and those of the call sites.
    /// Without it nothing is read below a node, whatever its words hold.
    pub const SLOTS: u32 = 4;
    /// Its nodes count loads, stores, alu and comparisons beyond the base.
    pub const KINDS_COUNTERS: u32 = 8;
    /// Its nodes count copies.
    pub const COPIES_COUNTER: u32 = 16;
    /// Its nodes count the elements that it moves.
    pub const MOVED_COUNTER: u32 = 32;
    /// Its nodes count the executions of its basic blocks.
    pub const BLOCK_COUNTERS: u32 = 64;
    /// Its nodes count the bytes that it allocates, by class.
    pub const BYTES_COUNTERS: u32 = 128;
}

/// A tree's counters of objects: a table of pages, each 0 or the word index of
/// the counters of [`PER_PAGE`](births::PER_PAGE) tags.
pub mod births {
    use super::dataflow;

    /// Tags of a page.
    pub const PER_PAGE: u32 = 128;
    /// Entries, and words, of the table.
    pub const PAGES: u32 = dataflow::TAGS / PER_PAGE;
    /// Words of the counters of one tag: a u64 that counts objects, and one
    /// that counts bytes of objects whose size differs.
    pub const WORDS: u32 = 4;
    /// In the counters of a tag: the u64 of objects.
    pub const OBJECTS: u32 = 0;
    /// In the counters of a tag: the u64 of bytes.
    pub const BYTES: u32 = 2;
    /// Words of a page.
    pub const PAGE_WORDS: u32 = PER_PAGE * WORDS;
}

/// Data flow: word offsets in the record that [`header::FLOW`] leads to.
pub mod dataflow {
    /// Word index of the first chunk of edges, 0 if there is none.
    pub const FIRST_EDGES: u32 = 0;
    /// Word index of the first chunk of consumed shadows, 0 if there is none.
    pub const FIRST_CONSUMED: u32 = 1;
    /// Word index of the first block of [`frequencies`], 0 if there is none.
    pub const FIRST_FREQUENCIES: u32 = 2;
    /// The first of [`LOST_REASONS`] u64, lost origins by reason.
    pub const LOST: u32 = 4;
    /// Reasons for which origins are lost.
    pub const LOST_REASONS: usize = 3;
    /// The counter of arguments that the tracking stack has no room for, from [`LOST`] on.
    pub const UNTRACKED_ARGUMENTS: u32 = 2;
    /// The counter of edges without room, from [`LOST`] on.
    pub const NO_ROOM: u32 = 4;
    /// In recordings of costs, two u64: arrays that are so large that elements
    /// share a last writer with their neighbours, and the elements of these.
    pub const SHARED: u32 = LOST + 2 * LOST_REASONS as u32;
    /// The second of them.
    pub const SHARED_ELEMENTS: u32 = SHARED + 2;
    /// In recordings of costs and of nulls, a u64: how often an array was used whose
    /// last writers had been given up.
    pub const FORGOTTEN: u32 = SHARED_ELEMENTS + 2;
    /// In recordings of costs and of nulls, a u64: bytes of memory, beside the file,
    /// that the last writers of elements took at most.
    pub const ELEMENT_BYTES: u32 = FORGOTTEN + 2;
    /// In recordings of costs and of nulls, a u64: accesses to elements in the midst
    /// of which a thread stopped for so long that the last writers may be those
    /// of another array.
    pub const MISPLACED: u32 = ELEMENT_BYTES + 2;
    /// In recordings of nulls, the counter of exceptions that code without probes
    /// raised, from [`LOST`] on.
    pub const ELSEWHERE: u32 = 2;
    /// Words of the record.
    pub const WORDS: u32 = MISPLACED + 2;

    /// Tags are below this.
    pub const TAGS: u32 = 1 << 17;

    /// In a chunk of edges or of consumed shadows: the next chunk, 0 at the end.
    pub const CHUNK_NEXT: u32 = 0;
    /// How many entries the chunk has room for. Those not used are 0.
    pub const CHUNK_ENTRIES: u32 = 1;
    /// Where the entries start.
    pub const CHUNK_FIRST: u32 = 2;

    /// Words of a consumed shadow.
    pub const CONSUMED_WORDS: u32 = 2;

    /// In recordings of copies, where a value comes from: a tag and a field of objects
    /// with it, as a u64 that says, too, where the byte is that notes that it was consumed.
    /// The tag of static fields is 0.
    pub mod shadow {
        /// In place of a field: the value is a reference to an object with the tag.
        /// An element of an array has the field 0.
        pub const PRODUCER: u32 = 1;

        /// Fields that lie beside each other, for each tag: those of an object are
        /// mostly numbered one after the other.
        pub const FIELD_GROUP: u32 = 8;

        /// Bits of a field's number within its group, which are the lowest ones.
        pub const TAG_SHIFT: u32 = FIELD_GROUP.ilog2();

        /// Bits of that and of the tag. The number of the group is above them.
        pub const GROUP_SHIFT: u32 = TAG_SHIFT + super::TAGS.ilog2();

        /// The shadow of a field of objects with a tag.
        pub const fn of(tag: u32, field: u32) -> u64 {
            let (group, within) = (field / FIELD_GROUP, field % FIELD_GROUP);
            (group as u64) << GROUP_SHIFT | (tag as u64) << TAG_SHIFT | within as u64
        }

        /// Its tag.
        pub const fn tag(shadow: u64) -> u32 {
            (shadow >> TAG_SHIFT) as u32 % super::TAGS
        }

        /// Its field.
        pub const fn field(shadow: u64) -> u32 {
            (shadow >> GROUP_SHIFT) as u32 * FIELD_GROUP + shadow as u32 % FIELD_GROUP
        }
    }

    /// In recordings of copies, in place of the number of a store, where an edge from new
    /// objects counts those that were assigned to the heap.
    pub const ASSIGNED_OBJECTS: u32 = u32::MAX;

    /// In that place, where an edge counts the bytes of these objects: only where the tag has no
    /// record of the size of its objects.
    pub const ASSIGNED_BYTES: u32 = u32::MAX - 1;

    /// In recordings of costs, what an edge is: the place of the store's number.
    pub mod relation {
        /// The node that is the lower half of FROM loaded from an object with
        /// the tag TO, or from its static field if that is 0. The upper half is
        /// the field, 0 for the one that the node's record names. It counts how
        /// often beyond what [`frequencies`](super::frequencies) say, and may be
        /// negative.
        pub const LOADED: u32 = 1;
        /// The node stored into such an object or field, with FROM and TO as for [`LOADED`].
        pub const STORED: u32 = 2;
        /// It replaced what nobody had read since it was stored.
        pub const OVERWRITTEN: u32 = 3;
        /// The node TO used a value that the node FROM made.
        pub const DEPENDS: u32 = 4;
        /// The location FROM, its tag in the upper half and its field in the
        /// lower, referred to an object with the tag TO.
        pub const REFERS: u32 = 5;
        /// Of no interest to readers: it leads to counters.
        pub const BLOCK_OF: u32 = 6;
    }

    /// In recordings of nulls, what stands for nodes, and what an edge is.
    pub mod null {
        /// FROM: it is not known where the null comes from.
        pub const UNKNOWN: u32 = 1;
        /// FROM: nobody has stored anything there.
        pub const INITIAL: u32 = 2;
        /// The least number of a node.
        pub const FIRST: u32 = 16;

        /// A null went from the node FROM to the node TO.
        pub const FLOWED: u32 = 1;
        /// The JVM raised an exception at TO for a null that the node FROM
        /// handled last.
        pub const RAISED: u32 = 2;
        /// Nobody caught it.
        pub const UNCAUGHT: u32 = 3;
    }

    /// How often the basic blocks of a method were executed in a slot: word
    /// offsets in a block of counters.
    pub mod frequencies {
        /// Word index of the next such block, 0 at the end.
        pub const NEXT: u32 = 0;
        /// Number of the method.
        pub const METHOD: u32 = 1;
        /// The slot.
        pub const SLOT: u32 = 2;
        /// Where the first counter is of others for the same method and slot; these
        /// words make a ring of all that are as large. Of no interest to readers.
        pub const OTHER: u32 = 4;
        /// How many counters there are.
        pub const COUNT: u32 = 5;
        /// How many words are behind them for what instructions met.
        pub const MET: u32 = 6;
        /// The tag of the receivers that are counted here with [`DECIDED`], or 0
        /// if they may have any.
        pub const RECEIVER: u32 = 7;
        /// The first counter, u64.
        pub const FIRST: u32 = 8;

        /// In the first word of what an access to the heap met: it is 0 if there
        /// was none, else these bits are the tag that it met whenever it was
        /// executed, but for when it met others.
        pub const USUAL_TAG: u32 = super::TAGS - 1;
        /// In that word: it is decided that this is the usual tag.
        pub const DECIDED: u32 = super::TAGS;
        /// From that word on: how often it met others, if it is decided.
        pub const OTHERS: u32 = 2;
    }

    /// Word offsets in an edge.
    pub mod edge {
        /// The shadow of the stored value, u64; not 0.
        pub const FROM: u32 = 0;
        /// Number of the store.
        pub const STORE: u32 = 2;
        /// Tag of the object that is stored into, 0 for static fields.
        pub const TO: u32 = 3;
        /// How often, u64.
        pub const COUNT: u32 = 4;
        /// Next edge with the same hash; of no interest to readers.
        pub const NEXT: u32 = 6;
        /// Words of an edge.
        pub const WORDS: u32 = 8;
    }
}

/// Kinds of call sites, in the metadata of their method.
pub mod site_kind {
    /// The site has a slot in each node.
    pub const SLOT: u64 = 0;
    /// Each call of the method calls a known target once here; no node exists.
    pub const DERIVED: u64 = 1;
    /// The site has a u64 counter in each node, in front of the slots; the
    /// callee is known and has no node.
    pub const COUNTED: u64 = 2;
}

#[cfg(test)]
mod tests {
    use super::method_flags::{ALLOCATIONS_COUNTER, BYTECODES_COUNTER, SLOTS};
    use super::node;

    #[test]
    fn counters_stand_between_the_fixed_part_and_the_slots() {
        let both = BYTECODES_COUNTER | ALLOCATIONS_COUNTER | SLOTS;
        assert_eq!(node::bytecodes(both), Some(6));
        assert_eq!(node::allocations(both), Some(8));
        assert_eq!(node::call_counters(both), 10);
        assert_eq!(node::behind_counters(both, 0), 10);
        assert_eq!(node::behind_counters(both, 3), 16);
        assert_eq!([0, 1, 2].map(|place| node::slot(both, 3, place)), [5, 16, 17]);
        assert_eq!(node::allocations(ALLOCATIONS_COUNTER | SLOTS), Some(6));
        assert_eq!(node::bytecodes(BYTECODES_COUNTER), Some(4));
        assert_eq!(node::bytecodes(ALLOCATIONS_COUNTER), None);
        assert_eq!(node::call_counters(SLOTS), 6);
    }

    #[test]
    fn nodes_take_an_even_number_of_words() {
        assert_eq!([node::words(0, 0, 0), node::words(BYTECODES_COUNTER, 0, 0)], [4, 6]);
        assert_eq!([0, 1, 2].map(|slotted| node::words(SLOTS, 0, slotted)), [6, 6, 8]);
        assert_eq!(node::words(SLOTS | BYTECODES_COUNTER, 1, 3), 12);
    }
}
