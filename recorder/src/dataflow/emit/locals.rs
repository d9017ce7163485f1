//! Which local of a method holds a value.

use classfile::opcode;
use classfile::ssa::{Definition, Position, ValueId};

use crate::dataflow::domain::Step;
use crate::dataflow::subject::Subject;

/// What the locals hold at a place in the code, as far as it is known from the
/// same block.
#[derive(Debug)]
pub struct Holders<'a> {
    subject: &'a Subject<'a>,
    held: Vec<Option<ValueId>>,
}

impl<'a> Holders<'a> {
    /// At the start of a method.
    pub fn new(subject: &'a Subject<'a>) -> Self {
        Self { subject, held: vec![None; subject.code.max_locals().into()] }
    }

    /// A local that holds this value.
    pub fn of(&self, value: ValueId) -> Option<u16> {
        self.held.iter().position(|&held| held == Some(value)).map(|local| local as u16)
    }

    /// Comes to an instruction.
    pub fn enter(&mut self, bci: u32) {
        let Some(block) = self.subject.flow.block_starting_at(bci) else { return };
        self.held.fill(None);
        let values = &self.subject.values;
        if bci == 0 {
            for value in values.ids() {
                if let Definition::Parameter(local) = values.definition(value) {
                    self.set(local, Some(value));
                }
            }
        }
        for merge in values.phis_of(block) {
            if let Definition::Phi { position: Position::Local(local), .. } =
                values.definition(merge)
            {
                self.set(local, Some(merge));
            }
        }
    }

    /// Passes an instruction.
    pub fn pass(&mut self, step: &Step<'_>, made: Option<ValueId>) {
        let Some(local) = step.instruction.local() else { return };
        let value = step.operands.first().copied();
        match step.instruction.opcode {
            opcode::IINC => self.set(local, made),
            opcode::ILOAD..=opcode::ALOAD_3 => self.set(local, value),
            opcode::LSTORE
            | opcode::DSTORE
            | opcode::LSTORE_0..=opcode::LSTORE_3
            | opcode::DSTORE_0..=opcode::DSTORE_3 => {
                self.set(local, value);
                self.set(local + 1, None);
            }
            opcode::ISTORE..=opcode::ASTORE_3 => self.set(local, value),
            _ => {}
        }
    }

    fn set(&mut self, local: u16, value: Option<ValueId>) {
        if let Some(held) = self.held.get_mut(usize::from(local)) {
            *held = value;
        }
    }
}
