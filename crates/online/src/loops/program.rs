//! What judging asks of the program's code.

use super::findings::LoopInContext;

/// What the program's code says of loops.
pub trait Program {
    /// Whether a loop is judged when an activation of this node runs it.
    fn is_judged(&self, loop_in_context: LoopInContext) -> bool;

    /// Whether a call in an activation of this node copies an array on a string's behalf:
    /// a string is a value, and nothing of it is read.
    fn copies_string(&self, node: u32) -> bool;

    /// A loop is not judged any more when an activation of this node runs it: what is read
    /// in it alone need not be told.
    fn rest(&self, _: LoopInContext) {}

    /// Whether a loop has neither calls nor inner loops: in each of its iterations, an
    /// instruction reads one value.
    fn is_leaf(&self, _: u32) -> bool {
        false
    }

    /// Whether a loop searches: it is left where something equals what it looks for.
    fn searches(&self, _: LoopInContext) -> bool {
        false
    }

    /// An instruction of this node has read in a loop that searches, as far as was known: what
    /// is called on the way to it may say more of that loop.
    fn read_in_search(&self, _: u32) {}

    /// Whether the number is that of a recursive method rather than of a loop: its activations
    /// pass for loops of one iteration, of which only the growth of the cost is of interest.
    fn is_method(&self, number: u32) -> bool;
}

/// A program for tests: all loops are judged but those with large numbers, and number 99
/// is a method.
#[cfg(test)]
pub struct Small;

#[cfg(test)]
impl Program for Small {
    fn is_judged(&self, one: LoopInContext) -> bool {
        one.number < 100
    }

    fn copies_string(&self, _: u32) -> bool {
        false
    }

    fn is_method(&self, number: u32) -> bool {
        number == 99
    }
}
