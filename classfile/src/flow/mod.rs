//! Control flow: basic blocks, dominators, loops, and where constructors
//! initialise their object.

pub(crate) mod constructor;
pub(crate) mod control_flow;
pub(crate) mod dominators;
pub(crate) mod loops;
