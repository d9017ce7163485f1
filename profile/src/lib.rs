//! The profile: what the agent records, what the analyzer reads.
//!
//! A profile is a forest of calling context trees, one per thread, with the
//! tables needed to name what is in it. See [`Profile`] for the shape in
//! memory and `docs/format.md` for the shapes on disk.

mod compact;
mod error;
mod image;
pub mod layout;
mod live;
pub mod metadata;
mod model;
mod names;
mod read;
mod run;
mod validate;
mod varint;

pub use compact::{Columns, CompactWriter, Summary, Tables, write};
pub use error::Error;
pub use image::{Image, SliceImage};
pub use live::write_compact_from_live;
pub use model::{
    CallSite, ClassId, ClassInfo, Completeness, MethodId, MethodInfo, Metric, NO_PARENT, NodeId,
    Nodes, Origin, Profile, RunInfo, Skipped, ThreadTree,
};
pub use names::QualifiedName;
pub use read::{read, read_file, read_file_with, read_with};
pub use run::key;
