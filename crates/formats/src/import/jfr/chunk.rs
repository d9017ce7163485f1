//! A chunk: events, with the types and constants that they need.
//!
//! Values are looked up where they lie, so that what is in memory beside the
//! chunk is the place of each constant.

use rustc_hash::FxHashMap;

use super::bytes::{Bytes, Text};
use super::types::{self, Field, Form, Types};

/// Magic, version, seven numbers of eight bytes and one of four.
pub const HEADER_LEN: usize = 68;
/// What a chunk begins with.
pub const MAGIC: &[u8] = b"FLR\0";
/// Number of the events that hold constants.
const CONSTANTS: i64 = 1;
/// Values are nested less deeply.
const DEEPEST: u32 = 16;

/// A chunk of a recording.
#[derive(Debug)]
pub struct Chunk<'b> {
    bytes: &'b [u8],
    is_compressed: bool,
    /// The types by their numbers.
    pub types: Types,
    /// Number of the type of texts.
    text_class: Option<i64>,
    /// Where each constant lies, by type and index.
    constants: FxHashMap<(i64, i64), usize>,
}

/// A value in a chunk.
#[derive(Debug, Clone, Copy)]
pub struct Value {
    class: i64,
    /// Its offset in the chunk, which no other value of the type has.
    pub at: usize,
}

/// The length of the chunk that begins with these bytes.
pub fn length(header: &[u8]) -> Option<u64> {
    header.get(8..16)?.try_into().ok().map(u64::from_be_bytes)
}

/// Major and minor version of the format.
pub fn version(header: &[u8]) -> Option<[u16; 2]> {
    let number = |at: usize| header.get(at..at + 2)?.try_into().ok().map(u16::from_be_bytes);
    Some([number(4)?, number(6)?])
}

/// Start of a chunk in nanoseconds since 1970, and how long it lasted.
pub fn start_and_duration(header: &[u8]) -> Option<[u64; 2]> {
    let number = |at: usize| header.get(at..at + 8)?.try_into().ok().map(u64::from_be_bytes);
    Some([number(32)?, number(40)?])
}

/// How many ticks, in which events count time, are a second.
pub fn ticks_per_second(header: &[u8]) -> Option<u64> {
    header.get(56..64)?.try_into().ok().map(u64::from_be_bytes)
}

impl<'b> Chunk<'b> {
    /// Reads the types of a whole chunk, and where its constants are. `None`
    /// if it is damaged or was not finished.
    pub fn read(bytes: &'b [u8]) -> Option<Self> {
        let header = bytes.first_chunk::<HEADER_LEN>()?;
        let mut numbers = Bytes::new(header, 16, false);
        let (constants, metadata) = (numbers.long()?, numbers.long()?);
        // The lowest of the bits at its end says how integers are stored.
        let is_compressed = header[HEADER_LEN - 1] & 1 != 0;
        let place = |offset: i64| {
            let at = usize::try_from(offset).ok().filter(|&at| at >= HEADER_LEN)?;
            Some(Bytes::new(bytes, at, is_compressed))
        };
        let types = types::read(place(metadata)?)?;
        let text_class =
            types.iter().find(|(_, class)| matches!(class.form, Form::Text)).map(|(id, _)| *id);
        let mut chunk =
            Self { bytes, is_compressed, types, text_class, constants: FxHashMap::default() };
        let mut next = constants;
        loop {
            let back = chunk.constants(place(next)?)?;
            // Each leads to the one written before it.
            match back {
                0 => return Some(chunk),
                ..0 => next = next.checked_add(back)?,
                _ => return None,
            }
        }
    }

    /// Notes the constants of an event; returns where the one before it is.
    fn constants(&mut self, mut bytes: Bytes<'_>) -> Option<i64> {
        let _size = bytes.int()?;
        if bytes.long()? != CONSTANTS {
            return None;
        }
        let (_start, _duration, back) = (bytes.long()?, bytes.long()?, bytes.long()?);
        let _kind = bytes.byte()?;
        for _ in 0..bytes.count()? {
            let class = bytes.long()?;
            for _ in 0..bytes.count()? {
                let index = bytes.long()?;
                self.constants.try_reserve(1).ok()?;
                self.constants.insert((class, index), bytes.at);
                self.skip(class, &mut bytes, 0)?;
            }
        }
        Some(back)
    }

    /// The events of these types, as values; `None` for what is damaged, and
    /// nothing behind it.
    pub fn events(
        &self,
        wanted: &FxHashMap<i64, usize>,
    ) -> impl Iterator<Item = Option<(usize, Value)>> {
        let mut at = HEADER_LEN;
        std::iter::from_fn(move || {
            while at < self.bytes.len() {
                let mut bytes = self.bytes_at(at);
                let head = bytes.int().zip(bytes.long());
                let end = head.and_then(|(size, _)| at.checked_add(usize::try_from(size).ok()?));
                let end = end.filter(|&end| end >= bytes.at && end <= self.bytes.len());
                let Some((end, (_, class))) = end.zip(head) else {
                    at = self.bytes.len();
                    return Some(None);
                };
                at = end;
                if let Some(&which) = wanted.get(&class) {
                    return Some(Some((which, Value { class, at: bytes.at })));
                }
            }
            None
        })
    }

    /// A field of a value; constants are looked up. `None` also where it has
    /// no such field.
    pub fn field(&self, value: Value, name: &str) -> Option<Value> {
        let (field, mut bytes) = self.find(value, name)?;
        if field.is_array { None } else { self.element(field, &mut bytes) }
    }

    /// The elements of a field that is an array; `None` also where the value has no
    /// such field.
    pub fn array(&self, value: Value, name: &str) -> Option<Vec<Value>> {
        let (field, mut bytes) = self.find(value, name)?;
        if !field.is_array {
            return None;
        }
        let mut elements = Vec::new();
        for _ in 0..bytes.count()? {
            elements.push(self.element(field, &mut bytes)?);
        }
        Some(elements)
    }

    /// A value that is an integer.
    pub fn integer(&self, value: Value) -> Option<i64> {
        let mut bytes = self.bytes_at(value.at);
        match self.types.get(&value.class)?.form {
            Form::Short => bytes.short(),
            Form::Int => bytes.int(),
            Form::Long => bytes.long(),
            _ => None,
        }
    }

    /// A value that is a text.
    pub fn text(&self, value: Value) -> Option<String> {
        let Form::Text = self.types.get(&value.class)?.form else { return None };
        match self.bytes_at(value.at).text()? {
            Text::Plain(text) => Some(text.into_owned()),
            Text::Null => None,
            Text::Constant(index) => {
                let at = *self.constants.get(&(self.text_class?, index))?;
                match self.bytes_at(at).text()? {
                    Text::Plain(text) => Some(text.into_owned()),
                    Text::Null | Text::Constant(_) => None,
                }
            }
        }
    }

    fn bytes_at(&self, at: usize) -> Bytes<'b> {
        Bytes::new(self.bytes, at, self.is_compressed)
    }

    /// A field of a type, and where it begins in a value.
    fn find(&self, value: Value, name: &str) -> Option<(&Field, Bytes<'b>)> {
        let Form::Fields(fields) = &self.types.get(&value.class)?.form else { return None };
        let mut bytes = self.bytes_at(value.at);
        for field in fields {
            if field.name == name {
                return Some((field, bytes));
            }
            self.skip_field(field, &mut bytes, 0)?;
        }
        None
    }

    /// A single value of a field.
    fn element(&self, field: &Field, bytes: &mut Bytes<'_>) -> Option<Value> {
        if field.is_constant {
            let at = *self.constants.get(&(field.class, bytes.long()?))?;
            return Some(Value { class: field.class, at });
        }
        let value = Value { class: field.class, at: bytes.at };
        self.skip(field.class, bytes, 0)?;
        Some(value)
    }

    /// Goes behind a value.
    fn skip(&self, class: i64, bytes: &mut Bytes<'_>, depth: u32) -> Option<()> {
        match &self.types.get(&class)?.form {
            Form::Fixed(length) => bytes.take(*length).map(|_| ()),
            Form::Short => bytes.short().map(|_| ()),
            Form::Int => bytes.int().map(|_| ()),
            Form::Long => bytes.long().map(|_| ()),
            Form::Text => bytes.text().map(|_| ()),
            // Every value has bytes, or damage could make many out of nothing.
            Form::Fields(fields) if fields.is_empty() || depth > DEEPEST => None,
            Form::Fields(fields) => {
                fields.iter().try_for_each(|field| self.skip_field(field, bytes, depth))
            }
        }
    }

    fn skip_field(&self, field: &Field, bytes: &mut Bytes<'_>, depth: u32) -> Option<()> {
        let count = if field.is_array { bytes.count()? } else { 1 };
        for _ in 0..count {
            if field.is_constant {
                bytes.long()?;
            } else {
                self.skip(field.class, bytes, depth + 1)?;
            }
        }
        Some(())
    }
}
