//! Local variables from outside with which a loop works, and what is captured for a lambda:
//! whether they are others than in the iteration before says whether a loop that reads the
//! same again computes the same again.
//!
//! What a loop only counts up to is left out, and so is an object that was made just to be
//! filled, or to say where an iteration stands. What objects have in their fields is read.

use classfile::ssa::kinds::{Kind, Role, kind, role};
use classfile::ssa::{Definition, Operation, ValueId, Values};
use classfile::{Code, Instruction, descriptor, opcode};

use super::loop_values::LoopValues;
use super::named_calls::called;

/// Local variables of a loop that are told, at most.
const MOST_GIVEN: usize = 8;

/// A local variable that something is given in.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct GivenLocal {
    /// Its slot.
    pub(super) slot: u16,
    /// The instruction that loads it, without its slot: `iload` and such.
    pub(super) load: u8,
}

/// What a loop is given.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Given {
    /// The local variables.
    pub(super) locals: Vec<GivenLocal>,
    /// The instruction behind which the loop begins, if it is entered there alone.
    pub(super) behind: Option<u32>,
}

/// `iload` and such for any instruction that loads a local variable.
fn load(instruction: &Instruction<'_>) -> Option<GivenLocal> {
    let load = match instruction.opcode {
        load @ opcode::ILOAD..=opcode::ALOAD => load,
        short @ opcode::ILOAD_0..=opcode::ALOAD_3 => opcode::ILOAD + (short - opcode::ILOAD_0) / 4,
        _ => return None,
    };
    Some(GivenLocal { slot: instruction.local()?, load })
}

fn is_stored(instruction: &Instruction<'_>, slot: u16) -> bool {
    let (first, words) = match instruction.opcode {
        opcode::LSTORE | opcode::DSTORE => (instruction.local(), 2),
        opcode::LSTORE_0..=opcode::LSTORE_3 | opcode::DSTORE_0..=opcode::DSTORE_3 => {
            (instruction.local(), 2)
        }
        opcode::ISTORE..=opcode::ASTORE_3 | opcode::IINC => (instruction.local(), 1),
        _ => return false,
    };
    first.is_some_and(|first| (first..first + words).contains(&slot))
}

/// What a loop is given; `None` for nothing.
pub(super) fn given(loop_: &LoopValues<'_>) -> Option<Given> {
    let own = |one: &Instruction<'_>| loop_.has(one.bci);
    let is_static = loop_.code.method().is_static();
    let (mut locals, mut known): (Vec<GivenLocal>, Vec<GivenLocal>) = Default::default();
    for instruction in loop_.code.instructions().filter(own) {
        let Some(local) = load(&instruction).filter(|local| !known.contains(local)) else {
            continue;
        };
        known.push(local);
        let [value] = *loop_.operands(&instruction) else { continue };
        let is_this = local.slot == 0 && !is_static;
        if !is_this
            && locals.len() < MOST_GIVEN
            && !loop_.is_within(value)
            && !is_made_to_be_filled(loop_.code, loop_.values, value)
            && !loop_.code.instructions().filter(own).any(|one| is_stored(&one, local.slot))
            && loop_.values.operations().any(|user| is_worked_with(loop_, value, user))
        {
            locals.push(local);
        }
    }
    (!locals.is_empty()).then(|| Given { locals, behind: entered_behind(loop_) })
}

/// Whether an object has just been made, out of nothing that may be new.
fn is_made_to_be_filled(code: &Code<'_>, values: &Values, value: ValueId) -> bool {
    let Definition::Result(bci) = values.definition(value) else { return false };
    let Some(maker) = code.instruction_at(bci) else { return false };
    let class = || code.constant_pool().class_name(maker.pool_index()?).ok();
    let is_constructor = |user: &Operation<'_>| {
        let call = code.instruction_at(user.bci);
        let call = call.filter(|one| one.opcode == opcode::INVOKESPECIAL);
        call.and_then(|call| called(code, &call)).is_some_and(|named| named.name == b"<init>")
    };
    match maker.opcode {
        opcode::NEW => {
            class().is_some_and(|class| class.starts_with(b"java/"))
                || values.operations().all(|user| {
                    user.operands.first() != Some(&value)
                        || user.operands.len() == 1
                        || !is_constructor(&user)
                })
        }
        opcode::NEWARRAY | opcode::ANEWARRAY | opcode::MULTIANEWARRAY => true,
        _ => false,
    }
}

/// Classes whose objects say where an iteration stands.
const POSITIONS: [&[u8]; 4] = [b"Iterator", b"Enumeration", b"Spliterator", b"OfInt"];

/// Whether an operation of the loop works with a value.
fn is_worked_with(loop_: &LoopValues<'_>, value: ValueId, user: Operation<'_>) -> bool {
    if !user.operands.contains(&value) || !loop_.has(user.bci) {
        return false;
    }
    let Some(instruction) = loop_.code.instruction_at(user.bci) else { return false };
    let has_data = || user.operands.iter().any(|&other| loop_.is_data(other));
    match kind(instruction.opcode) {
        Kind::Alu => true,
        // How far to count, unless it is compared with data.
        Kind::Comparison => has_data(),
        Kind::Predicate => user.operands.len() == 1 || has_data(),
        Kind::Call => {
            let is_position = called(loop_.code, &instruction)
                .is_some_and(|named| POSITIONS.iter().any(|ending| named.owner.ends_with(ending)));
            let roles = user.operands.iter().enumerate();
            let mut roles = roles.filter(|&(_, &operand)| operand == value);
            roles.any(|(at, _)| role(instruction.opcode, at) != Role::Receiver || !is_position)
        }
        _ => false,
    }
}

/// The instruction before the header, if the loop is entered from there alone.
fn entered_behind(loop_: &LoopValues<'_>) -> Option<u32> {
    let LoopValues { code, flow, natural, .. } = *loop_;
    let header = flow.blocks()[natural.header as usize].start;
    let before = code.instructions().take_while(|one| one.bci < header).last()?;
    let block = flow.block_of(before.bci)?;
    let is_other = |other: u32| {
        other != block
            && !natural.contains(other)
            && flow.all_successors(other).any(|next| next == natural.header)
    };
    let falls_through = flow.successors(block).contains(&natural.header)
        && before.targets().all(|target| target != header)
        && !natural.contains(block);
    let is_only = !(0..flow.blocks().len() as u32).any(is_other);
    (falls_through && is_only).then_some(before.bci)
}

/// Whether a method may make lambdas.
pub(super) fn makes_lambdas(code: &Code<'_>) -> bool {
    code.instructions().any(|one| one.opcode == opcode::INVOKEDYNAMIC)
}

/// Local variables that are captured for a lambda, with the position of the instruction
/// that makes it.
pub(super) fn captured(code: &Code<'_>, values: &Values) -> Vec<(u32, Vec<GivenLocal>)> {
    let is_filled = |load: u32| {
        let operands = values.at(load).map_or(&[][..], |operation| operation.operands);
        operands.iter().any(|&value| is_made_to_be_filled(code, values, value))
    };
    let is_static = code.method().is_static();
    let mut captured = Vec::new();
    let mut loads: Vec<(u32, GivenLocal)> = Vec::new();
    for instruction in code.instructions() {
        if let Some(local) = load(&instruction) {
            loads.push((instruction.bci, local));
            continue;
        }
        let made = (instruction.opcode == opcode::INVOKEDYNAMIC)
            .then(|| code.constant_pool().invoke_dynamic(instruction.pool_index()?).ok())
            .flatten()
            .filter(|made| {
                let type_ = descriptor::return_type(made.descriptor);
                type_.starts_with(b"L") && type_ != b"Ljava/lang/String;"
            });
        if let Some(made) = made {
            let count = descriptor::parameters(made.descriptor).count();
            let first = loads.len().saturating_sub(count);
            let locals = loads
                .drain(first..)
                .filter(|&(load, local)| (is_static || local.slot != 0) && !is_filled(load));
            let locals: Vec<GivenLocal> = locals.map(|(_, local)| local).collect();
            if !locals.is_empty() {
                captured.push((instruction.bci, locals));
            }
        }
        loads.clear();
    }
    captured
}
