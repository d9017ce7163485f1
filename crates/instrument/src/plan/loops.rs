//! Where loops start, however they are written.

use classfile::{Code, opcode};

/// Where code jumps back to, in order: every cycle passes one of these.
pub fn loop_starts(code: &Code<'_>) -> Vec<u32> {
    let backward = code.instructions().flat_map(|instruction| {
        instruction.targets().filter(move |&target| target <= instruction.bci)
    });
    // A handler that covers what follows it can be thrown back to. Compilers
    // make handlers cover their own release of a lock, which is not a loop; a
    // probe there could run out of stack and leave the lock taken.
    let thrown_back = code
        .exception_table()
        .filter(|entry| {
            code.instructions()
                .skip_while(|instruction| instruction.bci < entry.handler.max(entry.start))
                .take_while(|instruction| instruction.bci < entry.end)
                .any(|instruction| !is_release(instruction.opcode))
        })
        .map(|entry| entry.handler);
    let mut starts: Vec<u32> = backward.chain(thrown_back).collect();
    starts.sort_unstable();
    starts.dedup();
    starts
}

/// What a handler consists of that only releases a lock and throws on.
fn is_release(opcode: u8) -> bool {
    matches!(
        opcode,
        opcode::NOP..=opcode::SIPUSH
            | opcode::ILOAD..=opcode::ALOAD_3
            | opcode::ISTORE..=opcode::ASTORE_3
            | opcode::MONITOREXIT
            | opcode::GOTO
    )
}
