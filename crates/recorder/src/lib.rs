//! The part of the agent that knows no JVM: it rewrites classes, and keeps what their
//! probes write.
//!
//! [`recording`] is one recording and ties the rest together. [`instrument`] gives
//! classes their probes, [`dataflow`] those that follow values; [`code_indices`] know where
//! the code of classes was before. [`trees`] are calling
//! context trees in the [`arena`], [`journal`] the metadata beside them, and
//! [`compaction`] the compact form of both. Nothing here is `unsafe`, so all of it is
//! tested without a JVM.

#![warn(clippy::missing_errors_doc)]

pub mod callers;
pub mod catalogue;
pub mod code_indices;
pub mod compaction;
pub mod dataflow;
pub mod destination;
mod entered_methods;
pub mod instrument;
pub mod journal;
pub mod labels;
pub mod loops;
pub mod modified_utf8;
pub mod noticed;
pub mod options;
pub mod pattern;
pub mod periodic_dumps;
pub mod plan;
pub mod pretransformation;
pub mod probe;
pub mod profile_writer;
pub mod recording;
pub mod results;
pub mod switch;
pub mod thread_trees;
pub mod trees;
