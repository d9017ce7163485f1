//! Code that tells of iterations, reads and writes.

use classfile::{
    Code, CodeEdit, Fragment, Instruction, Local, LocalType, PoolExtension, Refusal, descriptor,
    opcode,
};

use super::effects::Effects;
use super::given::{Given, GivenLocal};
use super::probes;
use super::roles::Roles;
use super::structure::{LoopStructure, StaticLoop};
use crate::probe::Access;
use crate::probe::members::ProbeMethod;

/// What an instruction does that probes report.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Action {
    /// It reads a field.
    ReadField,
    /// It reads an element.
    ReadElement,
    /// It calls `System.arraycopy`.
    CopyArray,
    /// It clones an array.
    CloneArray,
    /// It writes a field.
    WriteField,
    /// It writes an element.
    WriteElement,
}

impl Action {
    /// What an instruction does.
    pub fn of(code: &Code<'_>, instruction: &Instruction<'_>) -> Option<Self> {
        let named =
            || instruction.pool_index().and_then(|at| code.constant_pool().member_ref(at).ok());
        match instruction.opcode {
            opcode::GETFIELD => Some(Self::ReadField),
            opcode::PUTFIELD => Some(Self::WriteField),
            opcode::IALOAD..=opcode::SALOAD => Some(Self::ReadElement),
            opcode::IASTORE..=opcode::SASTORE => Some(Self::WriteElement),
            opcode::INVOKESTATIC => named()
                .filter(|named| (named.owner, named.name) == (b"java/lang/System", b"arraycopy"))
                .map(|_| Self::CopyArray),
            opcode::INVOKEVIRTUAL => named()
                .filter(|named| named.owner.starts_with(b"[") && named.name == b"clone")
                .map(|_| Self::CloneArray),
            _ => None,
        }
    }

    /// Whether it reads, and so has a number.
    pub fn reads(self) -> bool {
        !matches!(self, Self::WriteField | Self::WriteElement)
    }
}

/// Numbers of what a method has.
#[derive(Debug, Clone, Copy)]
pub struct Numbers {
    /// Of its first loop; behind the loops follows the method, if it counts as one.
    pub first_loop: u32,
    /// Of the first instruction that reads; `None` if it tells of none.
    pub first_read: Option<u32>,
}

/// What of a method is told, beside what it reads and writes.
#[derive(Debug, Clone, Copy)]
pub struct Told<'l> {
    /// Its loops.
    pub(super) structure: &'l LoopStructure,
    /// What they do, and what is captured.
    pub(super) roles: &'l Roles,
    /// What has an effect on loops, if that is told.
    pub(super) effects: Option<&'l Effects>,
}

/// Writes the probes of one method.
#[derive(Debug)]
pub struct LoopCode<'l, 'c> {
    /// The method's code.
    pub code: &'l Code<'c>,
    /// What of it is told.
    pub told: Told<'l>,
    /// Their numbers, and those of its reads.
    pub numbers: Numbers,
    /// The local with the node.
    pub node: Option<Local>,
    /// The local with the depth at which it was entered, if it has loops.
    pub base: Option<Local>,
    /// How it reaches the probes.
    pub access: Access,
    /// The probes go here.
    pub edit: &'l mut CodeEdit,
    /// Constants go here.
    pub pool: &'l mut PoolExtension,
}

impl LoopCode<'_, '_> {
    /// Adds all probes. `field` gives the number of a field with this name and
    /// descriptor.
    ///
    /// # Errors
    /// When the method cannot be edited.
    pub fn insert(&mut self, mut field: impl FnMut(&[u8], &[u8]) -> u32) -> Result<(), Refusal> {
        self.loops()?;
        self.captured()?;
        self.effects()?;
        let code = self.code;
        let initialisation = code.initialisation();
        let mut pending = Vec::new();
        let tells = self.numbers.first_read.is_some();
        let mut read = self.numbers.first_read.unwrap_or(0);
        for instruction in code.instructions() {
            let Some(action) = Action::of(code, &instruction) else { continue };
            let number = read;
            read += u32::from(action.reads());
            let named = || {
                let index = instruction.pool_index()?;
                code.constant_pool().member_ref(index).ok()
            };
            let bci = instruction.bci;
            match action {
                Action::ReadField => {
                    if let (Some(named), Some(node), true) = (named(), self.node, tells) {
                        let field = field(named.name, named.descriptor);
                        self.read_field(bci, named.descriptor, (field, number), node)?;
                    }
                }
                Action::ReadElement => {
                    if let Some(node) = self.node.filter(|_| tells) {
                        self.read_element(&instruction, number, node)?;
                    }
                }
                Action::CopyArray => {
                    let read = self.node.filter(|_| tells).map(|node| (number, node));
                    self.copy_array(bci, read)?;
                }
                Action::CloneArray => {
                    let read = self.node.filter(|_| tells).map(|node| (number, node));
                    self.clone_array(bci, read)?;
                }
                Action::WriteField => {
                    let Some(named) = named() else { continue };
                    let field = field(named.name, named.descriptor);
                    // Before it is initialised, a constructor may write fields of `this`.
                    let is_early = initialisation.before.iter().any(|range| range.contains(&bci));
                    let is_of_class = named.owner == code.method().class().this_class();
                    if is_early && is_of_class {
                        pending.push((bci, field));
                    } else {
                        let is_wide = descriptor::words(named.descriptor) == 2;
                        let has_own =
                            self.told.effects.is_some_and(|effects| effects.has_own_writes);
                        let is_own = has_own && is_of_class && !is_early;
                        self.write_field(bci, is_wide, field, is_own)?;
                    }
                }
                Action::WriteElement => self.write_element(&instruction)?,
            }
        }
        for &call in &initialisation.calls {
            for &(_, field) in pending.iter().filter(|&&(bci, _)| bci < call) {
                let fragment = Fragment::new().simple(opcode::ALOAD_0);
                let fragment = fragment.push_int(field as i32, self.pool)?;
                let fragment = self.call_written(fragment, self.told.effects.is_some())?;
                self.edit.after(call, fragment);
            }
        }
        Ok(())
    }

    fn call(&mut self, fragment: Fragment, probe: &ProbeMethod) -> Result<Fragment, Refusal> {
        self.access.call(fragment, probe, self.pool)
    }

    fn loops(&mut self) -> Result<(), Refusal> {
        let (Some(base), Some(node)) = (self.base, self.node) else { return Ok(()) };
        if self.told.structure.has_method {
            let number = self.numbers.first_loop + self.told.structure.loops.len() as u32;
            let fragment = Fragment::new().load_int(base).simple(opcode::ICONST_0);
            let fragment = fragment.push_int(number as i32, self.pool)?.load_long(node);
            let fragment = self.access.call(fragment, &probes::ITERATION, self.pool)?;
            self.edit.at_entry(fragment);
        }
        let told = self.told;
        let loops = told.structure.loops.iter().zip(&told.roles.loops);
        for (number, (one, role)) in (self.numbers.first_loop..).zip(loops) {
            if let Some(given) = &role.given {
                self.given(one, given, base)?;
            }
            let fragment = Fragment::new().load_int(base);
            let fragment = fragment.push_int(one.around as i32, self.pool)?;
            let fragment = fragment.push_int(number as i32, self.pool)?.load_long(node);
            // Where effects are told, somebody asks for the number of iterations.
            let is_leaf = one.is_leaf && self.told.effects.is_none();
            let probe = if is_leaf { &probes::LEAF_ITERATION } else { &probes::ITERATION };
            let fragment = self.access.call(fragment, probe, self.pool)?;
            self.edit.before(one.header, fragment);
        }
        for exit in &self.told.structure.exits {
            let fragment = Fragment::new().load_int(base);
            let fragment = fragment.push_int(exit.around as i32, self.pool)?;
            let fragment = self.access.call(fragment, &probes::LEFT, self.pool)?;
            self.edit.before(exit.bci, fragment);
        }
        Ok(())
    }

    /// Tells what a loop is given, where it is entered.
    fn given(&mut self, one: &StaticLoop, given: &Given, base: Local) -> Result<(), Refusal> {
        for &local in &given.locals {
            let fragment = self.load(local)?.load_int(base);
            let fragment = fragment.push_int(one.around as i32, self.pool)?.simple(opcode::IADD);
            let fragment = self.call_given(fragment, local)?;
            match given.behind {
                Some(bci) => self.edit.after(bci, fragment),
                None => self.edit.before(one.header, fragment),
            }
        }
        Ok(())
    }

    /// Tells what is captured.
    fn captured(&mut self) -> Result<(), Refusal> {
        for &(bci, ref locals) in &self.told.roles.captured {
            for &local in locals {
                let fragment = self.load(local)?.simple(opcode::ICONST_M1);
                let fragment = self.call_given(fragment, local)?;
                self.edit.before(bci, fragment);
            }
        }
        Ok(())
    }

    fn load(&mut self, local: GivenLocal) -> Result<Fragment, Refusal> {
        let kind = match local.load {
            opcode::ILOAD => LocalType::Int,
            opcode::LLOAD => LocalType::Long,
            opcode::FLOAD => LocalType::Float,
            opcode::DLOAD => LocalType::Double,
            _ => LocalType::Object(self.pool.class(b"java/lang/Object")?),
        };
        Ok(Fragment::new().load(Local::existing(local.slot, kind)))
    }

    /// The value lies on the stack with the loops around.
    fn call_given(&mut self, fragment: Fragment, local: GivenLocal) -> Result<Fragment, Refusal> {
        let probe = match local.load {
            opcode::ILOAD => &probes::GIVEN_INT,
            opcode::LLOAD => &probes::GIVEN_LONG,
            opcode::FLOAD => &probes::GIVEN_FLOAT,
            opcode::DLOAD => &probes::GIVEN_DOUBLE,
            _ => &probes::GIVEN_REFERENCE,
        };
        let fragment = fragment.push_int(local.slot.into(), self.pool)?;
        self.call(fragment, probe)
    }

    fn read_field(
        &mut self,
        bci: u32,
        type_: &[u8],
        (field, number): (u32, u32),
        node: Local,
    ) -> Result<(), Refusal> {
        self.edit.before(bci, Fragment::new().dup());
        let (fragment, probe) = match type_.first() {
            Some(b'J') => (opcode::DUP2_X1, &probes::READ_FIELD_LONG),
            Some(b'D') => (opcode::DUP2_X1, &probes::READ_FIELD_DOUBLE),
            Some(b'F') => (opcode::DUP_X1, &probes::READ_FIELD_FLOAT),
            Some(b'L' | b'[') => (opcode::DUP_X1, &probes::READ_FIELD_REFERENCE),
            _ => (opcode::DUP_X1, &probes::READ_FIELD_INT),
        };
        // The owner lies on the stack beside.
        let fragment = Fragment::new().raw(&[], 1).simple(fragment);
        let fragment = fragment.push_int(field as i32, self.pool)?;
        let fragment = fragment.push_int(number as i32, self.pool)?.load_long(node);
        let fragment = self.call(fragment, probe)?;
        self.edit.after(bci, fragment);
        Ok(())
    }

    fn read_element(
        &mut self,
        instruction: &Instruction<'_>,
        number: u32,
        node: Local,
    ) -> Result<(), Refusal> {
        self.edit.before(instruction.bci, Fragment::new().dup2());
        let (fragment, probe) = match instruction.opcode {
            opcode::LALOAD => (opcode::DUP2_X2, &probes::READ_ELEMENT_LONG),
            opcode::DALOAD => (opcode::DUP2_X2, &probes::READ_ELEMENT_DOUBLE),
            opcode::FALOAD => (opcode::DUP_X2, &probes::READ_ELEMENT_FLOAT),
            opcode::AALOAD => (opcode::DUP_X2, &probes::READ_ELEMENT_REFERENCE),
            _ => (opcode::DUP_X2, &probes::READ_ELEMENT_INT),
        };
        // So do the array and the index.
        let fragment = Fragment::new().raw(&[], 2).simple(fragment);
        let fragment = fragment.push_int(number as i32, self.pool)?.load_long(node);
        let fragment = self.call(fragment, probe)?;
        self.edit.after(instruction.bci, fragment);
        Ok(())
    }

    /// Reports effects other than writes.
    fn effects(&mut self) -> Result<(), Refusal> {
        let Some(effects) = self.told.effects else { return Ok(()) };
        for &bci in &effects.at {
            let fragment = self.call(Fragment::new(), &probes::EFFECT)?;
            self.edit.before(bci, fragment);
        }
        for local in &effects.locals {
            let fragment = self.local_effect(local.around)?;
            self.edit.after(local.bci, fragment);
        }
        Ok(())
    }

    /// An effect for the loops of this method around which there are at least so many.
    fn local_effect(&mut self, around: u32) -> Result<Fragment, Refusal> {
        let Some(base) = self.base else { return Ok(Fragment::new()) };
        let around = around + u32::from(self.told.structure.has_method);
        let fragment = Fragment::new().load_int(base).push_int(around as i32, self.pool)?;
        self.call(fragment, &probes::LOCAL_EFFECT)
    }

    /// Tells of a write; the object and the number of the field lie on the stack.
    fn call_written(&mut self, fragment: Fragment, is_own: bool) -> Result<Fragment, Refusal> {
        if !is_own {
            return self.call(fragment, &probes::WRITTEN);
        }
        self.call(fragment.simple(opcode::ALOAD_0), &probes::WRITTEN_OF)
    }

    fn write_field(
        &mut self,
        bci: u32,
        is_wide: bool,
        field: u32,
        is_own: bool,
    ) -> Result<(), Refusal> {
        let fragment = match is_wide {
            true => Fragment::new().simple(opcode::DUP2_X1).pop2().simple(opcode::DUP_X2),
            false => Fragment::new().dup2().pop(),
        };
        let fragment = fragment.push_int(field as i32, self.pool)?;
        let fragment = self.call_written(fragment, is_own)?;
        self.edit.before(bci, fragment);
        if is_own {
            // The method's own loops are no older than the object, or go on with it.
            let effect = self.local_effect(0)?;
            self.edit.before(bci, effect);
        }
        Ok(())
    }

    fn write_element(&mut self, instruction: &Instruction<'_>) -> Result<(), Refusal> {
        let fragment = match instruction.opcode {
            opcode::LASTORE | opcode::DASTORE => {
                let aside = Fragment::new().simple(opcode::DUP2_X2).pop2();
                aside.simple(opcode::DUP2_X2)
            }
            _ => Fragment::new().simple(opcode::DUP_X2).pop().simple(opcode::DUP2_X1),
        };
        let fragment = self.call(fragment, &probes::WRITTEN)?;
        self.edit.before(instruction.bci, fragment);
        Ok(())
    }

    /// The number of an instruction that reads, and the node; 0 and none where that is not
    /// told.
    fn push_read(
        &mut self,
        fragment: Fragment,
        read: Option<(u32, Local)>,
    ) -> Result<Fragment, Refusal> {
        match read {
            Some((number, node)) => {
                Ok(fragment.push_int(number as i32, self.pool)?.load_long(node))
            }
            None => Ok(fragment.simple(opcode::ICONST_0).simple(opcode::LCONST_0)),
        }
    }

    /// What is copied over itself must be read before.
    fn copy_array(&mut self, bci: u32, read: Option<(u32, Local)>) -> Result<(), Refusal> {
        let object = LocalType::Object(self.pool.class(b"java/lang/Object")?);
        let mut local = |kind: LocalType| {
            let local = self.edit.new_local(kind);
            let fragment = Fragment::new();
            let fragment = match kind {
                LocalType::Int => fragment.simple(opcode::ICONST_0),
                _ => fragment.push_null(),
            };
            self.edit.at_entry(fragment.store(local));
            local
        };
        let (from, to) = (local(object), local(object));
        let [start, place, length] = [LocalType::Int; 3].map(&mut local);
        let aside = Fragment::new().store_int(length).store_int(place).store_reference(to);
        let aside = aside.store_int(start).store_reference(from);
        let again = |fragment: Fragment| {
            let fragment = fragment.load_reference(from).load_int(start);
            fragment.load_reference(to).load_int(place).load_int(length)
        };
        let fragment = self.push_read(again(aside), read)?;
        let fragment = again(self.call(fragment, &probes::COPIED)?);
        // Objects are not kept longer than the program itself does.
        let fragment = fragment.push_null().store_reference(from);
        self.edit.before(bci, fragment.push_null().store_reference(to));
        Ok(())
    }

    fn clone_array(&mut self, bci: u32, read: Option<(u32, Local)>) -> Result<(), Refusal> {
        if read.is_some() {
            let fragment = self.push_read(Fragment::new().dup(), read)?;
            let fragment = self.call(fragment, &probes::CLONES)?;
            self.edit.before(bci, fragment);
        }
        let fragment = self.call(Fragment::new().dup(), &probes::CLONED)?;
        self.edit.after(bci, fragment);
        Ok(())
    }
}
