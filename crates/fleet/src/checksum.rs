//! The checksum of a whole table, in a property of its file.
//!
//! Checksums of pages are for every engine that verifies them. They say nothing of what
//! stands around pages: names and numbers of columns, and how many rows there are.

use std::io::{self, Write};

use parquet::file::metadata::KeyValue;

/// The property. Its value is a CRC-32 in hexadecimal of the file with zeros in its place.
const NAME: &str = "subsume.crc32";
const ZEROS: &[u8; 8] = b"00000000";
/// What the files that have it say of who made them.
pub const CREATOR: &str = concat!("subsume version ", env!("CARGO_PKG_VERSION"));
/// What follows the last byte of metadata: their length, and the format's name.
const TAIL: usize = 8;

/// The property, before the checksum is known.
pub fn property() -> KeyValue {
    KeyValue::new(NAME.to_owned(), String::from_utf8_lossy(ZEROS).into_owned())
}

/// A table that is being written.
pub struct Summed<W> {
    out: W,
    sum: crc32fast::Hasher,
    /// What is held back, since the checksum comes into it.
    end: Option<Vec<u8>>,
}

impl<W: Write> Summed<W> {
    /// Nothing is written yet.
    pub fn new(out: W) -> Self {
        Self { out, sum: crc32fast::Hasher::new(), end: None }
    }

    /// From here on come the metadata.
    pub fn begin_end(&mut self) {
        self.end = Some(Vec::new());
    }

    /// Writes the end, with the checksum in it.
    ///
    /// # Errors
    /// If the output fails, or the property is not in the metadata.
    pub fn finish(mut self) -> io::Result<()> {
        let mut end = self.end.unwrap_or_default();
        let place = place(&end).ok_or_else(|| io::Error::other("a table without a checksum"))?;
        self.sum.update(&end);
        end[place].copy_from_slice(format!("{:08x}", self.sum.finalize()).as_bytes());
        self.out.write_all(&end)?;
        self.out.flush()
    }
}

impl<W: Write> Write for Summed<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if let Some(end) = &mut self.end {
            end.extend_from_slice(bytes);
            return Ok(bytes.len());
        }
        let written = self.out.write(bytes)?;
        self.sum.update(&bytes[..written]);
        Ok(written)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.out.flush()
    }
}

/// Where the checksum stands: behind its name, the type of a text, and its length.
fn place(bytes: &[u8]) -> Option<std::ops::Range<usize>> {
    let name = bytes.windows(NAME.len()).rposition(|part| part == NAME.as_bytes())?;
    let start = name + NAME.len() + 2;
    (start + ZEROS.len() <= bytes.len()).then(|| start..start + ZEROS.len())
}

/// Whether a table is as it was written; `None` if it has no checksum.
pub fn is_whole(table: &[u8]) -> Option<bool> {
    let length = table.len().checked_sub(TAIL).and_then(|at| table.get(at..at + 4));
    let length = length.and_then(|bytes| bytes.try_into().ok()).map_or(0, u32::from_le_bytes);
    let from = table.len().saturating_sub((length as usize).saturating_add(TAIL));
    let place = place(&table[from..])?;
    let (start, end) = (from + place.start, from + place.end);
    let mut sum = crc32fast::Hasher::new();
    sum.update(&table[..start]);
    sum.update(ZEROS);
    sum.update(&table[end..]);
    Some(format!("{:08x}", sum.finalize()).as_bytes() == &table[start..end])
}
