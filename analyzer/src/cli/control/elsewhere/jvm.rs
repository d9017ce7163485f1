//! JVMs on systems where the agent does not run.

use std::path::Path;
use std::time::Duration;

use tree::error::{Error, Result};

use super::process::Process;

/// Loads nothing.
///
/// # Errors
/// None: there is no process.
pub fn load(process: &Process, _: &Path, _: &str, _: Duration) -> Result<()> {
    match process.agent {}
}

/// Waits for nothing.
///
/// # Errors
/// Always.
pub fn wait(_: u32, _: Duration) -> Result<()> {
    Err(Error::new(crate::cli::run::ONLY_ON_LINUX))
}
