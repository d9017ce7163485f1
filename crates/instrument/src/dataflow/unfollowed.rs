//! Code that is not followed.
//!
//! It may be left out by the options, or be too large, or belong to handles. The
//! values that it stores come from nowhere; but they must not pass for those that
//! others have stored in the same place. So it forgets the last writer wherever it
//! stores.

use classfile::{
    Code, CodeEdit, Fragment, Instruction, LocalType, PoolExtension, Refusal, descriptor, opcode,
};
use profile::metadata::Record;

use super::methods::clearing::Clearing;
use super::methods::follow::number_of_field;
use crate::dataflow::emit::invalidation::{INVALIDATE_ELEMENT, INVALIDATE_STATIC, Site};
use crate::dataflow::emit::spill_slots::SpillSlots;
use crate::dataflow::emit::{forget, keep_owner};
use crate::dataflow::last_writers::fields::{self, AccessPath, LastWriters};
use crate::dataflow::mode::DataflowMode;
use crate::dataflow::probes;
use crate::dataflow::tables::Graph;
use crate::probe::Access;

/// True for a class that has no probes, but stores on behalf of handles and of
/// reflection.
pub fn stores_for_handles(class: &str) -> bool {
    const ACCESSORS: [&str; 4] =
        ["VarHandle", "DirectMethodHandle", "LambdaForm", "MethodHandleImpl$ArrayAccessor"];
    let name = class.strip_prefix("java/lang/invoke/");
    name.is_some_and(|name| ACCESSORS.iter().any(|accessor| name.starts_with(accessor)))
}

/// What a method that is not followed does for those that are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Duties {
    /// Where it clears the tracking stack.
    pub clears: Clearing,
    /// True if its stores make last writers forgotten.
    pub forgets: bool,
}

/// A method that is not followed.
pub struct Unfollowed<'u> {
    /// Its code.
    pub code: &'u Code<'u>,
    /// How its class reaches the probes.
    pub access: Access,
    /// What is followed elsewhere.
    pub mode: &'u dyn DataflowMode,
    /// What is known of last writers.
    pub graph: &'u Graph,
    /// Writes a record to the profile.
    pub write: &'u dyn Fn(&Record),
}

impl Unfollowed<'_> {
    /// Adds to `edit` what forgets last writers; true if the method stores.
    ///
    /// # Errors
    /// When there is no room for a constant.
    pub fn insert(&self, edit: &mut CodeEdit, pool: &mut PoolExtension) -> Result<bool, Refusal> {
        let Some(last_writers) = &self.graph.last_writers else { return Ok(false) };
        let mut spill_slots = SpillSlots::of(self.code);
        let mut stores = false;
        for instruction in self.code.instructions() {
            spill_slots.next_instruction();
            stores |= match instruction.opcode {
                opcode::IASTORE..=opcode::SASTORE => {
                    self.forget_element(&instruction, &mut spill_slots, edit, pool)?;
                    true
                }
                opcode::PUTFIELD => {
                    self.forget_field(&instruction, last_writers, &mut spill_slots, edit, pool)?
                }
                opcode::PUTSTATIC => self.forget_static(&instruction, last_writers, edit, pool)?,
                _ => match Site::of(self.code, &instruction, false, pool)? {
                    Some(site) => {
                        site.forget(self.access, &mut spill_slots, edit, pool)?;
                        true
                    }
                    None => false,
                },
            };
        }
        Ok(stores)
    }

    fn forget_element(
        &self,
        instruction: &Instruction<'_>,
        spill_slots: &mut SpillSlots,
        edit: &mut CodeEdit,
        pool: &mut PoolExtension,
    ) -> Result<(), Refusal> {
        let any = LocalType::Object(pool.class(b"java/lang/Object")?);
        let kind = match instruction.opcode {
            opcode::LASTORE => LocalType::Long,
            opcode::FASTORE => LocalType::Float,
            opcode::DASTORE => LocalType::Double,
            opcode::AASTORE => any,
            _ => LocalType::Int,
        };
        let kept = spill_slots.get_all(&[any, LocalType::Int, kind], edit);
        let &[array, index, value] = &kept[..] else { return Ok(()) };
        let before = Fragment::new().store(value).dup2().store_int(index).store_reference(array);
        edit.before(instruction.bci, before.load(value));
        let after = Fragment::new().load_reference(array).load_int(index);
        let after = self.access.call(after, &INVALIDATE_ELEMENT, pool)?;
        let references: &[_] = if kind == any { &[array, value] } else { &[array] };
        edit.after(instruction.bci, forget(after, references));
        Ok(())
    }

    fn forget_field(
        &self,
        instruction: &Instruction<'_>,
        last_writers: &LastWriters,
        spill_slots: &mut SpillSlots,
        edit: &mut CodeEdit,
        pool: &mut PoolExtension,
    ) -> Result<bool, Refusal> {
        let bci = instruction.bci;
        let constants = self.code.constant_pool();
        let named = instruction.pool_index().and_then(|index| constants.member_ref(index).ok());
        let Some(named) = named.filter(|named| self.has_last_writer(named.descriptor)) else {
            return Ok(false);
        };
        // A new object has no last writers yet, and before it is initialised it cannot
        // be kept aside.
        if self.code.initialisation().before.iter().any(|range| range.contains(&bci)) {
            return Ok(false);
        }
        let is_boot = self.access == Access::Direct;
        let path = last_writers.access_path_from(self.code.method().class(), named, is_boot);
        if path == AccessPath::None {
            return Ok(false);
        }
        let any = LocalType::Object(pool.class(b"java/lang/Object")?);
        let owner = spill_slots.get(any, 0, edit);
        edit.before(bci, keep_owner(owner, descriptor::words(named.descriptor) == 2));
        let name = fields::name(named.name, named.descriptor);
        let field = pool.fieldref(named.owner, &name, b"I")?;
        let after = Fragment::new().load_reference(owner).checkcast(pool.class(named.owner)?);
        let after = after.simple(opcode::ICONST_0).putfield(field, 1);
        match path {
            AccessPath::Guarded(number) => {
                // Numbers are small.
                let question = Fragment::new().push_int(number as i32, pool)?;
                let question = self.access.call(question, &probes::LACKS, pool)?;
                edit.after_unless(bci, question, after)?;
            }
            _ => edit.after(bci, after),
        }
        edit.after(bci, forget(Fragment::new(), &[owner]));
        Ok(true)
    }

    fn forget_static(
        &self,
        instruction: &Instruction<'_>,
        last_writers: &LastWriters,
        edit: &mut CodeEdit,
        pool: &mut PoolExtension,
    ) -> Result<bool, Refusal> {
        let field = number_of_field(self.graph, self.code, instruction, self.write);
        let field = field.and_then(|field| last_writers.statics.constant(field));
        let Some(field) = field else { return Ok(false) };
        let after = Fragment::new().push_int(field, pool)?;
        edit.after(instruction.bci, self.access.call(after, &INVALIDATE_STATIC, pool)?);
        Ok(true)
    }

    fn has_last_writer(&self, descriptor: &[u8]) -> bool {
        self.mode.has_last_writer(descriptor)
    }
}
