//! Threads of a running JVM keep their slots where they had their secondary seeds.
//!
//! Nothing can be added to a class that is loaded, so a thread's slot needs a place that it
//! has already. `Thread.threadLocalRandomSecondarySeed` is an int that each thread has,
//! virtual ones as well, and `ThreadLocalRandom.nextSecondarySeed` alone uses it. While
//! slots lie there, that method works on the lower half of the primary seed instead.

use classfile::{ClassEditor, Code, CodeEdit, Fragment, Member, Refusal, opcode};

use super::class_load::Subject;

/// The class that uses seeds.
pub const RANDOM: &str = "java/util/concurrent/ThreadLocalRandom";

/// The method that uses the secondary ones.
pub const NEXT_SEED: &str = "nextSecondarySeed";

/// Has the method that uses secondary seeds use the primary one, if this is it.
pub(super) fn leave_secondary_seeds(
    subject: &Subject<'_>,
    method: &Member<'_>,
    code: &Code<'_>,
    edit: &mut CodeEdit,
    editor: &mut ClassEditor<'_>,
) -> Result<bool, Refusal> {
    if !subject.boot || subject.name != RANDOM || method.name() != NEXT_SEED.as_bytes() {
        return Ok(false);
    }
    let primary = editor.pool().fieldref(RANDOM.as_bytes(), b"SEED", b"J")?;
    let mut left = false;
    for instruction in code.instructions().filter(|found| found.opcode == opcode::GETSTATIC) {
        let field = instruction.pool_index().map(|index| code.constant_pool().member_ref(index));
        if field.is_some_and(|field| field.is_ok_and(|field| field.name == b"SECONDARY")) {
            edit.after(instruction.bci, Fragment::new().pop2().getstatic(primary, 2));
            left = true;
        }
    }
    Ok(left)
}

/// Does [`leave_secondary_seeds`] in a class that gets no probes; true if it has the method.
pub(super) fn leave_seeds_without_probes(
    subject: &Subject<'_>,
    edit: &mut CodeEdit,
    editor: &mut ClassEditor<'_>,
) -> Result<bool, Refusal> {
    for (index, method) in subject.class.methods().iter().enumerate() {
        if let Some(code) = method.code()? {
            edit.restart(&code);
            if leave_secondary_seeds(subject, &method, &code, edit, editor)? {
                editor.edit_code(index, edit)?;
                return Ok(true);
            }
        }
    }
    Ok(false)
}
