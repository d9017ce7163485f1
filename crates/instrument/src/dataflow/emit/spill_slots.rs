//! Spill slots: locals for operands that are taken off the stack for a moment.
//!
//! A handler that covers two instructions finds a slot that both use with either's operand.
//! Where the verifier infers types, because the class file is old, it then loads the classes
//! of both, to find what they have in common. The program may never load them, and need not
//! have them. So there each instruction has slots for references of its own.

use classfile::{Code, CodeEdit, Fragment, JointHandlers, Local, LocalType, opcode};

/// The spill slots of one method. Each is used by many instructions.
#[derive(Debug)]
pub struct SpillSlots {
    locals: Vec<Local>,
    /// Those for references are used by one instruction each.
    are_apart: bool,
}

impl SpillSlots {
    /// None so far, for a method with this code.
    pub fn of(code: &Code<'_>) -> Self {
        Self { locals: Vec::new(), are_apart: !JointHandlers::are_given(code) }
    }

    /// What is asked for from now on is for another instruction.
    pub fn next_instruction(&mut self) {
        if self.are_apart {
            self.locals.retain(|local| !matches!(local.kind(), LocalType::Object(_)));
        }
    }

    /// The first, second and so on of a type.
    pub fn get(&mut self, kind: LocalType, number: usize, edit: &mut CodeEdit) -> Local {
        loop {
            let known = self.locals.iter().filter(|local| local.kind() == kind).nth(number);
            match known {
                Some(&known) => return known,
                // The second one may be asked for first.
                None => self.add(kind, edit),
            }
        }
    }

    /// One for each of these types, in this order.
    pub fn get_all(&mut self, kinds: &[LocalType], edit: &mut CodeEdit) -> Vec<Local> {
        let before =
            |at: usize| kinds[..at].iter().filter(|&&earlier| earlier == kinds[at]).count();
        (0..kinds.len()).map(|at| self.get(kinds[at], before(at), edit)).collect()
    }

    fn add(&mut self, kind: LocalType, edit: &mut CodeEdit) {
        let local = edit.new_local(kind);
        let zero = match kind {
            LocalType::Int => opcode::ICONST_0,
            LocalType::Long => opcode::LCONST_0,
            LocalType::Float => opcode::FCONST_0,
            LocalType::Double => opcode::DCONST_0,
            LocalType::Null | LocalType::Object(_) => opcode::ACONST_NULL,
        };
        edit.at_entry(Fragment::new().simple(zero).store(local));
        self.locals.push(local);
    }
}

/// The type of a local for a value with this descriptor; `any` for references.
pub fn local_type(descriptor: &[u8], any: LocalType) -> LocalType {
    match descriptor.first() {
        Some(b'J') => LocalType::Long,
        Some(b'F') => LocalType::Float,
        Some(b'D') => LocalType::Double,
        Some(b'L' | b'[') => any,
        _ => LocalType::Int,
    }
}
