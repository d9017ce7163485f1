//! `subsume help`, and the help of `subsume` itself.

mod groups;
mod modes;

use std::io::Write;

use clap::{Command, CommandFactory};
use tree::error::{Error, Result};

use super::Cli;
use super::slips;

/// Print the help of a command, or of the topic 'modes'.
///
/// Without a name it prints the list of commands. 'subsume help modes' says what the
/// agent can record, what each mode costs, and which commands read it.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  subsume help
  subsume help methods
  subsume help fleet gate
  subsume help modes")]
pub struct Args {
    /// A command, such as 'methods' or 'fleet gate', or 'modes'.
    #[arg(value_name = "COMMAND")]
    words: Vec<String>,
}

/// The topic beside the commands.
const MODES: &str = "modes";
/// Another name for it.
const MODE: &str = "mode";

/// The definition of all arguments, with the commands in groups.
pub fn command() -> Command {
    let cli = Cli::command();
    let template = groups::template(&cli);
    cli.help_template(template)
}

/// Runs the command.
///
/// # Errors
/// If there is no such command or topic, or `out` fails.
pub fn run(args: &Args, out: &mut impl Write) -> Result<()> {
    if let [word] = &args.words[..]
        && (word == MODES || word == MODE)
    {
        return modes::print(out);
    }
    let mut cli = command();
    // Names and options of inner commands are whole afterwards.
    cli.build();
    let mut command = &mut cli;
    for word in &args.words {
        if command.find_subcommand(word).is_none() {
            let of = command.get_bin_name().unwrap_or("subsume").to_owned();
            return Err(Error::new(slips::no_command(&of, word, command)));
        }
        command = command.find_subcommand_mut(word).ok_or_else(|| Error::new(word.clone()))?;
    }
    // Clap chooses by itself whether there are colours.
    out.flush()?;
    command.print_long_help()?;
    Ok(())
}
