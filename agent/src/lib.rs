//! `libsubsume.so`: the JVM TI agent that records.
//!
//! The JVM hands every class to the agent before it parses it. The agent adds
//! calls to a small runtime class (`java-shim`), and these write into a
//! calling context tree that lies in the profile's file, mapped into memory.
//! The agent knows no analysis; what it shares with the analyzer is the crate
//! `profile`.

mod ahead;
mod arena;
mod catalogue;
mod compaction;
mod dataflow;
mod instrument;
mod journal;
mod jvm;
mod modified_utf8;
mod options;
mod pattern;
mod recorder;
mod shim;
mod trees;
