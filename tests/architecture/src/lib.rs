//! The module graph of a crate, read from its sources.
//!
//! [`Modules::of_crate`] finds the modules and what their paths lead to;
//! [`circles()`] are the groups of neighbours in a folder that import each other.
//! The parent of a folder's modules, its `mod.rs`, does not count as a neighbour:
//! it names them all, and they may use what it defines.

mod circles;
mod imports;
mod modules;

pub use circles::{Circle, circles};
pub use modules::Modules;
