//! The part of the protocol buffers' encoding that profiles need.

use base::leb128;

/// A message under construction.
#[derive(Debug, Default, Clone)]
pub struct Message {
    bytes: Vec<u8>,
}

impl Message {
    /// The bytes so far.
    pub fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// Forgets the fields, and keeps the memory.
    pub fn clear(&mut self) {
        self.bytes.clear();
    }

    /// A field that is a number; 0 is what a missing field means.
    pub fn number(&mut self, field: u32, value: u64) {
        if value != 0 {
            leb128::put(&mut self.bytes, u64::from(field) << 3);
            leb128::put(&mut self.bytes, value);
        }
    }

    /// A field that is text or a message.
    pub fn text(&mut self, field: u32, text: &[u8]) {
        self.begin(field, text.len());
        self.bytes.extend_from_slice(text);
    }

    /// The beginning of a field that is text or a message of this length.
    pub fn begin(&mut self, field: u32, length: usize) {
        leb128::put(&mut self.bytes, u64::from(field) << 3 | 2);
        leb128::put(&mut self.bytes, length as u64);
    }

    /// The fields of another message.
    pub fn append(&mut self, other: &Self) {
        self.bytes.extend_from_slice(&other.bytes);
    }

    /// A field that is a list of numbers.
    pub fn packed(&mut self, field: u32, values: impl Iterator<Item = u64>) {
        let mut list = Self::default();
        for value in values {
            leb128::put(&mut list.bytes, value);
        }
        self.text(field, &list.bytes);
    }
}

/// How many bytes a field takes that is text or a message of this length. Its number is
/// below 16.
pub fn framed(length: usize) -> usize {
    let bits = usize::BITS - length.leading_zeros();
    1 + bits.div_ceil(7).max(1) as usize + length
}

/// The value of a field.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Value<'b> {
    /// A number, as it stands in the message.
    Number(u64),
    /// Text, a message, or a list of numbers.
    Bytes(&'b [u8]),
}

impl<'b> Value<'b> {
    /// The number; 0 for anything else.
    pub fn number(self) -> u64 {
        match self {
            Self::Number(number) => number,
            Self::Bytes(_) => 0,
        }
    }

    /// The bytes; none for a number.
    pub fn bytes(self) -> &'b [u8] {
        match self {
            Self::Number(_) => &[],
            Self::Bytes(bytes) => bytes,
        }
    }

    /// The first two fields of a message, which are numbers. `None` if it is cut short.
    pub fn pair(self) -> Option<(u64, u64)> {
        let (mut first, mut second) = (0, 0);
        for_each_field(self.bytes(), |field, value| {
            match field {
                1 => first = value.number(),
                2 => second = value.number(),
                _ => {}
            }
            Some(())
        })?;
        Some((first, second))
    }

    /// Appends the number, or all numbers of a list. `None` if it ends within one.
    pub fn append_to(self, list: &mut Vec<u64>) -> Option<()> {
        match self {
            Self::Number(number) => list.push(number),
            Self::Bytes(mut bytes) => {
                while !bytes.is_empty() {
                    list.push(take_number(&mut bytes)?);
                }
            }
        }
        Some(())
    }
}

/// Calls `each` with the fields of a message. `None` if the message is cut
/// short, or if `each` says so.
pub fn for_each_field<'b>(
    mut bytes: &'b [u8],
    mut each: impl FnMut(u32, Value<'b>) -> Option<()>,
) -> Option<()> {
    while !bytes.is_empty() {
        let key = take_number(&mut bytes)?;
        let value = match key & 7 {
            0 => Value::Number(take_number(&mut bytes)?),
            1 => Value::Number(u64::from_le_bytes(take(&mut bytes, 8)?.try_into().ok()?)),
            2 => {
                let length = usize::try_from(take_number(&mut bytes)?).ok()?;
                Value::Bytes(take(&mut bytes, length)?)
            }
            5 => Value::Number(u32::from_le_bytes(take(&mut bytes, 4)?.try_into().ok()?).into()),
            _ => return None,
        };
        each(u32::try_from(key >> 3).ok()?, value)?;
    }
    Some(())
}

fn take<'b>(bytes: &mut &'b [u8], length: usize) -> Option<&'b [u8]> {
    let (head, rest) = bytes.split_at_checked(length)?;
    *bytes = rest;
    Some(head)
}

fn take_number(bytes: &mut &[u8]) -> Option<u64> {
    let mut length = 0;
    let number = leb128::get(bytes, &mut length)?;
    take(bytes, length)?;
    Some(number)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lengths_are_known_before() {
        for length in [0, 1, 127, 128, 16_383, 16_384, 1 << 20] {
            let mut message = Message::default();
            message.text(15, &vec![0; length]);
            assert_eq!(message.bytes().len(), framed(length), "{length}");
        }
    }

    #[test]
    fn fields_come_back() {
        let mut message = Message::default();
        message.number(1, 300);
        message.number(2, 0);
        message.text(3, b"ab");
        message.packed(4, [1, u64::MAX].into_iter());
        let mut fields = Vec::new();
        for_each_field(message.bytes(), |field, value| {
            fields.push((field, value));
            Some(())
        })
        .unwrap();
        assert_eq!(fields[0], (1, Value::Number(300)));
        assert_eq!(fields[1], (3, Value::Bytes(b"ab")));
        let mut list = Vec::new();
        fields[2].1.append_to(&mut list).unwrap();
        assert_eq!(list, [1, u64::MAX]);
        for length in 1..message.bytes().len() {
            let cut =
                for_each_field(&message.bytes()[..length], |_, v| v.append_to(&mut Vec::new()));
            let whole_fields = [3, 7];
            assert_eq!(cut.is_some(), whole_fields.contains(&length), "{length}");
        }
    }
}
