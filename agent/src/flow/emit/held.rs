//! References that a probe needs behind an instruction that takes them off the
//! stack: in a local of the method, if one holds them, else put aside.

use classfile::{Fragment, Local, Refusal};

use super::{Emitter, forget, keep_owner, object};
use crate::flow::domain::Step;
use crate::flow::holders::Holders;

/// A local with an object, and whether it was put there for the probe only.
#[derive(Debug, Clone, Copy)]
pub struct Held {
    /// The local.
    pub local: Local,
    is_spilled: bool,
}

impl Held {
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
    pub(in crate::flow) fn top_reference(
        &mut self,
        step: &Step<'_>,
        holders: &Holders<'_>,
    ) -> Result<Held, Refusal> {
        self.hold(step, (0, 0), holders, keep_top)
    }

    /// An operand on top of the stack that is stored, perhaps in an object that is
    /// put aside, too.
    pub(in crate::flow) fn stored_reference(
        &mut self,
        step: &Step<'_>,
        operand: usize,
        holders: &Holders<'_>,
    ) -> Result<Held, Refusal> {
        self.hold(step, (operand, 1), holders, keep_top)
    }

    /// The first operand, an object under what is stored in it.
    pub(in crate::flow) fn reference_under(
        &mut self,
        step: &Step<'_>,
        is_wide: bool,
        holders: &Holders<'_>,
    ) -> Result<Held, Refusal> {
        self.hold(step, (0, 0), holders, |local| keep_owner(local, is_wide))
    }

    /// An operand: in the local that holds it, or put aside by `keep` in the spill
    /// of this number.
    fn hold(
        &mut self,
        step: &Step<'_>,
        (operand, spill): (usize, usize),
        holders: &Holders<'_>,
        keep: impl FnOnce(Local) -> Fragment,
    ) -> Result<Held, Refusal> {
        if let Some(local) = step.operands.get(operand).and_then(|&value| holders.of(value)) {
            return Ok(Held { local: object(local), is_spilled: false });
        }
        let any = self.any_object()?;
        let local = self.spill(any, spill);
        self.edit.before(step.instruction.bci, keep(local));
        Ok(Held { local, is_spilled: true })
    }
}
