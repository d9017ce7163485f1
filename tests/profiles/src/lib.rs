//! Profiles that tests make: at random, or by hand for an example.
//!
//! - [`random`] has profiles with all tables filled, [`random_trees`] small ones whose
//!   trees have long repetitions;
//! - [`recordings`] are those of a small program, one for each mode, and [`dataflow`] the
//!   examples of the papers on data flow;
//! - [`live`] builds the form that an agent writes, and [`sections`] finds the parts of the
//!   other form;
//! - [`jfr`] builds recordings of the JDK's Flight Recorder.

#![allow(missing_docs, reason = "names of examples say what they are")]

pub mod dataflow;
pub mod jfr;
pub mod live;
pub mod random;
pub mod random_trees;
pub mod recordings;
pub mod sections;
