//! What methods return for the same input (Bergel et al. 2012, section 5).
//!
//! Each thread keeps [`tables`] of its own for each method, which probes fill in. They are
//! added up in [`sums`].

pub mod sums;
pub mod tables;

/// Calls of a method that are followed where the options do not say.
pub const MOST_CALLS: u64 = 1 << 16;
