//! Files that commands write.

use std::fs::{File, OpenOptions};
use std::io::{BufWriter, Read, Write};
use std::path::{Path, PathBuf};

use base::shown;
use base::whole_file::WholeFile;
use profile::layout::MAGIC;
use tree::error::{Error, Result};

/// What a file is going to hold.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Content {
    /// A profile.
    Profile,
    /// Anything else, which should not take the place of a profile.
    Other,
}

/// Refuses to write where something would be lost: to one of the command's own
/// inputs, or something else to a file that holds a profile.
///
/// # Errors
/// If it is one of those.
pub fn check<'a>(
    path: &Path,
    content: Content,
    inputs: impl IntoIterator<Item = &'a PathBuf>,
) -> Result<()> {
    let shown = shown(path);
    if inputs.into_iter().any(|input| is_same(input, path)) {
        return Err(Error::new(format!("{shown} is also an input: name another file to write")));
    }
    if content == Content::Other && is_profile(path) {
        return Err(Error::new(format!(
            "{shown} is a profile: name another file to write, or remove it first"
        )));
    }
    Ok(())
}

/// True if both are one file, under whatever names.
fn is_same(one: &Path, other: &Path) -> bool {
    // A terminal or pipe may well be read and written.
    one.is_file() && same_file::is_same_file(one, other).unwrap_or(false)
}

fn is_profile(path: &Path) -> bool {
    let mut start = [0; MAGIC.len()];
    // Opening a pipe would wait for its other end.
    let is_read =
        path.is_file() && File::open(path).and_then(|mut file| file.read_exact(&mut start)).is_ok();
    is_read && start == MAGIC
}

/// The path, or where there is a file of this name, the next one with a number, as recordings
/// have it: `report-2.html`.
pub fn not_taken(path: &Path) -> PathBuf {
    let stem = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
    let end = path.extension().map_or(String::new(), |end| format!(".{}", end.to_string_lossy()));
    let numbered = (2u32..).map(|number| path.with_file_name(format!("{stem}-{number}{end}")));
    let mut names = std::iter::once(path.to_path_buf()).chain(numbered);
    // A link that leads nowhere is there, too.
    let is_free = |path: &PathBuf| path.symlink_metadata().is_err();
    names.find(is_free).unwrap_or_else(|| path.to_path_buf())
}

/// Writes a file; messages about it name it. One that was not there is for its owner only,
/// since reports hold command lines and names of classes; one that was keeps its rights.
///
/// # Errors
/// If the file cannot be created, or `write` fails.
pub fn write_file(
    path: &Path,
    write: impl FnOnce(&mut BufWriter<File>) -> Result<()>,
) -> Result<()> {
    let mut options = OpenOptions::new();
    options.write(true).create(true).truncate(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    let file = options.open(path).map_err(|e| Error::io(path, &e))?;
    let mut out = BufWriter::with_capacity(1 << 16, file);
    write(&mut out)?;
    out.flush().map_err(|e| Error::io(path, &e))
}

/// Writes a file that has its name only when it is whole; messages about it name it.
///
/// # Errors
/// If the file cannot be created, or `write` fails. Then what was there stays.
pub fn write_whole_file<T>(
    path: &Path,
    write: impl FnOnce(&mut BufWriter<&mut File>) -> Result<T>,
) -> Result<T> {
    let failed = |e: std::io::Error| Error::io(path, &e);
    let mut whole = WholeFile::create(path).map_err(failed)?;
    let mut out = BufWriter::with_capacity(1 << 16, whole.file());
    let written = write(&mut out)?;
    out.flush().map_err(failed)?;
    drop(out);
    whole.complete().map_err(failed)?;
    Ok(written)
}
