//! Analyses of data flow: copies, costs and benefits, where nulls come from, loops that
//! read similar values, how the cost of loops grows, and which results methods repeat.
//!
//! After "Scalable Runtime Bloat Detection Using Abstract Dynamic Slicing"
//! (TOSEM); the words are those of [`profile::dataflow`]. `copies` works on the
//! copy graph (section 3), `costs` on the cost graph (section 4).

pub mod adjacency;
pub mod conflicts;
pub mod copies;
pub mod costs;
pub mod for_whom;
pub mod growth;
pub mod loops;
pub mod method_table;
pub mod name;
pub mod nulls;
pub mod place;
pub mod results;
pub mod typestate;
