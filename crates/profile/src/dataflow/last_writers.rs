//! How well the last writers of elements of arrays are known.

use base::leb128::put;

use crate::Error;
use crate::cursor::Cursor;

/// What is approximate about last writers of elements, and what they took.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct ElementWriters {
    /// How often arrays were used whose last writers had been given up.
    pub forgotten: u64,
    /// Accesses in the midst of which a thread stopped for so long that the last
    /// writers may be those of another array.
    pub misplaced: u64,
    /// Bytes of memory, beside the profile.
    pub bytes: u64,
}

impl ElementWriters {
    /// Adds those of another recording.
    pub fn add(&mut self, more: Self) {
        self.forgotten = self.forgotten.saturating_add(more.forgotten);
        self.misplaced = self.misplaced.saturating_add(more.misplaced);
        self.bytes = self.bytes.saturating_add(more.bytes);
    }

    pub(super) fn encode(self, out: &mut Vec<u8>) {
        put(out, self.forgotten);
        put(out, self.misplaced);
        put(out, self.bytes);
    }

    pub(super) fn decode(cursor: &mut Cursor<'_>) -> Result<Self, Error> {
        Ok(Self {
            forgotten: cursor.varint("a number of uses")?,
            misplaced: cursor.varint("a number of accesses")?,
            bytes: cursor.varint("a number of bytes")?,
        })
    }
}
