//! Fields and methods (JVMS 4.5 and 4.6).

use super::annotation::find_annotation;
use super::attribute::Attributes;
use super::class_file::ClassFile;
use super::constant_pool::ConstantPool;
use super::error::Error;
use super::member_table::MemberRecord;
use super::reader::{Reader, u2_at};
use std::ops::Range;

/// The fields or the methods of a class: a slice of [`Member`]s.
#[derive(Clone, Copy, Debug)]
pub struct Members<'a> {
    class: &'a ClassFile<'a>,
    records: &'a [MemberRecord],
}

impl ClassFile<'_> {
    /// The fields, in file order.
    pub fn fields(&self) -> Members<'_> {
        Members { class: self, records: self.field_records() }
    }

    /// The methods, in file order. Their positions here are the method
    /// indices of [`ClassEditor`](crate::ClassEditor).
    pub fn methods(&self) -> Members<'_> {
        Members { class: self, records: self.method_records() }
    }
}

impl<'a> Members<'a> {
    /// How many there are.
    pub fn len(&self) -> usize {
        self.records.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.records.is_empty()
    }

    /// The member at a position.
    pub fn get(&self, index: usize) -> Option<Member<'a>> {
        let record = self.records.get(index)?;
        Some(Member { class: self.class, record })
    }

    /// All of them, in file order.
    pub fn iter(&self) -> MembersIter<'a> {
        MembersIter { class: self.class, records: self.records.iter() }
    }
}

impl<'a> IntoIterator for Members<'a> {
    type Item = Member<'a>;
    type IntoIter = MembersIter<'a>;

    fn into_iter(self) -> MembersIter<'a> {
        self.iter()
    }
}

/// Iterates over [`Members`].
#[derive(Clone, Debug)]
pub struct MembersIter<'a> {
    class: &'a ClassFile<'a>,
    records: std::slice::Iter<'a, MemberRecord>,
}

impl<'a> Iterator for MembersIter<'a> {
    type Item = Member<'a>;

    fn next(&mut self) -> Option<Member<'a>> {
        self.records.next().map(|record| Member { class: self.class, record })
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        self.records.size_hint()
    }
}

impl ExactSizeIterator for MembersIter<'_> {}

/// A field or a method.
#[derive(Clone, Copy, Debug)]
pub struct Member<'a> {
    class: &'a ClassFile<'a>,
    record: &'a MemberRecord,
}

impl<'a> Member<'a> {
    fn reader(&self) -> Reader<'a> {
        let range = self.record.range();
        Reader::new(self.class.slice(range.clone()), range.start)
    }

    fn head(&self, at: usize) -> u16 {
        let start = self.record.range().start + at;
        u2_at(self.class.bytes(), start).unwrap_or(0)
    }

    fn pool(&self) -> &'a ConstantPool<'a> {
        self.class.constant_pool()
    }

    /// The access flags (JVMS tables 4.5-A and 4.6-A).
    pub fn access_flags(&self) -> u16 {
        self.head(0)
    }

    /// Whether the member is static.
    pub fn is_static(&self) -> bool {
        self.access_flags() & crate::access::STATIC != 0
    }

    /// The name; empty if the class file gives none.
    pub fn name(&self) -> &'a [u8] {
        self.pool().utf8(self.head(2)).unwrap_or_default()
    }

    /// The descriptor; empty if the class file gives none.
    pub fn descriptor(&self) -> &'a [u8] {
        self.pool().utf8(self.head(4)).unwrap_or_default()
    }

    /// The attributes.
    ///
    /// # Errors
    /// If the table of attributes is cut off, which parsing the class has
    /// ruled out.
    pub fn attributes(&self) -> Result<Attributes<'a>, Error> {
        let mut reader = self.reader();
        reader.skip(6)?;
        Attributes::new(self.pool(), reader)
    }

    /// Whether the member carries an annotation of this type, given as a
    /// descriptor such as `Ljava/lang/Deprecated;`. Looks into
    /// `RuntimeVisibleAnnotations` and `RuntimeInvisibleAnnotations`.
    pub fn has_annotation(&self, descriptor: &[u8]) -> bool {
        let Ok(attributes) = self.attributes() else { return false };
        attributes.flatten().filter(|attribute| is_annotations(attribute.name)).any(|attribute| {
            matches!(find_annotation(self.pool(), attribute.reader(), descriptor), Ok(Some(_)))
        })
    }

    /// The absolute range of the whole structure.
    pub(crate) fn range(&self) -> Range<usize> {
        self.record.range()
    }

    /// The class that declares the member.
    pub fn class(&self) -> &'a ClassFile<'a> {
        self.class
    }
}

/// Whether an attribute is one of the two that hold declaration annotations.
pub(crate) fn is_annotations(name: &[u8]) -> bool {
    name == b"RuntimeVisibleAnnotations" || name == b"RuntimeInvisibleAnnotations"
}
