//! The values that are kept of an IPCS.

use super::events::Place;

/// An IPCS belongs to so many of the loops around it, the innermost ones.
pub const MOST_LEVELS: usize = 16;
/// Values of a sequence that are compared.
pub const MOST_VALUES: usize = 256;
/// Bits of [`Value::time`] that say for which loops the value counts.
const LEVEL_BITS: u32 = MOST_LEVELS.ilog2();

/// A value and where it was.
pub type Element = (u64, Place);

/// A value that was read.
#[derive(Debug, Clone, Copy)]
pub struct Value {
    /// The value itself, and its place.
    pub element: Element,
    /// When, and in the last bits the first of the IPCS's loops for which it counts: in
    /// an iteration of those around it its place was written before.
    time: u64,
}

impl Value {
    /// A value that was read at this time, and counts for the IPCS's loops from this
    /// one on.
    pub fn new(element: Element, time: u64, counts_from: u64) -> Self {
        Self { element, time: time << LEVEL_BITS | counts_from }
    }

    /// When it was read.
    pub fn time(&self) -> u64 {
        self.time >> LEVEL_BITS
    }

    /// The first of the IPCS's loops for which it counts.
    pub fn counts_from(&self) -> usize {
        (self.time & (MOST_LEVELS as u64 - 1)) as usize
    }
}
