//! What the agent writes while it records.
//!
//! [`trees`] are calling context trees in the [`arena`], one for each thread
//! ([`thread_trees`]), with [`callers`] for calls that are bound late; [`journal`] is the
//! metadata beside them, which [`profile_writer`] appends. A [`switch`] says whether
//! recording is on. A [`meter`] tells programs what they have just executed.

#![warn(clippy::missing_errors_doc)]

pub mod callers;
mod entered_methods;
pub mod journal;
pub mod measured;
pub mod meter;
pub mod profile_writer;
pub mod switch;
pub mod thread_trees;
pub mod trees;
