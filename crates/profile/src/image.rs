//! Access to a live profile, wherever it lies.

use crate::Error;
use crate::layout::{ARENA_OFFSET, header};

/// A profile in the live form.
///
/// The agent implements it over the memory that the program goes on writing
/// to; [`SliceImage`] over the bytes of a file. Readers check every index
/// against [`words`](Self::words) first.
pub trait Image {
    /// Committed words of the arena. May grow while an image is read, and
    /// never shrinks.
    fn words(&self) -> u32;

    /// The word at `index`, which is less than [`words`](Self::words).
    fn word(&self, index: u32) -> u32;

    /// The counter at the words `index` (low) and `index + 1` (high), both
    /// committed. An image that changes meanwhile overrides this to read both
    /// at once.
    fn counter(&self, index: u32) -> u64 {
        u64::from(self.word(index)) | u64::from(self.word(index + 1)) << 32
    }

    /// True if parts of the memory were taken away while it was written to, and
    /// are zeros now.
    fn lacks_parts(&self) -> bool {
        false
    }

    /// A u64 of the header page.
    fn header_u64(&self, byte_offset: usize) -> u64;

    /// A u32 of the header page.
    fn header_u32(&self, byte_offset: usize) -> u32;

    /// Appends the `len` bytes that begin with those of word `word` to `out`;
    /// all of them are committed.
    fn bytes(&self, word: u32, len: usize, out: &mut Vec<u8>);
}

/// The bytes of a file in the live form.
#[derive(Debug, Clone, Copy)]
pub struct SliceImage<'a> {
    bytes: &'a [u8],
    words: u32,
}

impl<'a> SliceImage<'a> {
    /// Takes the bytes of a whole file, header page included.
    ///
    /// # Errors
    ///
    /// When the file ends before the memory that its header says is committed.
    pub fn new(bytes: &'a [u8]) -> Result<Self, Error> {
        if bytes.len() < ARENA_OFFSET {
            let message = "the file is cut short within its header page";
            return Err(Error::at(bytes.len() as u64, message));
        }
        let mut image = Self { bytes, words: 0 };
        let committed = image.header_u64(header::COMMITTED);
        let present = (bytes.len() - ARENA_OFFSET) as u64;
        if committed > present {
            return Err(Error::at(
                bytes.len() as u64,
                format!(
                    "the file is cut short: {committed} bytes are recorded, {present} are there"
                ),
            ));
        }
        image.words = u32::try_from(committed / 4).unwrap_or(u32::MAX);
        Ok(image)
    }
}

impl Image for SliceImage<'_> {
    fn words(&self) -> u32 {
        self.words
    }

    fn word(&self, index: u32) -> u32 {
        self.header_u32(ARENA_OFFSET + 4 * index as usize)
    }

    fn header_u64(&self, byte_offset: usize) -> u64 {
        u64::from(self.header_u32(byte_offset)) | u64::from(self.header_u32(byte_offset + 4)) << 32
    }

    fn header_u32(&self, byte_offset: usize) -> u32 {
        let bytes = &self.bytes[byte_offset..byte_offset + 4];
        u32::from_le_bytes([bytes[0], bytes[1], bytes[2], bytes[3]])
    }

    fn bytes(&self, word: u32, len: usize, out: &mut Vec<u8>) {
        let start = ARENA_OFFSET + 4 * word as usize;
        out.extend_from_slice(&self.bytes[start..start + len]);
    }
}
