//! The chain of sections.

use std::io::Write;

use super::stream;
use crate::Error;
use crate::cursor::Cursor;
use crate::layout::{BYTE_ORDER_MARK, COMPACT_VERSION, FORM_COMPACT, MAGIC, header};

/// Kinds of sections. Unknown kinds are passed over.
pub(crate) mod kind {
    /// Pairs of strings about the run.
    pub const RUN: u32 = 1;
    /// Strings that the other tables refer to by index.
    pub const STRINGS: u32 = 2;
    /// Classes.
    pub const CLASSES: u32 = 3;
    /// Methods.
    pub const METHODS: u32 = 4;
    /// Call sites of the methods.
    pub const SITES: u32 = 5;
    /// Threads.
    pub const THREADS: u32 = 6;
    /// What was not instrumented.
    pub const SKIPPED: u32 = 7;
    /// Names of the metrics.
    pub const METRICS: u32 = 8;
    /// A block of calling contexts.
    pub const NODES: u32 = 9;
    /// The last section.
    pub const END: u32 = 10;
    /// The copy graph.
    pub const COPIES: u32 = 11;
    /// The cost graph.
    pub const COSTS: u32 = 12;
    /// The ways of nulls.
    pub const NULLS: u32 = 13;
    /// Similar memory accesses in loops.
    pub const LOOPS: u32 = 14;
    /// How the cost of loops grows.
    pub const GROWTH: u32 = 15;
    /// How often basic blocks were executed.
    pub const BLOCKS: u32 = 16;
    /// Bytes that methods allocated, by class.
    pub const ALLOCATED: u32 = 19;
    /// Inputs and results of methods.
    pub const RESULTS: u32 = 17;
    /// Typestate histories.
    pub const TYPESTATES: u32 = 18;
    /// Hashes of the methods' code.
    pub const CODE: u32 = 20;
    /// Who defined the classes.
    pub const DEFINITIONS: u32 = 21;
    /// Calls that returned nothing, of the methods with results.
    pub const EMPTY_RESULTS: u32 = 22;
}

/// Bytes before a section's payload: u32 kind, u32 CRC-32, u64 length.
pub(crate) const HEADER_LEN: usize = 16;

/// Writes the header of the file. Returns its length.
pub(super) fn write_header(out: &mut impl Write) -> Result<u64, Error> {
    let mut bytes = [0; header::COMPACT_LEN];
    bytes[..MAGIC.len()].copy_from_slice(&MAGIC);
    bytes[header::VERSION..header::FORM].copy_from_slice(&COMPACT_VERSION.to_le_bytes());
    bytes[header::FORM..header::BYTE_ORDER].copy_from_slice(&FORM_COMPACT.to_le_bytes());
    bytes[header::BYTE_ORDER..].copy_from_slice(&BYTE_ORDER_MARK.to_le_bytes());
    out.write_all(&bytes)?;
    Ok(bytes.len() as u64)
}

/// Writes one section. Returns its length with its header.
pub(super) fn write(out: &mut impl Write, kind: u32, payload: &[u8]) -> Result<u64, Error> {
    let length = payload.len() as u64;
    let mut bytes = [0; HEADER_LEN];
    bytes[0..4].copy_from_slice(&kind.to_le_bytes());
    bytes[4..8].copy_from_slice(&checksum(kind, payload).to_le_bytes());
    bytes[8..16].copy_from_slice(&length.to_le_bytes());
    out.write_all(&bytes)?;
    out.write_all(payload)?;
    Ok(HEADER_LEN as u64 + length)
}

/// Writes a section that is a table, a stream of these bytes. Returns its length with
/// its header.
pub(super) fn write_table(out: &mut impl Write, kind: u32, table: &[u8]) -> Result<u64, Error> {
    let mut payload = Vec::new();
    stream::write(&mut payload, table);
    write(out, kind, &payload)
}

/// CRC-32 over kind, length and payload, so that no byte of a section can
/// change unnoticed.
fn checksum(kind: u32, payload: &[u8]) -> u32 {
    let mut hasher = crc32fast::Hasher::new();
    hasher.update(&kind.to_le_bytes());
    hasher.update(&(payload.len() as u64).to_le_bytes());
    hasher.update(payload);
    hasher.finalize()
}

/// A section of a file in memory.
#[derive(Debug, Clone, Copy)]
pub(super) struct Section<'a> {
    pub(super) kind: u32,
    pub(super) payload: &'a [u8],
    /// Offset of the payload in the file.
    pub(super) offset: u64,
    checksum: u32,
}

impl<'a> Section<'a> {
    /// Compares the checksum.
    pub(super) fn verify(&self) -> Result<(), Error> {
        if checksum(self.kind, self.payload) == self.checksum {
            return Ok(());
        }
        let start = self.offset - HEADER_LEN as u64;
        Err(Error::at(start, format!("the checksum of section kind {} does not match", self.kind)))
    }

    /// Reads the payload from its start.
    pub(super) fn cursor(&self) -> Cursor<'a> {
        Cursor::new(self.payload, self.offset)
    }
}

/// Where a section is in a file.
#[derive(Debug, Clone, Copy)]
pub(super) struct Heading {
    pub(super) kind: u32,
    /// Length of the payload.
    pub(super) length: usize,
    /// Offset of the payload in the file.
    pub(super) offset: u64,
    checksum: u32,
}

impl Heading {
    /// The section, of which these bytes are the payload.
    pub(super) fn with(self, payload: &[u8]) -> Section<'_> {
        let Self { kind, offset, checksum, .. } = self;
        Section { kind, payload, offset, checksum }
    }
}

/// Follows the chain through a file of that length, from its header to the end
/// section, which comes last in the result. `read` gives the bytes at an offset
/// that are there.
pub(super) fn headings(
    file_length: u64,
    mut read: impl FnMut(u64) -> Result<[u8; HEADER_LEN], Error>,
) -> Result<Vec<Heading>, Error> {
    let mut headings = Vec::new();
    let mut at = header::COMPACT_LEN as u64;
    if file_length < at {
        return Err(Error::at(0, "the bytes end within the header"));
    }
    loop {
        if at == file_length {
            return Err(Error::at(at, "the file is cut short: its end section is missing"));
        }
        if file_length - at < HEADER_LEN as u64 {
            return Err(Error::at(at, "the bytes end within a section header"));
        }
        let bytes = read(at)?;
        let mut cursor = Cursor::new(&bytes, at);
        let kind = cursor.fixed_u32("a section header")?;
        let checksum = cursor.fixed_u32("a section header")?;
        let length = cursor.fixed_u64("a section header")?;
        let offset = cursor.offset();
        let left = file_length - offset;
        let Some(length) = usize::try_from(length).ok().filter(|_| length <= left) else {
            let what = format!("section kind {kind} has {length} bytes, {left} are there");
            return Err(Error::at(at, format!("the file is cut short: {what}")));
        };
        headings.push(Heading { kind, length, offset, checksum });
        at = offset + length as u64;
        if kind == kind::END {
            break;
        }
    }
    if at < file_length {
        return Err(Error::at(at, "there are bytes behind the end section"));
    }
    Ok(headings)
}

/// The sections of a file in memory. Checksums are not yet compared, see
/// [`Section::verify`].
pub(super) fn chain(bytes: &[u8]) -> Result<Vec<Section<'_>>, Error> {
    let headings = headings(bytes.len() as u64, |at| {
        let bytes = bytes.get(at as usize..).and_then(<[u8]>::first_chunk);
        bytes.copied().ok_or_else(|| Error::at(at, "the bytes end within a section header"))
    })?;
    let section = |heading: Heading| {
        let start = heading.offset as usize;
        heading.with(&bytes[start..start + heading.length])
    };
    Ok(headings.into_iter().map(section).collect())
}
