//! Code that is not followed clears the tracking stack.
//!
//! What it was called with lies there until somebody takes it. If it calls, or
//! returns from, a method that has its own name and descriptor, what lies there
//! would pass for what it hands on. So it clears the stack before it calls anything,
//! and before it returns a value that others have left something for. Where its
//! code has no room for so much, it does so when it is entered and wherever it
//! returns or catches an exception.

use classfile::{Code, CodeEdit, Fragment, Instruction, PoolExtension, Refusal, opcode};

use super::upcalls::{SavedShadows, is_upcall};
use crate::dataflow::tracking::calls::says_that_it_is_entered;
use crate::dataflow::tracking::stack::{UNFOLLOWED, UNFOLLOWED_HANDLE};
use crate::probe::Access;
use crate::probe::members::ProbeMethod;

/// Where code that is not followed clears the tracking stack.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Clearing {
    /// Before every call.
    Calls,
    /// Where it is entered: the least that will do.
    Entry,
}

/// True for the class of code that accesses fields and elements on behalf of
/// handles, and calls nothing that is followed.
fn only_accesses(class: &[u8]) -> bool {
    class.starts_with(b"java/lang/invoke/VarHandle")
}

/// True for the class of code by which what lambda expressions capture reaches the
/// constructor that is meant.
fn links(class: &[u8]) -> bool {
    class.starts_with(b"java/lang/invoke/")
}

/// Adds to `edit` what clears the tracking stack; true if that is anything.
///
/// # Errors
/// When there is no room for a constant.
pub fn insert(
    code: &Code<'_>,
    clearing: Clearing,
    access: Access,
    edit: &mut CodeEdit,
    pool: &mut PoolExtension,
) -> Result<bool, Refusal> {
    let method = code.method();
    let class = method.class().this_class();
    if only_accesses(class) {
        return Ok(false);
    }
    let saved = match is_upcall(class, &method) {
        true => Some(SavedShadows::enter(code, access, edit, pool)?),
        false => None,
    };
    let probe = if links(class) { &UNFOLLOWED_HANDLE } else { &UNFOLLOWED };
    let is_entered = says_that_it_is_entered(method.name(), method.descriptor());
    let mut points = ClearingPoints { code, edit, pool, clear: (probe, access), are_any: false };
    if code.instructions().any(|instruction| calls(code, &instruction)) {
        points.clear_in(clearing)?;
    } else if is_entered {
        points.clear_at_start()?;
    }
    let are_any = points.are_any || saved.is_some();
    if let Some(saved) = saved {
        saved.leave(code, access, edit, pool)?;
    }
    Ok(are_any)
}

/// True for a call that may reach code that is followed.
fn calls(code: &Code<'_>, instruction: &Instruction<'_>) -> bool {
    if !opcode::is_invoke(instruction.opcode) {
        return false;
    }
    let index = instruction.pool_index();
    let named = index.and_then(|index| code.constant_pool().member_ref(index).ok());
    named.is_none_or(|named| {
        let is_object = named.owner == b"java/lang/Object" && named.name == b"<init>";
        !is_object && named.owner != b"jdk/internal/misc/Unsafe"
    })
}

/// The points of a method at which the tracking stack is cleared, while they are written.
struct ClearingPoints<'p, 'c> {
    code: &'p Code<'c>,
    edit: &'p mut CodeEdit,
    pool: &'p mut PoolExtension,
    /// What clears the stack.
    clear: (&'static ProbeMethod, Access),
    are_any: bool,
}

impl ClearingPoints<'_, '_> {
    fn fragment(&mut self) -> Result<Fragment, Refusal> {
        self.are_any = true;
        let (probe, access) = self.clear;
        access.call(Fragment::new(), probe, self.pool)
    }

    fn clear_at_start(&mut self) -> Result<(), Refusal> {
        let fragment = self.fragment()?;
        self.edit.at_start(fragment);
        Ok(())
    }

    fn clear_before(&mut self, bci: u32) -> Result<(), Refusal> {
        let fragment = self.fragment()?;
        self.edit.before(bci, fragment);
        Ok(())
    }

    fn clear_in(&mut self, clearing: Clearing) -> Result<(), Refusal> {
        if clearing == Clearing::Entry {
            self.clear_at_start()?;
            let mut handlers: Vec<u32> =
                self.code.exception_table().map(|entry| entry.handler).collect();
            handlers.sort_unstable();
            handlers.dedup();
            handlers.into_iter().try_for_each(|handler| self.clear_before(handler))?;
        }
        for instruction in self.code.instructions() {
            let returns =
                opcode::is_return(instruction.opcode) && instruction.opcode != opcode::RETURN;
            let is_call = clearing == Clearing::Calls && calls(self.code, &instruction);
            if returns || is_call {
                self.clear_before(instruction.bci)?;
            }
        }
        Ok(())
    }
}
