//! Samples of a running JVM before it is recorded.

use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

use base::shown;
use tree::error::{Error, Result};

use super::jvm;
use super::process::Process;
use crate::cli::run::plain::{FRAMES, settings};
use crate::cli::samples::Samples;

/// Name of the recording in the JVM.
const NAME: &str = "subsume";

/// Has the JVM's Flight Recorder sample it for a while, beside `profile`. `None` if somebody
/// has interrupted, or the process has ended meanwhile.
///
/// # Errors
/// If the JVM does not let itself be sampled, or has no samples.
pub fn sample(
    process: &Process,
    profile: &Path,
    duration: Duration,
    timeout: Duration,
) -> Result<Option<Samples>> {
    let file = profile.with_extension("jfr");
    let quoted = quoted(&file)?;
    // It can be set only before the first recording of a JVM.
    let _ = jvm::diagnose(process, &format!("JFR.configure stackdepth={FRAMES}"), timeout);
    let settings = settings(" ");
    jvm::diagnose(process, &format!("JFR.start name={NAME} {settings}"), timeout)?;
    let is_whole = jvm::wait(process.id, "sampling", duration)?;
    if Process::find(process.id).is_err() {
        return Ok(None);
    }
    let stop = format!("JFR.stop name={NAME} filename={quoted}");
    jvm::diagnose(process, &stop, timeout)?;
    let samples = Samples::read(&file);
    let _ = fs::remove_file(&file);
    if !is_whole {
        return Ok(None);
    }
    let mut samples = samples?;
    samples.took(duration.as_millis() as u64, 0);
    Ok(Some(samples))
}

/// A path as it stands in a diagnostic command.
fn quoted(path: &PathBuf) -> Result<String> {
    match path.to_str() {
        Some(text) if !text.contains(['\'', '"', '\n', '%']) => Ok(format!("'{text}'")),
        _ => Err(Error::new(format!(
            "{}: Flight Recorder takes no name with quotation marks, '%' or a line break",
            shown(path)
        ))),
    }
}
