//! The program on systems where the agent does not run: it is not started.

use std::process::{Command, ExitStatus};
use std::time::Duration;

use tree::error::{Error, Result};

/// Starts nothing.
///
/// # Errors
/// Always.
pub fn run(_: Command, _: Option<Duration>, _: impl Fn() -> u64) -> Result<ExitStatus> {
    Err(Error::new(super::ONLY_ON_LINUX))
}

/// The signal that has ended the program.
pub fn signal(_: ExitStatus) -> Option<i32> {
    None
}

/// Whether this command was asked to end while it ran a program.
pub fn is_to_end() -> bool {
    false
}
