//! Nulls on their way into calls and out of them.
//!
//! An entry of the tracking stack has two parts: the node that passes a value
//! on, and in the lower half the one that handled it before. The code that takes
//! the value notes that the second led to the first, if it is null.

use classfile::ssa::ValueId;
use classfile::{Fragment, Refusal, opcode};
use profile::null_records::NullInstructionKind;

use super::code::NullCode;
use super::probes;
use crate::dataflow::domain::{Shadow, Source, Step};
use crate::dataflow::emit::Emitter;
use crate::dataflow::tracking::calls;
use crate::dataflow::tracking::stack::{
    ARGUMENTS, MORE_ARGUMENTS, NO_ARGUMENTS, TRACKED_ARGUMENTS,
};

impl NullCode<'_> {
    /// Pushes a node above the shadow of a value.
    fn push_passed(
        &self,
        emitter: &mut Emitter<'_, '_>,
        fragment: Fragment,
        node: u32,
        value: ValueId,
    ) -> Result<Fragment, Refusal> {
        let node = u64::from(node) << 32;
        if let Shadow::Static(shadow) = emitter.shadows.of(value) {
            return fragment.push_long((node | shadow) as i64, emitter.pool);
        }
        let fragment = emitter.push(fragment, value)?;
        Ok(fragment.push_long(node as i64, emitter.pool)?.simple(opcode::LOR))
    }

    /// Pushes what goes to a place on the tracking stack.
    fn push_argument(
        &self,
        emitter: &mut Emitter<'_, '_>,
        fragment: Fragment,
        passed: Option<(u32, ValueId)>,
    ) -> Result<Fragment, Refusal> {
        match passed {
            Some((node, value)) => self.push_passed(emitter, fragment, node, value),
            None => Ok(fragment.simple(opcode::LCONST_0)),
        }
    }

    /// Leaves what is known of arguments on the tracking stack, the first of
    /// them at this place.
    pub(super) fn pass_nulls(
        &self,
        emitter: &mut Emitter<'_, '_>,
        step: &Step<'_>,
        first: usize,
        callee: i32,
    ) -> Result<(), Refusal> {
        let (bci, operands) = (step.instruction.bci, step.operands);
        let has_receiver =
            !matches!(step.instruction.opcode, opcode::INVOKESTATIC | opcode::INVOKEDYNAMIC);
        let mut passed = [None; TRACKED_ARGUMENTS];
        for (operand, &value) in operands.iter().enumerate().take(TRACKED_ARGUMENTS - first) {
            let number = operand + usize::from(!has_receiver);
            let node = self.nodes.node(bci, NullInstructionKind::Argument(number as u8));
            if emitter.shadows.of(value) != Shadow::NONE {
                passed[operand + first] = node.map(|node| (node, value));
            }
        }
        let mut fragment = Fragment::new();
        let count = passed.iter().rposition(Option::is_some).map_or(0, |last| last + 1);
        if count == 0 {
            fragment = emitter.probe(fragment, &NO_ARGUMENTS)?;
            emitter.edit.before(bci, fragment);
            return Ok(());
        }
        let low = count.min(ARGUMENTS.len());
        if count > low {
            for &argument in &passed[low..] {
                fragment = self.push_argument(emitter, fragment, argument)?;
            }
            fragment = emitter.probe(fragment, &MORE_ARGUMENTS)?;
        }
        for &argument in &passed[..low] {
            fragment = self.push_argument(emitter, fragment, argument)?;
        }
        fragment = fragment.push_int(callee, emitter.pool)?;
        fragment = emitter.probe(fragment, &ARGUMENTS[low - 1])?;
        emitter.edit.before(bci, fragment);
        Ok(())
    }

    /// Behind a call: where its result comes from, if it is null.
    pub(super) fn take_null_result(
        &self,
        emitter: &mut Emitter<'_, '_>,
        step: &Step<'_>,
        made: Option<ValueId>,
    ) -> Result<(), Refusal> {
        let bci = step.instruction.bci;
        let Some(made) = made else { return Ok(()) };
        let (Some(Source::Returned { callee }), Some(place), Some(node)) = (
            emitter.shadows.kept(made),
            emitter.slots.shadow(made),
            self.nodes.node(bci, NullInstructionKind::Native),
        ) else {
            return Ok(());
        };
        let fragment = Fragment::new().dup().push_int(callee, emitter.pool)?;
        let fragment = fragment.push_int(node as i32, emitter.pool)?;
        let fragment = emitter.probe(fragment, &probes::RESULT)?.store_long(place);
        emitter.edit.after(bci, fragment);
        Ok(())
    }

    /// Before a return: where the result comes from, if it is null.
    pub(super) fn return_null(
        &self,
        emitter: &mut Emitter<'_, '_>,
        step: &Step<'_>,
    ) -> Result<(), Refusal> {
        let bci = step.instruction.bci;
        let (Some(&value), Some(node)) =
            (step.operands.first(), self.nodes.node(bci, NullInstructionKind::Return))
        else {
            return Ok(());
        };
        if emitter.shadows.of(value) == Shadow::NONE {
            return Ok(());
        }
        let callee = calls::callee_of(emitter.subject.code);
        let fragment = self.push_passed(emitter, Fragment::new().dup(), node, value)?;
        let fragment = fragment.push_int(callee, emitter.pool)?;
        let fragment = emitter.probe(fragment, &probes::RETURNS)?;
        emitter.edit.before(bci, fragment);
        Ok(())
    }
}
