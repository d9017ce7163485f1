//! The profile: what the agent records, what the analyzer reads.
//!
//! A profile is a forest of calling context trees, one per thread, with the
//! tables needed to name what is in it. See [`Profile`] for the shape in
//! memory and `docs/reference/format.md` for the shapes on disk.
//!
//! Reading gives columns, with parents before their children and subtrees
//! without gaps, so most questions are answered by one pass over them:
//!
//! ```no_run
//! use subsume_profile::{MethodId, read_file};
//!
//! let profile = read_file("fop.subsume".as_ref())?;
//! let calls = profile.by_method("calls");
//! for (name, calls) in profile.names().zip(&calls) {
//!     println!("{calls:12} {name}");
//! }
//! println!("in all {} methods, such as {:#}", calls.len(), profile.name(MethodId(0)));
//! # Ok::<(), subsume_profile::Error>(())
//! ```
//!
//! Three kinds of writers exist: the agent fills memory in the live form with
//! the constants of [`layout`] and the records of [`metadata`], and converts
//! it with [`write_compact_from_live`]; importers that have a [`Profile`] call
//! [`write()`]; generators of profiles larger than memory use a
//! [`CompactWriter`].

#![warn(clippy::missing_errors_doc)]

pub mod block_records;
pub mod blocks;
pub mod class_loading;
mod class_records;
mod columns;
mod compact;
mod cursor;
pub mod dataflow;
mod definition;
mod error;
mod field_records;
#[cfg(test)]
mod format_tables;
pub mod growth_records;
mod ids;
mod image;
pub mod layout;
mod live;
pub mod loop_records;
pub mod metadata;
mod model;
mod names;
pub mod node_records;
pub mod null_records;
pub mod object_records;
mod overview;
pub mod platform;
mod read;
pub mod result_records;
pub mod results;
mod run;
pub mod sampling;
pub mod texts;
pub mod typestate_records;
mod validate;
pub mod verdicts;

pub use columns::Columns;
pub use compact::{CompactWriter, Summary, Tables, write};
pub use definition::{Definition, Loader};
pub use error::Error;
pub use ids::{ClassId, MethodId, NodeId};
pub use image::{Image, SliceImage};
pub use live::{
    Ending, KnownMethods, LiveContext, LiveNames, LiveNode, Visitor, write_compact_from_live,
};
pub use model::{
    AllocatedBytes, CallSite, ClassInfo, Completeness, MethodInfo, Metric, NO_PARENT, Nodes,
    Origin, Profile, RunInfo, Skipped, ThreadTree,
};
pub use names::QualifiedName;
pub use overview::Overview;
pub use read::{read, read_file, read_file_and_bytes, read_file_with, read_overview, read_with};
pub use run::key;
