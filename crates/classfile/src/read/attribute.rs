//! Attributes (JVMS 4.7).

use super::constant_pool::ConstantPool;
use super::error::Error;
use super::reader::Reader;

/// One attribute of a class, field, method or `Code` attribute.
#[derive(Clone, Copy, Debug)]
pub struct Attribute<'a> {
    /// Constant pool index of the name.
    pub name_index: u16,
    /// The name.
    pub name: &'a [u8],
    /// The `info` array.
    pub info: &'a [u8],
    /// Absolute offset of `info` in the class file.
    pub(crate) offset: usize,
}

impl<'a> Attribute<'a> {
    pub(crate) fn reader(&self) -> Reader<'a> {
        Reader::new(self.info, self.offset)
    }
}

/// Iterates over a table of attributes.
///
/// Ends after the first malformed attribute, which it gives as an error.
#[derive(Clone, Debug)]
pub struct Attributes<'a> {
    pool: &'a ConstantPool<'a>,
    reader: Reader<'a>,
    remaining: u16,
}

impl<'a> Attributes<'a> {
    /// Reads the count; the attributes follow lazily.
    pub(crate) fn new(
        pool: &'a ConstantPool<'a>,
        mut reader: Reader<'a>,
    ) -> Result<Attributes<'a>, Error> {
        let remaining = reader.u2()?;
        Ok(Attributes { pool, reader, remaining })
    }

    /// A table without attributes.
    pub(crate) fn empty(pool: &'a ConstantPool<'a>) -> Attributes<'a> {
        Attributes { pool, reader: Reader::new(&[], 0), remaining: 0 }
    }

    fn read(&mut self) -> Result<Attribute<'a>, Error> {
        let name_index = self.reader.u2()?;
        let length = self.reader.u4()?;
        let offset = self.reader.offset();
        let info = self.reader.bytes(length as usize)?;
        Ok(Attribute { name_index, name: self.pool.utf8(name_index)?, info, offset })
    }
}

impl<'a> Iterator for Attributes<'a> {
    type Item = Result<Attribute<'a>, Error>;

    fn next(&mut self) -> Option<Self::Item> {
        self.remaining = self.remaining.checked_sub(1)?;
        let attribute = self.read();
        if attribute.is_err() {
            self.remaining = 0;
        }
        Some(attribute)
    }
}
