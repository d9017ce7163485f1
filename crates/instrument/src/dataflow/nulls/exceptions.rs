//! How an exception knows which null it was raised for.
//!
//! The instruction that is about to meet a null leaves word in a field of the
//! thread. The JVM makes the exception next, and its constructor takes what was
//! left. Exceptions that code makes itself say so before. One that nobody
//! catches comes to the thread's `dispatchUncaughtException`.

use classfile::{
    ClassEditor, ClassFile, Code, CodeEdit, Fragment, Local, LocalType, Member, PoolExtension,
    Refusal, access, opcode,
};

use super::probes;
use crate::probe::Access;
use crate::probe::members::PREFIX;

/// Internal name of the exception.
pub const EXCEPTION: &[u8] = b"java/lang/NullPointerException";

/// Adds to the exception where what is known of it is kept; true if `class` is
/// the exception.
///
/// # Errors
/// When the class has no room.
pub fn add(class: &ClassFile<'_>, editor: &mut ClassEditor<'_>) -> Result<bool, Refusal> {
    if class.this_class() != EXCEPTION {
        return Ok(false);
    }
    let name = format!("{PREFIX}raised");
    editor.add_field(access::TRANSIENT | access::SYNTHETIC, name.as_bytes(), b"J")?;
    Ok(true)
}

/// Adds to `edit` what a method has to do with such exceptions.
///
/// # Errors
/// When it cannot be edited.
pub fn insert(
    method: &Member<'_>,
    code: &Code<'_>,
    access: Access,
    edit: &mut CodeEdit,
    pool: &mut PoolExtension,
) -> Result<(), Refusal> {
    let class = method.class().this_class();
    if class == EXCEPTION && method.name() == b"<init>" {
        for &init in &code.initialisation().calls {
            let fragment = Fragment::new().simple(opcode::ALOAD_0);
            edit.after(init, access.call(fragment, &probes::MADE, pool)?);
        }
    }
    if class == b"java/lang/Thread" && method.name() == b"dispatchUncaughtException" {
        let thrown = Local::existing(1, LocalType::Null);
        let fragment = Fragment::new().load_reference(thrown);
        edit.at_entry(access.call(fragment, &probes::UNCAUGHT, pool)?);
    }
    let named = |index| code.constant_pool().member_ref(index).ok();
    for instruction in code.instructions().filter(|i| i.opcode == opcode::INVOKESPECIAL) {
        let is_explicit = instruction
            .pool_index()
            .and_then(named)
            .is_some_and(|named| named.owner == EXCEPTION && named.name == b"<init>");
        if is_explicit {
            edit.before(instruction.bci, access.call(Fragment::new(), &probes::EXPLICIT, pool)?);
        }
    }
    Ok(())
}
