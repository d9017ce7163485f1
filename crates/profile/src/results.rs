//! Inputs and results of methods: limits, and what a recording says of all results of
//! a method.

/// The number of inputs, and of receivers, of a method that are kept for each thread; with
/// more of them numbers are estimates.
pub const MOST_INPUTS: u32 = 1024;
/// The greatest level: of 2^level parts of the inputs one is kept.
pub const MOST_LEVEL: u8 = 63;

/// Objects are compared by their contents to these depths, counted in references.
pub const STRUCTURAL_DEPTHS: [u8; 3] = [1, 2, 4];

/// Whether objects are compared so deep; 0 is by identity.
pub fn is_depth(depth: u8) -> bool {
    depth == 0 || STRUCTURAL_DEPTHS.contains(&depth)
}

/// Numbers of objects are below this; then they repeat.
pub const IDENTITIES: u64 = 1 << 30;

/// All results are the receiver.
pub const FLUENT: u8 = 1;
/// All results are null.
pub const NULL: u8 = 2;
/// All results are the same.
pub const ONE_VALUE: u8 = 4;
/// All results for the same receiver are the same.
pub const PER_RECEIVER: u8 = 8;
/// All results are NaN.
pub const NAN: u8 = 16;
/// There are no results.
pub const VOID: u8 = 32;
/// The code can return nothing but null. (In files, 64 says something else.)
pub const ONLY_NULL: u8 = 128;
/// All of these bits.
pub const ALL_KINDS: u8 = (2 * VOID - 1) | ONLY_NULL;
