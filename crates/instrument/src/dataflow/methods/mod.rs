//! What methods do around their own code, so that shadows pass them.
//!
//! [`activation`] is what a method keeps while it runs, and [`leaving`] what it does when it
//! is left. [`upcalls`] save the tracking stack where the JVM calls Java code between a call
//! and its callee, and [`clearing`] empties it where code is not followed. [`follow`] puts
//! all of it into a method.

pub mod activation;
pub mod clearing;
pub mod follow;
pub mod leaving;
pub mod upcalls;
