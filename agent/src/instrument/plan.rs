//! What to count where in one method.
//!
//! Bytecodes and allocations are counted by basic block, when the block is
//! entered, as JP2 does; where an exception cuts a block short, the rest is
//! taken off again. What the first block does follows from the number of calls
//! and needs no counter, unless the code jumps back to it.

use std::iter::Peekable;
use std::ops::Range;

use classfile::values::kinds::{Kind, kind};
use classfile::{
    Code, ControlFlow, Initialisation, Instruction, Instructions, LineTable, Member, opcode,
};
use profile::layout::{method_flags, node};
use profile::metadata::{MethodRecord, SiteKind, SiteRecord};

use super::leaf;
use super::throws::{Receiver, can_throw, is_object_constructor_call};
use crate::catalogue::Target;
use crate::modified_utf8;

/// How a method's node is kept.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Body {
    /// With slots for its callees; left by every way out.
    General,
    /// Nothing is called, nothing can be thrown, nothing branches: one count.
    Leaf,
    /// Likewise, but it branches.
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
    /// True if the method need not say where it is before its first call.
    pub begins_quietly: bool,
    /// What is counted beside, if data flow is recorded.
    pub flow: Option<FlowCounts>,
    /// What the code does before it initialises `this`.
    pub initialisation: Initialisation,
    allocates: bool,
}

/// What is counted beside where data flow is recorded.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct FlowCounts {
    /// True if kinds of instructions are counted beyond the base.
    pub counts_kinds: bool,
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

/// An instruction that can throw and is not the last one of its block.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Cut {
    /// The instruction.
    pub bci: u32,
    /// From behind the one before in the same block, or the block's start, to
    /// the end of the instruction.
    pub range: Range<u32>,
    /// What of the block is not executed then.
    pub rest: Rest,
}

/// What is counted in a block, or the part of it that an exception leaves
/// unexecuted.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Default)]
pub struct Rest {
    /// Instructions.
    pub bytecodes: u32,
    /// Allocations.
    pub allocations: u32,
    /// Derived call sites.
    pub derived: u32,
    /// Kinds of instructions if data flow is recorded, else 0.
    pub kinds: u64,
    /// In recordings of costs, the counter of the cut.
    pub counter: Option<u32>,
}

/// A call site.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Site {
    /// Where the invoke instruction is.
    pub bci: u32,
    /// Its source line, 0 if unknown.
    pub line: u16,
    /// How its calls are recorded.
    pub callee: Callee,
}

/// How the calls of a site are recorded.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Callee {
    /// The callee finds its node below this site's slot by itself.
    Probed,
    /// The callee has no probes but may call back: the caller finds its node.
    Plain(Target),
    /// A counter for this site in the caller's node.
    Counted(Target),
    /// As often as the caller is called.
    Derived(Target),
}

/// Looks up methods whose callers count them: owner, name and descriptor.
pub type Targets<'a> = dyn Fn(&[u8], &[u8], &[u8]) -> Option<Target> + 'a;

/// A first block that is longer, in bytes of code, has a counter, so that the
/// ways out of it need little code and cuts of it always have ids.
const LONGEST_BASE: u32 = 256;

/// A block is counted in parts of so many instructions: for each number that
/// an exception can leave unexecuted there is a detour.
const LONGEST_COUNTED: u32 = 64;

/// A method with more cuts is counted in parts that end where something can
/// be thrown. For every instruction the verifier looks at all entries of the
/// exception table, and there is one for each cut; a JVM of release 24 or later
/// verifies all that is rewritten when recording starts. More than this cost
/// more time at the start than they save; fewer save none.
pub const MOST_CUTS: usize = 8;

/// Where values are followed, starting takes longer anyway, and parts cost more
/// because more is counted.
pub const MOST_CUTS_IF_FOLLOWED: usize = 64;

/// How exceptions are dealt with that cut blocks short.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct CutRules {
    /// A method with more cuts is counted in parts.
    pub most: usize,
    /// Also those are cuts that leave nothing of a block but the access to the
    /// heap that threw: how often it was executed matters by itself.
    pub of_last_accesses: bool,
}

/// What planning needs to know of the code, whatever the parts are.
struct Survey<'s, 'c> {
    code: &'s Code<'c>,
    flow: ControlFlow,
    lines: LineTable,
    /// See [`loop_starts`].
    loops: Vec<u32>,
    rules: CutRules,
    targets: &'s Targets<'s>,
    receiver: Receiver,
    /// Calls of `this(...)` and `super(...)` that may throw. What follows is
    /// counted apart: no handler may cover them, so nothing could be taken off.
    initialisers: Vec<u32>,
}

impl Survey<'_, '_> {
    fn accesses_heap(&self, bci: u32) -> bool {
        let found = self.code.instruction_at(bci);
        found.is_some_and(|found| matches!(kind(found.opcode), Kind::Load | Kind::Store))
    }
}

/// What planning passes through the code with.
struct Walk<'w, 'c> {
    survey: &'w Survey<'w, 'c>,
    instructions: Peekable<Instructions<'c>>,
    receiver: Receiver,
    /// True if whatever follows an instruction that can throw is counted apart.
    ends_at_throws: bool,
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
            flow: ControlFlow::new(code),
            lines: code.line_table(),
            loops: loop_starts(code),
            rules,
            targets,
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

    fn with_parts(index: usize, survey: &Survey<'_, '_>, ends_at_throws: bool) -> Self {
        let code = survey.code;
        let mut plan = Self {
            index,
            body: Body::General,
            base_bytecodes: 0,
            base_allocations: 0,
            base_kinds: [0; 4],
            blocks: Vec::new(),
            cuts: Vec::new(),
            sites: Vec::new(),
            begins_quietly: false,
            flow: None,
            initialisation: Initialisation::default(),
            allocates: false,
        };
        let mut walk = Walk {
            survey,
            instructions: code.instructions().peekable(),
            receiver: survey.receiver.clone(),
            ends_at_throws,
        };
        for block in survey.flow.blocks() {
            walk.receiver.enter_block();
            let mut is_loop = survey.loops.binary_search(&block.start).is_ok();
            let mut once = block.start == 0
                && !is_loop
                && block.end <= LONGEST_BASE
                // Detours to the method's own handlers may only change locals.
                && code.exception_table().all(|entry| entry.start >= block.end);
            let mut start = block.start;
            while start < block.end {
                let part = plan.count(&mut walk, start..block.end, once);
                let Rest { bytecodes, allocations, .. } = part;
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
            plan.begins_quietly = leaf::begins_quietly(&survey.receiver, code, &plan);
        }
        plan
    }

    /// Counts what is done in a block, or in the first part of it if it is long
    /// or initialises `this`, and notes its call sites and cuts.
    fn count(&mut self, walk: &mut Walk<'_, '_>, block: Range<u32>, once: bool) -> Rest {
        let mut count = Rest::default();
        let mut range_start = block.start;
        let first_cut = self.cuts.len();
        while let Some(instruction) = walk.instructions.next_if(|next| next.bci < block.end) {
            count.bytecodes += 1;
            count.allocations += u32::from(is_allocation(instruction.opcode));
            if opcode::is_invoke(instruction.opcode) {
                let site = walk.site(&instruction, once);
                count.derived += u32::from(matches!(site.callee, Callee::Derived(_)));
                self.sites.push(site);
            }
            let can_throw = can_throw(walk.survey.code, &instruction, &walk.receiver);
            if can_throw {
                let range = range_start..instruction.end();
                range_start = range.end;
                // What is executed, for now.
                self.cuts.push(Cut { bci: instruction.bci, range, rest: count });
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
            cut.rest = Rest {
                bytecodes: count.bytecodes - cut.rest.bytecodes,
                allocations: count.allocations - cut.rest.allocations,
                derived: count.derived - cut.rest.derived,
                kinds: 0,
                counter: None,
            };
        }
        // Only the last instruction leaves nothing.
        self.cuts.pop_if(|last| {
            let is_kept = walk.survey.rules.of_last_accesses
                && last.range.end == block.end
                && walk.survey.accesses_heap(last.bci);
            last.rest == Rest::default() && !is_kept
        });
        count
    }

    /// A method that has no probes, so that its callers have a name for it.
    pub fn without_probes(index: usize, base_bytecodes: u32) -> Self {
        Self {
            index,
            body: Body::WithoutProbes,
            base_bytecodes,
            base_allocations: 0,
            base_kinds: [0; 4],
            blocks: Vec::new(),
            cuts: Vec::new(),
            sites: Vec::new(),
            begins_quietly: false,
            flow: None,
            initialisation: Initialisation::default(),
            allocates: false,
        }
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
        let counts_copies = self.flow.is_some_and(|flow| flow.copies);
        flag(self.counts_bytecodes(), method_flags::BYTECODES_COUNTER)
            | flag(self.flow.is_some_and(|flow| flow.has_kinds), method_flags::KINDS_COUNTERS)
            | flag(counts_copies, method_flags::COPIES_COUNTER)
            | flag(self.counts_allocations(), method_flags::ALLOCATIONS_COUNTER)
            // A native may call back, so its node has the implicit slot.
            | flag(matches!(self.body, Body::General | Body::WithoutProbes), method_flags::SLOTS)
    }

    fn counted_sites(&self) -> u32 {
        let counted = |site: &&Site| matches!(site.callee, Callee::Counted(_));
        self.sites.iter().filter(counted).count() as u32
    }

    /// The sites, each with the word offset of its slot or counter in a node
    /// (0 for derived ones, which have none).
    pub fn sites_with_offsets(&self) -> impl Iterator<Item = (&Site, u32)> {
        let mut counter = node::call_counters(self.flags());
        let mut slot = node::slots(self.flags(), self.counted_sites());
        self.sites.iter().map(move |site| match site.callee {
            Callee::Derived(_) => (site, 0),
            Callee::Counted(_) => {
                counter += 2;
                (site, counter - 2)
            }
            Callee::Probed | Callee::Plain(_) => {
                slot += 1;
                (site, slot - 1)
            }
        })
    }

    /// The method as the profile's metadata describes it, not yet numbered.
    pub fn record(&self, method: &Member<'_>) -> MethodRecord {
        MethodRecord {
            id: 0,
            name: modified_utf8::decode(method.name()),
            descriptor: modified_utf8::decode(method.descriptor()),
            access: method.access_flags(),
            flags: self.flags(),
            base_bytecodes: self.base_bytecodes,
            base_allocations: self.base_allocations,
            base_kinds: self.base_kinds,
            sites: self.sites.iter().map(Site::record).collect(),
        }
    }
}

impl Site {
    fn record(&self) -> SiteRecord {
        SiteRecord {
            // Code is shorter than 65,536 bytes.
            bci: self.bci as u16,
            line: self.line,
            kind: match self.callee {
                Callee::Probed | Callee::Plain(_) => SiteKind::Slot,
                Callee::Counted(target) => SiteKind::Counted { target: target.method },
                Callee::Derived(target) => SiteKind::Derived { target: target.method },
            },
        }
    }
}

fn is_allocation(opcode: u8) -> bool {
    matches!(opcode, opcode::NEW | opcode::NEWARRAY | opcode::ANEWARRAY | opcode::MULTIANEWARRAY)
}

impl Walk<'_, '_> {
    fn site(&self, instruction: &Instruction<'_>, once: bool) -> Site {
        let target = statically_bound(self.survey.code, instruction, self.survey.targets);
        Site {
            bci: instruction.bci,
            line: self.survey.lines.line_of(instruction.bci).unwrap_or(0),
            callee: match target {
                None => Callee::Probed,
                Some(target) if !target.never_calls_back => Callee::Plain(target),
                Some(target) if once => Callee::Derived(target),
                Some(target) => Callee::Counted(target),
            },
        }
    }
}

/// The method that a call must reach, if its callers are to count it.
fn statically_bound(
    code: &Code<'_>,
    instruction: &Instruction<'_>,
    targets: &Targets<'_>,
) -> Option<Target> {
    if !opcode::is_invoke(instruction.opcode) || instruction.opcode == opcode::INVOKEDYNAMIC {
        return None;
    }
    let callee = code.constant_pool().member_ref(instruction.pool_index()?).ok()?;
    let is_dispatched =
        matches!(instruction.opcode, opcode::INVOKEVIRTUAL | opcode::INVOKEINTERFACE);
    if !is_dispatched {
        return targets(callee.owner, callee.name, callee.descriptor);
    }
    let is_bound = |target: &Target| target.bound_when_virtual;
    // Nothing overrides a final method of Object, whatever type the call names.
    targets(callee.owner, callee.name, callee.descriptor)
        .or_else(|| targets(b"java/lang/Object", callee.name, callee.descriptor))
        .filter(is_bound)
}

/// Where code jumps back to, in order: every cycle passes one of these.
fn loop_starts(code: &Code<'_>) -> Vec<u32> {
    let backward = code.instructions().flat_map(|instruction| {
        instruction.targets().filter(move |&target| target <= instruction.bci)
    });
    // A handler that covers what follows it can be thrown back to. Compilers
    // make handlers cover their own release of a lock, which is no loop; a
    // probe there could run out of stack and leave the lock taken.
    let thrown_back = code
        .exception_table()
        .filter(|entry| {
            code.instructions()
                .skip_while(|instruction| instruction.bci < entry.handler.max(entry.start))
                .take_while(|instruction| instruction.bci < entry.end)
                .any(|instruction| !is_release(instruction.opcode))
        })
        .map(|entry| entry.handler);
    let mut starts: Vec<u32> = backward.chain(thrown_back).collect();
    starts.sort_unstable();
    starts.dedup();
    starts
}

/// What a handler consists of that only releases a lock and throws on.
fn is_release(opcode: u8) -> bool {
    matches!(
        opcode,
        opcode::NOP..=opcode::SIPUSH
            | opcode::ILOAD..=opcode::ALOAD_3
            | opcode::ISTORE..=opcode::ASTORE_3
            | opcode::MONITOREXIT
            | opcode::GOTO
    )
}
