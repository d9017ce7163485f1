//! Writers of other tools' files.

pub mod folded;
