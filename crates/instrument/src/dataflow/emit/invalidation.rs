//! Invalidation of last writers behind uninstrumented stores: by `Unsafe`, and by
//! natives of the JDK.
//!
//! Such a store leaves a last writer that has not written the value which is in the
//! location now. The code inserted behind the store calls
//! `java.lang.SubsumeInvalidation`, which clears the last writer.
//! [`unfollowed`](crate::dataflow::unfollowed) code does that behind all its stores.

use classfile::{
    Code, CodeEdit, Fragment, Instruction, Local, LocalType, MemberRef, PoolExtension, Refusal,
    descriptor, opcode,
};

use crate::dataflow::emit::spill_slots::{SpillSlots, local_type};
use crate::dataflow::emit::{Emitter, forget};
use crate::dataflow::last_writers::unsafe_access::descriptor_of;
use crate::probe::Access;
use crate::probe::RuntimeClass;
use crate::probe::members::{Family, ProbeMethod, family};

family! {
    "SubsumeInvalidation" adds [];
    INVALIDATE = "invalidate" "(Ljava/lang/Object;JJ)V";
    INVALIDATE_IF = "invalidateIf" "(ILjava/lang/Object;JJ)V";
    INVALIDATE_ELEMENT = "invalidateElement" "(Ljava/lang/Object;I)V";
    INVALIDATE_ELEMENTS = "invalidateElements" "(Ljava/lang/Object;II)V";
    INVALIDATE_STATIC = "invalidateStatic" "(I)V";
}

/// The runtime class behind these probes.
pub const RUNTIME_CLASSES: &[RuntimeClass] = &[RuntimeClass::initialised_by(
    "SubsumeInvalidation",
    "canFollow",
    "java.lang.SubsumeInvalidation cannot be initialised",
)];

/// What a call stores.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Stored {
    /// The store writes this number of bytes; a reference counts as one.
    Bytes(i64),
    /// The store writes this number of bytes if the call returns true.
    BytesIfTrue(i64),
    /// As many bytes as the argument behind the offset says.
    Range,
    /// An element.
    Element,
    /// As many elements as the argument behind the index says.
    Elements,
}

/// A call that stores, and number of the argument that is the object; the offset,
/// or the index, comes next.
fn stored(call: MemberRef<'_>) -> Option<(Stored, usize)> {
    let MemberRef { owner, name, descriptor, .. } = call;
    let starts = |prefixes: &[&[u8]]| prefixes.iter().any(|&prefix| name.starts_with(prefix));
    if owner == b"java/lang/reflect/Array" {
        let sets = starts(&[b"set"]) && descriptor.starts_with(b"(Ljava/lang/Object;I");
        return sets.then_some((Stored::Element, 0));
    }
    if owner != b"jdk/internal/misc/Unsafe" || !descriptor.starts_with(b"(Ljava/lang/Object;J") {
        return None;
    }
    let bytes = match descriptor_of(name) {
        b"C" | b"S" => 2,
        b"I" | b"F" => 4,
        b"J" | b"D" => 8,
        _ => 1,
    };
    if starts(&[b"copyMemory", b"copySwapMemory"]) {
        Some((Stored::Range, 2))
    } else if starts(&[b"setMemory"]) {
        Some((Stored::Range, 0))
    } else if starts(&[b"compareAndSet", b"weakCompareAndSet"]) {
        Some((Stored::BytesIfTrue(bytes), 0))
    } else if starts(&[b"put", b"getAnd", b"compareAndExchange"]) {
        Some((Stored::Bytes(bytes), 0))
    } else {
        None
    }
}

/// A call that stores.
#[derive(Debug)]
pub struct Site {
    bci: u32,
    stored: Stored,
    /// What lies on the stack, from the object on.
    operands: Vec<LocalType>,
}

impl Site {
    /// Of an instruction, if it is such a call. That of `System.arraycopy` is one if
    /// nobody follows it.
    ///
    /// # Errors
    /// When there is no room for a constant.
    pub fn of(
        code: &Code<'_>,
        instruction: &Instruction<'_>,
        is_followed: bool,
        pool: &mut PoolExtension,
    ) -> Result<Option<Self>, Refusal> {
        let Some(call) = called(code, instruction) else { return Ok(None) };
        let stored = match (call.owner, call.name) {
            (b"java/lang/System", b"arraycopy") if !is_followed => Some((Stored::Elements, 2)),
            _ => stored(call),
        };
        let Some((stored, first)) = stored else { return Ok(None) };
        let any = LocalType::Object(pool.class(b"java/lang/Object")?);
        let operands = descriptor::parameters(call.descriptor).skip(first);
        let operands = operands.map(|parameter| local_type(parameter, any)).collect();
        Ok(Some(Self { bci: instruction.bci, stored, operands }))
    }

    /// Writes what forgets the last writers of what it stores to.
    ///
    /// # Errors
    /// When there is no room for a constant.
    pub fn forget(
        &self,
        access: Access,
        spill_slots: &mut SpillSlots,
        edit: &mut CodeEdit,
        pool: &mut PoolExtension,
    ) -> Result<(), Refusal> {
        let kept = spill_slots.get_all(&self.operands, edit);
        let [owner, at, behind @ ..] = &kept[..] else { return Ok(()) };
        let before = kept.iter().rev().fold(Fragment::new(), |before, &local| before.store(local));
        edit.before(self.bci, kept.iter().fold(before, |before, &local| before.load(local)));
        let mut after = Fragment::new();
        if matches!(self.stored, Stored::BytesIfTrue(_)) {
            after = after.dup();
        }
        after = after.load(*owner).load(*at);
        let probe = match (self.stored, behind.first()) {
            (Stored::Bytes(bytes), _) => {
                after = after.push_long(bytes, pool)?;
                &INVALIDATE
            }
            (Stored::BytesIfTrue(bytes), _) => {
                after = after.push_long(bytes, pool)?;
                &INVALIDATE_IF
            }
            (Stored::Range, Some(&bytes)) => {
                after = after.load(bytes);
                &INVALIDATE
            }
            (Stored::Elements, Some(&count)) => {
                after = after.load(count);
                &INVALIDATE_ELEMENTS
            }
            (Stored::Range | Stored::Elements, None) => return Ok(()),
            (Stored::Element, _) => &INVALIDATE_ELEMENT,
        };
        after = access.call(after, probe, pool)?;
        let is_reference = |local: &Local| matches!(local.kind(), LocalType::Object(_));
        let references: Vec<Local> = kept.iter().copied().filter(is_reference).collect();
        edit.after(self.bci, forget(after, &references));
        Ok(())
    }
}

impl Emitter<'_, '_> {
    /// Writes what forgets last writers, if an instruction is a call that stores.
    ///
    /// # Errors
    /// If the edit refuses it.
    pub fn replace(&mut self, instruction: &Instruction<'_>) -> Result<(), Refusal> {
        match Site::of(self.subject.code, instruction, true, self.pool)? {
            Some(site) => site.forget(self.access, &mut self.spill_slots, self.edit, self.pool),
            None => Ok(()),
        }
    }
}

/// The method that an instruction calls, other than by `invokedynamic`.
fn called<'a>(code: &Code<'a>, instruction: &Instruction<'_>) -> Option<MemberRef<'a>> {
    let opcode = instruction.opcode;
    let calls = opcode::is_invoke(opcode) && opcode != opcode::INVOKEDYNAMIC;
    let index = instruction.pool_index().filter(|_| calls)?;
    code.constant_pool().member_ref(index).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stores_are_known_by_their_names() {
        let of = |name: &str, descriptor: &str| {
            let owner = b"jdk/internal/misc/Unsafe";
            let (name, descriptor) = (name.as_bytes(), descriptor.as_bytes());
            stored(MemberRef { owner, name, descriptor, is_interface: false })
        };
        assert_eq!(
            of("putReferenceRelease", "(Ljava/lang/Object;JLjava/lang/Object;)V"),
            Some((Stored::Bytes(1), 0))
        );
        assert_eq!(
            of("getAndBitwiseOrInt", "(Ljava/lang/Object;JI)I"),
            Some((Stored::Bytes(4), 0))
        );
        assert_eq!(
            of("compareAndExchangeLong", "(Ljava/lang/Object;JJJ)J"),
            Some((Stored::Bytes(8), 0))
        );
        assert_eq!(
            of("weakCompareAndSetCharPlain", "(Ljava/lang/Object;JCC)Z"),
            Some((Stored::BytesIfTrue(2), 0))
        );
        let copies = "(Ljava/lang/Object;JLjava/lang/Object;JJ)V";
        assert_eq!(of("copyMemory", copies), Some((Stored::Range, 2)));
        assert_eq!(of("getLongVolatile", "(Ljava/lang/Object;J)J"), None);
        // Memory outside of the heap.
        assert_eq!(of("putLong", "(JJ)V"), None);
    }
}
