//! Random programs as witnesses: what the agent counts in each calling context
//! is what the programs, rewritten by ASM, count by themselves.
//!
//! - `java/generated` writes the programs, rewrites them, and runs them.
//! - [`programs`] are those of a range of seeds.
//! - [`contexts`] are counts by calling context, as either side has them.

pub mod contexts;
pub mod programs;
