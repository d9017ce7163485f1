//! What a mode writes for each kind of instruction: the transfer functions of its
//! abstract interpretation.
//!
//! A mode of data flow has two parts. Its [`Domain`](crate::dataflow::domain::Domain) says
//! what the shadow of a value means and who demands it. Its [`Transfer`] functions
//! write the code that finds shadows out and notes what the mode records. The
//! [`Emitter`] between them allocates locals and moves shadows into calls, out of
//! calls and through phis; it is the same for all modes.

use classfile::ssa::ValueId;
use classfile::{Fragment, Local, Refusal};

use super::Emitter;
use crate::dataflow::domain::Step;
use crate::dataflow::shadows::{FieldNumbers, Shadows};
use crate::dataflow::subject::Subject;
use crate::dataflow::tracking::stack::PARAMETERS;

/// The transfer functions of a mode. Each is asked once for each instruction of its
/// kind, in the order of the code, and adds code before or behind the instruction.
pub trait Transfer {
    /// Objects whose tags the code needs: the position of the instruction that needs
    /// one, and the object. A tag that is needed again and again gets a local.
    fn objects_whose_tags_are_needed(
        &self,
        _subject: &Subject<'_>,
        _shadows: &Shadows,
        _fields: &FieldNumbers<'_>,
    ) -> Vec<(u32, ValueId)> {
        Vec::new()
    }

    /// At the entry of the method, once the shadows of its arguments are known.
    ///
    /// # Errors
    /// When the method cannot be edited.
    fn enter(&self, _emitter: &mut Emitter<'_, '_>) -> Result<(), Refusal> {
        Ok(())
    }

    /// Pushes the shadow of an argument: `number` counts arguments, the receiver being
    /// 0, the local is where the argument lies, and `known` what `entered` returned.
    ///
    /// # Errors
    /// When the method cannot be edited.
    fn argument(
        &self,
        emitter: &mut Emitter<'_, '_>,
        fragment: Fragment,
        (number, _local, known): (usize, u16, Local),
    ) -> Result<Fragment, Refusal> {
        emitter.probe(fragment.load_int(known), &PARAMETERS[number])
    }

    /// Before what the function for the instruction's kind writes.
    ///
    /// # Errors
    /// When the method cannot be edited.
    fn before(&self, _emitter: &mut Emitter<'_, '_>, _step: &Step<'_>) -> Result<(), Refusal> {
        Ok(())
    }

    /// A load of a field or of an element; `made` is the value.
    ///
    /// # Errors
    /// When the method cannot be edited.
    fn load(
        &self,
        emitter: &mut Emitter<'_, '_>,
        step: &Step<'_>,
        made: Option<ValueId>,
    ) -> Result<(), Refusal>;

    /// A store in a field or in an element.
    ///
    /// # Errors
    /// When the method cannot be edited.
    fn store(&self, emitter: &mut Emitter<'_, '_>, step: &Step<'_>) -> Result<(), Refusal>;

    /// A call, also of what copies without instructions that load and store; `made` is
    /// the result.
    ///
    /// # Errors
    /// When the method cannot be edited.
    fn call(
        &self,
        emitter: &mut Emitter<'_, '_>,
        step: &Step<'_>,
        made: Option<ValueId>,
    ) -> Result<(), Refusal>;

    /// A return.
    ///
    /// # Errors
    /// When the method cannot be edited.
    fn leave(&self, emitter: &mut Emitter<'_, '_>, step: &Step<'_>) -> Result<(), Refusal>;

    /// Any other instruction: a computation, a test, an allocation.
    ///
    /// # Errors
    /// When the method cannot be edited.
    fn operate(&self, emitter: &mut Emitter<'_, '_>, step: &Step<'_>) -> Result<(), Refusal>;

    /// Behind an instruction that made a value, which is on top of the stack.
    ///
    /// # Errors
    /// When the method cannot be edited.
    fn made(
        &self,
        emitter: &mut Emitter<'_, '_>,
        step: &Step<'_>,
        made: ValueId,
    ) -> Result<(), Refusal> {
        emitter.keep_shadow_of_result(step, made)
    }
}
