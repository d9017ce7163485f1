//! The transfer functions of `mode=copies`: code that looks where loaded values lie,
//! and counts the edges of stores.

use classfile::ssa::ValueId;
use classfile::ssa::kinds::{Kind, kind};
use classfile::{Fragment, Local, Refusal, opcode};

use crate::dataflow::domain::{Shadow, Step, Use};
use crate::dataflow::emit::Emitter;
use crate::dataflow::emit::transfer::Transfer;
use crate::dataflow::probes;
use crate::dataflow::shadows::{FieldNumbers, Shadows, for_each_step};
use crate::dataflow::subject::Subject;
use crate::dataflow::tracking::calls::Call;
use crate::dataflow::tracking::stack;

/// What is to be written for one method.
pub(super) struct CopyCode<'c> {
    /// The local that counts copies, if calls are recorded.
    pub(super) copies: Option<Local>,
    /// Numbers of the stores, by position in the code.
    pub(super) stores: &'c [(u32, u32)],
}

impl Transfer for CopyCode<'_> {
    fn objects_whose_tags_are_needed(
        &self,
        subject: &Subject<'_>,
        shadows: &Shadows,
        fields: &FieldNumbers<'_>,
    ) -> Vec<(u32, ValueId)> {
        accessed_objects(subject, shadows, fields)
    }

    fn load(
        &self,
        emitter: &mut Emitter<'_, '_>,
        step: &Step<'_>,
        made: Option<ValueId>,
    ) -> Result<(), Refusal> {
        self.find_location(emitter, step, made)
    }

    fn store(&self, emitter: &mut Emitter<'_, '_>, step: &Step<'_>) -> Result<(), Refusal> {
        self.note_assignment(emitter, step)?;
        self.count_store(emitter, step)
    }

    fn call(
        &self,
        emitter: &mut Emitter<'_, '_>,
        step: &Step<'_>,
        made: Option<ValueId>,
    ) -> Result<(), Refusal> {
        let bci = step.instruction.bci;
        match step.call {
            Some(call @ Call::Tracked { callee }) => {
                emitter.pass(step, 0, callee)?;
                match call.may_be_native() {
                    true => self.consume_if_native(emitter, step, callee),
                    false => Ok(()),
                }
            }
            // The first argument of a constructor is the object.
            Some(Call::Captures { callee }) => emitter.pass(step, 1, callee),
            Some(Call::CopiesArray) => self.copy_array(emitter, bci),
            Some(Call::Clones) => self.copy_clone(emitter, bci),
            Some(Call::Consumes { calls_back }) => self.consume(emitter, bci, calls_back),
            Some(Call::Concatenates) => self.consume(emitter, bci, true),
            Some(Call::Accesses(access)) => self.access(emitter, step, access, made),
            Some(Call::Ignores) | None => Ok(()),
        }
    }

    fn leave(&self, emitter: &mut Emitter<'_, '_>, step: &Step<'_>) -> Result<(), Refusal> {
        emitter.leave_result(step)
    }

    fn operate(&self, emitter: &mut Emitter<'_, '_>, step: &Step<'_>) -> Result<(), Refusal> {
        let bci = step.instruction.bci;
        let mut fragment = Fragment::new();
        for demand in emitter.shadows.demands_at(bci).iter().filter(|w| w.wants == Use::Consumed) {
            fragment = emitter.push(fragment, demand.value)?;
            fragment = emitter.probe(fragment, &probes::CONSUMED)?;
        }
        emitter.edit.before(bci, fragment);
        match step.instruction.opcode {
            opcode::MULTIANEWARRAY => self.note_inner_arrays(emitter, &step.instruction),
            _ => Ok(()),
        }
    }
}

impl CopyCode<'_> {
    /// The number of the store that an instruction is.
    pub(super) fn number_of_store(&self, bci: u32) -> Option<i32> {
        let at = self.stores.binary_search_by_key(&bci, |&(at, _)| at).ok()?;
        Some(self.stores[at].1 as i32)
    }

    /// Adds the number of copies on the stack to those of the activation.
    pub(super) fn count(&self, fragment: Fragment) -> Fragment {
        match self.copies {
            Some(copies) => fragment.load_int(copies).simple(opcode::IADD).store_int(copies),
            None => fragment.pop(),
        }
    }

    /// Before a call of what is not followed: for its arguments this is the end.
    fn consume(
        &self,
        emitter: &mut Emitter<'_, '_>,
        bci: u32,
        calls_back: bool,
    ) -> Result<(), Refusal> {
        let mut fragment = Fragment::new();
        for demand in emitter.shadows.demands_at(bci) {
            fragment = emitter.push(fragment, demand.value)?;
            fragment = emitter.probe(fragment, &probes::CONSUMED)?;
        }
        if calls_back {
            fragment = emitter.probe(fragment, &stack::NO_ARGUMENTS)?;
        }
        emitter.edit.before(bci, fragment);
        Ok(())
    }

    /// After a call of what may have been native: if nobody has taken the
    /// arguments, it was.
    fn consume_if_native(
        &self,
        emitter: &mut Emitter<'_, '_>,
        step: &Step<'_>,
        callee: i32,
    ) -> Result<(), Refusal> {
        for &value in step.operands {
            if emitter.shadows.of(value) != Shadow::NONE {
                let fragment = emitter.push(Fragment::new(), value)?;
                let fragment = fragment.push_int(callee, emitter.pool)?;
                let fragment = emitter.probe(fragment, &stack::NOT_TAKEN)?.simple(opcode::LAND);
                let fragment = emitter.probe(fragment, &probes::CONSUMED)?;
                emitter.edit.after(step.instruction.bci, fragment);
            }
        }
        Ok(())
    }
}

/// Objects of whose fields and elements the code needs the location, and where.
fn accessed_objects(
    subject: &Subject<'_>,
    shadows: &Shadows,
    fields: &FieldNumbers<'_>,
) -> Vec<(u32, ValueId)> {
    let mut bases = Vec::new();
    for_each_step(subject, fields, |step, result| {
        let Some(&base) = step.operands.first() else { return };
        let is_wanted = match kind(step.instruction.opcode) {
            Kind::Load if step.instruction.opcode != opcode::GETSTATIC => {
                result.is_some_and(|value| {
                    shadows.kept(value).is_some() || shadows.is_consumed_at_load(value)
                })
            }
            Kind::Store if step.instruction.opcode != opcode::PUTSTATIC => {
                !shadows.demands_at(step.instruction.bci).is_empty()
                    && !subject.is_uninitialised(base, step.instruction.bci)
            }
            _ => false,
        };
        if is_wanted {
            bases.push((step.instruction.bci, base));
        }
    });
    bases
}
