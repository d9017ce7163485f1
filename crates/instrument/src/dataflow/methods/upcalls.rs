//! Shadow state that is saved across upcalls of the JVM: methods that the JVM calls
//! between a call and its callee.
//!
//! Where a call is executed for the first time, the JVM may have to load a
//! class, to initialise one, or to link the call. It runs Java code for that
//! when the shadows of the arguments already are on the tracking stack, and the
//! tag of what the call is to make waits. Such code leaves both as it found them.

use classfile::{
    Code, CodeEdit, Fragment, Local, LocalType, Member, PoolExtension, Refusal, opcode,
};

use crate::dataflow::objects::tags;
use crate::dataflow::tracking::calls::callee_of;
use crate::dataflow::tracking::stack::{self, TRACKED_ARGUMENTS};
use crate::probe::Access;

/// True for methods that the JVM may call there.
pub fn is_upcall(class: &[u8], method: &Member<'_>) -> bool {
    match method.name() {
        b"<clinit>" => true,
        b"loadClass" => method.descriptor() == b"(Ljava/lang/String;)Ljava/lang/Class;",
        name => is_linker(class) && (name.starts_with(b"link") || name.starts_with(b"find")),
    }
}

/// True for the class that links calls.
pub fn is_linker(class: &[u8]) -> bool {
    class == b"java/lang/invoke/MethodHandleNatives"
}

/// The locals in which an upcall saves the tracking stack.
#[derive(Debug)]
pub struct SavedShadows {
    callee: Local,
    arguments: Vec<Local>,
    /// The owner of a static method.
    owner: Local,
    /// The tag of what is to be made.
    birth: Local,
}

impl SavedShadows {
    /// At the entry of the method, before it looks at the tracking stack.
    ///
    /// # Errors
    /// If the constant pool has no room left.
    pub fn enter(
        code: &Code<'_>,
        access: Access,
        edit: &mut CodeEdit,
        pool: &mut PoolExtension,
    ) -> Result<Self, Refusal> {
        let own = callee_of(code);
        let kept = Self {
            callee: edit.new_local(LocalType::Int),
            arguments: (0..TRACKED_ARGUMENTS).map(|_| edit.new_local(LocalType::Long)).collect(),
            owner: edit.new_local(LocalType::Int),
            birth: edit.new_local(LocalType::Int),
        };
        let mut fragment = Fragment::new().push_int(own, pool)?;
        fragment = access.call(fragment, &stack::INTERRUPTED, pool)?.store_int(kept.callee);
        for (probe, &argument) in stack::PARAMETERS.iter().zip(&kept.arguments) {
            // All bits.
            fragment = fragment.simple(opcode::ICONST_M1);
            fragment = access.call(fragment, probe, pool)?.store_long(argument);
        }
        fragment = access.call(fragment, &stack::PASSED_OWNER, pool)?.store_int(kept.owner);
        fragment = access.call(fragment, &tags::probes::TAKE, pool)?.store_int(kept.birth);
        edit.at_start(fragment);
        Ok(kept)
    }

    /// Before every return. An exception takes the interrupted call with it.
    ///
    /// # Errors
    /// If the constant pool has no room left.
    pub fn leave(
        &self,
        code: &Code<'_>,
        access: Access,
        edit: &mut CodeEdit,
        pool: &mut PoolExtension,
    ) -> Result<(), Refusal> {
        let fragment = self.arguments.iter().fold(Fragment::new(), |f, &local| f.load_long(local));
        let fragment = fragment.load_int(self.owner).load_int(self.callee);
        let fragment = access.call(fragment, &stack::RESUME, pool)?.load_int(self.birth);
        let fragment = access.call(fragment, &tags::probes::GIVE, pool)?;
        for instruction in code.instructions().filter(|i| opcode::is_return(i.opcode)) {
            edit.before(instruction.bci, &fragment);
        }
        Ok(())
    }
}
