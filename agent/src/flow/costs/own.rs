//! Accesses to fields of `this`, where the counters are for the receiver's tag:
//! what they meet is known.

use classfile::{Fragment, Local, Refusal, opcode};

use super::emit::{Field, Nodes};
use super::probes;
use crate::flow::domain::Step;
use crate::flow::emit::held::Held;
use crate::flow::emit::{Emitter, object};
use crate::flow::holders::Holders;

impl Emitter<'_, '_> {
    pub(super) fn note_own_load(
        &mut self,
        step: &Step<'_>,
        field: &Field,
        holders: &Holders,
        (node, nodes): (u32, Nodes<'_>),
    ) -> Result<(), Refusal> {
        let bci = step.instruction.bci;
        let this = self.top_reference(step, holders)?;
        let fragment = last_writer_of(this.local, field);
        let fragment = self.push_node_at(fragment, (node, bci), nodes)?;
        let fragment = self.call(fragment, &probes::LOADED_OWN)?;
        self.after_access(bci, field.way, field.keep(fragment))?;
        self.forget_after(bci, this.spilled().as_slice());
        Ok(())
    }

    pub(super) fn note_own_store(
        &mut self,
        step: &Step<'_>,
        field: &Field,
        holders: &Holders,
        (node, nodes): (u32, Nodes<'_>),
    ) -> Result<(), Refusal> {
        let bci = step.instruction.bci;
        let value = match field.is_reference {
            true => Some(self.stored_reference(step, 1, holders)?),
            false => None,
        };
        let this = self.reference_under(step, field.is_wide, holders)?;
        let fragment = last_writer_of(this.local, field);
        let fragment = self.store_own(fragment, step, value, (node, nodes))?;
        self.after_access(bci, field.way, field.keep(fragment))?;
        let kept: Vec<Local> =
            [Some(this), value].into_iter().flatten().filter_map(Held::spilled).collect();
        self.forget_after(bci, &kept);
        Ok(())
    }

    /// A store in `this` that is not initialised yet, and has no last writers.
    pub(super) fn note_own_early_store(
        &mut self,
        step: &Step<'_>,
        field: &Field,
        (this, holders): (u16, &Holders),
        (node, nodes): (u32, Nodes<'_>),
    ) -> Result<(), Refusal> {
        let bci = step.instruction.bci;
        let value = match field.is_reference {
            true => Some(self.stored_reference(step, 1, holders)?),
            false => None,
        };
        let mut fragment = Fragment::new();
        if field.last_writer.is_some() {
            fragment = fragment.load_reference(object(this));
        }
        let fragment = fragment.simple(opcode::ICONST_0);
        let fragment = self.store_own(fragment, step, value, (node, nodes))?;
        self.after_access(bci, field.way, field.keep(fragment))?;
        self.forget_after(bci, value.and_then(Held::spilled).as_slice());
        Ok(())
    }

    /// Notes a store, with the last writer on the stack.
    fn store_own(
        &mut self,
        mut fragment: Fragment,
        step: &Step<'_>,
        value: Option<Held>,
        (node, nodes): (u32, Nodes<'_>),
    ) -> Result<Fragment, Refusal> {
        if let Some(value) = value {
            fragment = fragment.load_reference(value.local);
        }
        fragment = self.push_node(fragment, node, Some(nodes.1.slot))?;
        let mut probe = &probes::STORED_OWN;
        if value.is_some() {
            // Numbers of fields are far below 2^31.
            fragment = fragment.push_int(step.field.unwrap_or(0) as i32, self.pool)?;
            probe = &probes::STORED_OWN_REFERENCE;
        }
        fragment = self.push_met(fragment, nodes, step.instruction.bci)?;
        self.call(fragment, probe)
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
