//! What a call says by the name of the method that it calls.

use classfile::ssa::kinds::{Kind, kind};
use classfile::{Code, Instruction, MemberRef};

use crate::modified_utf8;

/// Whether a call compares by its name: true if it answers yes where its arguments are equal,
/// false if it answers 0; nothing for other calls.
pub(super) fn is_named_equality(code: &Code<'_>, call: &Instruction<'_>) -> Option<bool> {
    if kind(call.opcode) != Kind::Call {
        return None;
    }
    let name = modified_utf8::decode(called(code, call)?.name).to_lowercase();
    if name.contains("equal") {
        return Some(true);
    }
    matches!(&*name, "compare" | "compareto").then_some(false)
}

/// The method that an instruction calls, if it names one.
pub(super) fn called<'a>(code: &Code<'a>, call: &Instruction<'_>) -> Option<MemberRef<'a>> {
    code.constant_pool().member_ref(call.pool_index()?).ok()
}
