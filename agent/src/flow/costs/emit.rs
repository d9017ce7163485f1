//! Writes the code that finds dependences into a method.

use classfile::ssa::ValueId;
use classfile::ssa::kinds::{Kind, kind};
use classfile::{Fragment, Local, LocalType, Refusal, descriptor, opcode};
use profile::dataflow::InstructionKind;

use super::activation::Activation;
use super::nodes::{MethodNodes, is_own};
use super::probes;
use crate::flow::calls::{Call, clones_unless_overridden};
use crate::flow::domain::{Shadow, Step, Use};
use crate::flow::emit::held::Held;
use crate::flow::emit::{Emitter, forget, object};
use crate::flow::holders::Holders;
use crate::flow::last_writers::{self, Way};
use crate::flow::places::Places;
use crate::flow::stack::{ARGUMENTS, NO_ARGUMENTS};
use crate::flow::tags;

/// What an instruction is to the graph.
pub(super) type Nodes<'e> = (&'e MethodNodes, Activation);

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
    pub(super) way: Way,
    pub(super) is_wide: bool,
    pub(super) is_reference: bool,
}

impl Emitter<'_, '_> {
    /// Counts the executions of blocks.
    pub(in crate::flow) fn count_blocks(&mut self, nodes: Nodes<'_>) -> Result<(), Refusal> {
        let (nodes, activation) = nodes;
        for &(start, counter) in &nodes.blocks {
            let fragment = activation.count(Fragment::new(), counter, self.access, self.pool)?;
            self.edit.before(start, fragment);
        }
        Ok(())
    }

    /// Writes what an instruction needs.
    pub(in crate::flow) fn note(
        &mut self,
        step: &Step<'_>,
        made: Option<ValueId>,
        places: &Places,
        holders: &Holders,
        scratch: Local,
    ) -> Result<(), Refusal> {
        let Some(nodes) = self.nodes else { return Ok(()) };
        let bci = step.instruction.bci;
        self.replace(&step.instruction)?;
        match (kind(step.instruction.opcode), step.call) {
            (Kind::Return, _) => self.leave(step, places)?,
            (_, Some(Call::CopiesArray)) => self.note_array_copy(bci, nodes)?,
            (_, Some(Call::Clones)) => self.note_clone(bci, nodes)?,
            (Kind::Call, call) if !consumes(call) => {
                self.around_call(step, made, places)?;
                if call.is_some_and(Call::may_be_native) {
                    self.note_native(step, nodes, places, scratch)?;
                }
            }
            (kind, call) => {
                self.depend(step, nodes, places)?;
                match kind {
                    Kind::Load => self.note_load(step, holders, nodes)?,
                    Kind::Store => self.note_store(step, holders, nodes, scratch)?,
                    _ if calls_back(call) => {
                        let fragment = self.call(Fragment::new(), &NO_ARGUMENTS)?;
                        self.edit.before(bci, fragment);
                    }
                    _ => {}
                }
            }
        }
        match made {
            Some(made) => self.after_making(step, made, places),
            None => Ok(()),
        }
    }

    /// Pushes the node of an instruction.
    pub(super) fn push_node(
        &mut self,
        fragment: Fragment,
        node: u32,
        slot: Option<Local>,
    ) -> Result<Fragment, Refusal> {
        // Nodes are below 2^31.
        let fragment = fragment.push_int(node as i32, self.pool)?;
        Ok(match slot {
            Some(slot) => fragment.load_int(slot).simple(opcode::IADD),
            None => fragment,
        })
    }

    /// Pushes the node of an access to the heap, and where it keeps what it met.
    pub(super) fn push_node_at(
        &mut self,
        fragment: Fragment,
        (node, bci): (u32, u32),
        (nodes, activation): Nodes<'_>,
    ) -> Result<Fragment, Refusal> {
        let fragment = self.push_node(fragment, node, Some(activation.slot))?;
        self.push_met(fragment, (nodes, activation), bci)
    }

    /// Pushes where an access to the heap keeps what it met.
    pub(super) fn push_met(
        &mut self,
        fragment: Fragment,
        (nodes, activation): Nodes<'_>,
        bci: u32,
    ) -> Result<Fragment, Refusal> {
        let offset = nodes.met(bci).ok_or(Refusal::NotAnInstruction { bci })?;
        self.push_behind(fragment, activation, offset)
    }

    /// Pushes where an instruction keeps which node made an operand.
    fn push_met_operand(
        &mut self,
        fragment: Fragment,
        (nodes, activation): Nodes<'_>,
        (bci, operand): (u32, u32),
    ) -> Result<Fragment, Refusal> {
        let offset = nodes.met_operand(bci, operand).ok_or(Refusal::NotAnInstruction { bci })?;
        self.push_behind(fragment, activation, offset)
    }

    /// Pushes the address of the counters and an offset from there.
    fn push_behind(
        &mut self,
        fragment: Fragment,
        activation: Activation,
        offset: u32,
    ) -> Result<Fragment, Refusal> {
        let fragment = match activation.counters {
            Some(counters) => fragment.load_long(counters),
            None => fragment.simple(opcode::LCONST_0),
        };
        // A method has far fewer instructions than 2^16.
        fragment.push_int(offset as i32, self.pool)
    }

    /// Dependences on what the method has from elsewhere.
    fn depend(
        &mut self,
        step: &Step<'_>,
        (nodes, activation): Nodes<'_>,
        places: &Places,
    ) -> Result<(), Refusal> {
        let bci = step.instruction.bci;
        let kinds = [
            (InstructionKind::Compute, true),
            (InstructionKind::Store, true),
            (InstructionKind::Predicate, false),
            (InstructionKind::Native, false),
        ];
        let found = kinds
            .into_iter()
            .find_map(|(kind, has_slot)| nodes.node(bci, kind).map(|node| (node, has_slot)));
        let Some((node, has_slot)) = found else { return Ok(()) };
        let slot = has_slot.then_some(activation.slot);
        let mut fragment = Fragment::new();
        for (operand, wish) in (0..).zip(self.shadows.wishes_at(bci)) {
            let is_dynamic = matches!(self.shadows.of(wish.value), Shadow::Dynamic(_));
            if is_dynamic && matches!(wish.wants, Use::Consumed | Use::Stored) {
                fragment = self.push(fragment, wish.value, places)?;
                fragment = self.push_node(fragment, node, slot)?;
                fragment = self.push_met_operand(fragment, (nodes, activation), (bci, operand))?;
                fragment = self.call(fragment, &probes::DEPENDS)?;
            }
        }
        if fragment.peak() == 0 {
            return Ok(());
        }
        if kind(step.instruction.opcode) == Kind::Predicate || step.call.is_some() {
            self.edit.before(bci, fragment);
        } else {
            // What throws an exception uses nothing.
            self.edit.after(bci, fragment);
        }
        Ok(())
    }

    /// After a call of what may have been native: if nobody has taken the
    /// arguments, it was.
    fn note_native(
        &mut self,
        step: &Step<'_>,
        (nodes, activation): Nodes<'_>,
        places: &Places,
        scratch: Local,
    ) -> Result<(), Refusal> {
        let bci = step.instruction.bci;
        let kind = InstructionKind::Native;
        let (Some(Call::Tracked { callee }), Some(node), Some(counter), Some(counters)) =
            (step.call, nodes.node(bci, kind), nodes.counter(bci, kind), activation.counters)
        else {
            return Ok(());
        };
        if step.operands.iter().all(|&value| self.shadows.of(value) == Shadow::NONE) {
            let fragment = Fragment::new().simple(opcode::LCONST_0).push_int(callee, self.pool)?;
            let fragment = self.call(fragment, &ARGUMENTS[0])?;
            self.edit.before(bci, fragment);
        }
        let mut fragment = Fragment::new().load_long(counters);
        // A method has far fewer counters than 2^28.
        fragment = fragment.push_int(counter as i32 * 8, self.pool)?.push_int(callee, self.pool)?;
        fragment = self.call(fragment, &probes::WAS_NATIVE)?.store_int(scratch);
        for (operand, &value) in (0..).zip(step.operands) {
            if self.shadows.of(value) != Shadow::NONE {
                fragment = self.push(fragment, value, places)?.load_int(scratch);
                fragment = fragment.simple(opcode::I2L).simple(opcode::LAND);
                fragment = self.push_node(fragment, node, None)?;
                fragment = self.push_met_operand(fragment, (nodes, activation), (bci, operand))?;
                fragment = self.call(fragment, &probes::DEPENDS)?;
            }
        }
        self.edit.after(bci, fragment);
        Ok(())
    }

    fn field(&mut self, step: &Step<'_>) -> Result<Option<Field>, Refusal> {
        let pool = self.subject.code.constant_pool();
        let named = step.instruction.pool_index().and_then(|index| pool.member_ref(index).ok());
        let Some(named) = named else { return Ok(None) };
        let is_static = step.instruction.opcode == opcode::PUTSTATIC;
        let way = if is_static { Way::None } else { self.way_to_last_writer(named) };
        let last_writer = if way == Way::None {
            None
        } else {
            let name = last_writers::name(named.name, named.descriptor);
            Some(self.pool.fieldref(named.owner, &name, b"I")?)
        };
        Ok(Some(Field {
            class: self.pool.class(named.owner)?,
            last_writer,
            way,
            is_wide: descriptor::words(named.descriptor) == 2,
            is_reference: matches!(named.descriptor.first(), Some(b'L' | b'[')),
        }))
    }

    fn note_load(
        &mut self,
        step: &Step<'_>,
        holders: &Holders,
        nodes: Nodes<'_>,
    ) -> Result<(), Refusal> {
        let bci = step.instruction.bci;
        let Some(node) = nodes.0.node(bci, InstructionKind::Load) else { return Ok(()) };
        match step.instruction.opcode {
            opcode::GETSTATIC => {
                let Some(field) = self.static_field(step) else { return Ok(()) };
                let fragment = Fragment::new().push_int(field, self.pool)?;
                let fragment = self.push_node_at(fragment, (node, bci), nodes)?;
                let fragment = self.call(fragment, &probes::LOADED_STATIC)?;
                self.edit.after(bci, fragment);
            }
            opcode::GETFIELD => {
                let Some(field) = self.field(step)? else { return Ok(()) };
                if is_own(self.subject, step, nodes.1) {
                    return self.note_own_load(step, &field, holders, (node, nodes));
                }
                let owner = self.top_reference(step, holders)?;
                let fragment = shadow_of(owner.local, &field);
                let fragment = self.push_node_at(fragment, (node, bci), nodes)?;
                let fragment = self.call(fragment, &probes::LOADED)?;
                self.after_access(bci, field.way, field.keep(fragment))?;
                self.forget_after(bci, owner.spilled().as_slice());
            }
            _ => {
                let fragment = Fragment::new().dup2();
                let fragment = self.push_node_at(fragment, (node, bci), nodes)?;
                let fragment = self.call(fragment, &probes::LOADED_ELEMENT)?;
                self.edit.before(bci, fragment);
            }
        }
        Ok(())
    }

    fn note_store(
        &mut self,
        step: &Step<'_>,
        holders: &Holders,
        nodes: Nodes<'_>,
        scratch: Local,
    ) -> Result<(), Refusal> {
        let bci = step.instruction.bci;
        let Some(node) = nodes.0.node(bci, InstructionKind::Store) else { return Ok(()) };
        match step.instruction.opcode {
            opcode::PUTSTATIC => self.note_static_store(step, holders, (node, nodes)),
            opcode::PUTFIELD => {
                let Some(field) = self.field(step)? else { return Ok(()) };
                let base = step.operands.first();
                match base {
                    Some(&base) if self.subject.is_uninitialised(base, bci) => {
                        self.note_early_store(step, &field, holders, (node, nodes), scratch)
                    }
                    _ if is_own(self.subject, step, nodes.1) => {
                        self.note_own_store(step, &field, holders, (node, nodes))
                    }
                    _ => self.note_field_store(step, &field, holders, (node, nodes)),
                }
            }
            _ => self.note_element_store(step, (node, nodes)),
        }
    }

    fn note_static_store(
        &mut self,
        step: &Step<'_>,
        holders: &Holders,
        (node, nodes): (u32, Nodes<'_>),
    ) -> Result<(), Refusal> {
        let bci = step.instruction.bci;
        let Some(number) = self.static_field(step) else { return Ok(()) };
        let Some(field) = self.field(step)? else { return Ok(()) };
        let mut fragment = Fragment::new();
        let mut value = None;
        if field.is_reference {
            let owner = self.stored_reference(step, 0, holders)?;
            fragment = fragment.load_reference(owner.local);
            value = Some(owner);
        }
        fragment = fragment.push_int(number, self.pool)?;
        fragment = self.push_node_at(fragment, (node, bci), nodes)?;
        let probe = match value {
            Some(_) => &probes::STORED_STATIC_REFERENCE,
            None => &probes::STORED_STATIC,
        };
        fragment = self.call(fragment, probe)?;
        if let Some(value) = value {
            fragment = value.forget(fragment);
        }
        self.edit.after(step.instruction.bci, fragment);
        Ok(())
    }

    fn note_field_store(
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
        let owner = self.reference_under(step, field.is_wide, holders)?;
        let mut fragment = shadow_of(owner.local, field);
        if let Some(value) = value {
            fragment = fragment.load_reference(value.local);
        }
        fragment = self.push_node(fragment, node, Some(nodes.1.slot))?;
        let mut probe = &probes::STORED;
        if value.is_some() {
            fragment = fragment.push_int(step.field.unwrap_or(0) as i32, self.pool)?;
            probe = &probes::STORED_REFERENCE;
        }
        fragment = self.push_met(fragment, nodes, bci)?;
        fragment = self.call(fragment, probe)?;
        self.after_access(bci, field.way, field.keep(fragment))?;
        let kept: Vec<Local> =
            [Some(owner), value].into_iter().flatten().filter_map(Held::spilled).collect();
        self.forget_after(bci, &kept);
        Ok(())
    }

    /// A store in `this` that is not initialised yet: it has no last writers,
    /// and its tag is the one that waits for it.
    fn note_early_store(
        &mut self,
        step: &Step<'_>,
        field: &Field,
        holders: &Holders,
        (node, nodes): (u32, Nodes<'_>),
        scratch: Local,
    ) -> Result<(), Refusal> {
        let bci = step.instruction.bci;
        let Some(this) = step.operands.first().and_then(|&base| holders.of(base)) else {
            return Ok(());
        };
        if is_own(self.subject, step, nodes.1) {
            return self.note_own_early_store(step, field, (this, holders), (node, nodes));
        }
        let value = match field.is_reference {
            true => Some(self.stored_reference(step, 1, holders)?),
            false => None,
        };
        let before = self.call(Fragment::new(), &tags::probes::PENDING)?;
        self.edit.before(bci, before.store_int(scratch));
        let mut fragment = Fragment::new();
        if field.last_writer.is_some() {
            fragment = fragment.load_reference(object(this));
        }
        fragment = fragment.load_int(scratch).simple(opcode::ICONST_0);
        if let Some(value) = value {
            fragment = fragment.load_reference(value.local);
        }
        fragment = self.push_node(fragment, node, Some(nodes.1.slot))?;
        let mut probe = &probes::STORED_EARLY;
        if value.is_some() {
            fragment = fragment.push_int(step.field.unwrap_or(0) as i32, self.pool)?;
            probe = &probes::STORED_REFERENCE_EARLY;
        }
        fragment = self.push_met(fragment, nodes, bci)?;
        fragment = self.call(fragment, probe)?;
        self.after_access(bci, field.way, field.keep(fragment))?;
        self.forget_after(bci, value.and_then(Held::spilled).as_slice());
        Ok(())
    }

    fn note_element_store(
        &mut self,
        step: &Step<'_>,
        (node, nodes): (u32, Nodes<'_>),
    ) -> Result<(), Refusal> {
        let bci = step.instruction.bci;
        let kind = match step.instruction.opcode {
            opcode::LASTORE => LocalType::Long,
            opcode::DASTORE => LocalType::Double,
            opcode::FASTORE => LocalType::Float,
            opcode::AASTORE => return self.note_element_store_of_reference(bci, (node, nodes)),
            _ => LocalType::Int,
        };
        let value = self.spill(kind, 0);
        let fragment = Fragment::new().store(value).dup2();
        let fragment = self.push_node_at(fragment, (node, bci), nodes)?;
        let fragment = self.call(fragment, &probes::STORED_ELEMENT)?.load(value);
        self.edit.before(bci, fragment);
        Ok(())
    }

    /// Whether the array takes such objects shows behind the store only.
    fn note_element_store_of_reference(
        &mut self,
        bci: u32,
        (node, nodes): (u32, Nodes<'_>),
    ) -> Result<(), Refusal> {
        let any = self.any_object()?;
        let (value, array) = (self.spill(any, 0), self.spill(any, 1));
        let index = self.spill(LocalType::Int, 0);
        let before = Fragment::new().store_reference(value).dup2().store_int(index);
        self.edit.before(bci, before.store_reference(array).load_reference(value));
        let after = Fragment::new().load_reference(array).load_int(index).load_reference(value);
        let after = self.push_node_at(after, (node, bci), nodes)?;
        let after = self.call(after, &probes::STORED_ELEMENT_REFERENCE)?;
        self.edit.after(bci, forget(after, &[value, array]));
        Ok(())
    }

    fn note_array_copy(&mut self, bci: u32, (nodes, activation): Nodes<'_>) -> Result<(), Refusal> {
        let Some(node) = nodes.node(bci, InstructionKind::Store) else { return Ok(()) };
        let (after, arrays) = self.keep_array_copy(bci)?;
        let after = self.push_node(after, node, Some(activation.slot))?;
        let after = self.call(after, &probes::COPIED)?;
        self.edit.after(bci, forget(after, &arrays));
        Ok(())
    }

    fn note_clone(&mut self, bci: u32, (nodes, activation): Nodes<'_>) -> Result<(), Refusal> {
        let Some(node) = nodes.node(bci, InstructionKind::Store) else { return Ok(()) };
        let any = self.any_object()?;
        let from = self.spill(any, 0);
        self.edit.before(bci, Fragment::new().dup().store_reference(from));
        let after = Fragment::new().dup().load_reference(from).swap();
        let after = self.push_node(after, node, Some(activation.slot))?;
        let probe = match clones_unless_overridden(self.subject.code, bci) {
            true => &probes::CLONED_UNLESS_OVERRIDDEN,
            false => &probes::CLONED,
        };
        let after = self.call(after, probe)?;
        self.edit.after(bci, forget(after, &[from]));
        Ok(())
    }
}

fn consumes(call: Option<Call>) -> bool {
    matches!(call, Some(Call::Consumes { .. } | Call::Accesses(_) | Call::Concatenates))
}

fn calls_back(call: Option<Call>) -> bool {
    matches!(call, Some(Call::Consumes { calls_back: true } | Call::Concatenates))
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
