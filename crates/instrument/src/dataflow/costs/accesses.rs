//! Loads and stores of fields and elements.

use classfile::{Fragment, Local, LocalType, Refusal, descriptor, opcode};
use profile::dataflow::InstructionKind;

use super::code::CostCode;
use super::nodes::is_of_receiver;
use super::probes;
use crate::dataflow::domain::Step;
use crate::dataflow::emit::operands::Operand;
use crate::dataflow::emit::{Emitter, forget, object};
use crate::dataflow::last_writers::fields::{self, AccessPath};
use crate::dataflow::objects::tags;

impl Field {
    /// Takes the new last writer off the stack, and the object under it.
    pub(super) fn keep(&self, fragment: Fragment) -> Fragment {
        match self.last_writer {
            Some(last_writer) => fragment.putfield(last_writer, 1),
            None => fragment.pop(),
        }
    }
}

/// A field of objects that an instruction accesses.
pub(super) struct Field {
    pub(super) class: u16,
    /// `None` where its class has none.
    pub(super) last_writer: Option<u16>,
    /// How the code comes to it.
    pub(super) path: AccessPath,
    pub(super) is_wide: bool,
    pub(super) is_reference: bool,
}

impl CostCode<'_> {
    fn field(
        &self,
        emitter: &mut Emitter<'_, '_>,
        step: &Step<'_>,
    ) -> Result<Option<Field>, Refusal> {
        let pool = emitter.subject.code.constant_pool();
        let named = step.instruction.pool_index().and_then(|index| pool.member_ref(index).ok());
        let Some(named) = named else { return Ok(None) };
        let is_static = step.instruction.opcode == opcode::PUTSTATIC;
        let path = if is_static { AccessPath::None } else { emitter.access_path(named) };
        let last_writer = if path == AccessPath::None {
            None
        } else {
            let name = fields::name(named.name, named.descriptor);
            Some(emitter.pool.fieldref(named.owner, &name, b"I")?)
        };
        Ok(Some(Field {
            class: emitter.pool.class(named.owner)?,
            last_writer,
            path,
            is_wide: descriptor::words(named.descriptor) == 2,
            is_reference: matches!(named.descriptor.first(), Some(b'L' | b'[')),
        }))
    }

    pub(super) fn note_load(
        &self,
        emitter: &mut Emitter<'_, '_>,
        step: &Step<'_>,
    ) -> Result<(), Refusal> {
        let bci = step.instruction.bci;
        let Some(node) = self.nodes.node(bci, InstructionKind::Load) else { return Ok(()) };
        match step.instruction.opcode {
            opcode::GETSTATIC => {
                let Some(field) = emitter.static_field(step) else { return Ok(()) };
                let fragment = Fragment::new().push_int(field, emitter.pool)?;
                let fragment = self.push_node_at(emitter, fragment, node, bci)?;
                let fragment = emitter.probe(fragment, &probes::LOADED_STATIC)?;
                emitter.edit.after(bci, fragment);
            }
            opcode::GETFIELD => {
                let Some(field) = self.field(emitter, step)? else { return Ok(()) };
                if is_of_receiver(emitter.subject, step, self.activation) {
                    return self.note_own_load(emitter, step, &field, node);
                }
                let owner = emitter.top_reference(step)?;
                let fragment = shadow_of(owner.local, &field);
                let fragment = self.push_node_at(emitter, fragment, node, bci)?;
                let fragment = emitter.probe(fragment, &probes::LOADED)?;
                emitter.after_access(bci, field.path, field.keep(fragment))?;
                emitter.forget_after(bci, owner.spilled().as_slice());
            }
            _ => {
                let (fragment, array) = emitter.keep_element(step, None)?;
                let fragment = self.push_node_at(emitter, fragment, node, bci)?;
                let fragment = emitter.probe(fragment, &probes::LOADED_ELEMENT)?;
                emitter.edit.after(bci, array.forget(fragment));
            }
        }
        Ok(())
    }

    pub(super) fn note_store(
        &self,
        emitter: &mut Emitter<'_, '_>,
        step: &Step<'_>,
    ) -> Result<(), Refusal> {
        let bci = step.instruction.bci;
        let Some(node) = self.nodes.node(bci, InstructionKind::Store) else { return Ok(()) };
        match step.instruction.opcode {
            opcode::PUTSTATIC => self.note_static_store(emitter, step, node),
            opcode::PUTFIELD => {
                let Some(field) = self.field(emitter, step)? else { return Ok(()) };
                let base = step.operands.first();
                match base {
                    Some(&base) if emitter.subject.is_uninitialised(base, bci) => {
                        self.note_early_store(emitter, step, &field, node)
                    }
                    _ if is_of_receiver(emitter.subject, step, self.activation) => {
                        self.note_own_store(emitter, step, &field, node)
                    }
                    _ => self.note_field_store(emitter, step, &field, node),
                }
            }
            _ => self.note_element_store(emitter, step, node),
        }
    }

    fn note_static_store(
        &self,
        emitter: &mut Emitter<'_, '_>,
        step: &Step<'_>,
        node: u32,
    ) -> Result<(), Refusal> {
        let bci = step.instruction.bci;
        let Some(number) = emitter.static_field(step) else { return Ok(()) };
        let Some(field) = self.field(emitter, step)? else { return Ok(()) };
        let mut fragment = Fragment::new();
        let mut value = None;
        if field.is_reference {
            let owner = emitter.stored_reference(step, 0)?;
            fragment = fragment.load_reference(owner.local);
            value = Some(owner);
        }
        fragment = fragment.push_int(number, emitter.pool)?;
        fragment = self.push_node_at(emitter, fragment, node, bci)?;
        let probe = match value {
            Some(_) => &probes::STORED_STATIC_REFERENCE,
            None => &probes::STORED_STATIC,
        };
        fragment = emitter.probe(fragment, probe)?;
        if let Some(value) = value {
            fragment = value.forget(fragment);
        }
        emitter.edit.after(step.instruction.bci, fragment);
        Ok(())
    }

    fn note_field_store(
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
        let owner = emitter.reference_under(step, field.is_wide)?;
        let mut fragment = shadow_of(owner.local, field);
        if let Some(value) = value {
            fragment = fragment.load_reference(value.local);
        }
        fragment = self.push_node(emitter, fragment, node)?;
        let mut probe = &probes::STORED;
        if value.is_some() {
            fragment = fragment.push_int(step.field.unwrap_or(0) as i32, emitter.pool)?;
            probe = &probes::STORED_REFERENCE;
        }
        fragment = self.push_met(emitter, fragment, bci)?;
        fragment = emitter.probe(fragment, probe)?;
        emitter.after_access(bci, field.path, field.keep(fragment))?;
        let kept: Vec<Local> =
            [Some(owner), value].into_iter().flatten().filter_map(Operand::spilled).collect();
        emitter.forget_after(bci, &kept);
        Ok(())
    }

    /// A store in `this` that is not initialised yet: it has no last writers,
    /// and its tag is the one that waits for it.
    fn note_early_store(
        &self,
        emitter: &mut Emitter<'_, '_>,
        step: &Step<'_>,
        field: &Field,
        node: u32,
    ) -> Result<(), Refusal> {
        let bci = step.instruction.bci;
        let Some(this) = step.operands.first().and_then(|&base| emitter.locals.holding(base))
        else {
            return Ok(());
        };
        if is_of_receiver(emitter.subject, step, self.activation) {
            return self.note_own_early_store(emitter, step, field, this, node);
        }
        let value = match field.is_reference {
            true => Some(emitter.stored_reference(step, 1)?),
            false => None,
        };
        let before = emitter.probe(Fragment::new(), &tags::probes::PENDING)?;
        emitter.edit.before(bci, before.store_int(emitter.scratch));
        let mut fragment = Fragment::new();
        if field.last_writer.is_some() {
            fragment = fragment.load_reference(object(this));
        }
        fragment = fragment.load_int(emitter.scratch).simple(opcode::ICONST_0);
        if let Some(value) = value {
            fragment = fragment.load_reference(value.local);
        }
        fragment = self.push_node(emitter, fragment, node)?;
        let mut probe = &probes::STORED_EARLY;
        if value.is_some() {
            fragment = fragment.push_int(step.field.unwrap_or(0) as i32, emitter.pool)?;
            probe = &probes::STORED_REFERENCE_EARLY;
        }
        fragment = self.push_met(emitter, fragment, bci)?;
        fragment = emitter.probe(fragment, probe)?;
        emitter.after_access(bci, field.path, field.keep(fragment))?;
        emitter.forget_after(bci, value.and_then(Operand::spilled).as_slice());
        Ok(())
    }

    fn note_element_store(
        &self,
        emitter: &mut Emitter<'_, '_>,
        step: &Step<'_>,
        node: u32,
    ) -> Result<(), Refusal> {
        let bci = step.instruction.bci;
        let kind = match step.instruction.opcode {
            opcode::LASTORE => LocalType::Long,
            opcode::DASTORE => LocalType::Double,
            opcode::FASTORE => LocalType::Float,
            opcode::AASTORE => emitter.any_object()?,
            _ => LocalType::Int,
        };
        let value = emitter.spill(kind, 0);
        let (mut fragment, array) = emitter.keep_element(step, Some(value))?;
        let mut probe = &probes::STORED_ELEMENT;
        let mut kept = Vec::from_iter(array.spilled());
        if step.instruction.opcode == opcode::AASTORE {
            fragment = fragment.load_reference(value);
            probe = &probes::STORED_ELEMENT_REFERENCE;
            kept.push(value);
        }
        let fragment = self.push_node_at(emitter, fragment, node, bci)?;
        let fragment = emitter.probe(fragment, probe)?;
        emitter.edit.after(bci, forget(fragment, &kept));
        Ok(())
    }
}

/// Pushes an object and the last writer of its field. Where that is kept, the
/// object is under them once more.
fn shadow_of(owner: Local, field: &Field) -> Fragment {
    let fragment = Fragment::new().load_reference(owner);
    match field.last_writer {
        Some(last_writer) => fragment.checkcast(field.class).dup().dup().getfield(last_writer, 1),
        None => fragment.simple(opcode::ICONST_0),
    }
}
