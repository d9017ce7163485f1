//! `libsubsume.so`: the JVM TI agent that records.
//!
//! The JVM hands every class to the agent before it parses it. The agent adds
//! calls to small runtime classes ([`shim`], `java-shim`), and these write into a
//! calling context tree that lies in the profile's file, mapped into memory.
//! [`jvm`] talks to the JVM; what is done with classes and with what probes write is
//! in the crate `recorder`. The agent knows no analysis; what it shares with the
//! analyzer is the crate `profile`.

#![warn(clippy::missing_errors_doc)]

mod attached_runtime;
mod jvm;
#[cfg(test)]
mod mirrored_constants;
mod shim;
