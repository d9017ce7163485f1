//! Files as they come, compressed or not, and never more of them than they are worth.

use std::fs::File;
use std::io::{self, BufRead, BufReader, Read};
use std::path::Path;

use flate2::bufread::MultiGzDecoder;

use crate::import::allowance::Allowance;
use tree::error::{Error, Result};

/// What a gzip file begins with.
pub const GZIP: [u8; 2] = [0x1f, 0x8b];

const BUFFER: usize = 1 << 18;

/// Opens a file; one that is compressed with gzip reads as what was compressed.
///
/// # Errors
/// If it cannot be opened.
pub fn open(path: &Path) -> Result<Box<dyn BufRead>> {
    open_counted(path, &Allowance::default())
}

/// Opens a file, which may be compressed, and counts the bytes that are read.
///
/// # Errors
/// If it cannot be opened.
pub fn open_counted(path: &Path, allowance: &Allowance) -> Result<Box<dyn BufRead>> {
    let file = File::open(path).map_err(|e| Error::io(path, &e))?;
    decoded(file, allowance).map_err(|e| Error::io(path, &e))
}

/// Reads the bytes of a file, compressed or not, as [`open_counted`] does.
///
/// # Errors
/// If they cannot be read.
pub fn decoded<'a>(
    source: impl Read + 'a,
    allowance: &Allowance,
) -> io::Result<Box<dyn BufRead + 'a>> {
    let source = Stored { source, allowance: allowance.clone() };
    let mut input = BufReader::with_capacity(BUFFER, source);
    if input.fill_buf()?.starts_with(&GZIP) {
        let decoder = MultiGzDecoder::new(input);
        let inflated = Inflated { decoder, allowance: allowance.clone() };
        return Ok(Box::new(BufReader::with_capacity(BUFFER, inflated)));
    }
    Ok(Box::new(input))
}

/// The bytes of a file.
struct Stored<R> {
    source: R,
    allowance: Allowance,
}

impl<R: Read> Read for Stored<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let read = self.source.read(buffer)?;
        self.allowance.stored(read);
        Ok(read)
    }
}

/// What was compressed, as long as it is in proportion to the file.
struct Inflated<R> {
    decoder: R,
    allowance: Allowance,
}

impl<R: Read> Read for Inflated<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let read = self.decoder.read(buffer)?;
        if !self.allowance.inflated(read) {
            return Err(io::Error::other("uncompressed it is far larger than files of its size"));
        }
        Ok(read)
    }
}

/// The longest line, or piece of XML, that is read.
const LONGEST: usize = 16 << 20;

fn too_long() -> io::Error {
    io::Error::other("a line or an element of more than 16 MB")
}

/// Reads a line with its end in place of what was in `line`; false at the end of the file.
///
/// # Errors
/// If it cannot be read, or has no end within reason.
pub fn read_line(input: &mut (impl BufRead + ?Sized), line: &mut Vec<u8>) -> io::Result<bool> {
    line.clear();
    let read = input.take(LONGEST as u64 + 1).read_until(b'\n', line)?;
    if read > LONGEST { Err(too_long()) } else { Ok(read > 0) }
}

/// Bytes that come in pieces, each with an end within reason.
pub struct Pieces<R> {
    input: R,
    left: usize,
}

impl<R> Pieces<R> {
    /// The bytes of `input`.
    pub fn new(input: R) -> Self {
        Self { input, left: LONGEST }
    }

    /// A piece begins.
    pub fn begin(&mut self) {
        self.left = LONGEST;
    }
}

impl<R: BufRead> BufRead for Pieces<R> {
    fn fill_buf(&mut self) -> io::Result<&[u8]> {
        let bytes = self.input.fill_buf()?;
        if self.left == 0 && !bytes.is_empty() {
            return Err(too_long());
        }
        Ok(&bytes[..bytes.len().min(self.left)])
    }

    fn consume(&mut self, amount: usize) {
        self.left = self.left.saturating_sub(amount);
        self.input.consume(amount);
    }
}

impl<R: BufRead> Read for Pieces<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let read = self.fill_buf()?.read(buffer)?;
        self.consume(read);
        Ok(read)
    }
}

/// How much of a file [`guess`] looks at.
const BEGINNING: u64 = 4096;

/// The format that a file looks like by its beginning, as the user names it; `None`
/// where that says nothing, and of a pipe or the like, which can be read only once.
pub fn guess(path: &Path) -> Option<&'static str> {
    if !path.is_file() {
        return None;
    }
    let mut start = Vec::new();
    open(path).ok()?.take(BEGINNING).read_to_end(&mut start).ok()?;
    let holds = |text: &str| start.windows(text.len()).any(|part| part == text.as_bytes());
    if start.starts_with(b"FLR\0") {
        Some("jfr")
    } else if holds("# callgrind format") || holds("\nevents: ") {
        Some("callgrind")
    } else if holds("Full thread dump") || holds("\"threadDump\"") {
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
    read_whole(path, open(path)?)
}

/// Reads the whole of an open file.
///
/// # Errors
/// If it cannot be read, or is too large for that.
pub fn read_whole(path: &Path, input: impl BufRead) -> Result<Vec<u8>> {
    let mut bytes = Vec::new();
    let mut input = input.take(MOST_BYTES + 1);
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
pub fn read_text(path: &Path, allowance: &Allowance) -> Result<String> {
    let wrong = |_| Error::new(format!("{}: not UTF-8 text", path.display()));
    let bytes = read_whole(path, open_counted(path, allowance)?)?;
    String::from_utf8(bytes).map_err(wrong)
}
