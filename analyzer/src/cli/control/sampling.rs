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

/// After this time the JVM ends the recording by itself, if nobody is left to do so.
const SPARE: Duration = Duration::from_secs(60);

/// Has the JVM's Flight Recorder sample it for a while; the file beside `profile` is gone in the
/// end.
///
/// # Errors
/// If the JVM does not let itself be sampled, has no samples, or has ended, or if somebody has
/// interrupted.
pub fn sample(
    process: &Process,
    profile: &Path,
    duration: Duration,
    timeout: Duration,
) -> Result<Samples> {
    let id = process.id;
    // Neither the file nor the recording is anybody else's.
    let name = format!("subsume-{}", std::process::id());
    let file = profile.with_extension(format!("{name}.jfr"));
    if file.exists() {
        return Err(Error::new(format!("{}: something is there", shown(&file))));
    }
    let quoted = quoted(&file)?;
    // It can be set only before the first recording of a JVM.
    let _ = jvm::diagnose(process, &format!("JFR.configure stackdepth={FRAMES}"), timeout);
    let settings = settings(" ");
    let longest = (duration + SPARE).as_secs();
    let start = format!("JFR.start name={name} duration={longest}s filename={quoted} {settings}");
    jvm::diagnose(process, &start, timeout)?;
    let is_whole = jvm::wait(id, "sampling", duration);
    if Process::find(id).is_err() {
        let _ = fs::remove_file(&file);
        return Err(Error::new(format!("process {id} has ended; nothing was recorded")));
    }
    let stopped = jvm::diagnose(process, &format!("JFR.stop name={name}"), timeout);
    let samples = Samples::read(&file);
    let _ = fs::remove_file(&file);
    if !is_whole? {
        return Err(Error::new("interrupted; nothing was recorded"));
    }
    stopped?;
    let mut samples = samples?;
    samples.of_part(duration.as_millis() as u64);
    Ok(samples)
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
