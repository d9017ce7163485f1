//! What can be added: profiles, and what other tools sample.

use std::fs;
use std::path::{Path, PathBuf};

use profile::Profile;
use profile::layout::MAGIC;

use formats::import::allowance::Allowance;
use formats::import::{input, jfr, pprof};
use tree::error::{Error, Result};

/// A format of other tools.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Format {
    /// Recordings of Flight Recorder.
    Jfr,
    /// Protocol buffers of pprof.
    Pprof,
}

/// Names of profiles, and of what can be imported, end so.
const PROFILE: &str = ".subsume";
const JFR: [&str; 2] = [".jfr", ".jfr.gz"];
const PPROF: [&str; 5] = [".pprof", ".pprof.gz", ".pb", ".pb.gz", ".prof"];

impl Format {
    /// The format of a file by what it begins with, or by its name where that says
    /// nothing; `None` if it is to be read as a profile.
    pub fn of(path: &Path, bytes: &[u8]) -> Option<Self> {
        if bytes.starts_with(&MAGIC) {
            return None;
        }
        let name = path.to_string_lossy();
        let ends = |names: &[&str]| names.iter().any(|end| name.ends_with(end));
        if ends(&JFR) || begins_as_recording(bytes) {
            return Some(Self::Jfr);
        }
        (ends(&PPROF) || bytes.starts_with(&input::GZIP)).then_some(Self::Pprof)
    }

    /// Reads a file of this format from its bytes; also what is to be said of it.
    ///
    /// # Errors
    /// If it is none.
    pub fn read(self, path: &Path, bytes: &[u8]) -> Result<(Profile, Vec<String>)> {
        match self {
            Self::Jfr => jfr::read_bytes(path, bytes).map(|read| (read.profile, read.notes)),
            Self::Pprof => pprof::read_bytes(path, bytes).map(|profile| (profile, Vec::new())),
        }
    }
}

/// The files of a folder, and of those in it, that can be added by their names; a file
/// itself.
///
/// # Errors
/// If a folder cannot be read, or has no such files.
pub fn files_of(path: &Path) -> Result<Vec<PathBuf>> {
    if !path.is_dir() {
        return Ok(vec![path.to_owned()]);
    }
    let (mut files, mut folders) = (Vec::new(), vec![path.to_owned()]);
    while let Some(folder) = folders.pop() {
        let failed = |error: std::io::Error| Error::io(&folder, &error);
        for entry in fs::read_dir(&folder).map_err(failed)? {
            let entry = entry.map_err(failed)?;
            let path = entry.path();
            // Links to folders are left alone: they may lead back.
            if entry.file_type().map_err(failed)?.is_dir() {
                folders.push(path);
            } else if can_be_added(&path) {
                files.push(path);
            }
        }
    }
    if files.is_empty() {
        return Err(Error::new(format!(
            "{}: no file in it ends in {PROFILE}, {} or {}",
            path.display(),
            JFR.join(", "),
            PPROF.join(", ")
        )));
    }
    files.sort();
    Ok(files)
}

/// Whether a file, compressed or not, begins as recordings do. One that is damaged is
/// reported when it is read.
fn begins_as_recording(bytes: &[u8]) -> bool {
    let Ok(mut input) = input::decoded(bytes, &Allowance::default()) else { return false };
    input.fill_buf().is_ok_and(|start| start.starts_with(jfr::MAGIC))
}

fn can_be_added(path: &Path) -> bool {
    let name = path.to_string_lossy();
    let mut known = std::iter::once(&PROFILE).chain(&JFR).chain(&PPROF);
    known.any(|end| name.ends_with(end)) && path.is_file()
}
