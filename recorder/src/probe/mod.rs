//! Probes: the methods of the runtime classes (`java-shim`) that instrumented code calls.
//!
//! [`members`] declares them and adds what they need to `Object` and `Thread`;
//! [`access`] says how the code of a class reaches them.

pub mod access;
pub mod members;

pub use access::Access;
