//! Methods that answer yes or no, as streams ask them: whether the answer says that something
//! of the data equals something else. A stream that ends early at such an answer searches; at
//! another one, as that two periods overlap, it compares.

use classfile::ssa::kinds::{Kind, kind};
use classfile::ssa::{Definition, Origin, ValueId, Values};
use classfile::{BlockIndex, Code, ControlFlow, Instruction, opcode};

use super::named_calls::is_named_equality;
use super::program::StreamRole;

/// What is said of a method that streams may ask; nothing of other methods.
pub(super) fn answers(code: &Code<'_>) -> Option<StreamRole> {
    if !code.method().descriptor().ends_with(b")Z") {
        return None;
    }
    let flow = ControlFlow::new(code);
    let values = Values::new(code, &flow).ok()?;
    let predicate = Predicate { code, flow: &flow, values: &values };
    Some(StreamRole::Answers {
        yes: predicate.means_equality(true),
        no: predicate.means_equality(false),
    })
}

/// What the code of streams does for them.
pub(super) fn of_stream(code: &Code<'_>) -> Option<StreamRole> {
    let method = code.method();
    let class = method.class().this_class().strip_prefix(b"java/util/stream/")?;
    match method.name() {
        b"forEachWithCancel" => Some(StreamRole::Runs),
        b"allMatch" => Some(StreamRole::AsksAll),
        _ if class.starts_with(b"MatchOps") => Some(StreamRole::Matches),
        _ => None,
    }
}

/// A method that answers yes or no.
struct Predicate<'a> {
    code: &'a Code<'a>,
    flow: &'a ControlFlow,
    values: &'a Values,
}

impl Predicate<'_> {
    /// Whether this answer is only given where something equals something else.
    fn means_equality(&self, answer: bool) -> bool {
        let unequal = self.reached_without_equality();

        let returns = self.code.instructions().filter(|one| one.opcode == opcode::IRETURN);
        let mut gives_it = false;
        for instruction in returns {
            let operands = self.operands(&instruction);
            let (Some(&value), Some(block)) =
                (operands.first(), self.flow.block_of(instruction.bci))
            else {
                return false;
            };
            let mut given = Vec::new();
            self.given(value, block, &mut Vec::new(), &mut given);
            for (value, block) in given {
                match self.gives(value, answer) {
                    Gives::Never => {}
                    Gives::IfEqual => gives_it = true,
                    Gives::Else if unequal.contains(&block) => return false,
                    Gives::Else => gives_it = true,
                }
            }
        }
        gives_it
    }

    /// The values of which one is returned, and the blocks that choose them.
    fn given(
        &self,
        value: ValueId,
        block: BlockIndex,
        seen: &mut Vec<ValueId>,
        given: &mut Vec<(ValueId, BlockIndex)>,
    ) {
        if seen.contains(&value) {
            return;
        }
        let Definition::Phi { .. } = self.values.definition(value) else {
            given.push((value, block));
            return;
        };
        seen.push(value);
        for input in self.values.inputs(value) {
            let from = if let Origin::Block(from) = input.origin { from } else { block };
            self.given(input.value, from, seen, given);
        }
    }

    /// When a value is this answer.
    fn gives(&self, value: ValueId, answer: bool) -> Gives {
        let Some(maker) = self.maker(value) else { return Gives::Else };
        match maker.opcode {
            opcode::ICONST_0 if answer => Gives::Never,
            opcode::ICONST_1 if !answer => Gives::Never,
            _ if answer && is_named_equality(self.code, &maker) == Some(true) => Gives::IfEqual,
            _ => Gives::Else,
        }
    }

    /// Blocks that are reached without a branch that is taken where something is equal.
    fn reached_without_equality(&self) -> Vec<BlockIndex> {
        let mut reached: Vec<BlockIndex> = self.flow.block_of(0).into_iter().collect();
        let mut next = 0;
        while let Some(&block) = reached.get(next) {
            next += 1;
            let equal = self.where_equal(block);
            for to in self.flow.all_successors(block) {
                if Some(to) != equal && !reached.contains(&to) {
                    reached.push(to);
                }
            }
        }
        reached
    }

    /// Where a block goes on if something is equal; nothing if it does not ask that.
    fn where_equal(&self, block: BlockIndex) -> Option<BlockIndex> {
        let branch = self.code.instruction_at(self.flow.blocks()[block as usize].last)?;
        let jumps = match (branch.opcode, self.operands(&branch)) {
            (opcode::IF_ICMPEQ | opcode::IF_ACMPEQ, operands) => {
                self.are_open(operands).then_some(true)?
            }
            (opcode::IF_ICMPNE | opcode::IF_ACMPNE, operands) => {
                self.are_open(operands).then_some(false)?
            }
            (opcode::IFEQ | opcode::IFNE, &[answer]) => {
                let maker = self.maker(answer)?;
                let is_zero_if_equal = match kind(maker.opcode) {
                    Kind::Comparison if maker.opcode != opcode::INSTANCEOF => {
                        self.are_open(self.operands(&maker)).then_some(true)?
                    }
                    _ => !is_named_equality(self.code, &maker)?,
                };
                (branch.opcode == opcode::IFEQ) == is_zero_if_equal
            }
            _ => return None,
        };
        let target = self.flow.block_starting_at(branch.targets().next()?)?;
        let falls = self.flow.successors(block).iter().find(|&&to| to != target);
        if jumps { Some(target) } else { falls.copied() }
    }

    /// Whether two values may be any: none is a constant, or computed for the comparison.
    fn are_open(&self, operands: &[ValueId]) -> bool {
        operands.iter().all(|&value| {
            self.maker(value).is_none_or(|maker| match kind(maker.opcode) {
                Kind::Constant | Kind::Alu | Kind::Comparison | Kind::Length => false,
                _ => maker.opcode != opcode::GETSTATIC,
            })
        })
    }

    fn maker(&self, value: ValueId) -> Option<Instruction<'_>> {
        match self.values.definition(value) {
            Definition::Result(bci) => self.code.instruction_at(bci),
            _ => None,
        }
    }

    fn operands(&self, instruction: &Instruction<'_>) -> &[ValueId] {
        self.values.at(instruction.bci).map_or(&[], |operation| operation.operands)
    }
}

/// When a value is an answer.
enum Gives {
    Never,
    IfEqual,
    Else,
}
