//! Indices of instructions in code as it was, for those in code with probes.
//!
//! A program can ask for the index of the instruction at which a frame of its stack stands.
//! It is to get that of the code that it knows. [`moved`] is where the rewriter has put the
//! instructions of a class, and [`versions`] which class has been rewritten so, and when.

pub mod moved;
pub mod versions;
