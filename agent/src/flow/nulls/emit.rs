//! Writes the code that sees nulls in the heap, and where they are met.

use classfile::ssa::{ValueId, ValueSet};
use classfile::{Fragment, Local, LocalType, Refusal, descriptor, opcode};
use profile::null_records::NullInstructionKind;

use super::nodes::{NullNodes, descriptor_of};
use super::probes;
use crate::flow::calls::Call;
use crate::flow::domain::{Shadow, Step, Use};
use crate::flow::emit::spills::local_type;
use crate::flow::emit::{Emitter, forget, object};
use crate::flow::holders::Holders;
use crate::flow::last_writers::{self, Way};
use crate::flow::places::Places;
use crate::flow::replaced::REPLACED_STATIC;
use crate::flow::shadows::Shadows;
use crate::flow::stack::NO_ARGUMENTS;
use crate::flow::subject::Subject;

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
        let wanted = subject.values.demanded_by(shadows.wishes.iter().map(|wish| wish.value));
        // Behind the first of a block that did not throw, a value is not null.
        let mut last_block = vec![None; subject.values.len()];
        let mut meetings = Vec::new();
        for wish in shadows.wishes.iter().filter(|wish| wish.wants == Use::Consumed) {
            let block = subject.flow.block_of(wish.bci);
            let last = &mut last_block[wish.value.index()];
            if block.is_none() || *last != block {
                *last = block;
                meetings.push(wish.bci);
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
    way: Way,
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

impl Emitter<'_, '_> {
    /// Writes what an instruction needs.
    pub(in crate::flow) fn follow_nulls(
        &mut self,
        code: &NullCode<'_>,
        step: &Step<'_>,
        made: Option<ValueId>,
        places: &Places,
        holders: &Holders<'_>,
    ) -> Result<(), Refusal> {
        let bci = step.instruction.bci;
        if code.meetings.binary_search(&bci).is_ok() {
            self.meet(code, step, places, holders)?;
        }
        // The other one would put its locals to other uses in between.
        self.replace(&step.instruction)?;
        let is_wanted = made.is_some_and(|made| code.wanted.contains(made));
        let node = |kind| code.nodes.node(bci, kind);
        match (step.instruction.opcode, step.call) {
            (_, Some(Call::CopiesArray)) => self.copy_nulls(bci, node(NullInstructionKind::Store)),
            (_, Some(Call::Clones)) => self.clone_nulls(bci, node(NullInstructionKind::Store)),
            (_, Some(Call::Accesses(_)) | Some(Call::Ignores)) => Ok(()),
            (_, Some(Call::Consumes { calls_back: true } | Call::Concatenates)) => {
                let fragment = self.call(Fragment::new(), &NO_ARGUMENTS)?;
                self.edit.before(bci, fragment);
                Ok(())
            }
            (_, Some(Call::Consumes { .. })) => Ok(()),
            (_, Some(Call::Tracked { callee })) => {
                self.pass_nulls(code, step, 0, callee, places)?;
                self.take_null_result(code, step, made, places)
            }
            // The first argument of a constructor is the object.
            (_, Some(Call::Captures { callee })) => self.pass_nulls(code, step, 1, callee, places),
            (opcode::ARETURN, _) => self.return_null(code, step, places),
            (opcode, None) => {
                if let Some(load) = node(NullInstructionKind::Load).filter(|_| is_wanted) {
                    return self.load_null(step, load, holders);
                }
                match node(NullInstructionKind::Store) {
                    Some(store) if opcode == opcode::PUTFIELD => {
                        self.store_null(step, store, places, holders)
                    }
                    Some(store) if opcode == opcode::PUTSTATIC => {
                        self.store_static_null(step, store, places, holders)
                    }
                    Some(store) => self.store_null_element(step, store, places),
                    None => Ok(()),
                }
            }
        }
    }

    /// Pushes a number of a node or a field.
    fn push_number(&mut self, fragment: Fragment, number: u32) -> Result<Fragment, Refusal> {
        // All are below 2^31.
        fragment.push_int(number as i32, self.pool)
    }

    /// Looks at the object that an instruction needs, before the JVM does.
    fn meet(
        &mut self,
        code: &NullCode<'_>,
        step: &Step<'_>,
        places: &Places,
        holders: &Holders<'_>,
    ) -> Result<(), Refusal> {
        let bci = step.instruction.bci;
        let Some(&base) = step.operands.first() else { return Ok(()) };
        let Some(node) = code.nodes.node(bci, NullInstructionKind::Dereference) else {
            return Ok(());
        };
        let any = self.any_object()?;
        let mut fragment = Fragment::new();
        let mut aside: Vec<Local> = Vec::new();
        if let Some(local) = holders.of(base) {
            fragment = fragment.load_reference(object(local));
        } else {
            let kinds = above(self.subject, step, any);
            let is_wide = |kind: &LocalType| kind.words() == 2;
            if kinds.len() == 1 && !kinds.iter().any(is_wide) {
                fragment = fragment.dup2().pop();
            } else {
                aside = self.spills.get_all(&kinds, self.edit);
                for &local in aside.iter().rev() {
                    fragment = fragment.store(local);
                }
                fragment = fragment.dup();
            }
        }
        fragment = self.push(fragment, base, places)?;
        fragment = self.push_number(fragment, node)?;
        fragment = self.call(fragment, &probes::MET)?;
        for &local in &aside {
            fragment = fragment.load(local);
        }
        aside.retain(|local| local.kind() == any);
        self.edit.before(bci, forget(fragment, &aside));
        Ok(())
    }

    /// The last writer of the field that an instruction names.
    fn last_writer(&mut self, step: &Step<'_>) -> Result<Option<LastWriter>, Refusal> {
        let pool = self.subject.code.constant_pool();
        let named = step.instruction.pool_index().and_then(|index| pool.member_ref(index).ok());
        let Some(named) = named else { return Ok(None) };
        let way = self.way_to_last_writer(named);
        if way == Way::None {
            return Ok(None);
        }
        let name = last_writers::name(named.name, named.descriptor);
        let class = self.pool.class(named.owner)?;
        Ok(Some(LastWriter { class, field: self.pool.fieldref(named.owner, &name, b"I")?, way }))
    }

    fn load_null(
        &mut self,
        step: &Step<'_>,
        node: u32,
        holders: &Holders<'_>,
    ) -> Result<(), Refusal> {
        let bci = step.instruction.bci;
        let (fragment, probe) = match step.instruction.opcode {
            opcode::GETSTATIC => {
                let Some(field) = self.static_field(step) else { return Ok(()) };
                (Fragment::new().dup().push_int(field, self.pool)?, &probes::LOADED_STATIC)
            }
            opcode::GETFIELD => {
                let Some(writer) = self.last_writer(step)? else { return Ok(()) };
                let owner = self.top_reference(step, holders)?;
                let fragment = Fragment::new().dup().load_reference(owner.local);
                let fragment = fragment.checkcast(writer.class);
                let fragment = self.push_number(fragment.getfield(writer.field, 1), node)?;
                let fragment = self.call(fragment, &probes::LOADED)?;
                self.after_access(bci, writer.way, fragment)?;
                self.forget_after(bci, owner.spilled().as_slice());
                return Ok(());
            }
            _ => {
                let fragment = self.push_number(Fragment::new().dup2(), node)?;
                let fragment = self.call(fragment, &probes::LOADED_ELEMENT)?;
                self.edit.before(bci, fragment);
                return Ok(());
            }
        };
        let fragment = self.push_number(fragment, node)?;
        let fragment = self.call(fragment, probe)?;
        self.edit.after(bci, fragment);
        Ok(())
    }

    /// The value that an instruction stores; `None` if it is never null.
    fn stored(&self, step: &Step<'_>) -> Option<ValueId> {
        let wishes = self.shadows.wishes_at(step.instruction.bci);
        let wish = wishes.iter().find(|wish| wish.wants == Use::Stored)?;
        (self.shadows.of(wish.value) != Shadow::NONE).then_some(wish.value)
    }

    /// A store in a field of an object.
    fn store_null(
        &mut self,
        step: &Step<'_>,
        node: u32,
        places: &Places,
        holders: &Holders<'_>,
    ) -> Result<(), Refusal> {
        let bci = step.instruction.bci;
        let Some(writer) = self.last_writer(step)? else { return Ok(()) };
        let Some(&base) = step.operands.first() else { return Ok(()) };
        let any = self.any_object()?;
        let mut spilled = Vec::new();
        let mut before = Fragment::new();
        let owner = match holders.of(base) {
            Some(local) => object(local),
            None => {
                let local = self.spill(any, 0);
                before = before.dup2().pop().store_reference(local);
                spilled.push(local);
                local
            }
        };
        let mut after = Fragment::new().load_reference(owner);
        // Before it is initialised, an object has the class of the method.
        if !self.subject.is_uninitialised(base, bci) {
            after = after.checkcast(writer.class);
        }
        if let Some(value) = self.stored(step) {
            let held = match holders.of(value) {
                Some(local) => object(local),
                None => {
                    // The first one may be the owner's.
                    self.spill(any, 0);
                    let local = self.spill(any, 1);
                    before = before.dup().store_reference(local);
                    spilled.push(local);
                    local
                }
            };
            after = self.push(after.load_reference(held), value, places)?;
            after = self.push_number(after, node)?;
            after = self.call(after, &probes::STORED)?;
        } else {
            after = after.simple(opcode::ICONST_0);
        }
        if before.peak() > 0 {
            self.edit.before(bci, before);
        }
        self.after_access(bci, writer.way, after.putfield(writer.field, 1))?;
        self.forget_after(bci, &spilled);
        Ok(())
    }

    /// A store in a static field. What is written comes behind it, because only by
    /// then the JVM knows the field.
    fn store_static_null(
        &mut self,
        step: &Step<'_>,
        node: u32,
        places: &Places,
        holders: &Holders<'_>,
    ) -> Result<(), Refusal> {
        let bci = step.instruction.bci;
        let Some(field) = self.static_field(step) else { return Ok(()) };
        let Some(value) = self.stored(step) else {
            let after = Fragment::new().push_int(field, self.pool)?;
            let after = self.call(after, &REPLACED_STATIC)?;
            self.edit.after(bci, after);
            return Ok(());
        };
        let held = self.top_reference(step, holders)?;
        let after = self.push(Fragment::new().load_reference(held.local), value, places)?;
        let after = after.push_int(field, self.pool)?;
        let after = self.push_number(after, node)?;
        let after = self.call(after, &probes::STORED_STATIC)?;
        self.edit.after(bci, held.forget(after));
        Ok(())
    }

    /// A store in an array.
    fn store_null_element(
        &mut self,
        step: &Step<'_>,
        node: u32,
        places: &Places,
    ) -> Result<(), Refusal> {
        let bci = step.instruction.bci;
        let Some(value) = self.stored(step) else { return Ok(()) };
        let any = self.any_object()?;
        let held = self.spill(any, 0);
        let fragment = Fragment::new().store_reference(held).dup2().load_reference(held);
        let fragment = self.push(fragment, value, places)?;
        let fragment = self.push_number(fragment, node)?;
        let fragment = self.call(fragment, &probes::STORED_ELEMENT)?;
        self.edit.before(bci, forget(fragment.load_reference(held), &[held]));
        Ok(())
    }

    fn copy_nulls(&mut self, bci: u32, node: Option<u32>) -> Result<(), Refusal> {
        let Some(node) = node else { return Ok(()) };
        let (after, arrays) = self.keep_array_copy(bci)?;
        let after = self.push_number(after, node)?;
        let after = self.call(after, &probes::COPIED)?;
        self.edit.after(bci, forget(after, &arrays));
        Ok(())
    }

    fn clone_nulls(&mut self, bci: u32, node: Option<u32>) -> Result<(), Refusal> {
        let Some(node) = node else { return Ok(()) };
        let any = self.any_object()?;
        let from = self.spill(any, 0);
        self.edit.before(bci, Fragment::new().dup().store_reference(from));
        let after = Fragment::new().dup().load_reference(from).swap();
        let after = self.push_number(after, node)?;
        let after = self.call(after, &probes::CLONED)?;
        self.edit.after(bci, forget(after, &[from]));
        Ok(())
    }
}
