//! Copies (paper 002, section 3): loads and stores of values that nothing has
//! changed in between.
//!
//! A shadow is the heap location that a value was loaded from, or the new
//! object that it refers to: the tag of the object in the upper half, the field
//! in the lower. Computed values and constants come from nowhere. A store adds
//! an edge from the shadow of the value to the location; a computation, a test
//! or native code is the consumer, which all such edges lead to.

use classfile::opcode::{GETSTATIC, IINC};
use classfile::ssa::kinds::{Kind, Role, kind, role};

use super::calls::Call;
use super::domain::{Domain, Shadow, Source, Step, Use};
use super::stack::TRACKED_ARGUMENTS;
use super::unsafe_access::access;

/// The domain of `mode=copies`.
#[derive(Debug, Clone, Copy, Default)]
pub struct Copies;

impl Domain for Copies {
    fn argument(&self, number: usize, is_constructed: bool) -> Shadow {
        match number {
            0 if is_constructed => Shadow::Dynamic(Source::Constructed),
            0..TRACKED_ARGUMENTS => Shadow::Dynamic(Source::Argument(number)),
            _ => Shadow::NONE,
        }
    }

    fn result(&self, step: &Step<'_>) -> Shadow {
        let base = step.operands.first().copied();
        match (kind(step.instruction.opcode), step.call) {
            (Kind::Load, _) => match (step.field, base) {
                (Some(field), _) if step.instruction.opcode == GETSTATIC => {
                    Shadow::Static(field.into())
                }
                (Some(0), Some(base)) => Shadow::Dynamic(Source::Element { base }),
                (Some(field), Some(base)) => Shadow::Dynamic(Source::Field { base, field }),
                _ => Shadow::NONE,
            },
            (Kind::Allocation, _) => Shadow::Dynamic(Source::Made),
            (_, Some(Call::Tracked { callee, .. })) => Shadow::Dynamic(Source::Returned { callee }),
            (_, Some(Call::Accesses(access))) if access.loads() => Shadow::Dynamic(Source::Located),
            (_, Some(Call::Clones | Call::Concatenates | Call::Captures { .. })) => {
                Shadow::Dynamic(Source::Made)
            }
            _ => Shadow::NONE,
        }
    }

    fn wants(&self, step: &Step<'_>, operand: usize) -> Use {
        if step.instruction.opcode == IINC {
            return Use::Consumed;
        }
        if let Some(access) = access(step.call) {
            return match Some(operand) {
                stored if stored == access.stored() => Use::Stored,
                consumed if consumed == access.consumed() => Use::Consumed,
                _ => Use::Nothing,
            };
        }
        match (role(step.instruction.opcode, operand), step.call) {
            (Role::Consumed, _) => Use::Consumed,
            (Role::Stored, _) => Use::Stored,
            (Role::Returned, _) => Use::Returned,
            (_, Some(Call::Tracked { .. } | Call::Captures { .. })) => Use::Passed,
            (_, Some(Call::Consumes { .. } | Call::Concatenates)) => Use::Consumed,
            _ => Use::Nothing,
        }
    }

    fn has_one_consumer(&self) -> bool {
        true
    }
}
