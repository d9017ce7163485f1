//! Shadows on their way into calls and out of them.

use classfile::ssa::ValueId;
use classfile::{Fragment, Refusal, opcode};

use super::Emitter;
use crate::dataflow::domain::{Shadow, Step};
use crate::dataflow::tracking::calls;
use crate::dataflow::tracking::stack::{self, ARGUMENTS, TRACKED_ARGUMENTS};

impl Emitter<'_, '_> {
    /// Before a return: leaves the shadow of the result for the caller.
    pub(in crate::dataflow) fn leave_result(&mut self, step: &Step<'_>) -> Result<(), Refusal> {
        let bci = step.instruction.bci;
        let Some(&value) = step.operands.first() else { return Ok(()) };
        if self.shadows.of(value) == Shadow::NONE {
            // What a callee has left on the tracking stack is not for the caller.
            if !self.subject.plan.sites.is_empty() {
                let fragment = self.probe(Fragment::new(), &stack::NO_ARGUMENTS)?;
                self.edit.before(bci, fragment);
            }
            return Ok(());
        }
        let callee = calls::callee_of(self.subject.code);
        let fragment = self.push(Fragment::new(), value)?;
        let fragment = fragment.push_int(callee, self.pool)?;
        let fragment = self.probe(fragment, &stack::RETURNS)?;
        self.edit.before(bci, fragment);
        Ok(())
    }

    /// Leaves the shadows of arguments on the tracking stack, the first of them
    /// at this place.
    pub(in crate::dataflow) fn pass(
        &mut self,
        step: &Step<'_>,
        first: usize,
        callee: i32,
    ) -> Result<(), Refusal> {
        let (bci, operands) = (step.instruction.bci, step.operands);
        let is_known = |value: &ValueId| self.shadows.of(*value) != Shadow::NONE;
        let mut fragment = Fragment::new();
        let dropped = operands.iter().skip(TRACKED_ARGUMENTS - first).filter(|v| is_known(v));
        for &value in dropped {
            fragment = self.push(fragment, value)?;
            fragment = self.probe(fragment, &stack::DROPPED)?;
        }
        let passed = self.push_owner(&fragment, bci)?;
        if !operands.iter().take(TRACKED_ARGUMENTS - first).any(is_known) {
            if let Some(passed) = passed {
                let passed = passed.push_int(callee, self.pool)?;
                let passed = self.probe(passed, &stack::OWNER_ALONE)?;
                self.edit.before(bci, passed);
                return Ok(());
            }
            fragment = self.probe(fragment, &stack::NO_ARGUMENTS)?;
            self.edit.before(bci, fragment);
            return Ok(());
        }
        if let Some(passed) = passed {
            fragment = self.probe(passed, &stack::OWNER)?;
        }
        let count = (first + operands.len()).min(TRACKED_ARGUMENTS);
        let low = count.min(ARGUMENTS.len());
        let argument = |number: usize| number.checked_sub(first).and_then(|at| operands.get(at));
        if count > low {
            for number in low..TRACKED_ARGUMENTS {
                fragment = match argument(number) {
                    Some(&value) => self.push(fragment, value)?,
                    None => fragment.simple(opcode::LCONST_0),
                };
            }
            fragment = self.probe(fragment, &stack::MORE_ARGUMENTS)?;
        }
        for number in 0..low {
            fragment = match argument(number) {
                Some(&value) => self.push(fragment, value)?,
                None => fragment.simple(opcode::LCONST_0),
            };
        }
        fragment = fragment.push_int(callee, self.pool)?;
        fragment = self.probe(fragment, &ARGUMENTS[low - 1])?;
        self.edit.before(bci, fragment);
        Ok(())
    }

    /// Pushes the owner that a call passes on, if it does.
    fn push_owner(&mut self, fragment: &Fragment, bci: u32) -> Result<Option<Fragment>, Refusal> {
        match self.owners {
            Some(owners) => {
                let initialisation = &self.subject.initialisation;
                owners.push_passed(fragment, bci, initialisation, self.access, self.pool)
            }
            None => Ok(None),
        }
    }
}
