//! Files as they come, compressed or not.

use std::fs::File;
use std::io::{BufRead, BufReader, Read};
use std::path::Path;

use flate2::bufread::MultiGzDecoder;

use crate::error::{Error, Result};

/// What a gzip file begins with.
pub const GZIP: [u8; 2] = [0x1f, 0x8b];

/// Opens a file; one that is compressed with gzip reads as what was compressed.
///
/// # Errors
/// If it cannot be opened.
pub fn open(path: &Path) -> Result<Box<dyn BufRead>> {
    let file = File::open(path).map_err(|e| Error::io(path, &e))?;
    let mut input = BufReader::with_capacity(1 << 18, file);
    let start = input.fill_buf().map_err(|e| Error::io(path, &e))?;
    if start.starts_with(&GZIP) {
        let decoder = MultiGzDecoder::new(input);
        return Ok(Box::new(BufReader::with_capacity(1 << 18, decoder)));
    }
    Ok(Box::new(input))
}

/// How much of a file [`guess`] looks at.
const BEGINNING: u64 = 4096;

/// The format that a file looks like by its beginning, as the user names it; `None`
/// where that says nothing.
pub fn guess(path: &Path) -> Option<&'static str> {
    let mut start = Vec::new();
    open(path).ok()?.take(BEGINNING).read_to_end(&mut start).ok()?;
    let holds = |text: &str| start.windows(text.len()).any(|part| part == text.as_bytes());
    if start.starts_with(b"FLR\0") {
        Some("jfr")
    } else if holds("# callgrind format") || holds("\nevents: ") {
        Some("callgrind")
    } else if holds("Full thread dump") {
        Some("jstack")
    } else if holds("methodSignature=") {
        Some("jprofiler")
    } else {
        None
    }
}

/// The largest file that is read as a whole.
const MOST_BYTES: u64 = 4 << 30;

/// Reads the whole of a file.
///
/// # Errors
/// If it cannot be read, or is too large for that.
pub fn read_all(path: &Path) -> Result<Vec<u8>> {
    let mut bytes = Vec::new();
    let mut input = open(path)?.take(MOST_BYTES + 1);
    input.read_to_end(&mut bytes).map_err(|e| Error::io(path, &e))?;
    if bytes.len() as u64 > MOST_BYTES {
        return Err(Error::new(format!("{}: more than 4 GB", path.display())));
    }
    Ok(bytes)
}

/// Reads the whole of a file that must be text.
///
/// # Errors
/// If it cannot be read, or is none.
pub fn read_text(path: &Path) -> Result<String> {
    let wrong = |_| Error::new(format!("{}: not UTF-8 text", path.display()));
    String::from_utf8(read_all(path)?).map_err(wrong)
}
