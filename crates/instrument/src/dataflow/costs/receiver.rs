//! Accesses to fields of `this`, where the counters are for the receiver's tag:
//! what they meet is known.

use classfile::{Fragment, Local, Refusal, opcode};

use super::accesses::Field;
use super::code::CostCode;
use super::probes;
use crate::dataflow::domain::Step;
use crate::dataflow::emit::operands::Operand;
use crate::dataflow::emit::{Emitter, object};

impl CostCode<'_> {
    pub(super) fn note_own_load(
        &self,
        emitter: &mut Emitter<'_, '_>,
        step: &Step<'_>,
        field: &Field,
        node: u32,
    ) -> Result<(), Refusal> {
        let bci = step.instruction.bci;
        let this = emitter.top_reference(step)?;
        let fragment = last_writer_of(this.local, field);
        let fragment = self.push_node_at(emitter, fragment, node, bci)?;
        let fragment = emitter.probe(fragment, &probes::LOADED_OWN)?;
        emitter.after_access(bci, field.path, field.keep(fragment))?;
        emitter.forget_after(bci, this.spilled().as_slice());
        Ok(())
    }

    pub(super) fn note_own_store(
        &self,
        emitter: &mut Emitter<'_, '_>,
        step: &Step<'_>,
        field: &Field,
        node: u32,
    ) -> Result<(), Refusal> {
        let bci = step.instruction.bci;
        let value = match field.is_reference {
            true => Some(emitter.stored_reference(step, 1)?),
            false => None,
        };
        let this = emitter.reference_under(step, field.is_wide)?;
        let fragment = last_writer_of(this.local, field);
        let fragment = self.store_own(emitter, fragment, step, value, node)?;
        emitter.after_access(bci, field.path, field.keep(fragment))?;
        let kept: Vec<Local> =
            [Some(this), value].into_iter().flatten().filter_map(Operand::spilled).collect();
        emitter.forget_after(bci, &kept);
        Ok(())
    }

    /// A store in `this` that is not initialised yet, and has no last writers.
    pub(super) fn note_own_early_store(
        &self,
        emitter: &mut Emitter<'_, '_>,
        step: &Step<'_>,
        field: &Field,
        this: u16,
        node: u32,
    ) -> Result<(), Refusal> {
        let bci = step.instruction.bci;
        let value = match field.is_reference {
            true => Some(emitter.stored_reference(step, 1)?),
            false => None,
        };
        let mut fragment = Fragment::new();
        if field.last_writer.is_some() {
            fragment = fragment.load_reference(object(this));
        }
        let fragment = fragment.simple(opcode::ICONST_0);
        let fragment = self.store_own(emitter, fragment, step, value, node)?;
        emitter.after_access(bci, field.path, field.keep(fragment))?;
        emitter.forget_after(bci, value.and_then(Operand::spilled).as_slice());
        Ok(())
    }

    /// Notes a store, with the last writer on the stack.
    fn store_own(
        &self,
        emitter: &mut Emitter<'_, '_>,
        mut fragment: Fragment,
        step: &Step<'_>,
        value: Option<Operand>,
        node: u32,
    ) -> Result<Fragment, Refusal> {
        if let Some(value) = value {
            fragment = fragment.load_reference(value.local);
        }
        fragment = self.push_node(emitter, fragment, node)?;
        let mut probe = &probes::STORED_OWN;
        if value.is_some() {
            // Numbers of fields are far below 2^31.
            fragment = fragment.push_int(step.field.unwrap_or(0) as i32, emitter.pool)?;
            probe = &probes::STORED_OWN_REFERENCE;
        }
        fragment = self.push_met(emitter, fragment, step.instruction.bci)?;
        emitter.probe(fragment, probe)
    }
}

/// Pushes the last writer of a field, above the object if it is kept there.
fn last_writer_of(this: Local, field: &Field) -> Fragment {
    match field.last_writer {
        Some(last_writer) => {
            let fragment = Fragment::new().load_reference(this).checkcast(field.class);
            fragment.dup().getfield(last_writer, 1)
        }
        None => Fragment::new().simple(opcode::ICONST_0),
    }
}
