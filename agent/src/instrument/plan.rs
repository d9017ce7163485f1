//! What to count where in one method.
//!
//! Bytecodes and allocations are counted by basic block, when the block is
//! entered, as JP2 does. What the first block does follows from the number of
//! calls and needs no counter, unless the code jumps back to it.

use classfile::{Code, ControlFlow, Instruction, LineTable, Member, opcode};
use profile::layout::{method_flags, node};
use profile::metadata::{MethodRecord, SiteKind, SiteRecord};

use super::leaf;
use crate::catalogue::{Target, signature};

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
    /// Blocks that are counted when they are entered.
    pub blocks: Vec<CountedBlock>,
    /// Call sites in the order of the code.
    pub sites: Vec<Site>,
    /// True if the method need not say where it is before its first call.
    pub begins_quietly: bool,
    allocates: bool,
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

/// Looks up methods whose callers count them: owner, and name with descriptor.
pub type Targets<'a> = dyn Fn(&[u8], &[u8]) -> Option<Target> + 'a;

impl MethodPlan {
    /// Plans a method with code.
    pub fn new(index: usize, method: &Member<'_>, code: &Code<'_>, targets: &Targets<'_>) -> Self {
        let flow = ControlFlow::new(code);
        let lines = code.line_table();
        let mut plan = Self {
            index,
            body: Body::General,
            base_bytecodes: 0,
            base_allocations: 0,
            blocks: Vec::new(),
            sites: Vec::new(),
            begins_quietly: false,
            allocates: false,
        };
        let mut instructions = code.instructions().peekable();
        let loops = loop_starts(code);
        for block in flow.blocks() {
            let mut count = CountedBlock {
                start: block.start,
                bytecodes: 0,
                allocations: 0,
                is_loop: loops.binary_search(&block.start).is_ok(),
            };
            let once = block.start == 0 && !count.is_loop;
            while let Some(instruction) = instructions.next_if(|next| next.bci < block.end) {
                count.bytecodes += 1;
                if is_allocation(instruction.opcode) {
                    count.allocations += 1;
                }
                if opcode::is_invoke(instruction.opcode) {
                    plan.sites.push(site(code, &instruction, &lines, once, targets));
                }
            }
            if once {
                plan.base_bytecodes = count.bytecodes;
                plan.base_allocations = count.allocations;
            } else {
                plan.allocates |= count.allocations > 0;
                plan.blocks.push(count);
            }
        }
        if leaf::is_leaf(method, code, &plan) {
            plan.body = if plan.blocks.is_empty() { Body::Leaf } else { Body::BranchingLeaf };
        } else {
            plan.begins_quietly = leaf::begins_quietly(method, code, &plan);
        }
        plan
    }

    /// A method that has no probes, so that its callers have a name for it.
    pub fn without_probes(index: usize, base_bytecodes: u32) -> Self {
        Self {
            index,
            body: Body::WithoutProbes,
            base_bytecodes,
            base_allocations: 0,
            blocks: Vec::new(),
            sites: Vec::new(),
            begins_quietly: false,
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
        flag(self.counts_bytecodes(), method_flags::BYTECODES_COUNTER)
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
            name: String::from_utf8_lossy(method.name()).into_owned(),
            descriptor: String::from_utf8_lossy(method.descriptor()).into_owned(),
            access: method.access_flags(),
            flags: self.flags(),
            base_bytecodes: self.base_bytecodes,
            base_allocations: self.base_allocations,
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

fn site(
    code: &Code<'_>,
    instruction: &Instruction<'_>,
    lines: &LineTable,
    once: bool,
    targets: &Targets<'_>,
) -> Site {
    let target = statically_bound(code, instruction, targets);
    Site {
        bci: instruction.bci,
        line: lines.line_of(instruction.bci).unwrap_or(0),
        callee: match target {
            None => Callee::Probed,
            Some(target) if !target.never_calls_back => Callee::Plain(target),
            Some(target) if once => Callee::Derived(target),
            Some(target) => Callee::Counted(target),
        },
    }
}

/// The method that a call must reach, if its callers are to count it.
fn statically_bound(
    code: &Code<'_>,
    instruction: &Instruction<'_>,
    targets: &Targets<'_>,
) -> Option<Target> {
    if !matches!(
        instruction.opcode,
        opcode::INVOKESTATIC | opcode::INVOKESPECIAL | opcode::INVOKEVIRTUAL
    ) {
        return None;
    }
    let callee = code.constant_pool().member_ref(instruction.pool_index()?).ok()?;
    let target = targets(callee.owner, &signature(callee.name, callee.descriptor))?;
    (instruction.opcode != opcode::INVOKEVIRTUAL || target.bound_when_virtual).then_some(target)
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
