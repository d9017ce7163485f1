//! What is said to an agent on systems where it does not run: nothing.

use std::io::Write;

use tree::error::Result;

use super::process::Process;

/// A connection to an agent, of which there is none here.
#[derive(Debug)]
pub enum Conversation {}

impl Conversation {
    /// Connects to nobody.
    ///
    /// # Errors
    /// Never: there is no process to call it with.
    pub fn open(process: &Process) -> Result<Self> {
        match process.agent {}
    }

    /// Asks nobody.
    ///
    /// # Errors
    /// Never: [`Conversation::open`] makes no value to call it on.
    pub fn ask(&mut self, _: &str, _: impl FnMut(&str)) -> Result<String> {
        match *self {}
    }

    /// Receives nothing.
    ///
    /// # Errors
    /// Never: [`Conversation::open`] makes no value to call it on.
    pub fn receive_pieces(self, _: impl Write) -> Result<()> {
        match self {}
    }
}
