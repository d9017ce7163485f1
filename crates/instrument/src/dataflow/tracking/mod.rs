//! The tracking stack, by which shadows find their way from call to callee and back.
//!
//! [`stack`] has the methods that code calls for it, [`callees`] the numbers by which
//! the two sides of a call know each other, and [`calls`] is what calls do.

pub mod callees;
pub mod calls;
pub mod stack;
