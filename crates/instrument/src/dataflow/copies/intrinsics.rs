//! Copies without a bytecode that loads or stores: by `arraycopy`, `clone` and
//! `Unsafe`.

use classfile::ssa::ValueId;
use classfile::{Fragment, Local, LocalType, Refusal, descriptor};

use super::assignments::Novelty;
use super::code::CopyCode;
use crate::dataflow::domain::{Shadow, Step, Use};
use crate::dataflow::emit::spill_slots::local_type;
use crate::dataflow::emit::{Emitter, forget};
use crate::dataflow::intrinsic_probes;
use crate::dataflow::last_writers::unsafe_access::UnsafeAccess;
use crate::dataflow::probes;
use crate::dataflow::tracking::calls::clones_unless_overridden;

impl CopyCode<'_> {
    /// `System.arraycopy` copies as many elements as it says.
    pub(super) fn copy_array(
        &self,
        emitter: &mut Emitter<'_, '_>,
        bci: u32,
    ) -> Result<(), Refusal> {
        let Some(number) = self.number_of_store(bci) else { return Ok(()) };
        let object = emitter.any_object()?;
        let (from, to) = (emitter.spill(object, 0), emitter.spill(object, 1));
        let (length, position) =
            (emitter.spill(LocalType::Int, 0), emitter.spill(LocalType::Int, 1));
        let before = Fragment::new().store_int(length).store_int(position).store_reference(to);
        let before = before.dup2().pop().store_reference(from).load_reference(to);
        emitter.edit.before(bci, before.load_int(position).load_int(length));
        let after = Fragment::new().load_reference(from).load_reference(to).load_int(length);
        let after = after.push_int(number, emitter.pool)?;
        let after = emitter.probe(after, &intrinsic_probes::COPIED)?;
        let after = self.count(after);
        emitter.edit.after(bci, forget(after, &[from, to]));
        Ok(())
    }

    /// `Unsafe` loads or stores: the object and the offset are kept aside.
    pub(super) fn access(
        &self,
        emitter: &mut Emitter<'_, '_>,
        step: &Step<'_>,
        access: UnsafeAccess,
        made: Option<ValueId>,
    ) -> Result<(), Refusal> {
        let bci = step.instruction.bci;
        let place =
            made.and_then(|made| emitter.shadows.kept(made).and(emitter.slots.shadow(made)));
        let stored = access.stored().and_then(|at| Some((at, *step.operands.get(at)?)));
        let assigned = stored.filter(|&(_, value)| Novelty::of(emitter, value) != Novelty::Old);
        let stored = stored.map(|(_, value)| value);
        let stored = stored.filter(|&value| emitter.shadows.of(value) != Shadow::NONE);
        let consumes = access.consumed().is_some();
        if place.is_none() && stored.is_none() && assigned.is_none() && !consumes {
            return Ok(());
        }
        let object = emitter.any_object()?;
        let owner = emitter.spill(object, 0);
        let offset = emitter.spill(LocalType::Long, 0);
        let mut before = Fragment::new();
        let mut aside = Vec::new();
        let named = step.instruction.pool_index();
        let named =
            named.and_then(|index| emitter.subject.code.constant_pool().member_ref(index).ok());
        let Some(named) = named else { return Ok(()) };
        // Behind the object and the offset.
        for (at, kind) in descriptor::parameters(named.descriptor).skip(2).enumerate() {
            // The first of each type may be one of those above.
            aside.push(emitter.spill(local_type(kind, object), at + 1));
        }
        for &local in aside.iter().rev() {
            before = before.store(local);
        }
        before = before.store_long(offset).dup().store_reference(owner);
        if consumes {
            before = before.load_reference(owner).load_long(offset);
            before = emitter.probe(before, &intrinsic_probes::LOCATION_AT)?;
            before = emitter.probe(before, &probes::CONSUMED)?;
            for demand in
                emitter.shadows.demands_at(bci).iter().filter(|w| w.wants == Use::Consumed)
            {
                before = emitter.push(before, demand.value)?;
                before = emitter.probe(before, &probes::CONSUMED)?;
            }
        }
        before = before.load_long(offset);
        for &local in &aside {
            before = before.load(local);
        }
        emitter.edit.before(bci, before);
        let mut after = Fragment::new();
        if let Some(place) = place {
            after = after.load_reference(owner).load_long(offset);
            after = emitter.probe(after, &intrinsic_probes::LOCATION_AT)?.store_long(place);
        }
        if let (Some(value), Some(number)) = (stored, self.number_of_store(bci)) {
            let is_conditional = access == UnsafeAccess::CompareAndSet;
            if is_conditional {
                after = after.dup();
            }
            after = emitter.push(after, value)?.load_reference(owner).load_long(offset);
            after = after.push_int(number, emitter.pool)?;
            let probe = if is_conditional {
                &intrinsic_probes::STORE_AT_IF
            } else {
                &intrinsic_probes::STORE_AT
            };
            after = emitter.probe(after, probe)?;
            after = self.count(after);
        }
        // Behind `Unsafe` itself, the object and the offset.
        let assigned = assigned.and_then(|(at, value)| Some((value, *aside.get(at - 3)?)));
        if let Some(assigned) = assigned.filter(|(_, local)| local.kind() == object) {
            let is_conditional = access == UnsafeAccess::CompareAndSet;
            after = self.note_assignment_by_unsafe(emitter, after, assigned, is_conditional)?;
        }
        let objects: Vec<Local> =
            aside.iter().copied().filter(|local| local.kind() == object).chain([owner]).collect();
        emitter.edit.after(bci, forget(after, &objects));
        Ok(())
    }

    /// `clone` copies all elements, or all fields.
    pub(super) fn copy_clone(
        &self,
        emitter: &mut Emitter<'_, '_>,
        bci: u32,
    ) -> Result<(), Refusal> {
        let Some(mut number) = self.number_of_store(bci) else { return Ok(()) };
        if clones_unless_overridden(emitter.subject.code, bci) {
            number = !number;
        }
        let object = emitter.any_object()?;
        let (from, to) = (emitter.spill(object, 0), emitter.spill(object, 1));
        emitter.edit.before(bci, Fragment::new().dup().store_reference(from));
        let after = Fragment::new().dup().store_reference(to);
        let after = after.load_reference(from).load_reference(to).push_int(number, emitter.pool)?;
        let after = emitter.probe(after, &intrinsic_probes::CLONED)?;
        let after = self.count(after);
        emitter.edit.after(bci, forget(after, &[from, to]));
        Ok(())
    }
}
