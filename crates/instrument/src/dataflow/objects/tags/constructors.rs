//! Constructors that do something before they call the next one.
//!
//! On the way from `new` to the constructor of `Object`, the tag waits in a
//! field of the thread. What a constructor does before it calls `this(...)` or
//! `super(...)` may construct other objects, or leave by an exception: such a
//! constructor keeps the tag in a local meanwhile, also where it is not followed:
//! else the object that it makes first would get the site of its own.

use classfile::{
    Code, CodeEdit, Fragment, Initialisation, Instruction, Local, LocalType, PoolExtension,
    Refusal, tag,
};

use super::probes;
use crate::probe::Access;

/// Adds to `edit` what keeps the tag of `this` in a local, from the entry of a
/// constructor until it calls the next one.
///
/// # Errors
/// If the constant pool has no room left.
pub fn keep_tag(
    initialisation: &Initialisation,
    access: Access,
    edit: &mut CodeEdit,
    pool: &mut PoolExtension,
) -> Result<Local, Refusal> {
    let kept = edit.new_local(LocalType::Int);
    let fragment = access.call(Fragment::new(), &probes::TAKE, pool)?.store_int(kept);
    edit.at_entry(fragment);
    for &bci in &initialisation.calls {
        let fragment = access.call(Fragment::new().load_int(kept), &probes::GIVE, pool)?;
        edit.before(bci, fragment);
    }
    Ok(kept)
}

/// True if something before the call of the next constructor can make another
/// object, have the JVM run other code, or throw.
pub fn keeps_tag(code: &Code<'_>, initialisation: &Initialisation) -> bool {
    let is_before = |bci| initialisation.before.iter().any(|range| range.contains(&bci));
    code.instructions()
        .any(|instruction| is_before(instruction.bci) && !runs_nothing(code, &instruction))
}

/// True for instructions that do no more than they say.
fn runs_nothing(code: &Code<'_>, instruction: &Instruction<'_>) -> bool {
    use classfile::opcode::*;
    let pool = code.constant_pool();
    match instruction.opcode {
        IDIV | LDIV | IREM | LREM => false,
        NOP..=SIPUSH | ILOAD..=ALOAD_3 | ISTORE..=ASTORE_3 | POP..=SWAP | IADD..=DCMPG => true,
        IFEQ..=GOTO | TABLESWITCH | LOOKUPSWITCH | IFNULL | IFNONNULL | GOTO_W => true,
        LDC | LDC_W | LDC2_W => {
            let kind = instruction.pool_index().and_then(|index| pool.tag(index));
            // A string may have to be made, which runs no code.
            kind.is_some_and(|kind| {
                matches!(kind, tag::INTEGER | tag::FLOAT | tag::LONG | tag::DOUBLE | tag::STRING)
            })
        }
        // An inner class sets the reference to the outer object, in itself.
        PUTFIELD => instruction
            .pool_index()
            .and_then(|index| pool.member_ref(index).ok())
            .is_some_and(|field| field.owner == code.method().class().this_class()),
        _ => false,
    }
}
