//! The map of locals: which local of a method holds which value (operand
//! preservation: a value that a local holds needs no spill slot).

use classfile::opcode;
use classfile::ssa::{Definition, Position, ValueId};

use crate::dataflow::domain::Step;
use crate::dataflow::subject::Subject;

/// The values of the locals at an instruction, as far as they are known from the
/// instruction's block.
#[derive(Debug)]
pub struct LocalValues<'a> {
    subject: &'a Subject<'a>,
    values: Vec<Option<ValueId>>,
}

impl<'a> LocalValues<'a> {
    /// At the start of a method.
    pub fn new(subject: &'a Subject<'a>) -> Self {
        Self { subject, values: vec![None; subject.code.max_locals().into()] }
    }

    /// A local that holds this value.
    pub fn holding(&self, value: ValueId) -> Option<u16> {
        self.values.iter().position(|&values| values == Some(value)).map(|local| local as u16)
    }

    /// Comes to an instruction.
    pub fn enter(&mut self, bci: u32) {
        let Some(block) = self.subject.cfg.block_starting_at(bci) else { return };
        self.values.fill(None);
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
        if let Some(values) = self.values.get_mut(usize::from(local)) {
            *values = value;
        }
    }
}
