//! `subsume man`: the manual's pages, made from the same source as `--help`.

use std::fs;
use std::io::{self, Write};
use std::path::PathBuf;

use base::shown;
use clap::CommandFactory;
use clap_mangen::Man;
use clap_mangen::roff::{Roff, roman};
use tree::error::{Error, Result};

use super::Cli;
use super::examples::{Part, parts};

/// Write the manual's pages, one for each command.
///
/// The folder is made if it does not exist. `man` looks for pages in folders such as
/// /usr/local/share/man/man1 and ~/.local/share/man/man1.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  subsume man ~/.local/share/man/man1 && man subsume-methods
  subsume man pages && man -l pages/subsume.1")]
pub struct Args {
    /// Folder for the pages.
    #[arg(value_name = "DIR")]
    folder: PathBuf,
}

/// Runs the command.
///
/// # Errors
/// If a page cannot be written.
pub fn run(args: &Args, out: &mut impl Write) -> Result<()> {
    let pages = pages().map_err(Error::from)?;
    fs::create_dir_all(&args.folder).map_err(|e| Error::io(&args.folder, &e))?;
    for (name, page) in &pages {
        let path = args.folder.join(name);
        fs::write(&path, page).map_err(|e| Error::io(&path, &e))?;
    }
    writeln!(out, "{}: {} pages", shown(&args.folder), pages.len())?;
    Ok(())
}

/// File name and text of each page.
fn pages() -> io::Result<Vec<(String, Vec<u8>)>> {
    let mut all = Cli::command().disable_help_subcommand(true);
    all.build();
    let mut commands = vec![&all];
    let mut at = 0;
    while let Some(command) = commands.get(at) {
        commands.extend(command.get_subcommands().filter(|command| !command.is_hide_set()));
        at += 1;
    }
    commands.into_iter().map(page).collect()
}

fn page(command: &clap::Command) -> io::Result<(String, Vec<u8>)> {
    let is_main = command.get_name() == "subsume";
    let has_commands = command.has_subcommands();
    // A page of no date: an empty one would let the others move up.
    let man = Man::new(command.clone())
        .date(" ")
        .manual("User Commands")
        .source(concat!("subsume ", env!("CARGO_PKG_VERSION")));
    let mut text = Vec::new();
    man.render_title(&mut text)?;
    man.render_name_section(&mut text)?;
    man.render_synopsis_section(&mut text)?;
    man.render_description_section(&mut text)?;
    man.render_options_section(&mut text)?;
    if has_commands {
        man.render_subcommands_section(&mut text)?;
    }
    let mut rest = Roff::default();
    examples_and_notes(command, &mut rest);
    if !is_main {
        rest.control("SH", ["SEE ALSO"]);
        rest.text([roman("subsume(1)")]);
    }
    rest.to_writer(&mut text)?;
    Ok((man.get_filename(), text))
}

fn examples_and_notes(command: &clap::Command, page: &mut Roff) {
    for part in parts(command) {
        match part {
            Part::Examples(lines) => {
                page.control("SH", ["EXAMPLES"]);
                // Commands keep their lines.
                page.control("nf", []);
                for line in lines {
                    page.text([roman(line)]);
                }
                page.control("fi", []);
            }
            Part::Note(text) => {
                page.control("SH", ["NOTES"]);
                page.text([roman(text)]);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::pages;

    #[test]
    fn every_command_has_a_page() {
        let pages = pages().unwrap();
        let names: Vec<&str> = pages.iter().map(|(name, _)| name.as_str()).collect();
        assert_eq!(names[..2], ["subsume.1", "subsume-run.1"]);
        assert!(names.len() > 20, "{names:?}");
        for (name, page) in &pages {
            let page = String::from_utf8_lossy(page);
            for section in ["NAME", "SYNOPSIS", "DESCRIPTION", "OPTIONS", "EXAMPLES"] {
                assert!(page.contains(&format!(".SH {section}\n")), "{name}: {section}\n{page}");
            }
        }
    }
}
