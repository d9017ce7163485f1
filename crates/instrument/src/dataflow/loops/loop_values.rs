//! Values in a loop of a method: which are others in each iteration, and which of these
//! depend on data.

use classfile::ssa::kinds::{Kind, kind};
use classfile::ssa::{Definition, ValueId, Values};
use classfile::{Code, ControlFlow, Instruction, NaturalLoop};

/// Expressions that are nested deeper are given up.
const MOST_DEPTH: usize = 48;

/// A loop and the values of its method.
#[derive(Clone, Copy)]
pub(super) struct LoopValues<'a> {
    pub(super) code: &'a Code<'a>,
    pub(super) flow: &'a ControlFlow,
    pub(super) values: &'a Values,
    pub(super) natural: &'a NaturalLoop,
}

impl<'a> LoopValues<'a> {
    /// Whether an instruction belongs to the loop.
    pub(super) fn has(&self, bci: u32) -> bool {
        self.flow.block_of(bci).is_some_and(|block| self.natural.contains(block))
    }

    /// The instruction that makes a value.
    pub(super) fn maker(&self, value: ValueId) -> Option<Instruction<'a>> {
        match self.values.definition(value) {
            Definition::Result(bci) => self.code.instruction_at(bci),
            _ => None,
        }
    }

    /// Whether a value is made in the loop.
    pub(super) fn is_within(&self, value: ValueId) -> bool {
        match self.values.definition(value) {
            Definition::Parameter(_) => false,
            Definition::Result(bci) => self.has(bci),
            Definition::Caught(block) | Definition::Phi { block, .. } => {
                self.natural.contains(block)
            }
        }
    }

    /// What an instruction works with.
    pub(super) fn operands(&self, instruction: &Instruction<'_>) -> &'a [ValueId] {
        self.values.at(instruction.bci).map_or(&[], |operation| operation.operands)
    }

    /// Whether a value may be another one in each iteration.
    pub(super) fn varies(&self, value: ValueId) -> bool {
        self.varies_within(value, MOST_DEPTH)
    }

    fn varies_within(&self, value: ValueId, depth: usize) -> bool {
        if !self.is_within(value) || depth == 0 {
            return false;
        }
        let Some(maker) = self.maker(value) else { return true };
        match kind(maker.opcode) {
            Kind::Constant => false,
            Kind::Call | Kind::Allocation => true,
            _ => {
                let mut operands = self.operands(&maker).iter();
                operands.any(|&operand| self.varies_within(operand, depth - 1))
            }
        }
    }

    /// Whether a value depends on what the loop reads or calls, and does not only count.
    pub(super) fn is_data(&self, value: ValueId) -> bool {
        self.is_data_beside(value, &mut Vec::new())
    }

    fn is_data_beside(&self, value: ValueId, asked: &mut Vec<ValueId>) -> bool {
        if !self.is_within(value) || asked.contains(&value) || asked.len() >= MOST_DEPTH {
            return false;
        }
        asked.push(value);
        let Some(maker) = self.maker(value) else {
            let mut inputs = self.values.inputs(value).iter();
            return inputs.any(|input| self.is_data_beside(input.value, asked));
        };
        let operands = self.operands(&maker);
        match kind(maker.opcode) {
            Kind::Call => true,
            Kind::Load => operands.iter().any(|&operand| self.varies(operand)),
            Kind::Alu | Kind::Comparison => {
                operands.iter().any(|&operand| self.is_data_beside(operand, asked))
            }
            _ => false,
        }
    }
}
