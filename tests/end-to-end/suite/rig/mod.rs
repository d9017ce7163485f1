//! What the tests stand on: JDKs, the built agent, compiled programs, runs and
//! what the `subsume` command says about the profiles.

mod artifacts;
mod jdk;
mod launch;
mod program;
mod report;
mod scratch;

pub use artifacts::artifacts;
pub use jdk::{Jdk, jdks};
pub use launch::Launch;
pub use program::{api_classes, compiled, rules_programs};
pub use report::{contexts, methods, subsume};
pub use scratch::Scratch;
