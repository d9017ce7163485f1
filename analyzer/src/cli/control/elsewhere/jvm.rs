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

/// Carries out nothing.
///
/// # Errors
/// None: there is no process.
pub fn diagnose(process: &Process, _: &str, _: Duration) -> Result<String> {
    match process.agent {}
}

/// Waits for nothing.
///
/// # Errors
/// Always.
pub fn wait(_: u32, _: &str, _: Duration) -> Result<bool> {
    Err(Error::new(crate::cli::run::ONLY_ON_LINUX))
}
