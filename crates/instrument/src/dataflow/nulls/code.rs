//! The transfer functions of `mode=nulls`: code that sees nulls in the heap, and where
//! they are dereferenced.

use classfile::ssa::{ValueId, ValueSet};
use classfile::{Fragment, Local, LocalType, Refusal, descriptor, opcode};
use profile::null_records::NullInstructionKind;

use super::nodes::{NullNodes, descriptor_of};
use super::probes;
use crate::dataflow::domain::{Shadow, Step, Use};
use crate::dataflow::emit::invalidation::INVALIDATE_STATIC;
use crate::dataflow::emit::spill_slots::local_type;
use crate::dataflow::emit::transfer::Transfer;
use crate::dataflow::emit::{Emitter, forget, object};
use crate::dataflow::last_writers::fields::{self, AccessPath};
use crate::dataflow::shadows::Shadows;
use crate::dataflow::subject::Subject;
use crate::dataflow::tracking::calls::Call;
use crate::dataflow::tracking::stack::{NO_ARGUMENTS, PARAMETERS};

/// What is to be written for one method.
#[derive(Debug)]
pub struct NullCode<'n> {
    /// Its nodes.
    pub nodes: &'n NullNodes,
    /// Values that somebody wants to know about.
    wanted: ValueSet,
    /// Instructions that may be the first to meet a null.
    meetings: Vec<u32>,
}

impl<'n> NullCode<'n> {
    /// Finds out what that is.
    pub fn new(subject: &Subject<'_>, shadows: &Shadows, nodes: &'n NullNodes) -> Self {
        let wanted = subject.values.demanded_by(shadows.demands.iter().map(|demand| demand.value));
        // Behind the first of a block that did not throw, a value is not null.
        let mut last_block = vec![None; subject.values.len()];
        let mut meetings = Vec::new();
        for demand in shadows.demands.iter().filter(|demand| demand.wants == Use::Consumed) {
            let block = subject.cfg.block_of(demand.bci);
            let last = &mut last_block[demand.value.index()];
            if block.is_none() || *last != block {
                *last = block;
                meetings.push(demand.bci);
            }
        }
        Self { nodes, wanted, meetings }
    }
}

/// Where the last writer of a field is.
struct LastWriter {
    class: u16,
    field: u16,
    /// How the code comes to it.
    path: AccessPath,
}

/// What lies above the object that an instruction needs, on the stack.
fn above(subject: &Subject<'_>, step: &Step<'_>, any: LocalType) -> Vec<LocalType> {
    let of = |descriptor: &[u8]| local_type(descriptor, any);
    let named = descriptor_of(subject, step).unwrap_or_default();
    match step.instruction.opcode {
        opcode::IALOAD..=opcode::SALOAD => vec![LocalType::Int],
        opcode::LASTORE => vec![LocalType::Int, LocalType::Long],
        opcode::FASTORE => vec![LocalType::Int, LocalType::Float],
        opcode::DASTORE => vec![LocalType::Int, LocalType::Double],
        opcode::AASTORE => vec![LocalType::Int, any],
        opcode::IASTORE..=opcode::SASTORE => vec![LocalType::Int, LocalType::Int],
        opcode::PUTFIELD => vec![of(named)],
        invoke if opcode::is_invoke(invoke) => descriptor::parameters(named).map(of).collect(),
        _ => Vec::new(),
    }
}

impl Transfer for NullCode<'_> {
    /// An argument that is null is noted as passed on by the caller.
    fn argument(
        &self,
        emitter: &mut Emitter<'_, '_>,
        fragment: Fragment,
        (number, local, known): (usize, u16, Local),
    ) -> Result<Fragment, Refusal> {
        let fragment = fragment.load_reference(object(local)).load_int(known);
        let fragment = emitter.probe(fragment, &PARAMETERS[number])?;
        emitter.probe(fragment, &probes::PARAMETER)
    }

    fn before(&self, emitter: &mut Emitter<'_, '_>, step: &Step<'_>) -> Result<(), Refusal> {
        if self.meetings.binary_search(&step.instruction.bci).is_ok() {
            self.meet(emitter, step)?;
        }
        // The other one would put its locals to other uses in between.
        emitter.replace(&step.instruction)
    }

    fn load(
        &self,
        emitter: &mut Emitter<'_, '_>,
        step: &Step<'_>,
        made: Option<ValueId>,
    ) -> Result<(), Refusal> {
        let is_wanted = made.is_some_and(|made| self.wanted.contains(made));
        match self.nodes.node(step.instruction.bci, NullInstructionKind::Load) {
            Some(node) if is_wanted => self.load_null(emitter, step, node),
            _ => Ok(()),
        }
    }

    fn store(&self, emitter: &mut Emitter<'_, '_>, step: &Step<'_>) -> Result<(), Refusal> {
        let Some(node) = self.nodes.node(step.instruction.bci, NullInstructionKind::Store) else {
            return Ok(());
        };
        match step.instruction.opcode {
            opcode::PUTFIELD => self.store_null(emitter, step, node),
            opcode::PUTSTATIC => self.store_static_null(emitter, step, node),
            _ => self.store_null_element(emitter, step, node),
        }
    }

    fn call(
        &self,
        emitter: &mut Emitter<'_, '_>,
        step: &Step<'_>,
        made: Option<ValueId>,
    ) -> Result<(), Refusal> {
        let bci = step.instruction.bci;
        let store = self.nodes.node(bci, NullInstructionKind::Store);
        match step.call {
            Some(Call::CopiesArray) => self.copy_nulls(emitter, bci, store),
            Some(Call::Clones) => self.clone_nulls(emitter, bci, store),
            Some(Call::Consumes { calls_back: true } | Call::Concatenates) => {
                let fragment = emitter.probe(Fragment::new(), &NO_ARGUMENTS)?;
                emitter.edit.before(bci, fragment);
                Ok(())
            }
            Some(Call::Tracked { callee }) => {
                self.pass_nulls(emitter, step, 0, callee)?;
                self.take_null_result(emitter, step, made)
            }
            // The first argument of a constructor is the object.
            Some(Call::Captures { callee }) => self.pass_nulls(emitter, step, 1, callee),
            Some(Call::Consumes { .. } | Call::Accesses(_) | Call::Ignores) | None => Ok(()),
        }
    }

    fn leave(&self, emitter: &mut Emitter<'_, '_>, step: &Step<'_>) -> Result<(), Refusal> {
        match step.instruction.opcode {
            opcode::ARETURN => self.return_null(emitter, step),
            _ => Ok(()),
        }
    }

    fn operate(&self, _: &mut Emitter<'_, '_>, _: &Step<'_>) -> Result<(), Refusal> {
        Ok(())
    }

    /// What an instruction makes is a constant, or was noted where it was loaded or
    /// returned.
    fn made(&self, _: &mut Emitter<'_, '_>, _: &Step<'_>, _: ValueId) -> Result<(), Refusal> {
        Ok(())
    }
}

impl NullCode<'_> {
    /// Pushes a number of a node or a field.
    fn push_number(
        &self,
        emitter: &mut Emitter<'_, '_>,
        fragment: Fragment,
        number: u32,
    ) -> Result<Fragment, Refusal> {
        // All are below 2^31.
        fragment.push_int(number as i32, emitter.pool)
    }

    /// Looks at the object that an instruction needs, before the JVM does.
    fn meet(&self, emitter: &mut Emitter<'_, '_>, step: &Step<'_>) -> Result<(), Refusal> {
        let bci = step.instruction.bci;
        let Some(&base) = step.operands.first() else { return Ok(()) };
        let Some(node) = self.nodes.node(bci, NullInstructionKind::Dereference) else {
            return Ok(());
        };
        let any = emitter.any_object()?;
        let mut fragment = Fragment::new();
        let mut aside: Vec<Local> = Vec::new();
        if let Some(local) = emitter.locals.holding(base) {
            fragment = fragment.load_reference(object(local));
        } else {
            let kinds = above(emitter.subject, step, any);
            let is_wide = |kind: &LocalType| kind.words() == 2;
            if kinds.len() == 1 && !kinds.iter().any(is_wide) {
                fragment = fragment.dup2().pop();
            } else {
                aside = emitter.spill_slots.get_all(&kinds, emitter.edit);
                for &local in aside.iter().rev() {
                    fragment = fragment.store(local);
                }
                fragment = fragment.dup();
            }
        }
        fragment = emitter.push(fragment, base)?;
        fragment = self.push_number(emitter, fragment, node)?;
        fragment = emitter.probe(fragment, &probes::MET)?;
        for &local in &aside {
            fragment = fragment.load(local);
        }
        aside.retain(|local| local.kind() == any);
        emitter.edit.before(bci, forget(fragment, &aside));
        Ok(())
    }

    /// The last writer of the field that an instruction names.
    fn last_writer(
        &self,
        emitter: &mut Emitter<'_, '_>,
        step: &Step<'_>,
    ) -> Result<Option<LastWriter>, Refusal> {
        let pool = emitter.subject.code.constant_pool();
        let named = step.instruction.pool_index().and_then(|index| pool.member_ref(index).ok());
        let Some(named) = named else { return Ok(None) };
        let path = emitter.access_path(named);
        if path == AccessPath::None {
            return Ok(None);
        }
        let name = fields::name(named.name, named.descriptor);
        let class = emitter.pool.class(named.owner)?;
        Ok(Some(LastWriter {
            class,
            field: emitter.pool.fieldref(named.owner, &name, b"I")?,
            path,
        }))
    }

    fn load_null(
        &self,
        emitter: &mut Emitter<'_, '_>,
        step: &Step<'_>,
        node: u32,
    ) -> Result<(), Refusal> {
        let bci = step.instruction.bci;
        let (fragment, probe) = match step.instruction.opcode {
            opcode::GETSTATIC => {
                let Some(field) = emitter.static_field(step) else { return Ok(()) };
                (Fragment::new().dup().push_int(field, emitter.pool)?, &probes::LOADED_STATIC)
            }
            opcode::GETFIELD => {
                let Some(writer) = self.last_writer(emitter, step)? else { return Ok(()) };
                let owner = emitter.top_reference(step)?;
                let fragment = Fragment::new().dup().load_reference(owner.local);
                let fragment = fragment.checkcast(writer.class);
                let fragment =
                    self.push_number(emitter, fragment.getfield(writer.field, 1), node)?;
                let fragment = emitter.probe(fragment, &probes::LOADED)?;
                emitter.after_access(bci, writer.path, fragment)?;
                emitter.forget_after(bci, owner.spilled().as_slice());
                return Ok(());
            }
            _ => {
                let fragment = self.push_number(emitter, Fragment::new().dup2(), node)?;
                let fragment = emitter.probe(fragment, &probes::LOADED_ELEMENT)?;
                emitter.edit.before(bci, fragment);
                return Ok(());
            }
        };
        let fragment = self.push_number(emitter, fragment, node)?;
        let fragment = emitter.probe(fragment, probe)?;
        emitter.edit.after(bci, fragment);
        Ok(())
    }

    /// The value that an instruction stores; `None` if it is never null.
    fn stored(&self, emitter: &Emitter<'_, '_>, step: &Step<'_>) -> Option<ValueId> {
        let demands = emitter.shadows.demands_at(step.instruction.bci);
        let demand = demands.iter().find(|demand| demand.wants == Use::Stored)?;
        (emitter.shadows.of(demand.value) != Shadow::NONE).then_some(demand.value)
    }

    /// A store in a field of an object.
    fn store_null(
        &self,
        emitter: &mut Emitter<'_, '_>,
        step: &Step<'_>,
        node: u32,
    ) -> Result<(), Refusal> {
        let bci = step.instruction.bci;
        let Some(writer) = self.last_writer(emitter, step)? else { return Ok(()) };
        let Some(&base) = step.operands.first() else { return Ok(()) };
        let any = emitter.any_object()?;
        let mut spilled = Vec::new();
        let mut before = Fragment::new();
        let owner = match emitter.locals.holding(base) {
            Some(local) => object(local),
            None => {
                let local = emitter.spill(any, 0);
                before = before.dup2().pop().store_reference(local);
                spilled.push(local);
                local
            }
        };
        let mut after = Fragment::new().load_reference(owner);
        // Before it is initialised, an object has the class of the method.
        if !emitter.subject.is_uninitialised(base, bci) {
            after = after.checkcast(writer.class);
        }
        if let Some(value) = self.stored(emitter, step) {
            let held = match emitter.locals.holding(value) {
                Some(local) => object(local),
                None => {
                    // The first one may be the owner's.
                    emitter.spill(any, 0);
                    let local = emitter.spill(any, 1);
                    before = before.dup().store_reference(local);
                    spilled.push(local);
                    local
                }
            };
            after = emitter.push(after.load_reference(held), value)?;
            after = self.push_number(emitter, after, node)?;
            after = emitter.probe(after, &probes::STORED)?;
        } else {
            after = after.simple(opcode::ICONST_0);
        }
        if before.peak() > 0 {
            emitter.edit.before(bci, before);
        }
        emitter.after_access(bci, writer.path, after.putfield(writer.field, 1))?;
        emitter.forget_after(bci, &spilled);
        Ok(())
    }

    /// A store in a static field. What is written comes behind it, because only by
    /// then the JVM knows the field.
    fn store_static_null(
        &self,
        emitter: &mut Emitter<'_, '_>,
        step: &Step<'_>,
        node: u32,
    ) -> Result<(), Refusal> {
        let bci = step.instruction.bci;
        let Some(field) = emitter.static_field(step) else { return Ok(()) };
        let Some(value) = self.stored(emitter, step) else {
            let after = Fragment::new().push_int(field, emitter.pool)?;
            let after = emitter.probe(after, &INVALIDATE_STATIC)?;
            emitter.edit.after(bci, after);
            return Ok(());
        };
        let held = emitter.top_reference(step)?;
        let after = emitter.push(Fragment::new().load_reference(held.local), value)?;
        let after = after.push_int(field, emitter.pool)?;
        let after = self.push_number(emitter, after, node)?;
        let after = emitter.probe(after, &probes::STORED_STATIC)?;
        emitter.edit.after(bci, held.forget(after));
        Ok(())
    }

    /// A store in an array.
    fn store_null_element(
        &self,
        emitter: &mut Emitter<'_, '_>,
        step: &Step<'_>,
        node: u32,
    ) -> Result<(), Refusal> {
        let bci = step.instruction.bci;
        let Some(value) = self.stored(emitter, step) else { return Ok(()) };
        let any = emitter.any_object()?;
        let held = emitter.spill(any, 0);
        let fragment = Fragment::new().store_reference(held).dup2().load_reference(held);
        let fragment = emitter.push(fragment, value)?;
        let fragment = self.push_number(emitter, fragment, node)?;
        let fragment = emitter.probe(fragment, &probes::STORED_ELEMENT)?;
        emitter.edit.before(bci, forget(fragment.load_reference(held), &[held]));
        Ok(())
    }

    fn copy_nulls(
        &self,
        emitter: &mut Emitter<'_, '_>,
        bci: u32,
        node: Option<u32>,
    ) -> Result<(), Refusal> {
        let Some(node) = node else { return Ok(()) };
        let (after, arrays) = emitter.keep_array_copy(bci)?;
        let after = self.push_number(emitter, after, node)?;
        let after = emitter.probe(after, &probes::COPIED)?;
        emitter.edit.after(bci, forget(after, &arrays));
        Ok(())
    }

    fn clone_nulls(
        &self,
        emitter: &mut Emitter<'_, '_>,
        bci: u32,
        node: Option<u32>,
    ) -> Result<(), Refusal> {
        let Some(node) = node else { return Ok(()) };
        let any = emitter.any_object()?;
        let from = emitter.spill(any, 0);
        emitter.edit.before(bci, Fragment::new().dup().store_reference(from));
        let after = Fragment::new().dup().load_reference(from).swap();
        let after = self.push_number(emitter, after, node)?;
        let after = emitter.probe(after, &probes::CLONED)?;
        emitter.edit.after(bci, forget(after, &[from]));
        Ok(())
    }
}
