//! Code that tells of calls on objects, of what they return, and of objects that are made
//! or obtained.

use classfile::{
    Code, CodeEdit, Fragment, Instruction as Bytecode, Local, LocalType, MemberRef, PoolExtension,
    Refusal, descriptor, opcode,
};

use super::has_name_of_jdk;
use super::hierarchy::{Hierarchy, Kinship};
use super::histories::{Instruction, What};
use super::probes;
use super::tables::TypestateTables;
use crate::dataflow::objects::tags::receiver::loses_this;
use crate::dataflow::protocols::protocol::{Asked, Outcome};
use crate::probe::Access;

/// Writes the probes of one method.
pub struct TypestateCode<'t, 'c> {
    /// The method's code.
    pub code: &'t Code<'c>,
    /// Its number.
    pub method: u32,
    /// Whether objects that it makes and obtains have their sites in it.
    pub has_sites: bool,
    /// Where what it tells is kept.
    pub tables: &'t TypestateTables,
    /// What is known of classes.
    pub hierarchy: &'t Hierarchy,
    /// How it reaches the probes.
    pub access: Access,
    /// The probes go here.
    pub edit: &'t mut CodeEdit,
    /// Constants go here.
    pub pool: &'t mut PoolExtension,
}

impl TypestateCode<'_, '_> {
    /// Adds all probes.
    ///
    /// # Errors
    /// When the method cannot be edited.
    pub fn insert(&mut self) -> Result<(), Refusal> {
        let code = self.code;
        let mut own_reference = None;
        let initialisation = code.initialisation();
        // Objects that wait for their constructor: nested ones come first.
        let mut waiting: Vec<(Bytecode<'_>, &[u8])> = Vec::new();
        for instruction in code.instructions() {
            if instruction.opcode == opcode::NEW {
                let class = instruction.pool_index().map(|at| code.constant_pool().class_name(at));
                if let Some(Ok(class)) = class {
                    waiting.push((instruction, class));
                }
                continue;
            }
            let Some(callee) = callee(code, &instruction) else { continue };
            if callee.name == b"<init>" {
                let at = waiting.iter().rposition(|&(_, class)| class == callee.owner);
                if let Some((new, class)) = at.map(|at| waiting.remove(at)) {
                    self.makes(&new, class, instruction.bci)?;
                }
                continue;
            }
            self.obtains(instruction.bci, callee.descriptor)?;
            let asked = self.tables.asked(callee.name);
            let is_static = instruction.opcode == opcode::INVOKESTATIC;
            if is_static || !(asked.called || asked.returned) || callee.owner.starts_with(b"[") {
                continue;
            }
            // What a method of a superclass is called on is `this`.
            let this_class = code.method().class().this_class();
            if instruction.opcode == opcode::INVOKESPECIAL && callee.owner != this_class {
                continue;
            }
            let own = *own_reference.get_or_insert_with(|| self.own_reference());
            let is_early = initialisation.before.iter().any(|r| r.contains(&instruction.bci));
            self.calls(&instruction, &callee, asked, own.filter(|_| !is_early))?;
        }
        Ok(())
    }

    /// The local with `this`, if there is one throughout the method.
    fn own_reference(&self) -> Option<Local> {
        let code = self.code;
        let has_own = !code.method().is_static() && !loses_this(code);
        // As in `LocalType::Object` of any class: it is only pushed.
        has_own.then(|| Local::existing(0, LocalType::Null))
    }

    fn event(&self, bci: u32, what: What) -> Result<u32, Refusal> {
        let line = self.code.line_table().line_of(bci).unwrap_or(0);
        // Positions in code are below 2^16.
        let instruction = Instruction { method: self.method, bci: bci as u16, line, what };
        self.tables.event(instruction).ok_or(Refusal::TableTooLong)
    }

    fn makes(&mut self, new: &Bytecode<'_>, class: &[u8], call: u32) -> Result<(), Refusal> {
        let copies = self.code.instruction_at(new.end()).filter(|next| next.opcode == opcode::DUP);
        let next = copies.and_then(|copy| self.code.instruction_at(copy.end()));
        // The reference lies on the stack behind the call unless somebody takes it away.
        let stays = next.is_some_and(|next| {
            !matches!(next.opcode, opcode::ISTORE..=opcode::ASTORE)
                && !matches!(next.opcode, opcode::ISTORE_0..=opcode::ASTORE_3)
                && !matches!(next.opcode, opcode::POP..=opcode::SWAP)
        });
        if !self.has_sites || !stays || self.hierarchy.kinship(class) == Kinship::Stranger {
            return Ok(());
        }
        let event = self.event(new.bci, What::Makes(class.into()))?;
        self.made(call, event)
    }

    fn obtains(&mut self, bci: u32, descriptor: &[u8]) -> Result<(), Refusal> {
        let returned = descriptor::return_type(descriptor);
        let class = returned.strip_prefix(b"L").and_then(|rest| rest.strip_suffix(b";"));
        let Some(class) = class.filter(|_| self.has_sites) else { return Ok(()) };
        let may_follow = match self.hierarchy.kinship(class) {
            Kinship::Subtype => true,
            Kinship::Stranger => false,
            // What others have made has its site already.
            Kinship::Unknown => has_name_of_jdk(class),
        };
        if !may_follow {
            return Ok(());
        }
        let event = self.event(bci, What::Obtains(class.into()))?;
        self.made(bci, event)
    }

    /// Tells of the object that lies on the stack behind an instruction.
    fn made(&mut self, bci: u32, event: u32) -> Result<(), Refusal> {
        let fragment = Fragment::new().dup().push_int(event as i32, self.pool)?;
        let fragment = self.access.call(fragment, &probes::MADE, self.pool)?;
        self.edit.after(bci, fragment);
        Ok(())
    }

    fn calls(
        &mut self,
        instruction: &Bytecode<'_>,
        callee: &MemberRef<'_>,
        Asked { called, returned }: Asked,
        own: Option<Local>,
    ) -> Result<(), Refusal> {
        let bci = instruction.bci;
        let result = descriptor::return_type(callee.descriptor);
        let is_reference = result.starts_with(b"L") || result.starts_with(b"[");
        let what = What::Calls { name: callee.name.into(), is_reference };
        let event = self.event(bci, what)?;
        let object = LocalType::Object(self.pool.class(b"java/lang/Object")?);
        let receiver = returned.then(|| self.local(object));
        let mut fragment = Fragment::new();
        let mut arguments = Vec::new();
        for type_ in descriptor::parameters(callee.descriptor) {
            let kind = match type_.first() {
                Some(b'J') => LocalType::Long,
                Some(b'F') => LocalType::Float,
                Some(b'D') => LocalType::Double,
                Some(b'L' | b'[') => object,
                _ => LocalType::Int,
            };
            arguments.push(self.local(kind));
        }
        for &argument in arguments.iter().rev() {
            fragment = fragment.store(argument);
        }
        if let Some(receiver) = receiver {
            fragment = fragment.dup().store_reference(receiver);
        }
        if called {
            fragment = push_own(fragment.dup(), own).push_int(event as i32, self.pool)?;
            fragment = self.access.call(fragment, &probes::CALLED, self.pool)?;
        }
        for &argument in &arguments {
            fragment = fragment.load(argument);
            if argument.kind() == object {
                fragment = fragment.push_null().store_reference(argument);
            }
        }
        self.edit.before(bci, fragment);
        let Some(receiver) = receiver else { return Ok(()) };
        let (fragment, probe, event) = match result.first() {
            _ if is_reference => (Fragment::new().dup(), &probes::RETURNED_REFERENCE, event),
            Some(b'Z' | b'B' | b'C' | b'S' | b'I') => {
                (Fragment::new().dup(), &probes::RETURNED_INT, event)
            }
            _ => (Fragment::new(), &probes::CALLED, event + Outcome::Returned as u32),
        };
        let fragment = push_own(fragment.load_reference(receiver), own);
        let fragment = fragment.push_int(event as i32, self.pool)?;
        let fragment = self.access.call(fragment, probe, self.pool)?;
        // Objects are not kept longer than the program itself does.
        self.edit.after(bci, fragment.push_null().store_reference(receiver));
        Ok(())
    }

    /// A local that holds nothing where the method begins.
    fn local(&mut self, kind: LocalType) -> Local {
        let local = self.edit.new_local(kind);
        let fragment = Fragment::new();
        let fragment = match kind {
            LocalType::Int => fragment.simple(opcode::ICONST_0),
            LocalType::Long => fragment.simple(opcode::LCONST_0),
            LocalType::Float => fragment.simple(opcode::FCONST_0),
            LocalType::Double => fragment.simple(opcode::DCONST_0),
            LocalType::Null | LocalType::Object(_) => fragment.push_null(),
        };
        self.edit.at_entry(fragment.store(local));
        local
    }
}

fn push_own(fragment: Fragment, own: Option<Local>) -> Fragment {
    match own {
        Some(own) => fragment.load_reference(own),
        None => fragment.push_null(),
    }
}

/// The method that an instruction calls.
fn callee<'c>(code: &Code<'c>, instruction: &Bytecode<'_>) -> Option<MemberRef<'c>> {
    match instruction.opcode {
        opcode::INVOKEVIRTUAL
        | opcode::INVOKESPECIAL
        | opcode::INVOKESTATIC
        | opcode::INVOKEINTERFACE => {
            code.constant_pool().member_ref(instruction.pool_index()?).ok()
        }
        _ => None,
    }
}
