//! Which instructions of a method are nodes where nulls are followed.

use classfile::ssa::kinds::{Kind, kind};
use classfile::{descriptor, opcode};
use profile::null_records::{NullInstruction, NullInstructionKind, NullNodesRecord};

use super::{dereferences, is_reference};
use crate::dataflow::domain::Step;
use crate::dataflow::last_writers::unsafe_access::UnsafeAccess;
use crate::dataflow::shadows::{FieldNumbers, for_each_step};
use crate::dataflow::subject::Subject;
use crate::dataflow::tracking::calls::Call;
use crate::dataflow::tracking::stack::TRACKED_ARGUMENTS;

/// The nodes of one method.
#[derive(Debug)]
pub struct NullNodes {
    /// Number of the first one; the others follow it.
    first: u32,
    /// By position in the code.
    instructions: Vec<NullInstruction>,
}

impl NullNodes {
    /// Finds them. `number` gives so many nodes consecutive numbers; `None` when
    /// numbers have run out.
    pub fn new(
        subject: &Subject<'_>,
        fields: &FieldNumbers<'_>,
        number: impl FnOnce(u32) -> Option<u32>,
    ) -> Option<Self> {
        let lines = subject.code.line_table();
        let mut instructions = Vec::new();
        for_each_step(subject, fields, |step, _| {
            let bci = step.instruction.bci;
            for_each_kind(subject, step, |kind| {
                instructions.push(NullInstruction {
                    // Code is shorter than 65,536 bytes.
                    bci: bci as u16,
                    line: lines.line_of(bci).unwrap_or(0),
                    kind,
                    field: step.field.unwrap_or(0),
                });
            });
        });
        let first = number(instructions.len() as u32)?;
        Some(Self { first, instructions })
    }

    /// Number of the node of an instruction.
    pub fn node(&self, bci: u32, kind: NullInstructionKind) -> Option<u32> {
        let start = self.instructions.partition_point(|known| u32::from(known.bci) < bci);
        let here = self.instructions[start..].iter().take_while(|at| u32::from(at.bci) == bci);
        let at = here.enumerate().find(|(_, known)| known.kind == kind).map(|(at, _)| at)?;
        Some(self.first + (start + at) as u32)
    }

    /// True if an instruction throws for null in this operand.
    pub fn dereferences(&self, bci: u32, operand: usize) -> bool {
        operand == 0 && self.node(bci, NullInstructionKind::Dereference).is_some()
    }

    /// The record of them for the profile.
    pub fn record(&self, method: u32) -> NullNodesRecord {
        NullNodesRecord { method, first: self.first, instructions: self.instructions.clone() }
    }
}

/// What an instruction does with references.
fn for_each_kind(
    subject: &Subject<'_>,
    step: &Step<'_>,
    mut each: impl FnMut(NullInstructionKind),
) {
    use NullInstructionKind::{Argument, Constant, Dereference, Load, Native, Return, Store};
    if dereferences(subject, step, 0) {
        each(Dereference);
    }
    match (kind(step.instruction.opcode), step.call) {
        (Kind::Constant, _) if step.instruction.opcode == opcode::ACONST_NULL => each(Constant),
        (Kind::Load, _) if has_reference(subject, step) => each(Load),
        (Kind::Store, _) if has_reference(subject, step) => each(Store),
        (Kind::Return, _) if step.instruction.opcode == opcode::ARETURN => each(Return),
        (_, Some(Call::CopiesArray | Call::Clones)) => each(Store),
        (_, Some(Call::Accesses(access))) if has_reference(subject, step) => {
            if access.loads() {
                each(Load);
            }
            if access.stores() {
                each(Store);
            }
        }
        (_, Some(call @ (Call::Tracked { .. } | Call::Captures { .. }))) => {
            for number in passed(subject, step, call) {
                each(Argument(number));
            }
            if matches!(call, Call::Tracked { .. }) && has_reference(subject, step) {
                each(Native);
            }
        }
        (_, Some(Call::Consumes { .. })) if has_reference(subject, step) => each(Native),
        _ => {}
    }
}

/// The references among the arguments that a call passes, counted from 1.
fn passed(subject: &Subject<'_>, step: &Step<'_>, call: Call) -> Vec<u8> {
    let Some(descriptor) = descriptor_of(subject, step) else { return Vec::new() };
    // What a lambda captures goes to the constructor of an object.
    let has_receiver = matches!(call, Call::Captures { .. })
        || !matches!(step.instruction.opcode, opcode::INVOKESTATIC | opcode::INVOKEDYNAMIC);
    let parameters = descriptor::parameters(descriptor);
    (1..=TRACKED_ARGUMENTS as u8 - u8::from(has_receiver))
        .zip(parameters)
        .filter(|(_, kind)| is_reference(kind))
        .map(|(number, _)| number)
        .collect()
}

/// The descriptor of the field or method that an instruction names.
pub fn descriptor_of<'a>(subject: &Subject<'a>, step: &Step<'_>) -> Option<&'a [u8]> {
    let pool = subject.code.constant_pool();
    let index = step.instruction.pool_index()?;
    if step.instruction.opcode == opcode::INVOKEDYNAMIC {
        return pool.invoke_dynamic(index).ok().map(|named| named.descriptor);
    }
    pool.member_ref(index).ok().map(|named| named.descriptor)
}

/// True if what an instruction loads, stores or gets from a call is a reference.
fn has_reference(subject: &Subject<'_>, step: &Step<'_>) -> bool {
    match step.instruction.opcode {
        opcode::AALOAD | opcode::AASTORE => return true,
        opcode::IALOAD..=opcode::SALOAD | opcode::IASTORE..=opcode::SASTORE => return false,
        _ => {}
    }
    let Some(descriptor) = descriptor_of(subject, step) else { return false };
    match step.call {
        Some(Call::Accesses(access)) if access != UnsafeAccess::Load => {
            descriptor::parameters(descriptor).last().is_some_and(is_reference)
        }
        Some(_) => is_reference(descriptor::return_type(descriptor)),
        None => is_reference(descriptor),
    }
}
