//! Whole profiles in a dataset: their compact form, compressed with gzip.
//!
//! The compact form is compressed by LZ4 block by block. gzip takes some more off it:
//! 8.3 million contexts of ecj take 13.4 MB instead of 16.6.

use std::io::Write;
use std::path::Path;

use flate2::Compression;
use flate2::write::GzEncoder;
use profile::layout::{FORM_COMPACT, MAGIC};
use profile::{Columns, Completeness, Profile};
use twox_hash::XxHash3_128;

use crate::inputs::Format;
use formats::import::input;
use tree::error::{Error, Result};

/// A profile and the bytes that are kept of it.
#[derive(Debug)]
pub struct Archived {
    /// What it holds.
    pub profile: Profile,
    /// Its compact form.
    pub bytes: Vec<u8>,
    /// Number of its run: a hash of its compact form or, of what another tool has
    /// recorded, of the file. So it does not depend on what reads the file.
    pub id: String,
    /// What is to be said of an import, a sentence each.
    pub notes: Vec<String>,
}

/// Reads a profile to keep, or imports it. What was cut short is brought into the compact
/// form. The file is read once, so that all that is kept of a run is of one file, though
/// another may get its name meanwhile.
///
/// # Errors
/// If it cannot be read, or is still being recorded.
pub fn read(path: &Path) -> Result<Archived> {
    let mut format = None;
    let is_other = |bytes: &[u8]| {
        format = Format::of(path, bytes);
        format.is_some()
    };
    let read = profile::read_file_and_bytes(path, is_other);
    let (profile, mut bytes) = read.map_err(|error| Error::profile(path, &error))?;
    let (None, Some(profile)) = (format, profile) else {
        // Without a profile there is a format.
        return import(path, format.unwrap_or(Format::Pprof), &bytes);
    };
    if profile.run.completeness == Completeness::Recording {
        return Err(Error::new(format!(
            "{}: it is being recorded by process {}",
            path.display(),
            profile.run.process_id
        )));
    }
    if !is_compact(&bytes) {
        bytes.clear();
        profile::write(&profile, &mut bytes).map_err(|error| Error::profile(path, &error))?;
    }
    let id = hash(&bytes);
    Ok(Archived { profile, bytes, id, notes: Vec::new() })
}

fn import(path: &Path, format: Format, file: &[u8]) -> Result<Archived> {
    let (profile, notes) = format.read(path, file)?;
    let mut bytes = Vec::new();
    profile::write(&profile, &mut bytes).map_err(|error| Error::profile(path, &error))?;
    Ok(Archived { profile, bytes, id: hash(file), notes })
}

fn hash(bytes: &[u8]) -> String {
    format!("{:032x}", XxHash3_128::oneshot(bytes))
}

/// Whether the bytes of a valid profile are in the compact form.
fn is_compact(bytes: &[u8]) -> bool {
    let form = bytes.get(MAGIC.len() + 2..MAGIC.len() + 4);
    form.is_some_and(|form| form == FORM_COMPACT.to_le_bytes())
}

/// Compresses a profile.
///
/// # Errors
/// If `out` fails.
pub fn write(bytes: &[u8], out: impl Write) -> Result<()> {
    let mut encoder = GzEncoder::new(out, Compression::default());
    encoder.write_all(bytes)?;
    encoder.finish()?;
    Ok(())
}

/// Gives the bytes of a profile back.
///
/// # Errors
/// If the file cannot be read, or is damaged.
pub fn bytes(path: &Path) -> Result<Vec<u8>> {
    input::read_all(path)
}

/// Gives a profile back without what its contexts cost.
///
/// # Errors
/// If the file cannot be read, or is damaged.
pub fn tables(path: &Path) -> Result<Profile> {
    let read = profile::read_with(&bytes(path)?, &Columns::only(&[]));
    read.map_err(|error| Error::profile(path, &error))
}

/// Gives a profile back.
///
/// # Errors
/// If the file cannot be read, or is damaged.
pub fn profile(path: &Path) -> Result<Profile> {
    profile::read(&bytes(path)?).map_err(|error| Error::profile(path, &error))
}
