//! A profile, held against what an independent witness saw of the same
//! program.
//!
//! The witness is an agent of its own (`agent/`), which single-steps the
//! unmodified program. Both give a calling context tree; [`Tree::of_dump`] and
//! [`Tree::of_profile`] bring them to one form, [`differences`] compares them.
//! [`Program`] runs a program both ways.
//!
//! Every count must be equal in every context. `docs/explanation/exactness.md` says which
//! numbers are not promised; [`rules`] says the same to the comparison.

mod compare;
mod dump;
mod name;
mod program;
pub mod rules;
mod tree;

pub use compare::{Difference, differences};
pub use dump::{Dump, Step, WatchedThread};
pub use name::Method;
pub use program::{Ended, Program, REPEATABLE};
pub use rules::Skipped;
pub use tree::{Context, ContextId, Counts, Tree};
