//! A second witness for the agent's counts: the classes of an application,
//! rewritten by the library ASM so that they count what they execute, or keep
//! what they return for which input.
//!
//! It shares no code and no idea with the agent: it knows no blocks, no
//! calling contexts and no files of ours, and counts with a call before every
//! few instructions (`java/secondwitness/CountingRewriter.java`). That is slow
//! and leaves the JDK's classes out, but real applications run.
//!
//! - [`witness`] compiles the witness and says how a JVM gets it.
//! - [`counts`] are calls and bytecodes by method, as either side counted them.
//! - [`comparison`] finds where they differ.
//! - [`results`] are inputs and results by method, as the witness kept them.
//! - [`results_comparison`] finds where these differ.

pub mod comparison;
pub mod counts;
pub mod results;
pub mod results_comparison;
pub mod witness;
