//! Calls that move elements of arrays or bytes of memory without bytecodes for each.

use classfile::{Code, Instruction, opcode};

/// Where the number of elements is that a call moves.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Moved {
    /// The last argument, an `int`: `System.arraycopy`.
    Elements,
    /// The length of the array that is returned: `clone` of an array.
    Clone,
    /// The last argument, a `long`: `Unsafe.copyMemory`.
    Bytes,
    /// The `long` below the last argument, which takes one word: `Unsafe.setMemory`.
    BytesSet,
}

impl Moved {
    /// What a call moves, if it does.
    pub fn by(code: &Code<'_>, call: &Instruction<'_>) -> Option<Self> {
        if !matches!(call.opcode, opcode::INVOKESTATIC | opcode::INVOKEVIRTUAL) {
            return None;
        }
        let callee = code.constant_pool().member_ref(call.pool_index()?).ok()?;
        match (callee.owner, callee.name) {
            (b"java/lang/System", b"arraycopy") => Some(Self::Elements),
            ([b'[', ..], b"clone") if callee.descriptor.starts_with(b"()") => Some(Self::Clone),
            // sun.misc.Unsafe calls this one.
            (b"jdk/internal/misc/Unsafe", b"copyMemory") if callee.descriptor.ends_with(b"J)V") => {
                Some(Self::Bytes)
            }
            (b"jdk/internal/misc/Unsafe", b"setMemory") if callee.descriptor.ends_with(b"JB)V") => {
                Some(Self::BytesSet)
            }
            _ => None,
        }
    }
}
