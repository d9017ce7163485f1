//! The class file as a whole (JVMS 4.1).

use super::attribute::Attributes;
use super::constant_pool::ConstantPool;
use super::error::{Error, ErrorKind};
use super::member_table::MemberRecord;
use super::reader::Reader;
use std::ops::Range;

/// A class file, split into its parts but not decoded.
///
/// Everything is borrowed from the bytes; only the positions of constant pool
/// entries, fields and methods are kept beside them.
#[derive(Clone, Debug)]
pub struct ClassFile<'a> {
    bytes: &'a [u8],
    major_version: u16,
    minor_version: u16,
    pool: ConstantPool<'a>,
    access_flags: u16,
    this_index: u16,
    this_class: &'a [u8],
    super_class: Option<&'a [u8]>,
    interfaces: &'a [u8],
    fields: Vec<MemberRecord>,
    methods: Vec<MemberRecord>,
    /// Offset of `fields_count`.
    fields_start: usize,
    /// Offset of `methods_count`.
    methods_start: usize,
    /// Offset of `attributes_count`.
    attributes_start: usize,
}

impl<'a> ClassFile<'a> {
    /// Reads the structure of a class file.
    ///
    /// The code and the attributes of members are checked when they are asked
    /// for, so one bad method does not hide the rest of its class.
    ///
    /// # Errors
    /// The first place where the bytes stop being a class file.
    pub fn parse(bytes: &'a [u8]) -> Result<ClassFile<'a>, Error> {
        let mut reader = Reader::new(bytes, 0);
        if reader.u4()? != 0xCAFE_BABE {
            return Err(Error::new(ErrorKind::BadMagic, 0));
        }
        let minor_version = reader.u2()?;
        let major_version = reader.u2()?;
        let pool = ConstantPool::parse(bytes, reader.u2()?)?;
        let pool_length = pool.end() - reader.position();
        reader.skip(pool_length)?;

        let access_flags = reader.u2()?;
        let this_index = reader.u2()?;
        let this_class = pool.class_name(this_index)?;
        let super_index = reader.u2()?;
        let super_class = if super_index == 0 { None } else { Some(pool.class_name(super_index)?) };
        let interface_count = usize::from(reader.u2()?);
        let interfaces = reader.bytes(2 * interface_count)?;

        let fields_start = reader.position();
        let fields = MemberRecord::parse_table(&mut reader)?;
        let methods_start = reader.position();
        let methods = MemberRecord::parse_table(&mut reader)?;
        let attributes_start = reader.position();
        let attribute_count = reader.u2()?;
        for _ in 0..attribute_count {
            reader.skip(2)?;
            let length = reader.u4()?;
            reader.skip(length as usize)?;
        }
        reader.expect_end()?;
        Ok(ClassFile {
            bytes,
            major_version,
            minor_version,
            pool,
            access_flags,
            this_index,
            this_class,
            super_class,
            interfaces,
            fields,
            methods,
            fields_start,
            methods_start,
            attributes_start,
        })
    }

    /// All bytes of the class file.
    pub fn bytes(&self) -> &'a [u8] {
        self.bytes
    }

    /// `major_version`: 45 for Java 1.1, 52 for Java 8, 69 for Java 25.
    pub fn major_version(&self) -> u16 {
        self.major_version
    }

    /// `minor_version`: 0 for most, 65,535 for classes that use previews.
    pub fn minor_version(&self) -> u16 {
        self.minor_version
    }

    /// The access flags of the class (JVMS table 4.1-B).
    pub fn access_flags(&self) -> u16 {
        self.access_flags
    }

    /// The internal name, such as `java/lang/String`, in modified UTF-8.
    pub fn this_class(&self) -> &'a [u8] {
        self.this_class
    }

    /// Constant pool index of the `Class` entry of this class.
    pub fn this_class_index(&self) -> u16 {
        self.this_index
    }

    /// The internal name of the direct superclass; `None` for
    /// `java/lang/Object` and modules.
    pub fn super_class(&self) -> Option<&'a [u8]> {
        self.super_class
    }

    /// The internal names of the direct superinterfaces.
    ///
    /// # Errors
    /// An index that names no class gives an error in its place.
    pub fn interfaces(&self) -> impl Iterator<Item = Result<&'a [u8], Error>> + '_ {
        self.interfaces
            .as_chunks::<2>()
            .0
            .iter()
            .map(|index| self.pool.class_name(u16::from_be_bytes(*index)))
    }

    /// The `SourceFile` attribute, if there is a readable one.
    pub fn source_file(&self) -> Option<&'a [u8]> {
        let attribute =
            self.attributes().ok()?.flatten().find(|attribute| attribute.name == b"SourceFile")?;
        self.pool.utf8(attribute.reader().u2().ok()?).ok()
    }

    /// The constant pool.
    pub fn constant_pool(&self) -> &ConstantPool<'a> {
        &self.pool
    }

    pub(crate) fn field_records(&self) -> &[MemberRecord] {
        &self.fields
    }

    pub(crate) fn method_records(&self) -> &[MemberRecord] {
        &self.methods
    }

    /// The attributes of the class.
    ///
    /// # Errors
    /// If the table of attributes is cut off, which `parse` has ruled out.
    pub fn attributes(&self) -> Result<Attributes<'_>, Error> {
        Attributes::new(&self.pool, self.reader_at(self.attributes_start))
    }

    /// A reader from an absolute offset to the end of the file.
    pub(crate) fn reader_at(&self, offset: usize) -> Reader<'a> {
        Reader::new(self.bytes.get(offset..).unwrap_or_default(), offset)
    }

    /// The bytes of an absolute range; empty if it does not lie in the file.
    pub(crate) fn slice(&self, range: Range<usize>) -> &'a [u8] {
        self.bytes.get(range).unwrap_or_default()
    }

    pub(crate) fn fields_start(&self) -> usize {
        self.fields_start
    }

    pub(crate) fn methods_start(&self) -> usize {
        self.methods_start
    }

    pub(crate) fn attributes_start(&self) -> usize {
        self.attributes_start
    }
}
