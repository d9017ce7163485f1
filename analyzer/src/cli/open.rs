//! `subsume open`.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use base::shown;
use base::whole_file::create_private;
use tree::error::{Error, Result};

use crate::cli::report::What;

/// Show profiles in a browser.
///
/// Writes the page of 'subsume report' into the folder for temporary files and opens it with
/// $BROWSER or xdg-open; without either, it prints the page's path.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  subsume open fop.subsume
  BROWSER=firefox subsume open old.subsume new.subsume")]
pub struct Args {
    #[command(flatten)]
    what: What,
}

/// Runs the command.
///
/// # Errors
/// If the report cannot be made, or no browser can be started.
pub fn run(args: &Args, out: &mut impl Write) -> Result<()> {
    let page = args.what.contents()?.page()?;
    let path = write(&args.what.files[0], &page.html)?;
    // The path may be all that the user gets, and is of use in any case.
    match open(&path) {
        Some(with) => writeln!(out, "{} (opened with {with})", shown(&path))?,
        None => writeln!(out, "{}: no browser found here; open this file in one", shown(&path))?,
    }
    Ok(())
}

/// Writes the page to a new file that nobody else may read.
fn write(profile: &Path, page: &[u8]) -> Result<PathBuf> {
    let name = profile.file_stem().unwrap_or_default().to_string_lossy().into_owned();
    let process = std::process::id();
    let mut number = 0;
    loop {
        let path = std::env::temp_dir().join(format!("subsume-{name}-{process}-{number}.html"));
        match create_private(&path) {
            Ok(mut file) => {
                file.write_all(page).map_err(|error| Error::io(&path, &error))?;
                return Ok(path);
            }
            Err(error) if error.kind() == std::io::ErrorKind::AlreadyExists => number += 1,
            Err(error) => return Err(Error::io(&path, &error)),
        }
    }
}

/// Opens a file in a browser; the name of the program that did, if one could be
/// started.
fn open(path: &Path) -> Option<String> {
    let chosen = std::env::var("BROWSER").unwrap_or_default();
    let has_display = ["DISPLAY", "WAYLAND_DISPLAY"]
        .iter()
        .any(|name| std::env::var_os(name).is_some_and(|value| !value.is_empty()));
    let usual = has_display.then_some("xdg-open");
    let candidates = chosen.split(':').filter(|command| !command.trim().is_empty()).chain(usual);
    candidates.filter(|command| starts(command, path)).map(str::to_owned).next()
}

/// Starts a command as `$BROWSER` holds them: words, of which `%s` stands for the
/// file, which otherwise comes last.
fn starts(command: &str, path: &Path) -> bool {
    let mut words = command.split_whitespace();
    let Some(program) = words.next() else { return false };
    let mut start = Command::new(program);
    let mut is_named = false;
    for word in words {
        if word == "%s" {
            is_named = true;
            start.arg(path);
        } else {
            start.arg(word);
        }
    }
    if !is_named {
        start.arg(path);
    }
    let quiet = start.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    // It lives on after this command has ended.
    quiet.spawn().is_ok()
}
