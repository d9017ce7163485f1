//! Nulls on their way into calls and out of them.
//!
//! What lies on the tracking stack has two parts: the node that passes a value
//! on, and in the lower half the one that handled it before. Whoever takes the
//! value notes that the second led to the first, if it is null.

use classfile::ssa::ValueId;
use classfile::{Fragment, Refusal, opcode};
use profile::null_records::NullInstructionKind;

use super::emit::NullCode;
use super::probes;
use crate::flow::calls;
use crate::flow::domain::{Shadow, Source, Step};
use crate::flow::emit::Emitter;
use crate::flow::places::Places;
use crate::flow::stack::{ARGUMENTS, MORE_ARGUMENTS, NO_ARGUMENTS, TRACKED_ARGUMENTS};

impl Emitter<'_, '_> {
    /// Pushes a node above the shadow of a value.
    fn push_passed(
        &mut self,
        fragment: Fragment,
        node: u32,
        value: ValueId,
        places: &Places,
    ) -> Result<Fragment, Refusal> {
        let node = u64::from(node) << 32;
        if let Shadow::Static(shadow) = self.shadows.of(value) {
            return fragment.push_long((node | shadow) as i64, self.pool);
        }
        let fragment = self.push(fragment, value, places)?;
        Ok(fragment.push_long(node as i64, self.pool)?.simple(opcode::LOR))
    }

    /// Pushes what goes to a place on the tracking stack.
    fn push_argument(
        &mut self,
        fragment: Fragment,
        passed: Option<(u32, ValueId)>,
        places: &Places,
    ) -> Result<Fragment, Refusal> {
        match passed {
            Some((node, value)) => self.push_passed(fragment, node, value, places),
            None => Ok(fragment.simple(opcode::LCONST_0)),
        }
    }

    /// Leaves what is known of arguments on the tracking stack, the first of
    /// them at this place.
    pub(super) fn pass_nulls(
        &mut self,
        code: &NullCode<'_>,
        step: &Step<'_>,
        first: usize,
        callee: i32,
        places: &Places,
    ) -> Result<(), Refusal> {
        let (bci, operands) = (step.instruction.bci, step.operands);
        let has_receiver =
            !matches!(step.instruction.opcode, opcode::INVOKESTATIC | opcode::INVOKEDYNAMIC);
        let mut passed = [None; TRACKED_ARGUMENTS];
        for (operand, &value) in operands.iter().enumerate().take(TRACKED_ARGUMENTS - first) {
            let number = operand + usize::from(!has_receiver);
            let node = code.nodes.node(bci, NullInstructionKind::Argument(number as u8));
            if self.shadows.of(value) != Shadow::NONE {
                passed[operand + first] = node.map(|node| (node, value));
            }
        }
        let mut fragment = Fragment::new();
        let count = passed.iter().rposition(Option::is_some).map_or(0, |last| last + 1);
        if count == 0 {
            fragment = self.call(fragment, &NO_ARGUMENTS)?;
            self.edit.before(bci, fragment);
            return Ok(());
        }
        let low = count.min(ARGUMENTS.len());
        if count > low {
            for &argument in &passed[low..] {
                fragment = self.push_argument(fragment, argument, places)?;
            }
            fragment = self.call(fragment, &MORE_ARGUMENTS)?;
        }
        for &argument in &passed[..low] {
            fragment = self.push_argument(fragment, argument, places)?;
        }
        fragment = fragment.push_int(callee, self.pool)?;
        fragment = self.call(fragment, &ARGUMENTS[low - 1])?;
        self.edit.before(bci, fragment);
        Ok(())
    }

    /// Behind a call: where its result comes from, if it is null.
    pub(super) fn take_null_result(
        &mut self,
        code: &NullCode<'_>,
        step: &Step<'_>,
        made: Option<ValueId>,
        places: &Places,
    ) -> Result<(), Refusal> {
        let bci = step.instruction.bci;
        let Some(made) = made else { return Ok(()) };
        let (Some(Source::Returned { callee }), Some(place), Some(node)) = (
            self.shadows.kept(made),
            places.shadow(made),
            code.nodes.node(bci, NullInstructionKind::Native),
        ) else {
            return Ok(());
        };
        let fragment = Fragment::new().dup().push_int(callee, self.pool)?;
        let fragment = fragment.push_int(node as i32, self.pool)?;
        let fragment = self.call(fragment, &probes::RESULT)?.store_long(place);
        self.edit.after(bci, fragment);
        Ok(())
    }

    /// Before a return: where the result comes from, if it is null.
    pub(super) fn return_null(
        &mut self,
        code: &NullCode<'_>,
        step: &Step<'_>,
        places: &Places,
    ) -> Result<(), Refusal> {
        let bci = step.instruction.bci;
        let (Some(&value), Some(node)) =
            (step.operands.first(), code.nodes.node(bci, NullInstructionKind::Return))
        else {
            return Ok(());
        };
        if self.shadows.of(value) == Shadow::NONE {
            return Ok(());
        }
        let method = self.subject.method;
        let callee = calls::callee(method.name(), method.descriptor());
        let fragment = self.push_passed(Fragment::new().dup(), node, value, places)?;
        let fragment = fragment.push_int(callee, self.pool)?;
        let fragment = self.call(fragment, &probes::RETURNS)?;
        self.edit.before(bci, fragment);
        Ok(())
    }
}
