//! Probes: the methods of the runtime classes (`java-shim`) that instrumented code calls.
//!
//! [`members`] declares them and adds what they need to `Object` and `Thread`;
//! [`access`] says how the code of a class reaches them, [`runtime_class`] how the
//! runtime classes are initialised.

pub mod access;
pub mod members;
pub mod runtime_class;

pub use access::Access;
pub use runtime_class::{RuntimeClass, Shim};
