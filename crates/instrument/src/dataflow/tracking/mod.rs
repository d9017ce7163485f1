//! The tracking stack, by which shadows find their way from call to callee and back.
//!
//! [`stack`] has the methods that code calls for it, and [`callees`] the numbers by which
//! the two sides of a call know each other. [`calls`] is what calls do, [`activation`] what
//! a method keeps while it runs, and [`leaving`] what it does when it is left. [`upcalls`]
//! saves the stack where the JVM calls Java code between a call and its callee. Code that
//! is [`unfollowed`] is [`clearing`] the stack, so that nobody takes what was meant for
//! others. [`follow`] puts all of it into a method.

pub mod activation;
pub mod callees;
pub mod calls;
pub mod clearing;
pub mod follow;
pub mod leaving;
pub mod stack;
pub mod unfollowed;
pub mod upcalls;
