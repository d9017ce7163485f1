//! Processes on systems where the agent does not run.

use std::convert::Infallible;

use tree::error::{Error, Result};

/// A process with an agent, of which there is none here.
#[derive(Debug)]
pub struct Process {
    /// Its id.
    pub id: u32,
    /// What no process has.
    pub agent: Infallible,
}

impl Process {
    /// Finds none.
    ///
    /// # Errors
    /// Always.
    pub fn find(_: u32) -> Result<Self> {
        Err(Error::new(crate::cli::run::ONLY_ON_LINUX))
    }
}
