//! An agent for tests: watches a program that nobody has changed, instruction
//! by instruction, and writes down what it executed in every calling context.
//!
//! It shares no code with the profiler. Frames are followed by the JVM's own
//! events for entering and leaving methods, bytecodes by its single steps.
//! Everything is slow, simple and checked: a method that returns without
//! having been seen at a return instruction is reported, so that a step that
//! the JVM kept to itself does not go unnoticed.
//!
//! Options, separated by commas:
//!
//! - `main=CLASS`: where to begin, the class whose `main` the launcher calls;
//! - `programs=CLASS:CLASS`: classes whose steps are written, with those inside them; that with
//!   `main` if there is nothing else to name;
//! - `out=PATH`: where the counts go when the JVM ends;
//! - `clock-only`: watch nothing; only set the JVM's clock still while it
//!   starts, see [`clock`].

mod clock;
mod constant_pool;
mod contexts;
mod dump;
mod events;
mod jvmti;
mod methods;
mod names;
mod options;
mod watch;
