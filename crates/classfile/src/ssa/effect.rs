//! How many words an instruction takes off the stack and puts there.

use crate::read::constant_pool::ConstantPool;
use crate::read::descriptor;
use crate::read::instruction::Instruction;
use crate::read::opcode;

/// Words popped and pushed; `None` if the instruction names a constant that
/// does not exist.
pub(super) fn stack_words(
    instruction: &Instruction<'_>,
    pool: &ConstantPool<'_>,
) -> Option<(u32, u32)> {
    let (pops, pushes) = opcode::stack_effect(instruction.opcode);
    if pops != opcode::VARIABLE {
        return Some((pops.into(), pushes.into()));
    }
    if instruction.opcode == opcode::MULTIANEWARRAY {
        return Some((instruction.constant()? as u32, 1));
    }
    let index = instruction.pool_index()?;
    let (pops, pushes) = match instruction.opcode {
        opcode::GETSTATIC => (0, field_words(pool, index)?),
        opcode::PUTSTATIC => (field_words(pool, index)?, 0),
        opcode::GETFIELD => (1, field_words(pool, index)?),
        opcode::PUTFIELD => (field_words(pool, index)? + 1, 0),
        opcode::INVOKEDYNAMIC => call_words(pool.invoke_dynamic(index).ok()?.descriptor),
        opcode::INVOKESTATIC => call_words(pool.member_ref(index).ok()?.descriptor),
        _ => {
            let (arguments, result) = call_words(pool.member_ref(index).ok()?.descriptor);
            (arguments.saturating_add(1), result)
        }
    };
    Some((pops.into(), pushes.into()))
}

fn field_words(pool: &ConstantPool<'_>, index: u16) -> Option<u16> {
    Some(descriptor::words(pool.member_ref(index).ok()?.descriptor))
}

fn call_words(callee: &[u8]) -> (u16, u16) {
    (descriptor::argument_words(callee), descriptor::words(descriptor::return_type(callee)))
}
