//! One recording.
//!
//! [`recording`] ties together what classes get, which is in [`instrument`], and what their
//! probes write, which is in [`live`]. [`pretransformation`] rewrites ahead of a switch,
//! [`periodic_dumps`] write the profile now and then, [`labels`] say what run it is, and
//! [`compaction`] makes the compact form.

#![warn(clippy::missing_errors_doc)]

pub mod compaction;
pub mod labels;
mod measuring;
pub mod periodic_dumps;
pub mod pretransformation;
pub mod recording;
