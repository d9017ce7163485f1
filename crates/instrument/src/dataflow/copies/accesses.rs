//! Loads and stores of fields and elements.

use classfile::ssa::ValueId;
use classfile::{Fragment, Local, LocalType, Refusal, descriptor, opcode};

use super::code::CopyCode;
use crate::dataflow::domain::{Shadow, Source, Step};
use crate::dataflow::emit::{Emitter, object};
use crate::dataflow::objects::tags;
use crate::dataflow::probes;
use crate::dataflow::subject::Subject;

/// How the code gets at the tag of the object that an instruction accesses.
enum TagOf {
    /// It is in a local.
    Kept(Local),
    /// The object is in a local of the method.
    Held(u16),
    /// The object is on the stack, under other operands.
    Below,
}

impl CopyCode<'_> {
    fn tag_of(&self, emitter: &Emitter<'_, '_>, base: ValueId) -> TagOf {
        match (emitter.slots.tag(base), emitter.locals.holding(base)) {
            (Some(tag), _) => TagOf::Kept(tag),
            (None, Some(local)) => TagOf::Held(local),
            (None, None) => TagOf::Below,
        }
    }

    /// Before a load: notes where the value lies, if somebody asks, or that it is consumed.
    pub(super) fn find_location(
        &self,
        emitter: &mut Emitter<'_, '_>,
        step: &Step<'_>,
        made: Option<ValueId>,
    ) -> Result<(), Refusal> {
        let (Some(value), Some(&base)) = (made, step.operands.first()) else { return Ok(()) };
        let consumes = emitter.shadows.is_consumed_at_load(value);
        let place = emitter.shadows.kept(value).and(emitter.slots.shadow(value));
        if !consumes && place.is_none() {
            return Ok(());
        }
        let is_element =
            matches!(emitter.shadows.of(value), Shadow::Dynamic(Source::Element { .. }));
        let mut fragment = Fragment::new();
        let tag = self.tag_of(emitter, base);
        fragment = match tag {
            TagOf::Kept(local) => fragment.load_int(local),
            TagOf::Held(local) => fragment.load_reference(object(local)),
            TagOf::Below if is_element => fragment.dup2().pop(),
            TagOf::Below => fragment.dup(),
        };
        let is_kept = matches!(tag, TagOf::Kept(_));
        if is_element && consumes && place.is_none() {
            let probe =
                if is_kept { &probes::CONSUMED_ELEMENT } else { &probes::CONSUMED_ELEMENT_OF };
            let fragment = emitter.probe(fragment, probe)?;
            emitter.edit.before(step.instruction.bci, fragment);
            return Ok(());
        }
        if consumes && place.is_none() {
            // Numbers of fields are far below 2^31.
            fragment = fragment.push_int(step.field.unwrap_or(0) as i32, emitter.pool)?;
            let probe = if is_kept { &probes::CONSUMED_FIELD } else { &probes::CONSUMED_FIELD_OF };
            let fragment = emitter.probe(fragment, probe)?;
            emitter.edit.before(step.instruction.bci, fragment);
            return Ok(());
        }
        let probe = match (is_element, is_kept) {
            (true, true) => &probes::ELEMENT,
            (true, false) => &probes::ELEMENT_OF,
            (false, true) => &probes::FIELD,
            (false, false) => &probes::FIELD_OF,
        };
        if !is_element {
            // Numbers of fields are far below 2^31.
            fragment = fragment.push_int(step.field.unwrap_or(0) as i32, emitter.pool)?;
        }
        fragment = emitter.probe(fragment, probe)?;
        fragment = match (consumes, place) {
            (true, Some(place)) => {
                let fragment = fragment.dup2().store_long(place);
                emitter.probe(fragment, &probes::CONSUMED)?
            }
            (false, Some(place)) => fragment.store_long(place),
            (_, None) => return Ok(()),
        };
        emitter.edit.before(step.instruction.bci, fragment);
        Ok(())
    }

    /// Behind a store: counts the edge from where the value lay.
    pub(super) fn count_store(
        &self,
        emitter: &mut Emitter<'_, '_>,
        step: &Step<'_>,
    ) -> Result<(), Refusal> {
        let bci = step.instruction.bci;
        let Some(demand) = emitter.shadows.demands_at(bci).first().copied() else { return Ok(()) };
        let Some(number) = self.number_of_store(bci) else { return Ok(()) };
        let mut fragment = emitter.push(Fragment::new(), demand.value)?;
        let mut probe = &probes::STORE;
        let base = step.operands.first().copied();
        match base.filter(|_| step.instruction.opcode != opcode::PUTSTATIC) {
            None => fragment = fragment.simple(opcode::ICONST_0),
            Some(base) if emitter.subject.is_uninitialised(base, bci) => {
                // `this` cannot be asked yet.
                fragment = match emitter.owners.and_then(|owners| owners.tag_of_this) {
                    Some(tag) => fragment.load_int(tag),
                    None => emitter.probe(fragment, &tags::probes::PENDING)?,
                };
            }
            Some(base) => match self.tag_of(emitter, base) {
                TagOf::Kept(local) => fragment = fragment.load_int(local),
                TagOf::Held(local) => {
                    fragment = fragment.load_reference(object(local));
                    probe = &probes::STORE_IN;
                }
                TagOf::Below => {
                    let before = self.find_tag_below(emitter, step)?;
                    emitter.edit.before(bci, before);
                    fragment = fragment.load_int(emitter.scratch);
                }
            },
        }
        fragment = fragment.push_int(number, emitter.pool)?;
        fragment = emitter.probe(fragment, probe)?;
        fragment = self.count(fragment);
        emitter.edit.after(bci, fragment);
        Ok(())
    }

    /// Finds the tag of the object that a store accesses, which lies below
    /// what is stored.
    fn find_tag_below(
        &self,
        emitter: &mut Emitter<'_, '_>,
        step: &Step<'_>,
    ) -> Result<Fragment, Refusal> {
        let fragment = Fragment::new();
        let fragment = match step.instruction.opcode {
            opcode::PUTFIELD if is_wide_field(emitter.subject, step) => {
                // owner, value -> owner, value, owner
                fragment.simple(opcode::DUP2_X1).pop2().simple(opcode::DUP_X2)
            }
            opcode::PUTFIELD => fragment.dup2().pop(),
            opcode => {
                let kind = match opcode {
                    opcode::LASTORE => LocalType::Long,
                    opcode::DASTORE => LocalType::Double,
                    opcode::FASTORE => LocalType::Float,
                    opcode::AASTORE => emitter.any_object()?,
                    _ => LocalType::Int,
                };
                let value = emitter.spill(kind, 0);
                let fragment = fragment.store(value).dup2().pop();
                let fragment =
                    emitter.probe(fragment, &tags::probes::TAG)?.store_int(emitter.scratch);
                return Ok(fragment.load(value));
            }
        };
        Ok(emitter.probe(fragment, &tags::probes::TAG)?.store_int(emitter.scratch))
    }
}

fn is_wide_field(subject: &Subject<'_>, step: &Step<'_>) -> bool {
    step.instruction
        .pool_index()
        .and_then(|index| subject.code.constant_pool().member_ref(index).ok())
        .is_some_and(|field| descriptor::words(field.descriptor) == 2)
}
