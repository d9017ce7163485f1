//! Which objects are assigned to the heap: stores of references that may be the first
//! to their objects (`java.lang.SubsumeAssignments`).

use classfile::ssa::{Definition, ValueId};
use classfile::{Code, Fragment, Instruction, Local, Refusal, opcode};

use super::code::CopyCode;
use crate::dataflow::domain::{Shadow, Source, Step};
use crate::dataflow::emit::Emitter;
use crate::probe::members::{Family, ProbeMethod, family};

family! {
    "SubsumeAssignments" adds [];
    ASSIGNED = "assigned" "(Ljava/lang/Object;J)V";
    ASSIGNED_NEW = "assignedNew" "(Ljava/lang/Object;)V";
    ASSIGNED_IF = "assignedIf" "(ILjava/lang/Object;J)V";
    INNER_ARRAYS = "innerArrays" "(Ljava/lang/Object;I)V";
}

/// Whether a value that is stored may refer to an object that has not been assigned.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Novelty {
    /// It was loaded from the heap, or is a constant.
    Old,
    /// It was not loaded from the heap.
    New,
    /// Its shadow knows.
    Unknown,
}

impl Novelty {
    /// Of a value.
    pub(super) fn of(emitter: &Emitter<'_, '_>, value: ValueId) -> Self {
        match emitter.shadows.of(value) {
            Shadow::Dynamic(Source::Field { .. } | Source::Element { .. } | Source::Located) => {
                Self::Old
            }
            Shadow::Dynamic(Source::Made | Source::Constructed) => Self::New,
            Shadow::NONE if is_constant(emitter, value) => Self::Old,
            Shadow::NONE => Self::New,
            // Of a static field.
            Shadow::Static(_) => Self::Old,
            Shadow::Dynamic(_) | Shadow::Own(_) => Self::Unknown,
        }
    }
}

fn is_constant(emitter: &Emitter<'_, '_>, value: ValueId) -> bool {
    let Definition::Result(bci) = emitter.subject.values.definition(value) else { return false };
    let made = emitter.subject.code.instruction_at(bci);
    made.is_some_and(|made| {
        matches!(made.opcode, opcode::ACONST_NULL | opcode::LDC | opcode::LDC_W)
    })
}

/// True for a store of a reference.
fn stores_reference(code: &Code<'_>, store: &Instruction<'_>) -> bool {
    if !matches!(store.opcode, opcode::PUTFIELD | opcode::PUTSTATIC) {
        return store.opcode == opcode::AASTORE;
    }
    let named = store.pool_index().and_then(|index| code.constant_pool().member_ref(index).ok());
    named.is_some_and(|named| {
        named.descriptor.starts_with(b"L") || named.descriptor.starts_with(b"[")
    })
}

impl CopyCode<'_> {
    /// Behind a store of a reference: notes that the object has been assigned.
    pub(super) fn note_assignment(
        &self,
        emitter: &mut Emitter<'_, '_>,
        step: &Step<'_>,
    ) -> Result<(), Refusal> {
        if !stores_reference(emitter.subject.code, &step.instruction) {
            return Ok(());
        }
        let Some((&value, below)) = step.operands.split_last() else { return Ok(()) };
        let novelty = Novelty::of(emitter, value);
        if novelty == Novelty::Old {
            return Ok(());
        }
        let held = emitter.stored_reference(step, below.len())?;
        let mut fragment = Fragment::new().load_reference(held.local);
        let mut probe = &ASSIGNED_NEW;
        if novelty == Novelty::Unknown {
            fragment = emitter.push(fragment, value)?;
            probe = &ASSIGNED;
        }
        fragment = emitter.probe(fragment, probe)?;
        emitter.edit.after(step.instruction.bci, held.forget(fragment));
        Ok(())
    }

    /// Behind a call of `Unsafe` that stores a reference, which a local holds; whether it
    /// has done so lies on the stack if that depends.
    pub(super) fn note_assignment_by_unsafe(
        &self,
        emitter: &mut Emitter<'_, '_>,
        fragment: Fragment,
        (value, local): (ValueId, Local),
        is_conditional: bool,
    ) -> Result<Fragment, Refusal> {
        let fragment = if is_conditional { fragment.dup() } else { fragment };
        let fragment = emitter.push(fragment.load_reference(local), value)?;
        emitter.probe(fragment, if is_conditional { &ASSIGNED_IF } else { &ASSIGNED })
    }

    /// Behind `multianewarray`: of arrays in arrays, only the outermost is not in the heap.
    pub(super) fn note_inner_arrays(
        &self,
        emitter: &mut Emitter<'_, '_>,
        instruction: &Instruction<'_>,
    ) -> Result<(), Refusal> {
        let dimensions = instruction.constant().unwrap_or(1);
        if dimensions > 1 {
            let fragment = Fragment::new().dup().push_int(dimensions, emitter.pool)?;
            let fragment = emitter.probe(fragment, &INNER_ARRAYS)?;
            emitter.edit.after(instruction.bci, fragment);
        }
        Ok(())
    }
}
