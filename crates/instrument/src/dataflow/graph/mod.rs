//! The graph that is recorded: its [`edges`] in tables of threads, the values that were
//! [`consumed`] in a table of bytes, and [`numbers`], whose names are in the metadata.

pub mod consumed;
pub mod edges;
pub mod numbers;
