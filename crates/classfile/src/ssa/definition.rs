//! What a value is.

use crate::cfg::control_flow::BlockIndex;

/// The number of a value in its method, from 0 without gaps.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct ValueId(pub(super) u32);

impl ValueId {
    /// The number, for columns with one entry per value.
    #[inline]
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// Where a value comes from.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Definition {
    /// What the method was given in this local variable; `this` is number 0
    /// of an instance method.
    Parameter(u16),
    /// What the instruction at this position pushes, or leaves in the local
    /// variable if it is `iinc`. The result of `new` is one value before and
    /// after its constructor ran.
    Result(u32),
    /// The exception that this handler starts with.
    Caught(BlockIndex),
    /// A phi function at the entry of a block: the value that the predecessor
    /// brings which control came from. [`Values::inputs`](super::Values::inputs)
    /// lists them.
    Phi {
        /// The block that it stands before.
        block: BlockIndex,
        /// The local variable or stack word that it defines.
        position: Position,
    },
}

/// A local variable or a place on the operand stack.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Position {
    /// A local variable.
    Local(u16),
    /// The stack word that has so many words below it.
    Stack(u16),
}

/// An input of a phi.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct PhiInput {
    /// Where control comes from.
    pub origin: Origin,
    /// What it brings. May be the phi itself: control that
    /// comes from there leaves the value as it is.
    pub value: ValueId,
}

/// Where control comes from.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Origin {
    /// The start of the method, when its first block is also jumped to.
    Entry,
    /// The end of this block.
    Block(BlockIndex),
    /// An exception. From the instruction at this position on, itself
    /// included, an exception brings the value, until the `Before` of another
    /// position of the same phi is reached.
    ///
    /// Wherever the handler covers an instruction, the last `Before` that
    /// control ran through names the right value. There is one where control
    /// enters what the handler covers, one behind each instruction that
    /// changes the local variable, and one at the start of a block whose
    /// predecessors disagree.
    Before(u32),
}
