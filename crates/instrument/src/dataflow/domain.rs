//! What a mode follows: its abstract domain (Xu et al. 2014, section 2).
//!
//! Every value has a *shadow*, a number that says where it comes from. What the
//! number means, which instructions make one, and who wants to know it, is all
//! that a mode decides; how shadows get from there to here is the same for all.

use classfile::Instruction;
use classfile::ssa::ValueId;

use super::tracking::calls::Call;

/// What is known of a value's shadow before the code runs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Shadow {
    /// It is always this. 0 says that nothing is known, or nothing of interest.
    Static(u64),
    /// It is this node of the current activation: the number of the node that
    /// the same instruction has in slot 0.
    Own(u32),
    /// It is known when the code runs.
    Dynamic(Source),
}

impl Shadow {
    /// Of a value of which nothing is known.
    pub const NONE: Self = Self::Static(0);
}

/// Where the code learns a shadow.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Source {
    /// From the tracking stack: argument of this number, the receiver being 0.
    Argument(usize),
    /// `this` of a constructor, a new object.
    Constructed,
    /// From the object whose field is loaded.
    Field {
        /// That object.
        base: ValueId,
        /// Number of the field.
        field: u32,
    },
    /// From the array whose element is loaded.
    Element {
        /// That array.
        base: ValueId,
    },
    /// From the object and the offset that `Unsafe` loads from.
    Located,
    /// From the new object itself.
    Made,
    /// From the tracking stack, where the callee left it.
    Returned {
        /// Identifies the callee.
        callee: i32,
    },
    /// From one of several values.
    Merged,
}

/// Why an instruction wants the shadow of an operand.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Use {
    /// It does not.
    Nothing,
    /// It computes with it, tests it, or gives it to code that is not followed.
    Consumed,
    /// It puts it into the heap.
    Stored,
    /// It calls a method that may want to know.
    Passed,
    /// The caller may want to know.
    Returned,
}

/// An instruction that wants the shadow of an operand.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Demand {
    /// The instruction.
    pub bci: u32,
    /// The operand's value.
    pub value: ValueId,
    /// What for.
    pub wants: Use,
}

/// An instruction with what is known about it.
#[derive(Debug, Clone, Copy)]
pub struct Step<'a> {
    /// The instruction.
    pub instruction: Instruction<'a>,
    /// Its operands.
    pub operands: &'a [ValueId],
    /// What a call does with shadows; `None` for other instructions.
    pub call: Option<Call>,
    /// Number of the field, 0 for elements of arrays; `None` where neither is
    /// accessed.
    pub field: Option<u32>,
}

/// A mode's abstract domain.
pub trait Domain: std::fmt::Debug {
    /// The shadow of an argument, the receiver being 0.
    fn argument(&self, number: usize, is_constructed: bool) -> Shadow;

    /// The shadow of what an instruction makes.
    fn result(&self, step: &Step<'_>) -> Shadow;

    /// Why an instruction wants the shadow of an operand.
    fn wants(&self, step: &Step<'_>, operand: usize) -> Use;

    /// True if it does not matter which instruction consumes a value.
    fn has_one_consumer(&self) -> bool;
}
