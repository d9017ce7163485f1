//! Copies without a bytecode that loads or stores: by `arraycopy`, `clone` and
//! `Unsafe`.

use classfile::ssa::ValueId;
use classfile::{Fragment, Local, LocalType, Refusal, descriptor};

use super::spills::local_type;
use super::{Emitter, forget};
use crate::flow::calls::clones_unless_overridden;
use crate::flow::domain::{Shadow, Step, Use};
use crate::flow::places::Places;
use crate::flow::probes;
use crate::flow::unsafe_access::UnsafeAccess;
use crate::flow::unseen;

impl Emitter<'_, '_> {
    /// `System.arraycopy` copies as many elements as it says.
    pub(super) fn copy_array(&mut self, bci: u32) -> Result<(), Refusal> {
        let Some(number) = self.number_of_store(bci) else { return Ok(()) };
        let object = self.any_object()?;
        let (from, to) = (self.spill(object, 0), self.spill(object, 1));
        let (length, position) = (self.spill(LocalType::Int, 0), self.spill(LocalType::Int, 1));
        let before = Fragment::new().store_int(length).store_int(position).store_reference(to);
        let before = before.dup2().pop().store_reference(from).load_reference(to);
        self.edit.before(bci, before.load_int(position).load_int(length));
        let after = Fragment::new().load_reference(from).load_reference(to).load_int(length);
        let after = after.push_int(number, self.pool)?;
        let after = self.call(after, &unseen::COPIED)?;
        let after = self.count(after);
        self.edit.after(bci, forget(after, &[from, to]));
        Ok(())
    }

    /// Keeps the arguments of `System.arraycopy` aside. The fragment is to go on
    /// behind it, with the arrays from and to (each with its first index) and
    /// the length on the stack; the locals hold the arrays until forgotten.
    pub(in crate::flow) fn keep_array_copy(
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

    /// `Unsafe` loads or stores: the object and the offset are kept aside.
    pub(super) fn access(
        &mut self,
        step: &Step<'_>,
        access: UnsafeAccess,
        made: Option<ValueId>,
        places: &Places,
    ) -> Result<(), Refusal> {
        let bci = step.instruction.bci;
        let place = made.and_then(|made| self.shadows.kept(made).and(places.shadow(made)));
        let stored = access.stored().and_then(|at| step.operands.get(at).copied());
        let stored = stored.filter(|&value| self.shadows.of(value) != Shadow::NONE);
        let consumes = access.consumed().is_some();
        if place.is_none() && stored.is_none() && !consumes {
            return Ok(());
        }
        let object = self.any_object()?;
        let owner = self.spill(object, 0);
        let offset = self.spill(LocalType::Long, 0);
        let mut before = Fragment::new();
        let mut aside = Vec::new();
        let named = step.instruction.pool_index();
        let named =
            named.and_then(|index| self.subject.code.constant_pool().member_ref(index).ok());
        let Some(named) = named else { return Ok(()) };
        // Behind the object and the offset.
        for (at, kind) in descriptor::parameters(named.descriptor).skip(2).enumerate() {
            // The first of each type may be one of those above.
            aside.push(self.spill(local_type(kind, object), at + 1));
        }
        for &local in aside.iter().rev() {
            before = before.store(local);
        }
        before = before.store_long(offset).dup().store_reference(owner);
        if consumes {
            before = before.load_reference(owner).load_long(offset);
            before = self.call(before, &unseen::LOCATION_AT)?;
            before = self.call(before, &probes::CONSUMED)?;
            for wish in self.shadows.wishes_at(bci).iter().filter(|w| w.wants == Use::Consumed) {
                before = self.push(before, wish.value, places)?;
                before = self.call(before, &probes::CONSUMED)?;
            }
        }
        before = before.load_long(offset);
        for &local in &aside {
            before = before.load(local);
        }
        self.edit.before(bci, before);
        let mut after = Fragment::new();
        if let Some(place) = place {
            after = after.load_reference(owner).load_long(offset);
            after = self.call(after, &unseen::LOCATION_AT)?.store_long(place);
        }
        if let (Some(value), Some(number)) = (stored, self.number_of_store(bci)) {
            let is_conditional = access == UnsafeAccess::CompareAndSet;
            if is_conditional {
                after = after.dup();
            }
            after = self.push(after, value, places)?.load_reference(owner).load_long(offset);
            after = after.push_int(number, self.pool)?;
            let probe = if is_conditional { &unseen::STORE_AT_IF } else { &unseen::STORE_AT };
            after = self.call(after, probe)?;
            after = self.count(after);
        }
        let objects: Vec<Local> =
            aside.iter().copied().filter(|local| local.kind() == object).chain([owner]).collect();
        self.edit.after(bci, forget(after, &objects));
        Ok(())
    }

    /// `clone` copies all elements, or all fields.
    pub(super) fn copy_clone(&mut self, bci: u32) -> Result<(), Refusal> {
        let Some(mut number) = self.number_of_store(bci) else { return Ok(()) };
        if clones_unless_overridden(self.subject.code, bci) {
            number = !number;
        }
        let object = self.any_object()?;
        let (from, to) = (self.spill(object, 0), self.spill(object, 1));
        self.edit.before(bci, Fragment::new().dup().store_reference(from));
        let after = Fragment::new().dup().store_reference(to);
        let after = after.load_reference(from).load_reference(to).push_int(number, self.pool)?;
        let after = self.call(after, &unseen::CLONED)?;
        let after = self.count(after);
        self.edit.after(bci, forget(after, &[from, to]));
        Ok(())
    }
}
