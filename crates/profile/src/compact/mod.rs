//! The compact form: written in one go, read with all cores.
//!
//! A header, then a chain of sections, each with its kind, length and
//! checksum, closed by an end section; so a cut anywhere and a changed byte
//! anywhere are noticed. The calling contexts come in blocks that decode
//! independently, one byte stream per column; streams are compressed.

pub(crate) mod block;
mod overview;
mod parents;
mod read_tables;
mod reader;
pub(crate) mod section;
mod stream;
mod write_tables;
mod writer;

pub(crate) use overview::read as read_overview;
pub(crate) use reader::read;
pub use write_tables::Tables;
pub use writer::{CompactWriter, Summary, write};
