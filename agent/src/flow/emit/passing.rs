//! Shadows on their way into calls and out of them.

use classfile::ssa::ValueId;
use classfile::{Fragment, Refusal, opcode};

use super::Emitter;
use crate::flow::calls::{self, Call};
use crate::flow::domain::{Shadow, Step};
use crate::flow::places::Places;
use crate::flow::probes;
use crate::flow::stack::{self, ARGUMENTS, TRACKED_ARGUMENTS};

impl Emitter<'_, '_> {
    pub(in crate::flow) fn leave(
        &mut self,
        step: &Step<'_>,
        places: &Places,
    ) -> Result<(), Refusal> {
        let bci = step.instruction.bci;
        let Some(&value) = step.operands.first() else { return Ok(()) };
        if self.shadows.of(value) == Shadow::NONE {
            // What a callee has left on the tracking stack is not for the caller.
            if !self.subject.plan.sites.is_empty() {
                let fragment = self.call(Fragment::new(), &stack::NO_ARGUMENTS)?;
                self.edit.before(bci, fragment);
            }
            return Ok(());
        }
        let method = self.subject.method;
        let callee = calls::callee(method.name(), method.descriptor());
        let fragment = self.push(Fragment::new(), value, places)?;
        let fragment = fragment.push_int(callee, self.pool)?;
        let fragment = self.call(fragment, &stack::RETURNS)?;
        self.edit.before(bci, fragment);
        Ok(())
    }

    pub(in crate::flow) fn around_call(
        &mut self,
        step: &Step<'_>,
        made: Option<ValueId>,
        places: &Places,
    ) -> Result<(), Refusal> {
        let bci = step.instruction.bci;
        match step.call {
            Some(call @ Call::Tracked { callee }) => {
                self.pass(step, 0, callee, places)?;
                match call.may_be_native() {
                    true => self.consume_if_native(step, callee, places),
                    false => Ok(()),
                }
            }
            // The first argument of a constructor is the object.
            Some(Call::Captures { callee }) => self.pass(step, 1, callee, places),
            Some(Call::CopiesArray) => self.copy_array(bci),
            Some(Call::Clones) => self.copy_clone(bci),
            Some(Call::Consumes { calls_back }) => self.consume(bci, calls_back, places),
            Some(Call::Concatenates) => self.consume(bci, true, places),
            Some(Call::Accesses(access)) => self.access(step, access, made, places),
            Some(Call::Ignores) | None => Ok(()),
        }
    }

    fn consume(&mut self, bci: u32, calls_back: bool, places: &Places) -> Result<(), Refusal> {
        let mut fragment = Fragment::new();
        for wish in self.shadows.wishes_at(bci) {
            fragment = self.push(fragment, wish.value, places)?;
            fragment = self.call(fragment, &probes::CONSUMED)?;
        }
        if calls_back {
            fragment = self.call(fragment, &stack::NO_ARGUMENTS)?;
        }
        self.edit.before(bci, fragment);
        Ok(())
    }

    /// After a call of what may have been native: if nobody has taken the
    /// arguments, it was.
    fn consume_if_native(
        &mut self,
        step: &Step<'_>,
        callee: i32,
        places: &Places,
    ) -> Result<(), Refusal> {
        for &value in step.operands {
            if self.shadows.of(value) != Shadow::NONE {
                let fragment = self.push(Fragment::new(), value, places)?;
                let fragment = fragment.push_int(callee, self.pool)?;
                let fragment = self.call(fragment, &stack::NOT_TAKEN)?.simple(opcode::LAND);
                let fragment = self.call(fragment, &probes::CONSUMED)?;
                self.edit.after(step.instruction.bci, fragment);
            }
        }
        Ok(())
    }

    /// Leaves the shadows of arguments on the tracking stack, the first of them
    /// at this place.
    fn pass(
        &mut self,
        step: &Step<'_>,
        first: usize,
        callee: i32,
        places: &Places,
    ) -> Result<(), Refusal> {
        let (bci, operands) = (step.instruction.bci, step.operands);
        let is_known = |value: &ValueId| self.shadows.of(*value) != Shadow::NONE;
        let mut fragment = Fragment::new();
        let dropped = operands.iter().skip(TRACKED_ARGUMENTS - first).filter(|v| is_known(v));
        for &value in dropped {
            fragment = self.push(fragment, value, places)?;
            fragment = self.call(fragment, &stack::DROPPED)?;
        }
        if !operands.iter().take(TRACKED_ARGUMENTS - first).any(is_known) {
            fragment = self.call(fragment, &stack::NO_ARGUMENTS)?;
            self.edit.before(bci, fragment);
            return Ok(());
        }
        let count = (first + operands.len()).min(TRACKED_ARGUMENTS);
        let low = count.min(ARGUMENTS.len());
        let argument = |number: usize| number.checked_sub(first).and_then(|at| operands.get(at));
        if count > low {
            for number in low..TRACKED_ARGUMENTS {
                fragment = match argument(number) {
                    Some(&value) => self.push(fragment, value, places)?,
                    None => fragment.simple(opcode::LCONST_0),
                };
            }
            fragment = self.call(fragment, &stack::MORE_ARGUMENTS)?;
        }
        for number in 0..low {
            fragment = match argument(number) {
                Some(&value) => self.push(fragment, value, places)?,
                None => fragment.simple(opcode::LCONST_0),
            };
        }
        fragment = fragment.push_int(callee, self.pool)?;
        fragment = self.call(fragment, &ARGUMENTS[low - 1])?;
        self.edit.before(bci, fragment);
        Ok(())
    }
}
