//! What is judged while the program runs.
//!
//! [`loops`] are judged by what they read, and by how their cost grows; [`results`] by
//! whether methods compute the same again. Both get events that probes have written, and
//! know nothing of class files or of the JVM.

#![warn(clippy::missing_errors_doc)]

pub mod loops;
pub mod results;
