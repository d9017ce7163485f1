//! Reading the numbers and strings of a file one after the other.

use base::leb128::{get, put};

use crate::Error;

/// Appends the length in bytes and the UTF-8 of `text`.
pub(crate) fn put_string(out: &mut Vec<u8>, text: &str) {
    put(out, text.len() as u64);
    out.extend_from_slice(text.as_bytes());
}

/// Reads numbers and strings one after the other, and knows where in the file
/// it is.
#[derive(Debug, Clone)]
pub(crate) struct Cursor<'a> {
    bytes: &'a [u8],
    position: usize,
    /// Offset in the file of `bytes[0]`.
    origin: u64,
    /// The bytes are none of the file: all that is known is where they begin.
    is_compressed: bool,
}

impl<'a> Cursor<'a> {
    pub(crate) fn new(bytes: &'a [u8], origin: u64) -> Self {
        Self { bytes, position: 0, origin, is_compressed: false }
    }

    /// Of bytes that are compressed in the file, at that offset.
    pub(crate) fn of_compressed(bytes: &'a [u8], origin: u64) -> Self {
        Self { bytes, position: 0, origin, is_compressed: true }
    }

    /// Offset in the file of the byte at a position.
    fn offset_of(&self, position: usize) -> u64 {
        if self.is_compressed { self.origin } else { self.origin + position as u64 }
    }

    /// Offset in the file of the next byte.
    pub(crate) fn offset(&self) -> u64 {
        self.offset_of(self.position)
    }

    /// Number of bytes not yet read.
    pub(crate) fn remaining(&self) -> usize {
        self.bytes.len() - self.position
    }

    /// An error at the next byte.
    #[cold]
    pub(crate) fn error(&self, message: impl Into<String>) -> Error {
        Error::at(self.offset(), message)
    }

    pub(crate) fn take(&mut self, len: usize, what: &str) -> Result<&'a [u8], Error> {
        if len > self.remaining() {
            return Err(self.error(format!("the bytes end within {what}")));
        }
        let taken = &self.bytes[self.position..self.position + len];
        self.position += len;
        Ok(taken)
    }

    pub(crate) fn byte(&mut self, what: &str) -> Result<u8, Error> {
        Ok(self.take(1, what)?[0])
    }

    /// A fixed 4-byte number.
    pub(crate) fn fixed_u32(&mut self, what: &str) -> Result<u32, Error> {
        let bytes = self.take(4, what)?;
        Ok(u32::from_le_bytes([bytes[0], bytes[1], bytes[2], bytes[3]]))
    }

    /// A fixed 8-byte number.
    pub(crate) fn fixed_u64(&mut self, what: &str) -> Result<u64, Error> {
        let low = self.fixed_u32(what)?;
        let high = self.fixed_u32(what)?;
        Ok(u64::from(low) | u64::from(high) << 32)
    }

    pub(crate) fn varint(&mut self, what: &str) -> Result<u64, Error> {
        match get(self.bytes, &mut self.position) {
            Some(value) => Ok(value),
            None => Err(self.error(format!("no valid number for {what}"))),
        }
    }

    pub(crate) fn varint_u32(&mut self, what: &str) -> Result<u32, Error> {
        self.narrow(what)
    }

    pub(crate) fn varint_u16(&mut self, what: &str) -> Result<u16, Error> {
        self.narrow(what)
    }

    fn narrow<T: TryFrom<u64>>(&mut self, what: &str) -> Result<T, Error> {
        let start = self.offset();
        let value = self.varint(what)?;
        T::try_from(value)
            .map_err(|_| Error::at(start, format!("{what} is {value}, which is too large")))
    }

    /// How many entries follow, each of which takes at least `least` bytes.
    /// A count that the bytes left cannot hold is refused before any memory is
    /// reserved for it.
    pub(crate) fn count(&mut self, least: usize, what: &str) -> Result<usize, Error> {
        let start = self.offset();
        let value = self.varint(what)?;
        if value > (self.remaining() / least) as u64 {
            return Err(Error::at(start, format!("{what} is {value}, more than the bytes hold")));
        }
        Ok(value as usize)
    }

    pub(crate) fn string(&mut self, what: &str) -> Result<&'a str, Error> {
        let len = self.count(1, what)?;
        let start = self.position;
        let bytes = self.take(len, what)?;
        std::str::from_utf8(bytes).map_err(|error| {
            let at = self.offset_of(start + error.valid_up_to());
            Error::at(at, format!("{what} is not UTF-8"))
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn errors_name_the_offset_in_the_file() {
        let mut cursor = Cursor::new(&[5, b'a'], 100);
        let error = cursor.string("a name").unwrap_err();
        assert_eq!(error.offset(), Some(100));
        let mut cursor = Cursor::new(&[2, b'a', 0xff], 100);
        let error = cursor.string("a name").unwrap_err();
        assert_eq!(error.to_string(), "a name is not UTF-8 (at offset 0x66)");
        let mut cursor = Cursor::of_compressed(&[2, b'a', 0xff], 100);
        assert_eq!(cursor.string("a name").unwrap_err().offset(), Some(100));
    }
}
