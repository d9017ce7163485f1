//! Streams: bytes that are stored compressed where that makes them fewer.
//!
//! Subtrees of a calling context tree resemble each other, so that a column takes
//! a sixth of its bytes in the block format of LZ4, which is read faster than a
//! disk is.

use std::borrow::Cow;

use base::leb128::put;
use lz4_flex::block;

use crate::Error;
use crate::cursor::Cursor;

/// Fewer bytes are stored as they are: there is little to gain.
const LEAST_COMPRESSED: usize = 512;

/// What LZ4 makes of longer streams is not asked for: the library counts in 32 bits.
const MOST_COMPRESSED: usize = 1 << 30;

/// Most bytes that LZ4 can make of one. So the length of a file bounds the memory
/// that is needed for it.
const MOST_EXPANSION: usize = 255;

/// Bytes that LZ4 can make of a token besides.
const TOKEN: usize = 64;

/// Appends a stream of these bytes: their number, the number of compressed bytes,
/// or 0 if they are stored as they are, and either.
pub(super) fn write(out: &mut Vec<u8>, content: &[u8]) {
    put(out, content.len() as u64);
    if (LEAST_COMPRESSED..=MOST_COMPRESSED).contains(&content.len()) {
        let compressed = block::compress(content);
        if compressed.len() < content.len() {
            put(out, compressed.len() as u64);
            out.extend_from_slice(&compressed);
            return;
        }
    }
    put(out, 0);
    out.extend_from_slice(content);
}

/// A stream of a file in memory.
#[derive(Debug, Clone, Copy)]
pub(super) struct Stream<'a> {
    stored: &'a [u8],
    is_compressed: bool,
    /// Length of the content.
    pub(super) length: usize,
    /// Offset in the file of the first byte stored.
    pub(super) offset: u64,
}

impl<'a> Stream<'a> {
    /// Reads the lengths of the stream that comes next, and passes over its bytes.
    pub(super) fn read(cursor: &mut Cursor<'a>, what: &str) -> Result<Self, Error> {
        let start = cursor.offset();
        let length = cursor.varint(what)?;
        let compressed = cursor.varint(what)?;
        let is_compressed = compressed != 0;
        let stored = if is_compressed { compressed } else { length };
        let stored = usize::try_from(stored).unwrap_or(usize::MAX);
        let offset = cursor.offset();
        let stored = cursor.take(stored, what)?;
        match usize::try_from(length) {
            Ok(length) if length <= MOST_EXPANSION.saturating_mul(stored.len()) + TOKEN => {
                Ok(Self { stored, is_compressed, length, offset })
            }
            _ => Err(Error::at(start, format!("{what} cannot have {length} bytes"))),
        }
    }

    /// The content, which is in the file, or `space` if it is compressed.
    pub(super) fn content<'s>(&self, space: &'s mut Vec<u8>) -> Result<&'s [u8], Error>
    where
        'a: 's,
    {
        if !self.is_compressed {
            return Ok(self.stored);
        }
        space.clear();
        if space.try_reserve_exact(self.length).is_err() {
            return Err(Error::at(self.offset, format!("no memory for {} bytes", self.length)));
        }
        space.resize(self.length, 0);
        match block::decompress_into(self.stored, space) {
            Ok(length) if length == self.length => Ok(space),
            _ => Err(Error::at(self.offset, "what is compressed is damaged")),
        }
    }

    /// The content, in memory of its own if it is compressed.
    pub(super) fn into_content(self) -> Result<Cow<'a, [u8]>, Error> {
        if !self.is_compressed {
            return Ok(Cow::Borrowed(self.stored));
        }
        let mut content = Vec::new();
        self.content(&mut content)?;
        Ok(Cow::Owned(content))
    }

    /// Offset in the file of a byte of the content, or of the first one if it is
    /// compressed.
    pub(super) fn offset_of(&self, position: usize) -> u64 {
        if self.is_compressed { self.offset } else { self.offset + position as u64 }
    }

    /// Reads `content`, which is that of this stream, from its start. Errors name
    /// the offset in the file, or that of the whole stream if it is compressed.
    pub(super) fn cursor<'c>(&self, content: &'c [u8]) -> Cursor<'c> {
        if self.is_compressed {
            Cursor::of_compressed(content, self.offset)
        } else {
            Cursor::new(content, self.offset)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Writes a stream and reads it again. Returns the bytes that it took.
    fn round_trip(content: &[u8]) -> usize {
        let mut out = vec![9];
        write(&mut out, content);
        let mut cursor = Cursor::new(&out, 0);
        cursor.byte("a byte").unwrap();
        let stream = Stream::read(&mut cursor, "a stream").unwrap();
        assert_eq!(cursor.remaining(), 0);
        assert_eq!(stream.length, content.len());
        assert_eq!(stream.content(&mut Vec::new()).unwrap(), content);
        out.len() - 1
    }

    #[test]
    fn streams_round_trip() {
        assert_eq!(round_trip(&[]), 2);
        assert_eq!(round_trip(&[7; 511]), 2 + 1 + 511);
        assert!(round_trip(&[7; 512]) < 30);
        assert!(round_trip(&[7; 10_000_000]) < 40_000);
        // What has no repetition takes no more than it has.
        let xorshift = |state: &u64| {
            let state = state ^ (state << 13);
            let state = state ^ (state >> 7);
            Some(state ^ (state << 17))
        };
        let states = std::iter::successors(Some(1), xorshift);
        let noise: Vec<u8> = states.skip(100).take(5_000).map(|state| state as u8).collect();
        assert_eq!(round_trip(&noise), 2 + 1 + 5_000);
    }

    #[test]
    fn what_no_compression_could_have_made_is_refused_unread() {
        let mut out = Vec::new();
        put(&mut out, 1 << 40);
        put(&mut out, 3);
        out.extend_from_slice(&[0; 3]);
        let error = Stream::read(&mut Cursor::new(&out, 100), "a column").unwrap_err();
        assert_eq!(error.offset(), Some(100));
    }

    #[test]
    fn another_length_than_announced_is_damage() {
        let content = vec![3; 600];
        let compressed = block::compress(&content);
        for length in [599, 601] {
            let mut out = Vec::new();
            put(&mut out, length);
            put(&mut out, compressed.len() as u64);
            out.extend_from_slice(&compressed);
            let stream = Stream::read(&mut Cursor::new(&out, 0), "a column").unwrap();
            let error = stream.content(&mut Vec::new()).unwrap_err();
            assert!(error.to_string().contains("damaged"), "{error}");
        }
    }
}
