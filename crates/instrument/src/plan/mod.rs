//! What to count where in one method.
//!
//! Bytecodes and allocations are counted by basic block, when the block is
//! entered, as JP2 does; where an exception cuts a block short, the residue
//! is taken off again. What the first block does follows from the number of calls
//! and needs no counter, unless the code jumps back to it.
//!
//! [`policy`] says which classes and methods are planned at all. A [`MethodPlan`] has
//! the [`call_sites`] of a method, its counted blocks and its [`cuts`]; [`throws`] says
//! which instructions can throw, [`handlers`] where exceptions arrive.

pub mod bytes;
pub mod call_sites;
pub mod cuts;
pub mod handlers;
mod leaf;
mod line_counts;
mod loops;
pub mod moves;
pub mod policy;
pub mod slots;
pub mod throws;

use std::iter::Peekable;
use std::ops::Range;

use classfile::ssa::kinds::{Kind, kind};
use classfile::{Code, ControlFlow, Initialisation, Instruction, Instructions, Member, opcode};
use profile::layout::{method_flags, node};
use profile::metadata::MethodRecord;

use crate::modified_utf8;
use bytes::AllocatedBytes;
pub use call_sites::{Callee, Site};
use call_sites::{Sites, Targets};
use cuts::Cut;
pub use cuts::{CutRules, MOST_CUTS, MOST_CUTS_IF_FOLLOWED, Residue};
pub use line_counts::LineCounts;
use loops::loop_starts;
use slots::{FirstCall, SlotStores};
use throws::{Receiver, can_throw, is_object_constructor_call};

/// How a method's node is kept.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Body {
    /// With slots for its callees; left by every way out.
    General,
    /// Nothing is called, nothing can be thrown, nothing branches: one count.
    Leaf,
    /// Nothing is called, nothing can be thrown, but it branches.
    BranchingLeaf,
    /// It has no probes; its callers count it.
    WithoutProbes,
}

/// What to count in a method.
#[derive(Debug)]
pub struct MethodPlan {
    /// Its index in the class file.
    pub index: usize,
    /// How its node is kept.
    pub body: Body,
    /// Bytecodes of each call that need no counter.
    pub base_bytecodes: u32,
    /// Allocations of each call that need no counter.
    pub base_allocations: u32,
    /// Loads, stores, alu and comparisons of each call that need no counter;
    /// 0 unless data flow is recorded.
    pub base_kinds: [u32; 4],
    /// Blocks that are counted when they are entered.
    pub blocks: Vec<CountedBlock>,
    /// Where an exception would leave a part of a block that was counted.
    pub cuts: Vec<Cut>,
    /// Call sites in the order of the code.
    pub sites: Vec<Site>,
    /// Where the method says where it is, besides at its calls.
    pub slots: SlotStores,
    /// What is counted beside, if data flow is recorded.
    pub dataflow: Option<DataflowCounts>,
    /// What the code does before it initialises `this`.
    pub initialisation: Initialisation,
    /// The counters of blocks and cuts, where lines are counted.
    pub line_counts: Option<LineCounts>,
    /// What is allocated where, if bytes are counted and the method allocates.
    bytes: Option<AllocatedBytes>,
    /// False where there was no room for that in the code.
    has_bytes_probes: bool,
    allocates: bool,
}

/// What is counted beside where data flow is recorded.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct DataflowCounts {
    /// Which kinds of instructions are counted beyond the base: a bit for each, the lowest for
    /// loads, then stores, alu and comparisons.
    pub counted_kinds: i32,
    /// True if its nodes have counters of them.
    pub has_kinds: bool,
    /// True if copies are counted.
    pub copies: bool,
}

/// A basic block whose executions are counted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct CountedBlock {
    /// Where it starts.
    pub start: u32,
    /// Its instructions.
    pub bytecodes: u32,
    /// Objects and arrays that it makes: executions of `new`, `newarray`,
    /// `anewarray` and `multianewarray`.
    pub allocations: u32,
    /// True if code jumps back to it: there a large count is flushed.
    pub is_loop: bool,
    /// Kinds of its instructions if data flow is recorded, else 0.
    pub kinds: u64,
}

/// A first block that is longer, in bytes of code, has a counter, so that the
/// ways out of it need little code and cuts of it always have ids.
const LONGEST_BASE: u32 = 256;

/// A block is counted in parts of so many instructions: for each number that
/// an exception can leave unexecuted there is a landing pad.
const LONGEST_COUNTED: u32 = 64;

/// What planning needs to know of the code, whatever the parts are.
struct Survey<'s, 'c> {
    code: &'s Code<'c>,
    cfg: ControlFlow,
    sites: Sites<'s, 'c>,
    /// See [`loop_starts`].
    loops: Vec<u32>,
    rules: CutRules,
    receiver: Receiver,
    /// Calls of `this(...)` and `super(...)` that may throw. What follows is
    /// counted apart: no handler may cover them, so nothing could be taken off.
    initialisers: Vec<u32>,
}

impl Survey<'_, '_> {
    fn is_node(&self, bci: u32) -> bool {
        use Kind::{Allocation, Alu, Length, Load, Store};
        let Some(found) = self.code.instruction_at(bci) else { return false };
        matches!(kind(found.opcode), Load | Store | Alu | Length | Allocation)
            || self.copies(&found)
    }

    /// True for a call that loads and stores, if it does not throw.
    fn copies(&self, call: &Instruction<'_>) -> bool {
        if !opcode::is_invoke(call.opcode) {
            return false;
        }
        let index = call.pool_index();
        let named = index.and_then(|index| self.code.constant_pool().member_ref(index).ok());
        named.is_some_and(|named| {
            (named.owner, named.name) == (b"java/lang/System", b"arraycopy")
                || named.name == b"clone" && named.descriptor == b"()Ljava/lang/Object;"
        })
    }
}

/// What planning passes through the code with.
struct Walk<'w, 'c> {
    survey: &'w Survey<'w, 'c>,
    instructions: Peekable<Instructions<'c>>,
    receiver: Receiver,
    /// True if whatever follows an instruction that can throw is counted apart.
    ends_at_throws: bool,
    /// Of each block so far.
    first_calls: Vec<Option<FirstCall>>,
}

impl Walk<'_, '_> {
    /// Notes what is called in the current block, unless something was before.
    fn call(&mut self, call: FirstCall) {
        if let Some(first @ None) = self.first_calls.last_mut() {
            *first = Some(call);
        }
    }
}

impl MethodPlan {
    /// Plans a method with code; in parts if it has more cuts than the rules say.
    pub fn new(
        index: usize,
        method: &Member<'_>,
        code: &Code<'_>,
        targets: &Targets<'_>,
        rules: CutRules,
    ) -> Self {
        let initialisation = code.initialisation();
        let may_throw = |&bci: &u32| {
            let call = code.instruction_at(bci);
            !call.is_some_and(|call| is_object_constructor_call(code, &call))
        };
        let survey = Survey {
            code,
            cfg: ControlFlow::new(code),
            sites: Sites { code, lines: code.line_table(), targets },
            loops: loop_starts(code),
            rules,
            receiver: Receiver::new(method, code),
            initialisers: initialisation.calls.iter().copied().filter(may_throw).collect(),
        };
        let mut plan = Self::with_parts(index, &survey, false);
        if plan.cuts.len() > rules.most {
            plan = Self::with_parts(index, &survey, true);
        }
        plan.initialisation = initialisation;
        plan
    }

    /// Of a method of which nothing is known yet.
    fn empty(index: usize, body: Body) -> Self {
        Self {
            index,
            body,
            base_bytecodes: 0,
            base_allocations: 0,
            base_kinds: [0; 4],
            blocks: Vec::new(),
            cuts: Vec::new(),
            sites: Vec::new(),
            slots: SlotStores::at_entry(),
            dataflow: None,
            initialisation: Initialisation::default(),
            line_counts: None,
            bytes: None,
            has_bytes_probes: false,
            allocates: false,
        }
    }

    fn with_parts(index: usize, survey: &Survey<'_, '_>, ends_at_throws: bool) -> Self {
        let code = survey.code;
        let mut plan = Self::empty(index, Body::General);
        let mut walk = Walk {
            survey,
            instructions: code.instructions().peekable(),
            receiver: survey.receiver.clone(),
            ends_at_throws,
            first_calls: Vec::with_capacity(survey.cfg.blocks().len()),
        };
        for block in survey.cfg.blocks() {
            walk.receiver.enter_block();
            walk.first_calls.push(None);
            let mut is_loop = survey.loops.binary_search(&block.start).is_ok();
            let mut once = block.start == 0
                && !is_loop
                && block.end <= LONGEST_BASE
                // Landing pads to the method's own handlers may only change locals.
                && code.exception_table().all(|entry| entry.start >= block.end);
            let mut start = block.start;
            while start < block.end {
                let part = plan.count(&mut walk, start..block.end, once);
                let Residue { bytecodes, allocations, .. } = part;
                if once {
                    plan.base_bytecodes = bytecodes;
                    plan.base_allocations = allocations;
                } else {
                    plan.allocates |= allocations > 0;
                    plan.blocks.push(CountedBlock {
                        start,
                        bytecodes,
                        allocations,
                        is_loop,
                        kinds: 0,
                    });
                }
                start = walk.instructions.peek().map_or(block.end, |next| next.bci);
                is_loop = false;
                once = false;
            }
        }
        if leaf::is_leaf(&survey.receiver, code, &plan) {
            plan.body = if plan.blocks.is_empty() { Body::Leaf } else { Body::BranchingLeaf };
        } else {
            plan.slots = SlotStores::new(code, &survey.cfg, &walk.first_calls);
        }
        plan
    }

    /// Counts what is done in a block, or in the first part of it if it is long
    /// or initialises `this`, and notes its call sites and cuts.
    fn count(&mut self, walk: &mut Walk<'_, '_>, block: Range<u32>, once: bool) -> Residue {
        let mut count = Residue::default();
        let mut range_start = block.start;
        let first_cut = self.cuts.len();
        while let Some(instruction) = walk.instructions.next_if(|next| next.bci < block.end) {
            count.bytecodes += 1;
            count.allocations += u32::from(is_allocation(instruction.opcode));
            if opcode::is_invoke(instruction.opcode) {
                let site = walk.survey.sites.site(&instruction, once);
                count.derived += u32::from(matches!(site.callee, Callee::Derived(_)));
                if matches!(site.callee, Callee::Probed | Callee::Plain(_)) {
                    walk.call(FirstCall::Announced);
                }
                self.sites.push(site);
            }
            let can_throw = can_throw(walk.survey.code, &instruction, &walk.receiver);
            if can_throw {
                walk.call(FirstCall::Upcall(instruction.bci));
                let range = range_start..instruction.end();
                range_start = range.end;
                // What is executed, for now.
                self.cuts.push(Cut { bci: instruction.bci, range, residue: count });
            }
            walk.receiver.step(walk.survey.code, &instruction);
            if (count.bytecodes == LONGEST_COUNTED && !once)
                || (can_throw && walk.ends_at_throws)
                || walk.survey.initialisers.contains(&instruction.bci)
            {
                break;
            }
        }
        for cut in &mut self.cuts[first_cut..] {
            cut.residue = Residue {
                bytecodes: count.bytecodes - cut.residue.bytecodes,
                allocations: count.allocations - cut.residue.allocations,
                derived: count.derived - cut.residue.derived,
                kinds: 0,
                counter: None,
                line_counter: None,
            };
        }
        // Only the last instruction leaves nothing. It need not be a cut; then the last
        // one may be another block's.
        self.cuts.pop_if(|last| {
            let is_kept = last.range.start < block.start
                || walk.survey.rules.of_last_nodes
                    && last.range.end == block.end
                    && walk.survey.is_node(last.bci);
            last.residue == Residue::default() && !is_kept
        });
        count
    }

    /// A method that has no probes, so that its callers have a name for it.
    pub fn without_probes(index: usize, base_bytecodes: u32) -> Self {
        Self { base_bytecodes, ..Self::empty(index, Body::WithoutProbes) }
    }

    /// True if bytecodes beyond the base are counted.
    pub fn counts_bytecodes(&self) -> bool {
        !self.blocks.is_empty()
    }

    /// True if allocations beyond the base are counted.
    pub fn counts_allocations(&self) -> bool {
        self.allocates
    }

    /// The method's flags in the profile.
    pub fn flags(&self) -> u32 {
        let flag = |on, flag| if on { flag } else { 0 };
        let counts_copies = self.dataflow.is_some_and(|flow| flow.copies);
        flag(self.counts_bytecodes(), method_flags::BYTECODES_COUNTER)
            | flag(self.dataflow.is_some_and(|flow| flow.has_kinds), method_flags::KINDS_COUNTERS)
            | flag(counts_copies, method_flags::COPIES_COUNTER)
            | flag(self.moves_elements(), method_flags::MOVED_COUNTER)
            | flag(self.counts_allocations(), method_flags::ALLOCATIONS_COUNTER)
            | flag(self.block_counters() > 0, method_flags::BLOCK_COUNTERS)
            | flag(self.bytes.is_some(), method_flags::BYTES_COUNTERS)
            // A native may call back, so its node has the implicit slot.
            | flag(matches!(self.body, Body::General | Body::WithoutProbes), method_flags::SLOTS)
    }

    /// True if calls of the method move elements.
    pub fn moves_elements(&self) -> bool {
        self.sites.iter().any(|site| site.moved.is_some())
    }

    fn counted_sites(&self) -> u32 {
        let counted = |site: &&Site| matches!(site.callee, Callee::Counted(_));
        self.sites.iter().filter(counted).count() as u32
    }

    /// The sites, each with the word offset of its slot or counter in a node
    /// (0 for derived ones, which have none).
    pub fn sites_with_offsets(&self) -> impl Iterator<Item = (&Site, u32)> {
        let mut counter = node::call_counters(self.flags());
        let bytes = self.allocated_classes().len() as u32;
        let counters = self.counted_sites() + self.block_counters() + bytes;
        let mut place = 0;
        self.sites.iter().map(move |site| match site.callee {
            Callee::Derived(_) => (site, 0),
            Callee::Counted(_) => {
                counter += 2;
                (site, counter - 2)
            }
            Callee::Probed | Callee::Plain(_) => {
                place += 1;
                (site, node::slot(self.flags(), counters, place - 1))
            }
        })
    }

    /// The method as the profile's metadata describes it, not yet numbered.
    pub fn record(&self, method: &Member<'_>) -> MethodRecord {
        MethodRecord {
            id: 0,
            name: modified_utf8::decode(method.name()).into_owned(),
            descriptor: modified_utf8::decode(method.descriptor()).into_owned(),
            access: method.access_flags(),
            flags: self.flags(),
            base_bytecodes: self.base_bytecodes,
            base_allocations: self.base_allocations,
            base_kinds: self.base_kinds,
            sites: self.sites.iter().map(Site::record).collect(),
            block_counters: self.block_counters(),
            allocated: self.allocated_classes().to_vec(),
        }
    }
}

fn is_allocation(opcode: u8) -> bool {
    matches!(opcode, opcode::NEW | opcode::NEWARRAY | opcode::ANEWARRAY | opcode::MULTIANEWARRAY)
}
