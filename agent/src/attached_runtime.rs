//! The runtime class for a JVM that the agent came into while it was running.
//!
//! There `Thread` has none of the fields that the probes read and write. Each instruction
//! that does becomes a call of the method of `SubsumeSlots` that does the same elsewhere:
//! both take three bytes, and the same from the stack.

use classfile::{ClassEditor, ClassFile, opcode};

use crate::shim;

/// The runtime class that the others go to for slots and trees.
pub const SLOTS: &str = "SubsumeSlots";

/// An access to a field of `Thread`, and the method that takes its place.
struct Access {
    field: &'static [u8],
    opcode: u8,
    method: &'static [u8],
    descriptor: &'static [u8],
}

/// An entry of [`ACCESSES`].
const fn access(
    field: &'static [u8],
    opcode: u8,
    method: &'static [u8],
    descriptor: &'static [u8],
) -> Access {
    Access { field, opcode, method, descriptor }
}

/// All that there are.
const ACCESSES: [Access; 4] = [
    access(b"$subsume$slot", opcode::GETFIELD, b"slot", b"(Ljava/lang/Thread;)J"),
    access(b"$subsume$slot", opcode::PUTFIELD, b"setSlot", b"(Ljava/lang/Thread;J)V"),
    access(b"$subsume$tree", opcode::GETFIELD, b"tree", b"(Ljava/lang/Thread;)I"),
    access(b"$subsume$tree", opcode::PUTFIELD, b"setTree", b"(Ljava/lang/Thread;I)V"),
];

/// `java.lang.SubsumeRuntime` without fields of `Thread`. `None` if it has one that is not
/// known here.
pub fn runtime_class() -> Option<Vec<u8>> {
    let class = shim::runtime_class("SubsumeRuntime")?;
    let parsed = ClassFile::parse(class).ok()?;
    let mut editor = ClassEditor::new(&parsed);
    let owner = format!("java/lang/{SLOTS}");
    let mut calls = Vec::new();
    for Access { field, opcode, method, descriptor } in ACCESSES {
        let call = editor.pool().methodref(owner.as_bytes(), method, descriptor).ok()?;
        calls.push((field, opcode, call));
    }
    let grown = editor.finish();
    let mut instead = grown.clone();
    let parsed = ClassFile::parse(&grown).ok()?;
    for method in parsed.methods().iter() {
        let Some(code) = method.code().ok()? else { continue };
        let start = code.bytecode().as_ptr() as usize - grown.as_ptr() as usize;
        for instruction in code.instructions() {
            if !matches!(instruction.opcode, opcode::GETFIELD | opcode::PUTFIELD) {
                continue;
            }
            let field = code.constant_pool().member_ref(instruction.pool_index()?).ok()?;
            if field.owner != b"java/lang/Thread" {
                continue;
            }
            let access = (field.name, instruction.opcode);
            let known = calls.iter().find(|&&(field, opcode, _)| (field, opcode) == access);
            let &(_, _, call) = known?;
            let at = start + instruction.bci as usize;
            instead[at] = opcode::INVOKESTATIC;
            instead[at + 1..at + 3].copy_from_slice(&call.to_be_bytes());
        }
    }
    Some(instead)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_field_of_threads_is_left() {
        let class = runtime_class().expect("all fields are known");
        let parsed = ClassFile::parse(&class).expect("is a class file");
        let mut calls = 0;
        for method in parsed.methods().iter() {
            let Some(code) = method.code().expect("has whole code") else { continue };
            for instruction in code.instructions() {
                let Some(index) = instruction.pool_index() else { continue };
                let Ok(named) = code.constant_pool().member_ref(index) else { continue };
                assert!(!named.name.starts_with(b"$subsume$"), "a field is left");
                calls += usize::from(named.owner == b"java/lang/SubsumeSlots");
            }
        }
        assert!(calls > 10, "{calls}");
    }
}
