//! Where a method's own exception handlers begin.

use std::ops::Range;

use classfile::{Code, opcode};

/// The first instructions of the handlers of which `covers` wants the range, in
/// the order of the code. Those that only release locks are left out: the
/// compilers know them by what they consist of.
pub fn starts(code: &Code<'_>, covers: impl Fn(Range<u32>) -> bool) -> Vec<u32> {
    let mut starts: Vec<u32> = code
        .exception_table()
        .filter(|entry| covers(entry.start..entry.end))
        .map(|entry| entry.handler)
        .filter(|&handler| !unlocks_and_rethrows(code, handler))
        .collect();
    starts.sort_unstable();
    starts.dedup();
    starts
}

/// Whether a handler does nothing but release locks before it throws the exception
/// again.
fn unlocks_and_rethrows(code: &Code<'_>, handler: u32) -> bool {
    let mut at = handler;
    while let Some(instruction) = code.instruction_at(at) {
        match instruction.opcode {
            opcode::ATHROW => return true,
            opcode::MONITOREXIT => {}
            opcode if instruction.local().is_some() && opcode != opcode::RET => {}
            _ => return false,
        }
        at = instruction.end();
    }
    false
}
