//! Which instructions of a method are nodes of the cost graph, and how their
//! executions are counted.

use classfile::opcode;
use classfile::ssa::kinds::{Kind, kind};
use classfile::ssa::{Definition, ValueId};
use profile::dataflow::InstructionKind;
use profile::node_records::{CostInstruction, CostNodesRecord};

use super::tables::CostTables;
use crate::dataflow::domain::{Demand, Shadow, Step, Use};
use crate::dataflow::methods::activation::Activation;
use crate::dataflow::shadows::{FieldNumbers, Shadows, for_each_step};
use crate::dataflow::subject::Subject;
use crate::dataflow::tracking::calls::Call;
use crate::plan::MethodPlan;

/// The nodes of one method.
#[derive(Debug)]
pub struct MethodNodes {
    /// Number of the first instruction, and how many nodes each may have.
    first: u32,
    scale: u32,
    instructions: Vec<CostInstruction>,
    /// Where counted blocks start, with their counters.
    pub blocks: Vec<(u32, u32)>,
    /// How many counters the method has: those of cuts, then those of blocks.
    pub counters: u32,
    /// Instructions that keep what they met behind the counters.
    meeting: Vec<Meeting>,
}

/// What an instruction keeps behind the counters.
#[derive(Debug)]
struct Meeting {
    bci: u32,
    /// Words between the counters and its first one.
    first: u32,
    /// Words of the access to the heap itself, or none.
    access: u32,
    /// Cache entries for operands, two words each: the last two nodes that made
    /// the operand. Operands beyond the limit share entries modulo the limit.
    operands: u32,
    /// Its first operand that has one.
    first_operand: u32,
}

/// Words of the inline cache of an access to the heap, as `SubsumeInlineCache` has them.
pub const ACCESS: u32 = 4;

/// Words of the cache of a load that is specialised on the receiver, as
/// `SubsumeReceiverFields` has them.
pub const RECEIVER_LOAD: u32 = 2;
/// Words of the cache of such a store.
pub const RECEIVER_STORE: u32 = 4;

/// True for an access to a field of `this`, once that is initialised.
pub fn is_of_receiver(subject: &Subject<'_>, step: &Step<'_>, activation: Activation) -> bool {
    let is_this = |&value: &ValueId| subject.values.definition(value) == Definition::Parameter(0);
    activation.is_by_receiver
        && matches!(step.instruction.opcode, opcode::GETFIELD | opcode::PUTFIELD)
        && step.operands.first().is_some_and(is_this)
}

/// Where the part of a block starts with which an instruction is counted. That
/// at the end of a part is counted with the next one, which is not entered if
/// it throws, unless it `counts_before`.
fn start_of_part(subject: &Subject<'_>, step: &Step<'_>, counts_before: bool) -> u32 {
    let (bci, next) = (step.instruction.bci, step.instruction.end());
    let number = subject.cfg.block_of(bci).unwrap_or(0);
    let block = &subject.cfg.blocks()[number as usize];
    let parts = &subject.plan.blocks;
    if !counts_before
        && next < block.end
        && parts.binary_search_by_key(&next, |part| part.start).is_ok()
    {
        return next;
    }
    let behind = parts.partition_point(|part| part.start <= bci);
    let part = behind.checked_sub(1).map_or(0, |last| parts[last].start);
    part.max(block.start)
}

/// Where a constructor goes on that has initialised `this`, if it then has the
/// counters of another receiver than the one that was expected.
fn switches(subject: &Subject<'_>, activation: Activation) -> Vec<u32> {
    if !activation.is_by_receiver {
        return Vec::new();
    }
    let calls = subject.code.initialisation().calls;
    let ends = calls.iter().filter_map(|&call| subject.code.instruction_at(call));
    ends.map(|call| call.end()).collect()
}

/// The last of these places before an instruction, in its block; 0 without any.
fn start_behind(switches: &[u32], subject: &Subject<'_>, bci: u32) -> u32 {
    let block = subject.cfg.block_of(bci);
    let before = |&&switch: &&u32| switch <= bci && subject.cfg.block_of(switch) == block;
    switches.iter().filter(before).max().copied().unwrap_or(0)
}

/// True for nodes that make no value of the method: slots do not tell them apart.
pub fn is_in_all_slots(kind: InstructionKind) -> bool {
    matches!(kind, InstructionKind::Predicate | InstructionKind::Native)
}

/// What of an instruction is in the graph: at most two things, such as the call
/// that makes a string and the string.
fn nodes_of(step: &Step<'_>) -> &'static [InstructionKind] {
    use InstructionKind::{Allocate, Compute, Load, Native, Predicate, Store};
    match (kind(step.instruction.opcode), step.call) {
        (Kind::Load, _) => &[Load],
        (Kind::Store, _) => &[Store],
        (Kind::Alu | Kind::Comparison | Kind::Length, _) => &[Compute],
        (Kind::Predicate, _) => &[Predicate],
        (Kind::Allocation, _) | (_, Some(Call::Captures { .. })) => &[Allocate],
        (_, Some(Call::CopiesArray)) => &[Store],
        (_, Some(Call::Clones)) => &[Store, Allocate],
        (_, Some(Call::Concatenates)) => &[Native, Allocate],
        (_, Some(Call::Consumes { .. } | Call::Accesses(_))) => &[Native],
        (_, Some(call)) if call.may_be_native() => &[Native],
        _ => &[],
    }
}

impl MethodNodes {
    /// Finds them; `None` when numbers have run out.
    pub fn new(
        subject: &Subject<'_>,
        fields: &FieldNumbers<'_>,
        activation: Activation,
        tables: &CostTables,
        method: u32,
    ) -> Option<Self> {
        let lines = subject.code.line_table();
        let switches = switches(subject, activation);
        // A counter for each cut comes first.
        let mut counters = subject.plan.cuts.len() as u32;
        let mut blocks: Vec<(u32, u32)> = Vec::new();
        let mut instructions = Vec::new();
        for_each_step(subject, fields, |step, _| {
            let bci = step.instruction.bci;
            for &kind in nodes_of(step) {
                let start = start_of_part(subject, step, kind == InstructionKind::Native);
                let start = start.max(start_behind(&switches, subject, bci));
                let (block, counter) = if step.call.is_some_and(Call::may_be_native) {
                    // It is counted where it turns out to be native, apart.
                    (bci, counters)
                } else {
                    match blocks.last() {
                        Some(&(last, counter)) if last == start => (start, counter),
                        _ => {
                            blocks.push((start, counters));
                            (start, counters)
                        }
                    }
                };
                counters = counters.max(counter + 1);
                // Code is shorter than 65,536 bytes.
                instructions.push(CostInstruction {
                    bci: bci as u16,
                    line: lines.line_of(bci).unwrap_or(0),
                    kind,
                    field: step.field.unwrap_or(0),
                    block: block as u16,
                    counter,
                    met: 0,
                    is_own: is_of_receiver(subject, step, activation),
                });
            }
        });
        let (first, scale) = tables.instructions(method, instructions.len() as u32)?;
        Some(Self { first, scale, instructions, blocks, counters, meeting: Vec::new() })
    }

    /// Finds out which instructions need to keep what they met.
    pub fn place_inline_caches(&mut self, shadows: &Shadows) {
        let is_dynamic = |demand: &Demand| matches!(shadows.of(demand.value), Shadow::Dynamic(_));
        // Places of operands are those of their demands.
        let dynamic = |bci: u32| {
            let demands = (0..).zip(shadows.demands_at(bci));
            demands.filter(|(_, demand)| is_dynamic(demand)).map(|(number, _): (u32, _)| number)
        };
        let mut first = 0;
        for at in &mut self.instructions {
            let bci = u32::from(at.bci);
            if self.meeting.last().is_some_and(|last| last.bci == bci) {
                continue;
            }
            let is_access = matches!(at.kind, InstructionKind::Load | InstructionKind::Store);
            let (operands, first_operand) = match at.kind {
                InstructionKind::Native => (2, 0),
                _ => (dynamic(bci).count().min(2) as u32, dynamic(bci).next().unwrap_or(0)),
            };
            let access = match at.kind {
                InstructionKind::Load if at.is_own => RECEIVER_LOAD,
                InstructionKind::Store if at.is_own => RECEIVER_STORE,
                _ if is_access => ACCESS,
                _ => 0,
            };
            if access + operands == 0 {
                continue;
            }
            if is_access {
                at.met = self.counters * 2 + first;
            }
            self.meeting.push(Meeting { bci, first, access, operands, first_operand });
            first += access + 2 * operands;
        }
    }

    /// Words that a method has in a slot, behind the counters.
    pub fn inline_cache_words(&self) -> u32 {
        self.meeting.last().map_or(0, |last| last.first + last.access + 2 * last.operands)
    }

    fn meeting(&self, bci: u32) -> Option<&Meeting> {
        let at = self.meeting.binary_search_by_key(&bci, |known| known.bci).ok()?;
        Some(&self.meeting[at])
    }

    /// Where an access to the heap keeps what it met, in bytes behind the start
    /// of the counters; `None` for other instructions.
    pub fn met(&self, bci: u32) -> Option<u32> {
        let known = self.meeting(bci).filter(|known| known.access > 0)?;
        Some(self.counters * 8 + known.first * 4)
    }

    /// Where an instruction keeps which node made an operand, in bytes behind the start
    /// of the counters; `None` for other instructions.
    pub fn met_operand(&self, bci: u32, operand: u32) -> Option<u32> {
        let known = self.meeting(bci).filter(|known| known.operands > 0)?;
        let number = operand.wrapping_sub(known.first_operand) % known.operands;
        let behind = known.first + known.access + 2 * number;
        Some(self.counters * 8 + behind * 4)
    }

    fn index(&self, bci: u32, kind: InstructionKind) -> Option<usize> {
        let start = self.instructions.partition_point(|known| u32::from(known.bci) < bci);
        let here = self.instructions[start..].iter().take_while(|at| u32::from(at.bci) == bci);
        here.enumerate().find(|(_, known)| known.kind == kind).map(|(at, _)| start + at)
    }

    /// The first node in slot 0, how many follow it, and how many of these are
    /// the same in all slots.
    pub fn numbers(&self) -> (u32, [usize; 2]) {
        let in_all = self.instructions.iter().filter(|known| is_in_all_slots(known.kind)).count();
        (self.first * self.scale, [self.instructions.len(), in_all])
    }

    /// Number of the node of an instruction in slot 0.
    pub fn node(&self, bci: u32, kind: InstructionKind) -> Option<u32> {
        self.index(bci, kind).map(|at| (self.first + at as u32) * self.scale)
    }

    /// The counter of an instruction.
    pub fn counter(&self, bci: u32, kind: InstructionKind) -> Option<u32> {
        self.index(bci, kind).map(|at| self.instructions[at].counter)
    }

    /// The node of which a use makes another one depend.
    fn user(&self, bci: u32) -> Option<usize> {
        let start = self.instructions.partition_point(|known| u32::from(known.bci) < bci);
        let known = self.instructions.get(start)?;
        (u32::from(known.bci) == bci).then_some(start)
    }

    /// The record of them for the profile.
    pub fn record(&self, method: u32, shadows: &Shadows, plan: &MethodPlan) -> CostNodesRecord {
        let own = |value: ValueId| match shadows.of(value) {
            Shadow::Own(node) => Some(node / self.scale - self.first),
            _ => None,
        };
        let mut dependences = Vec::new();
        for demand in &shadows.demands {
            if !matches!(demand.wants, Use::Consumed | Use::Stored) {
                continue;
            }
            if let (Some(from), Some(to)) = (own(demand.value), self.user(demand.bci)) {
                dependences.push((from, to as u32));
            }
        }
        dependences.sort_unstable();
        dependences.dedup();
        let cuts = (0..).zip(&plan.cuts).map(|(counter, cut)| (cut.bci as u16, counter)).collect();
        CostNodesRecord {
            method,
            first: self.first,
            instructions: self.instructions.clone(),
            cuts,
            dependences,
        }
    }
}
