//! Reads either form.

use std::fs::{File, TryLockError};
use std::io::{Read, Seek};
use std::ops::RangeInclusive;
use std::path::Path;

use crate::cursor::Cursor;
use crate::layout::{
    BYTE_ORDER_MARK, COMPACT_VERSION, FORM_COMPACT, FORM_LIVE, LIVE_VERSION, MAGIC,
    OLDEST_COMPACT_VERSION, OLDEST_LIVE_VERSION, header,
};
use crate::{Columns, Completeness, Error, Overview, Profile, compact, live};

/// Reads a profile in either form from the bytes of its file.
///
/// # Errors
///
/// When the bytes are not a profile, are cut short or are damaged. A profile
/// of a program that was killed, or of one that was running when the bytes
/// were copied, is not an error, see
/// [`Completeness::CutShort`](crate::Completeness::CutShort) and
/// [`RunInfo::contexts_lost`](crate::RunInfo::contexts_lost).
pub fn read(bytes: &[u8]) -> Result<Profile, Error> {
    read_with(bytes, &Columns::All)
}

/// Reads a profile like [`read`], but only some of its metrics.
///
/// # Errors
///
/// As [`read`]. Checksums are compared also where columns are not wanted.
pub fn read_with(bytes: &[u8], columns: &Columns) -> Result<Profile, Error> {
    if is_compact(bytes)? { compact::read(bytes, columns) } else { live::read(bytes, columns) }
}

/// Checks the beginning of a file; true for the compact form, false for the live
/// one.
fn is_compact(bytes: &[u8]) -> Result<bool, Error> {
    if !bytes.starts_with(&MAGIC) {
        return Err(Error::at(0, "this is not a profile: it does not begin with \"SUBSUME\""));
    }
    let mut cursor = Cursor::new(bytes, 0);
    cursor.take(MAGIC.len(), "the header")?;
    let versions_at = cursor.offset();
    let versions = cursor.fixed_u32("the header")?;
    let order_at = cursor.offset();
    let order = cursor.fixed_u32("the header")?;
    let (version, form) = (versions as u16, (versions >> 16) as u16);
    // The byte order first: in the wrong one the version reads wrong, too.
    if order != BYTE_ORDER_MARK {
        return Err(Error::at(order_at, "the byte-order mark is wrong"));
    }
    let (is_compact, oldest, newest) = match form {
        FORM_LIVE => (false, OLDEST_LIVE_VERSION, LIVE_VERSION),
        FORM_COMPACT => (true, OLDEST_COMPACT_VERSION, COMPACT_VERSION),
        _ => return Err(Error::at(versions_at + 2, format!("unknown form {form} of a profile"))),
    };
    if let Some(refused) = refused(version, oldest..=newest) {
        return Err(Error::at(versions_at, refused));
    }
    Ok(is_compact)
}

/// Why a version of the format is not read, and what to do; `None` if it is.
fn refused(version: u16, read: RangeInclusive<u16>) -> Option<String> {
    if read.contains(&version) {
        return None;
    }
    let advice = match version > *read.end() {
        true => "a newer subsume wrote it, and reads it",
        false => "record again, or ask the subsume that wrote it",
    };
    let versions = match read.start() == read.end() {
        true => read.end().to_string(),
        false => format!("{} to {}", read.start(), read.end()),
    };
    Some(format!(
        "the file has version {version} of the format, this program reads {versions}: {advice}"
    ))
}

/// Reads a profile file in either form. The error does not name the file.
///
/// # Errors
///
/// As [`read`], and when the file cannot be read.
pub fn read_file(path: &Path) -> Result<Profile, Error> {
    read_file_with(path, &Columns::All)
}

/// Reads a profile file like [`read_file`], but only some of its metrics.
///
/// # Errors
///
/// As [`read_file`].
pub fn read_file_with(path: &Path, columns: &Columns) -> Result<Profile, Error> {
    read_open(&File::open(path)?, columns)
}

/// Bytes by which files are told apart.
const BEGINNING: u64 = 1 << 16;

/// Reads a profile file like [`read_file`] and once, together with its bytes: both are of
/// one file, whatever else gets its name meanwhile. Of bytes that are
/// something else, as `is_other` says by their beginning, there is no profile.
///
/// # Errors
///
/// As [`read_file`].
pub fn read_file_and_bytes(
    path: &Path,
    is_other: impl FnOnce(&[u8]) -> bool,
) -> Result<(Option<Profile>, Vec<u8>), Error> {
    let file = File::open(path)?;
    let mut bytes = Vec::new();
    // What is nothing that is known may have no end.
    (&file).take(BEGINNING).read_to_end(&mut bytes)?;
    let is_other = is_other(&bytes);
    if !is_other {
        is_compact(&bytes)?;
    }
    (&file).read_to_end(&mut bytes)?;
    if is_other {
        return Ok((None, bytes));
    }
    Ok((Some(read_bytes(&file, &bytes, &Columns::All)?), bytes))
}

/// Reads a profile from a file at its beginning.
fn read_open(mut file: &File, columns: &Columns) -> Result<Profile, Error> {
    let mut bytes = Vec::new();
    // A file that is not a profile, such as a device, may have no end.
    file.take(header::COMPACT_LEN as u64).read_to_end(&mut bytes)?;
    is_compact(&bytes)?;
    file.read_to_end(&mut bytes)?;
    read_bytes(file, &bytes, columns)
}

/// Reads a profile from the bytes of a file.
fn read_bytes(file: &File, bytes: &[u8], columns: &Columns) -> Result<Profile, Error> {
    let mut profile = read_with(bytes, columns)?;
    if profile.run.completeness == Completeness::CutShort && is_being_recorded(file) {
        profile.run.completeness = Completeness::Recording;
    }
    Ok(profile)
}

/// Whether the process that records a file is alive: it holds a lock (`flock`) on the
/// file, which the system takes away with the process. Where locks are not passed on,
/// as between some machines, it seems dead.
fn is_being_recorded(file: &File) -> bool {
    matches!(file.try_lock_shared(), Err(TryLockError::WouldBlock))
}

/// Reads the overview of a profile file in either form. The error does not name
/// the file.
///
/// # Errors
///
/// When the file cannot be read, or the bytes are no profile, are cut short or
/// are damaged. In the compact form, damage that keeps a block's checksum is
/// noticed only by [`read`].
pub fn read_overview(path: &Path) -> Result<Overview, Error> {
    let mut file = File::open(path)?;
    // A pipe can be read only once.
    if file.metadata()?.is_file() {
        let mut start = Vec::new();
        file.by_ref().take(header::COMPACT_LEN as u64).read_to_end(&mut start)?;
        if is_compact(&start)? {
            return compact::read_overview(&file);
        }
        file.rewind()?;
    }
    let mut tables = read_open(&file, &Columns::All)?;
    let nodes = std::mem::take(&mut tables.nodes);
    let sum = |values: Vec<u64>| values.into_iter().map(u128::from).sum();
    Ok(Overview {
        tables,
        // Contexts are numbered in 32 bits.
        contexts: nodes.method.len() as u32,
        totals: nodes.metrics.into_iter().map(|metric| (metric.name, sum(metric.values))).collect(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn versions_are_refused_with_advice() {
        assert_eq!(refused(20, 20..=20), None);
        assert_eq!(refused(20, 20..=21), None);
        let refused = |version, read| refused(version, read).unwrap_or_default();
        assert_eq!(
            refused(21, 20..=20),
            "the file has version 21 of the format, this program reads 20: a newer subsume \
             wrote it, and reads it"
        );
        assert_eq!(
            refused(19, 20..=21),
            "the file has version 19 of the format, this program reads 20 to 21: record \
             again, or ask the subsume that wrote it"
        );
    }
}
