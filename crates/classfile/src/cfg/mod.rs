//! The control flow graph: basic blocks, dominators, loops, where constructors
//! initialise their object, and what variables refer to.

pub(crate) mod constructor;
pub(crate) mod control_flow;
pub(crate) mod dominators;
pub(crate) mod joint_handlers;
mod local_types;
pub(crate) mod loops;
