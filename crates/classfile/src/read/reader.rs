//! A checked cursor over big-endian bytes.

use super::error::{Error, ErrorKind};

/// Reads a window of a class file front to back.
///
/// The reader knows where its window lies in the file, so that every error
/// carries an absolute offset.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Reader<'a> {
    window: &'a [u8],
    position: usize,
    base: usize,
}

impl<'a> Reader<'a> {
    pub(crate) fn new(window: &'a [u8], base: usize) -> Reader<'a> {
        Reader { window, position: 0, base }
    }

    /// Bytes read so far, counted from the start of the window.
    pub(crate) fn position(&self) -> usize {
        self.position
    }

    /// The absolute offset of the next byte.
    pub(crate) fn offset(&self) -> usize {
        self.base + self.position
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.position >= self.window.len()
    }

    #[cold]
    pub(crate) fn error(&self, kind: ErrorKind) -> Error {
        Error::new(kind, self.offset())
    }

    #[inline]
    fn array<const N: usize>(&mut self) -> Result<[u8; N], Error> {
        match self.window.get(self.position..).and_then(|rest| rest.first_chunk::<N>()) {
            Some(bytes) => {
                self.position += N;
                Ok(*bytes)
            }
            None => Err(self.error(ErrorKind::UnexpectedEnd)),
        }
    }

    #[inline]
    pub(crate) fn u1(&mut self) -> Result<u8, Error> {
        self.array::<1>().map(|[byte]| byte)
    }

    #[inline]
    pub(crate) fn u2(&mut self) -> Result<u16, Error> {
        self.array().map(u16::from_be_bytes)
    }

    #[inline]
    pub(crate) fn u4(&mut self) -> Result<u32, Error> {
        self.array().map(u32::from_be_bytes)
    }

    #[inline]
    pub(crate) fn bytes(&mut self, length: usize) -> Result<&'a [u8], Error> {
        match self.window.get(self.position..).and_then(|rest| rest.get(..length)) {
            Some(bytes) => {
                self.position += length;
                Ok(bytes)
            }
            None => Err(self.error(ErrorKind::UnexpectedEnd)),
        }
    }

    #[inline]
    pub(crate) fn skip(&mut self, length: usize) -> Result<(), Error> {
        self.bytes(length).map(|_| ())
    }

    /// Fails unless everything was read.
    pub(crate) fn expect_end(&self) -> Result<(), Error> {
        if self.is_empty() { Ok(()) } else { Err(self.error(ErrorKind::TrailingBytes)) }
    }
}

/// The big-endian `u2` at `at`, or `None` past the end.
#[inline]
pub(crate) fn u2_at(bytes: &[u8], at: usize) -> Option<u16> {
    bytes.get(at..)?.first_chunk().map(|chunk| u16::from_be_bytes(*chunk))
}

/// The big-endian `u4` at `at`, or `None` past the end.
#[inline]
pub(crate) fn u4_at(bytes: &[u8], at: usize) -> Option<u32> {
    bytes.get(at..)?.first_chunk().map(|chunk| u32::from_be_bytes(*chunk))
}
