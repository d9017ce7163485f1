//! The constant pool (JVMS 4.4).

use super::error::{Error, ErrorKind};
use super::reader::{u2_at, u4_at};
use std::ops::Range;

/// Tags of constant pool entries (JVMS table 4.4-A).
pub mod tag {
    #![allow(missing_docs)]
    pub const UTF8: u8 = 1;
    pub const INTEGER: u8 = 3;
    pub const FLOAT: u8 = 4;
    pub const LONG: u8 = 5;
    pub const DOUBLE: u8 = 6;
    pub const CLASS: u8 = 7;
    pub const STRING: u8 = 8;
    pub const FIELDREF: u8 = 9;
    pub const METHODREF: u8 = 10;
    pub const INTERFACE_METHODREF: u8 = 11;
    pub const NAME_AND_TYPE: u8 = 12;
    pub const METHOD_HANDLE: u8 = 15;
    pub const METHOD_TYPE: u8 = 16;
    pub const DYNAMIC: u8 = 17;
    pub const INVOKE_DYNAMIC: u8 = 18;
    pub const MODULE: u8 = 19;
    pub const PACKAGE: u8 = 20;
}

/// The constant pool of a class file, indexed but not decoded.
///
/// Getters check the tag of the entry and of every entry that it refers to.
/// All text is modified UTF-8 and given as bytes, because constants may hold
/// unpaired surrogates, which no `str` can.
#[derive(Clone, Debug)]
pub struct ConstantPool<'a> {
    /// The file up to the end of the pool.
    bytes: &'a [u8],
    /// Absolute offset of the tag of each entry; 0 for index 0 and for the
    /// second index of longs and doubles.
    offsets: Vec<u32>,
}

/// Where the first entry starts.
const POOL_START: usize = 10;

/// Length of an entry with its tag, by tag; 0 for `Utf8`, which says itself,
/// and for unknown tags.
static ENTRY_LENGTHS: [u8; 256] = {
    let mut lengths = [0; 256];
    lengths[tag::INTEGER as usize] = 5;
    lengths[tag::FLOAT as usize] = 5;
    lengths[tag::LONG as usize] = 9;
    lengths[tag::DOUBLE as usize] = 9;
    lengths[tag::CLASS as usize] = 3;
    lengths[tag::STRING as usize] = 3;
    lengths[tag::FIELDREF as usize] = 5;
    lengths[tag::METHODREF as usize] = 5;
    lengths[tag::INTERFACE_METHODREF as usize] = 5;
    lengths[tag::NAME_AND_TYPE as usize] = 5;
    lengths[tag::METHOD_HANDLE as usize] = 4;
    lengths[tag::METHOD_TYPE as usize] = 3;
    lengths[tag::DYNAMIC as usize] = 5;
    lengths[tag::INVOKE_DYNAMIC as usize] = 5;
    lengths[tag::MODULE as usize] = 3;
    lengths[tag::PACKAGE as usize] = 3;
    lengths
};

/// A field, method or interface method that code refers to.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct MemberRef<'a> {
    /// Internal name of the class named in the reference.
    pub owner: &'a [u8],
    /// Name of the member.
    pub name: &'a [u8],
    /// Descriptor of the member.
    pub descriptor: &'a [u8],
    /// Whether the entry is an `InterfaceMethodref`.
    pub is_interface: bool,
}

/// A name and a descriptor.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct NameAndType<'a> {
    /// The name.
    pub name: &'a [u8],
    /// The field or method descriptor.
    pub descriptor: &'a [u8],
}

impl<'a> ConstantPool<'a> {
    /// Indexes the pool that follows the first ten bytes of a class file.
    pub(crate) fn parse(file: &'a [u8], count: u16) -> Result<ConstantPool<'a>, Error> {
        let mut offsets = vec![0; usize::from(count).max(1)];
        let mut end = POOL_START;
        let mut indices = offsets.iter_mut().skip(1);
        while let Some(offset) = indices.next() {
            // No entry is shorter than three bytes.
            let Some(&[entry_tag, high, low]) = file.get(end..).and_then(<[u8]>::first_chunk)
            else {
                return Err(Error::new(ErrorKind::UnexpectedEnd, file.len().min(end)));
            };
            // A class file beyond 4 GB cannot be announced by its own tables.
            *offset = end as u32;
            let length = match ENTRY_LENGTHS[usize::from(entry_tag)] {
                0 if entry_tag == tag::UTF8 => 3 + usize::from(u16::from_be_bytes([high, low])),
                0 => return Err(Error::new(ErrorKind::BadConstantTag(entry_tag), end)),
                length => usize::from(length),
            };
            // Longs and doubles take two indices. The second must exist,
            // though nobody may use it.
            if matches!(entry_tag, tag::LONG | tag::DOUBLE) && indices.next().is_none() {
                return Err(Error::new(ErrorKind::BadConstantIndex(count), end));
            }
            end += length;
        }
        match file.get(..end) {
            Some(bytes) => Ok(ConstantPool { bytes, offsets }),
            None => Err(Error::new(ErrorKind::UnexpectedEnd, file.len())),
        }
    }

    /// `constant_pool_count`: one more than the largest index.
    pub fn count(&self) -> u16 {
        // As many as the `u2` that announced them, 0 counting as 1.
        self.offsets.len() as u16
    }

    /// Absolute offset of the first byte behind the pool.
    pub(crate) fn end(&self) -> usize {
        self.bytes.len()
    }

    /// Where the entries lie in the class file.
    pub fn range(&self) -> Range<usize> {
        POOL_START..self.bytes.len()
    }

    /// The tag of an entry.
    pub fn tag(&self, index: u16) -> Option<u8> {
        let offset = self.offset(index)?;
        self.bytes.get(offset).copied()
    }

    #[inline]
    fn offset(&self, index: u16) -> Option<usize> {
        match self.offsets.get(usize::from(index)) {
            Some(&offset) if offset != 0 => Some(offset as usize),
            _ => None,
        }
    }

    /// The offset of the payload of an entry with one of the expected tags.
    #[inline]
    fn payload(&self, index: u16, expected: impl Fn(u8) -> bool) -> Result<usize, Error> {
        if let Some(offset) = self.offset(index)
            && let Some(&found) = self.bytes.get(offset)
            && expected(found)
        {
            return Ok(offset + 1);
        }
        Err(self.bad_index(index))
    }

    #[cold]
    fn bad_index(&self, index: u16) -> Error {
        Error::new(ErrorKind::BadConstantIndex(index), self.offset(index).unwrap_or(8))
    }

    #[inline]
    fn u2(&self, index: u16, at: usize) -> Result<u16, Error> {
        u2_at(self.bytes, at).ok_or_else(|| self.bad_index(index))
    }

    #[inline]
    fn u4(&self, index: u16, at: usize) -> Result<u32, Error> {
        u4_at(self.bytes, at).ok_or_else(|| self.bad_index(index))
    }

    /// The bytes of a `Utf8` entry, in modified UTF-8.
    ///
    /// # Errors
    /// [`ErrorKind::BadConstantIndex`] if the entry is of another kind; so
    /// for all getters.
    #[inline]
    pub fn utf8(&self, index: u16) -> Result<&'a [u8], Error> {
        let at = self.payload(index, |found| found == tag::UTF8)?;
        let length = usize::from(self.u2(index, at)?);
        let bytes: &'a [u8] = self.bytes;
        bytes.get(at + 2..at + 2 + length).ok_or_else(|| self.bad_index(index))
    }

    /// The `Utf8` entry that an entry of the given kind consists of.
    fn name_of(&self, index: u16, kind: u8) -> Result<&'a [u8], Error> {
        let at = self.payload(index, |found| found == kind)?;
        self.utf8(self.u2(index, at)?)
    }

    /// The internal name of a `Class` entry, such as `java/lang/String`, or
    /// a descriptor for array classes.
    ///
    /// # Errors
    /// If `index` names no such entry, or the entry names none that it needs.
    pub fn class_name(&self, index: u16) -> Result<&'a [u8], Error> {
        self.name_of(index, tag::CLASS)
    }

    /// The text of a `String` entry.
    ///
    /// # Errors
    /// If `index` names no such entry, or the entry names none that it needs.
    pub fn string(&self, index: u16) -> Result<&'a [u8], Error> {
        self.name_of(index, tag::STRING)
    }

    /// The value of an `Integer` entry.
    ///
    /// # Errors
    /// If `index` names no such entry.
    pub fn integer(&self, index: u16) -> Result<i32, Error> {
        let at = self.payload(index, |found| found == tag::INTEGER)?;
        Ok(self.u4(index, at)? as i32)
    }

    /// The value of a `Float` entry.
    ///
    /// # Errors
    /// If `index` names no such entry.
    pub fn float(&self, index: u16) -> Result<f32, Error> {
        let at = self.payload(index, |found| found == tag::FLOAT)?;
        Ok(f32::from_bits(self.u4(index, at)?))
    }

    /// The value of a `Long` entry.
    ///
    /// # Errors
    /// If `index` names no such entry.
    pub fn long(&self, index: u16) -> Result<i64, Error> {
        let at = self.payload(index, |found| found == tag::LONG)?;
        Ok(self.u8_bits(index, at)? as i64)
    }

    /// The value of a `Double` entry.
    ///
    /// # Errors
    /// If `index` names no such entry.
    pub fn double(&self, index: u16) -> Result<f64, Error> {
        let at = self.payload(index, |found| found == tag::DOUBLE)?;
        Ok(f64::from_bits(self.u8_bits(index, at)?))
    }

    fn u8_bits(&self, index: u16, at: usize) -> Result<u64, Error> {
        Ok(u64::from(self.u4(index, at)?) << 32 | u64::from(self.u4(index, at + 4)?))
    }

    /// A `NameAndType` entry.
    ///
    /// # Errors
    /// If `index` names no such entry, or the entry names none that it needs.
    pub fn name_and_type(&self, index: u16) -> Result<NameAndType<'a>, Error> {
        let at = self.payload(index, |found| found == tag::NAME_AND_TYPE)?;
        Ok(NameAndType {
            name: self.utf8(self.u2(index, at)?)?,
            descriptor: self.utf8(self.u2(index, at + 2)?)?,
        })
    }

    /// A `Fieldref`, `Methodref` or `InterfaceMethodref` entry.
    ///
    /// # Errors
    /// If `index` names no such entry, or the entry names none that it needs.
    pub fn member_ref(&self, index: u16) -> Result<MemberRef<'a>, Error> {
        let at = self.payload(index, |found| {
            matches!(found, tag::FIELDREF | tag::METHODREF | tag::INTERFACE_METHODREF)
        })?;
        let NameAndType { name, descriptor } = self.name_and_type(self.u2(index, at + 2)?)?;
        Ok(MemberRef {
            owner: self.class_name(self.u2(index, at)?)?,
            name,
            descriptor,
            is_interface: self.tag(index) == Some(tag::INTERFACE_METHODREF),
        })
    }

    /// Name and descriptor of an `InvokeDynamic` or `Dynamic` entry.
    ///
    /// # Errors
    /// If `index` names no such entry, or the entry names none that it needs.
    pub fn invoke_dynamic(&self, index: u16) -> Result<NameAndType<'a>, Error> {
        let at =
            self.payload(index, |found| matches!(found, tag::DYNAMIC | tag::INVOKE_DYNAMIC))?;
        self.name_and_type(self.u2(index, at + 2)?)
    }

    /// Which bootstrap method links an `InvokeDynamic` or `Dynamic` entry.
    pub(crate) fn bootstrap_index(&self, index: u16) -> Result<u16, Error> {
        let at =
            self.payload(index, |found| matches!(found, tag::DYNAMIC | tag::INVOKE_DYNAMIC))?;
        self.u2(index, at)
    }

    /// The descriptor of a `MethodType` entry.
    ///
    /// # Errors
    /// If `index` names no such entry, or the entry names none that it needs.
    pub fn method_type(&self, index: u16) -> Result<&'a [u8], Error> {
        self.name_of(index, tag::METHOD_TYPE)
    }

    /// The kind (1 to 9, JVMS table 5.4.3.5-A) of a `MethodHandle` entry and
    /// the index of the member it refers to.
    ///
    /// # Errors
    /// If `index` names no such entry, or the entry names none that it needs.
    pub fn method_handle(&self, index: u16) -> Result<(u8, u16), Error> {
        let at = self.payload(index, |found| found == tag::METHOD_HANDLE)?;
        let kind = self.bytes.get(at).copied().ok_or_else(|| self.bad_index(index))?;
        Ok((kind, self.u2(index, at + 1)?))
    }

    /// All indices that name an entry, in order.
    pub fn indices(&self) -> impl Iterator<Item = u16> + '_ {
        (1..self.count()).filter(|&index| self.offset(index).is_some())
    }
}
