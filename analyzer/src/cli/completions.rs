//! `subsume completions`.

use std::io::Write;

use clap::CommandFactory;
use clap_complete::{Shell, generate};
use tree::error::Result;

use super::Cli;

/// Print a script that makes a shell complete commands and options.
///
/// Put the script where the shell looks for completions, or have the shell read it when it
/// starts.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  subsume completions bash > ~/.local/share/bash-completion/completions/subsume
  subsume completions zsh > /usr/local/share/zsh/site-functions/_subsume
  subsume completions fish > ~/.config/fish/completions/subsume.fish")]
pub struct Args {
    /// The shell.
    shell: Shell,
}

/// Runs the command.
///
/// # Errors
/// If `out` fails.
pub fn run(args: &Args, out: &mut impl Write) -> Result<()> {
    // Generators write to memory, because they take a failure for a defect.
    let mut script = Vec::new();
    generate(args.shell, &mut Cli::command(), "subsume", &mut script);
    out.write_all(&script)?;
    Ok(())
}
