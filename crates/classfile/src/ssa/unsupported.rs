//! Why the values of a method are not known.

use std::fmt;

/// Why there are no [`Values`](super::Values) for a method.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum Unsupported {
    /// The method has subroutines (`jsr` and `ret`), which no compiler has
    /// written since Java 6.
    Subroutine {
        /// The first such instruction that was met.
        bci: u32,
    },
    /// The operand stack runs empty, grows beyond its limit, halves a long or
    /// double, or differs between two predecessors of a block. No verifier accepts it.
    Stack {
        /// Where that was noticed.
        bci: u32,
    },
    /// An instruction names a constant or a local variable that does not
    /// exist.
    Operand {
        /// The instruction.
        bci: u32,
    },
    /// A local variable is read that has no value. No verifier accepts it.
    Undefined {
        /// The start of the block that reads it, or that leads to one.
        bci: u32,
    },
    /// The parameters do not fit into the local variables.
    Parameters,
    /// Too many handlers read too many local variables: the phis would
    /// take hundreds of megabytes.
    TooManyPhis,
}

impl fmt::Display for Unsupported {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Unsupported::Subroutine { bci } => write!(out, "a subroutine (jsr, ret) at bci {bci}"),
            Unsupported::Stack { bci } => {
                write!(out, "the operand stack does not fit at bci {bci}")
            }
            Unsupported::Operand { bci } => {
                write!(
                    out,
                    "the instruction at bci {bci} names a constant or variable that does not exist"
                )
            }
            Unsupported::Undefined { bci } => {
                write!(out, "a local variable without a value is read from bci {bci} on")
            }
            Unsupported::TooManyPhis => write!(out, "too many values phi at handlers"),
            Unsupported::Parameters => {
                write!(out, "the parameters do not fit into the local variables")
            }
        }
    }
}

impl std::error::Error for Unsupported {}
