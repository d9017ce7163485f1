//! Standard input on systems where the agent does not run: no program reads it.

use std::path::Path;
use std::process::Stdio;

use tree::error::{Error, Result};

pub use super::input_form::Form;

/// Standard input for each run of a program.
#[derive(Debug)]
pub enum Input {
    /// None.
    Nothing,
}

/// Ends the input of a run.
#[derive(Debug)]
pub struct Feeding;

impl Input {
    /// None.
    ///
    /// # Errors
    /// Always.
    pub fn of_this() -> Result<Self> {
        Err(Error::new(super::ONLY_ON_LINUX))
    }

    /// None.
    ///
    /// # Errors
    /// Always.
    pub fn kept(_: &Path) -> Result<(Self, Option<Form>)> {
        Err(Error::new(super::ONLY_ON_LINUX))
    }

    /// None.
    ///
    /// # Errors
    /// Always.
    pub fn again(_: &Path, _: Form) -> Result<Self> {
        Err(Error::new(super::ONLY_ON_LINUX))
    }

    /// None.
    ///
    /// # Errors
    /// Never: there is no input.
    pub fn of_run(&self) -> Result<(Stdio, Feeding)> {
        Ok((Stdio::null(), Feeding))
    }

    /// Whether the program has read anything.
    pub fn is_used(&self) -> bool {
        false
    }
}
