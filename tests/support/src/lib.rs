//! What the tests that run JVMs share.
//!
//! - [`jdks`] and [`Jdk::find`] are the JDKs of this machine, [`in_turn`] the one of a
//!   test that runs on one of them, [`oldest`] and [`newest`] one that is always the same,
//!   [`compiler`] the one that compiles for them; [`artifacts`] are the agent and the
//!   command, built when a test asks for them first.
//! - [`compiled`] is a suite's Java programs, compiled; [`Launch`] runs one,
//!   with the agent from the start, or attached by a command ([`attach`]) that
//!   [`after_command`] is for; [`java`] and [`succeed`] serve suites with launches of their own.
//! - [`subsume`], [`contexts`] and [`methods`] are what the command says of a
//!   profile.
//! - [`each`] runs many cases side by side.
//! - [`random`] has numbers at random, by seed.
//! - [`fetched`] is what comes from the Maven repository.
//!
//! Programs of a suite lie in its folder `programs`. Which suite runs is told by
//! cargo, so tests are started by `cargo test`.

mod answers;
mod artifacts;
mod comparison;
mod each;
pub mod fetched;
mod folders;
mod jdk;
mod launch;
mod process;
mod programs;
pub mod random;
mod ways;

pub use answers::{contexts, methods, own_code, subsume};
pub use artifacts::{Artifacts, agent_option, artifacts, witness_agent};
pub use each::each;
pub use folders::{Scratch, copy_folder, scratch, target};
pub use jdk::{Jdk, compiler, in_turn, jdks, newest, oldest};
pub use launch::{Launch, Run, attach};
pub use process::{Printed, is_there, java, run, succeed};
pub use programs::{
    after_command, api_classes, compile, compile_native, compiled, java_files, repository,
    rules_programs,
};
pub use ways::{rounds, ways_in_turn};

/// The whole number in an environment variable, or another one if it is not set.
///
/// # Panics
/// If there is something else in it.
pub fn number(variable: &str, otherwise: u64) -> u64 {
    std::env::var(variable).map_or(otherwise, |text| {
        text.parse().unwrap_or_else(|_| panic!("{variable}={text}: it is a whole number"))
    })
}
