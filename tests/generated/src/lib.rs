//! Random programs as witnesses: what the agent counts in each calling context
//! is what the programs, rewritten by ASM, count by themselves.
//!
//! - `java/generated` writes the programs, rewrites them, and runs them.
//! - [`programs`] are those of a range of seeds.
//! - [`contexts`] are counts by calling context, as either side has them.

pub mod contexts;
pub mod programs;

/// The number in an environment variable.
///
/// # Panics
/// If there is something else in it.
pub fn number(variable: &str, otherwise: u64) -> u64 {
    std::env::var(variable).map_or(otherwise, |text| text.parse().expect("it is a whole number"))
}
