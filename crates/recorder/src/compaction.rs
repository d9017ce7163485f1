//! Writes the compact form of a recording.

use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::path::Path;

use base::whole_file::WholeFile;
use profile::{Completeness, Ending};

use arena::Arena;

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

/// Has a file written beside its place and moves it there.
///
/// # Errors
/// When the file cannot be written; what was there before stays.
pub fn replace(path: &Path, write: impl FnOnce(&mut File) -> io::Result<()>) -> io::Result<()> {
    let mut whole = WholeFile::create(path)?;
    write(whole.file())?;
    whole.complete()
}
