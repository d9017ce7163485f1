//! References that a probe needs behind an instruction that takes them off the
//! stack: in a local of the method, if one holds them, else put aside.

use classfile::{Fragment, Local, LocalType, Refusal};

use super::{Emitter, forget, keep_owner, object};
use crate::dataflow::domain::Step;

/// A local with an object, and whether it was put there for the probe only.
#[derive(Debug, Clone, Copy)]
pub struct Operand {
    /// The local.
    pub local: Local,
    is_spilled: bool,
}

impl Operand {
    /// The local if it is to be forgotten.
    pub fn spilled(self) -> Option<Local> {
        self.is_spilled.then_some(self.local)
    }

    /// Forgets it if it was put there for the probe.
    pub fn forget(self, fragment: Fragment) -> Fragment {
        if self.is_spilled { forget(fragment, &[self.local]) } else { fragment }
    }
}

/// Takes the reference on top of the stack, which stays there.
fn keep_top(local: Local) -> Fragment {
    Fragment::new().dup().store_reference(local)
}

impl Emitter<'_, '_> {
    /// The first operand, which is on top of the stack.
    pub(in crate::dataflow) fn top_reference(
        &mut self,
        step: &Step<'_>,
    ) -> Result<Operand, Refusal> {
        self.hold(step, 0, 0, keep_top)
    }

    /// An operand on top of the stack that is stored, perhaps in an object that is
    /// put aside, too.
    pub(in crate::dataflow) fn stored_reference(
        &mut self,
        step: &Step<'_>,
        operand: usize,
    ) -> Result<Operand, Refusal> {
        self.hold(step, operand, 1, keep_top)
    }

    /// The first operand, an object under what is stored in it.
    pub(in crate::dataflow) fn reference_under(
        &mut self,
        step: &Step<'_>,
        is_wide: bool,
    ) -> Result<Operand, Refusal> {
        self.hold(step, 0, 0, |local| keep_owner(local, is_wide))
    }

    /// An operand: in the local that holds it, or put aside by `keep` in the spill
    /// of this number.
    fn hold(
        &mut self,
        step: &Step<'_>,
        operand: usize,
        spill: usize,
        keep: impl FnOnce(Local) -> Fragment,
    ) -> Result<Operand, Refusal> {
        if let Some(local) =
            step.operands.get(operand).and_then(|&value| self.locals.holding(value))
        {
            return Ok(Operand { local: object(local), is_spilled: false });
        }
        let any = self.any_object()?;
        let local = self.spill(any, spill);
        self.edit.before(step.instruction.bci, keep(local));
        Ok(Operand { local, is_spilled: true })
    }

    /// Keeps the array and the index aside of an instruction that accesses an element;
    /// what it stores goes by `value`. The fragment is to go on behind the instruction,
    /// with array and index on the stack. There the array is not null, and has an element
    /// of this index; but a verifier may know no more of it than that it is an object.
    pub(in crate::dataflow) fn keep_element(
        &mut self,
        step: &Step<'_>,
        value: Option<Local>,
    ) -> Result<(Fragment, Operand), Refusal> {
        let (bci, index) = (step.instruction.bci, self.spill(LocalType::Int, 1));
        let before = value.map_or(Fragment::new(), |value| Fragment::new().store(value));
        self.edit.before(bci, before.dup().store_int(index));
        let array = self.hold(step, 0, 1, |local| keep_owner(local, false))?;
        if let Some(value) = value {
            self.edit.before(bci, Fragment::new().load(value));
        }
        Ok((Fragment::new().load_reference(array.local).load_int(index), array))
    }

    /// Keeps the arguments of `System.arraycopy` aside. The fragment is to go on
    /// behind it, with the arrays from and to (each with its first index) and
    /// the length on the stack; the locals hold the arrays until forgotten.
    pub(in crate::dataflow) fn keep_array_copy(
        &mut self,
        bci: u32,
    ) -> Result<(Fragment, [Local; 2]), Refusal> {
        let any = self.any_object()?;
        let (from, to) = (self.spill(any, 0), self.spill(any, 1));
        let [length, end, start] = [0, 1, 2].map(|number| self.spill(LocalType::Int, number));
        let before = Fragment::new().store_int(length).store_int(end).store_reference(to);
        let before = before.dup2().store_int(start).store_reference(from);
        self.edit.before(bci, before.load_reference(to).load_int(end).load_int(length));
        let after = Fragment::new().load_reference(from).load_int(start).load_reference(to);
        Ok((after.load_int(end).load_int(length), [from, to]))
    }
}
