//! Writes the compact form of a recording.

use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

use profile::{Completeness, Ending};

use crate::arena::{Arena, check_replaceable, create_private};

/// Writes what is in the arena, also while the program goes on. `active` are
/// the words of slots in which threads stand, in ascending order, if they are
/// known.
///
/// # Errors
/// When `out` fails, or the arena is damaged.
pub fn write(
    arena: &Arena,
    completeness: Completeness,
    active: Option<&[u32]>,
    out: impl Write,
) -> io::Result<()> {
    let mut out = BufWriter::with_capacity(1 << 18, out);
    profile::write_compact_from_live(arena, Ending { completeness, active }, &mut out)
        .map_err(io::Error::other)?;
    out.flush()
}

/// Has a file written beside its place and moves it there, so that the name
/// always stands for a whole profile.
///
/// # Errors
/// When the file cannot be written; what was there before stays.
pub fn replace(
    path: &Path,
    write: impl FnOnce(&mut std::fs::File) -> io::Result<()>,
) -> io::Result<()> {
    check_replaceable(path)?;
    let temporary = beside(path);
    let written = create_private(&temporary)
        .and_then(|mut file| write(&mut file))
        .and_then(|()| std::fs::rename(&temporary, path));
    if written.is_err() {
        // May not exist; there is nothing more to be done about it.
        let _ = std::fs::remove_file(&temporary);
    }
    written
}

/// Where a file is until it may have its name.
pub fn beside(path: &Path) -> PathBuf {
    let mut name = path.file_name().unwrap_or_default().to_owned();
    name.push(format!(".{}.tmp", std::process::id()));
    path.with_file_name(name)
}
