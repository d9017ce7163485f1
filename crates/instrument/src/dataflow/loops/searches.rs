//! Loops that search: they are left where something of the data equals what they look
//! for. What they look for is new each time, and yet they need not read all of it again: a
//! set or a map finds it.

use classfile::ssa::ValueId;
use classfile::ssa::kinds::{Kind, kind};
use classfile::{Instruction, opcode};

use super::loop_values::LoopValues;
use super::named_calls::is_named_equality;
use super::predicates::of_stream;
use super::program::StreamRole;

/// Whether a loop searches. The loop that runs streams does, unless what they ask is known to
/// be something else ([`predicates`](super::predicates)).
pub(super) fn searches(loop_: &LoopValues<'_>) -> bool {
    of_stream(loop_.code) == Some(StreamRole::Runs)
        || exits(loop_).any(|exit| is_equality(loop_, &exit))
}

/// The branches that may leave a loop.
fn exits<'a>(loop_: &LoopValues<'a>) -> impl Iterator<Item = Instruction<'a>> {
    let LoopValues { code, flow, natural, .. } = *loop_;
    let leaves =
        move |&&block: &&u32| flow.successors(block).iter().any(|&next| !natural.contains(next));
    let last = move |&block: &u32| {
        let block = &flow.blocks()[block as usize];
        let behind = code.instructions().skip_while(|one| one.bci < block.start);
        behind.take_while(|one| one.bci < block.end).last()
    };
    natural.body.iter().filter(leaves).filter_map(last)
}

/// Whether a branch depends on whether data are equal to something.
fn is_equality(loop_: &LoopValues<'_>, branch: &Instruction<'_>) -> bool {
    let operands = loop_.operands(branch);
    match (branch.opcode, operands) {
        (opcode::IF_ICMPEQ..=opcode::IF_ICMPNE | opcode::IF_ACMPEQ..=opcode::IF_ACMPNE, _) => {
            is_of_data(loop_, operands)
        }
        (opcode::IFEQ..=opcode::IFNE, [answer]) => {
            let Some(maker) = loop_.maker(*answer) else { return false };
            let compared = loop_.operands(&maker);
            match kind(maker.opcode) {
                Kind::Comparison if maker.opcode != opcode::INSTANCEOF => {
                    is_of_data(loop_, compared)
                }
                Kind::Call => is_named_equality(loop_.code, &maker).is_some(),
                _ => false,
            }
        }
        _ => false,
    }
}

/// Whether one of two values is read from the data as it is, and the other is none that
/// the code names or computes.
fn is_of_data(loop_: &LoopValues<'_>, operands: &[ValueId]) -> bool {
    let &[one, other] = operands else { return false };
    let is_known = |value: ValueId| {
        let kind = loop_.maker(value).map(|maker| kind(maker.opcode));
        matches!(kind, Some(Kind::Constant | Kind::Alu | Kind::Comparison | Kind::Length))
    };
    let is_read = |value: ValueId| {
        let Some(maker) = loop_.maker(value).filter(|_| loop_.is_within(value)) else {
            return false;
        };
        let operands = loop_.operands(&maker);
        match kind(maker.opcode) {
            Kind::Load => loop_.is_data(value),
            // A getter, or the `get` of a list.
            Kind::Call => maker.opcode != opcode::INVOKESTATIC && operands.len() <= 2,
            _ => false,
        }
    };
    !is_known(one) && !is_known(other) && (is_read(one) || is_read(other))
}
