//! How a program usually ends, for commands that run it again only if it did not fail.

use std::process::ExitStatus;

use clap::Args;
use tree::error::{Error, Result};

/// The option that says it.
#[derive(Debug, Clone, Copy, Default, Args)]
pub struct Ending {
    /// The exit code of the program if it is not 0, as with linters that find something.
    #[arg(long, value_name = "CODE", allow_negative_numbers = true)]
    pub exit_code: Option<i32>,
}

/// Refuses a plain run that has failed: one that has not ended with the usual code. `output` says
/// where its output is; `again` is the command line that takes a code as the usual one.
///
/// # Errors
/// If it has failed.
pub fn check(
    status: ExitStatus,
    usual: i32,
    output: &str,
    again: impl FnOnce(i32) -> String,
) -> Result<()> {
    if status.code() == Some(usual) {
        return Ok(());
    }
    let advice = match status.code() {
        Some(code) => format!("; if it usually ends with this code: {}", again(code)),
        None => String::new(),
    };
    let expected = match usual {
        0 => String::new(),
        usual => format!(", expected was {usual}"),
    };
    Err(Error::new(format!(
        "the program failed without the agent ({status}{expected}), so nothing was \
         recorded{output}{advice}"
    )))
}
