//! Rewriting classes so that they record.
//!
//! [`options`] say what is wanted and [`plan`] what that means for a method; [`probe`] names
//! what the runtime classes offer, [`dataflow`] writes the code that follows values, and
//! [`rewrite`] puts all of it into a class. [`splits`] keep contexts apart by texts.
//! [`catalogue`] knows the methods that calls may lead to, and [`code_indices`] where the code of
//! classes was before. Nothing here is `unsafe` or needs a JVM.

#![warn(clippy::missing_errors_doc)]

pub mod catalogue;
pub mod code_indices;
pub mod dataflow;
pub mod destination;
pub mod instance_sizes;
pub mod modified_utf8;
pub mod noticed;
pub mod options;
pub mod pattern;
pub mod plan;
pub mod probe;
pub mod rewrite;
pub mod splits;
