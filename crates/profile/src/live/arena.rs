//! Reads from an image with every index checked.

use crate::layout::{ARENA_OFFSET, RESERVED_WORDS};
use crate::{Error, Image};

/// An image whose content is not trusted.
#[derive(Debug)]
pub(super) struct Arena<'a, I> {
    pub(super) image: &'a I,
}

impl<I: Image> Arena<'_, I> {
    /// True if `len` words at `index` reach behind those that are committed.
    pub(super) fn is_beyond(&self, index: u32, len: u32) -> bool {
        let words = self.image.words();
        len > words || index > words - len
    }

    /// Checks that `len` words at `index` are committed and not reserved.
    pub(super) fn check(&self, index: u32, len: u32, what: &str) -> Result<(), Error> {
        if index >= RESERVED_WORDS && !self.is_beyond(index, len) {
            return Ok(());
        }
        let words = self.image.words();
        Err(error(index, format!("{what} lies outside of the {words} words recorded")))
    }

    /// `len` bytes from byte `skip` of word `index` on.
    pub(super) fn bytes(
        &self,
        index: u32,
        skip: u32,
        len: u32,
        what: &str,
    ) -> Result<Vec<u8>, Error> {
        let start = index.saturating_add(skip / 4);
        let before = (skip % 4) as usize;
        let len = before + len as usize;
        self.check(start, len.div_ceil(4) as u32, what)?;
        let mut bytes = Vec::with_capacity(len);
        self.image.bytes(start, len, &mut bytes);
        bytes.drain(..before);
        Ok(bytes)
    }
}

/// Offset in the file of a word.
pub(super) fn offset(index: u32) -> u64 {
    ARENA_OFFSET as u64 + 4 * u64::from(index)
}

/// An error at a word.
#[cold]
pub(super) fn error(index: u32, message: impl Into<String>) -> Error {
    Error::at(offset(index), message)
}
