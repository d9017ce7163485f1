//! Numbers and texts in a chunk. Nothing is taken for granted: what is not there
//! is `None`.

use std::borrow::Cow;

use base::leb128;

/// A place in a chunk.
#[derive(Debug, Clone, Copy)]
pub struct Bytes<'b> {
    chunk: &'b [u8],
    /// Offset in the chunk of what is read next.
    pub at: usize,
    /// Integers have seven bits a byte, the lowest first.
    is_compressed: bool,
}

/// A text as it is stored.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Text<'b> {
    /// No object.
    Null,
    /// The text itself.
    Plain(Cow<'b, str>),
    /// Index of a constant.
    Constant(i64),
}

impl<'b> Bytes<'b> {
    /// The chunk from an offset on.
    pub fn new(chunk: &'b [u8], at: usize, is_compressed: bool) -> Self {
        Self { chunk, at, is_compressed }
    }

    /// The next `count` bytes.
    pub fn take(&mut self, count: usize) -> Option<&'b [u8]> {
        let taken = self.chunk.get(self.at..self.at.checked_add(count)?)?;
        self.at += count;
        Some(taken)
    }

    /// A byte.
    pub fn byte(&mut self) -> Option<u8> {
        self.take(1).map(|byte| byte[0])
    }

    /// An integer of two bytes where it is not compressed.
    pub fn short(&mut self) -> Option<i64> {
        if self.is_compressed {
            self.compressed()
        } else {
            self.whole().map(i16::from_be_bytes).map(i64::from)
        }
    }

    /// An integer of four bytes where it is not compressed.
    pub fn int(&mut self) -> Option<i64> {
        // Of negative ones the upper half may be left out.
        if self.is_compressed {
            self.compressed().map(|long| i64::from(long as i32))
        } else {
            self.whole().map(i32::from_be_bytes).map(i64::from)
        }
    }

    /// An integer of eight bytes where it is not compressed.
    pub fn long(&mut self) -> Option<i64> {
        if self.is_compressed { self.compressed() } else { self.whole().map(i64::from_be_bytes) }
    }

    /// How many of something follow.
    pub fn count(&mut self) -> Option<usize> {
        self.int().and_then(|count| usize::try_from(count).ok())
    }

    /// A text.
    pub fn text(&mut self) -> Option<Text<'b>> {
        Some(match self.byte()? {
            0 => Text::Null,
            1 => Text::Plain(Cow::Borrowed("")),
            2 => Text::Constant(self.long()?),
            3 => {
                let length = self.count()?;
                Text::Plain(String::from_utf8_lossy(self.take(length)?))
            }
            4 => {
                let mut units = Vec::new();
                for _ in 0..self.count()? {
                    units.push(self.short()? as u16);
                }
                Text::Plain(Cow::Owned(String::from_utf16_lossy(&units)))
            }
            5 => {
                let length = self.count()?;
                let latin = self.take(length)?.iter().map(|&byte| char::from(byte));
                Text::Plain(Cow::Owned(latin.collect()))
            }
            _ => return None,
        })
    }

    fn whole<const N: usize>(&mut self) -> Option<[u8; N]> {
        self.take(N)?.try_into().ok()
    }

    fn compressed(&mut self) -> Option<i64> {
        leb128::get_in_nine_bytes(self.chunk, &mut self.at).map(|value| value as i64)
    }
}

#[cfg(test)]
mod tests {
    use super::{Bytes, Text};

    #[test]
    fn integers_of_both_kinds() {
        let all_bits = [0xff; 9];
        assert_eq!(Bytes::new(&all_bits, 0, true).long(), Some(-1));
        assert_eq!(Bytes::new(&all_bits, 0, true).int(), Some(-1));
        assert_eq!(Bytes::new(&all_bits[..8], 0, true).long(), None);
        assert_eq!(Bytes::new(&[0xac, 0x02], 0, true).int(), Some(300));
        let raw = [0, 0, 1, 0x2c, 0xff, 0xfe];
        let mut bytes = Bytes::new(&raw, 0, false);
        assert_eq!((bytes.int(), bytes.short(), bytes.byte()), (Some(300), Some(-2), None));
    }

    #[test]
    fn texts_of_every_encoding() {
        let plain = |text: &'static str| Some(Text::Plain(text.into()));
        for (bytes, expected) in [
            (&[0u8][..], Some(Text::Null)),
            (&[1], plain("")),
            (&[2, 7], Some(Text::Constant(7))),
            (&[3, 3, b'a', 0xc3, 0xa4], plain("aä")),
            (&[4, 2, b'a', 0xe4, 0x01], plain("aä")),
            (&[5, 2, b'a', 0xe4], plain("aä")),
            (&[3, 4, b'a'], None),
            (&[4, 0xff, 0xff, 0xff, 0x7f, b'a'], None),
            (&[6], None),
            (&[], None),
        ] {
            assert_eq!(Bytes::new(bytes, 0, true).text(), expected, "{bytes:?}");
        }
    }
}
