//! Readers of other tools' files.

pub mod folded;
pub mod frame;
