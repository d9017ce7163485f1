//! A class file in the making.

use super::code_edit::CodeEdit;
use super::method_rewrite::{RewriteScratch, begin_attribute, end_attribute, write_code};
use super::output::{patch_u2, put_u2, put_u4};
use super::pool_extension::PoolExtension;
use super::refusal::Refusal;
use crate::read::annotation::find_annotation;
use crate::read::class_file::ClassFile;
use crate::read::member::is_annotations;
use crate::read::reader::u2_at;
use std::ops::Range;

/// Memory for editing, to be kept from class to class.
#[derive(Clone, Debug, Default)]
pub struct Scratch {
    pool: PoolExtension,
    rewrite: RewriteScratch,
    /// The `info` of all edited `Code` attributes.
    codes: Vec<u8>,
    /// Edited methods, and where in `codes` their code lies.
    edited: Vec<(usize, Range<usize>)>,
    /// Annotations to drop: the method and the range in the old file.
    dropped: Vec<(usize, Range<usize>)>,
    /// Fields to add, in their final form.
    fields: Vec<u8>,
    field_count: u32,
    /// Methods to add, in their final form.
    methods: Vec<u8>,
    method_count: u32,
}

impl Scratch {
    fn restart(&mut self, class: &ClassFile<'_>) {
        self.pool.restart(class.constant_pool().count());
        self.codes.clear();
        self.edited.clear();
        self.dropped.clear();
        self.fields.clear();
        self.field_count = 0;
        self.methods.clear();
        self.method_count = 0;
    }
}

/// A method to be added to a class.
#[derive(Clone, Copy, Debug)]
pub struct NewMethod<'m> {
    /// Access flags.
    pub access: u16,
    /// Name, in modified UTF-8.
    pub name: &'m [u8],
    /// Method descriptor.
    pub descriptor: &'m [u8],
    /// Straight-line code; empty for abstract and native methods.
    pub code: &'m [u8],
    /// Words on the operand stack.
    pub max_stack: u16,
    /// Local variable slots, with those of the arguments.
    pub max_locals: u16,
    /// Descriptors of annotation types, for `RuntimeVisibleAnnotations`
    /// without element values.
    pub annotations: &'m [&'m [u8]],
}

/// Edits a class file.
///
/// The constant pool only grows, so everything that is not edited is copied
/// as bytes.
#[derive(Debug)]
pub struct ClassEditor<'a> {
    class: &'a ClassFile<'a>,
    scratch: Memory<'a>,
}

#[derive(Debug)]
enum Memory<'a> {
    Own(Box<Scratch>),
    Lent(&'a mut Scratch),
}

impl Memory<'_> {
    fn get(&self) -> &Scratch {
        match self {
            Memory::Own(scratch) => scratch,
            Memory::Lent(scratch) => scratch,
        }
    }

    fn get_mut(&mut self) -> &mut Scratch {
        match self {
            Memory::Own(scratch) => scratch,
            Memory::Lent(scratch) => scratch,
        }
    }
}

impl<'a> ClassEditor<'a> {
    /// Starts to edit a class.
    pub fn new(class: &'a ClassFile<'a>) -> ClassEditor<'a> {
        let mut scratch = Box::new(Scratch::default());
        scratch.restart(class);
        ClassEditor { class, scratch: Memory::Own(scratch) }
    }

    /// Starts to edit a class in memory that was used for others before.
    pub fn with_scratch(class: &'a ClassFile<'a>, scratch: &'a mut Scratch) -> ClassEditor<'a> {
        scratch.restart(class);
        ClassEditor { class, scratch: Memory::Lent(scratch) }
    }

    /// The class as it was.
    pub fn class(&self) -> &'a ClassFile<'a> {
        self.class
    }

    /// The entries added to the constant pool.
    pub fn pool(&mut self) -> &mut PoolExtension {
        &mut self.scratch.get_mut().pool
    }

    /// Carries out an edit of the code of a method.
    ///
    /// Editing a method again replaces what was done to it before, because
    /// edits speak of the code as it was.
    ///
    /// # Errors
    /// If the method cannot be edited; it then stays as it was, and all else
    /// can go on.
    pub fn edit_code(&mut self, method_index: usize, edit: &CodeEdit) -> Result<(), Refusal> {
        let method = self.class.methods().get(method_index).ok_or(Refusal::NoSuchMethod)?;
        let code =
            method.unchecked_code()?.filter(|code| edit.fits(code)).ok_or(Refusal::NoCode)?;
        let Scratch { pool, rewrite, codes, edited, .. } = self.scratch.get_mut();
        let start = codes.len();
        if let Err(refusal) = write_code(&code, edit, pool, rewrite, codes) {
            codes.truncate(start);
            return Err(refusal);
        }
        // Usually methods come in order, and nothing was done to this one.
        if edited.last().is_some_and(|&(last, _)| last >= method_index) {
            edited.retain(|&(index, _)| index != method_index);
        }
        edited.push((method_index, start..codes.len()));
        Ok(())
    }

    /// Adds a field.
    ///
    /// # Errors
    /// [`Refusal::PoolFull`] and [`Refusal::TooManyMembers`].
    pub fn add_field(
        &mut self,
        access: u16,
        name: &[u8],
        descriptor: &[u8],
    ) -> Result<(), Refusal> {
        let old_count = self.class.fields().len();
        let Scratch { pool, fields, field_count, .. } = self.scratch.get_mut();
        let name = pool.utf8(name)?;
        let descriptor = pool.utf8(descriptor)?;
        check_member_count(old_count, *field_count)?;
        for part in [access, name, descriptor, 0] {
            put_u2(fields, part);
        }
        *field_count += 1;
        Ok(())
    }

    /// Adds a method. Its code may not jump, so that it needs no frames.
    ///
    /// # Errors
    /// [`Refusal::PoolFull`], [`Refusal::TooManyMembers`] and
    /// [`Refusal::CodeTooLarge`].
    pub fn add_method(&mut self, method: NewMethod<'_>) -> Result<(), Refusal> {
        let old_count = self.class.methods().len();
        let Scratch { pool, methods, method_count, .. } = self.scratch.get_mut();
        check_member_count(old_count, *method_count)?;
        let start = methods.len();
        if let Err(refusal) = write_method(&method, pool, methods) {
            methods.truncate(start);
            return Err(refusal);
        }
        *method_count += 1;
        Ok(())
    }

    /// Drops one annotation, given by the descriptor of its type, from the
    /// `RuntimeVisibleAnnotations` or `RuntimeInvisibleAnnotations` of a
    /// method. Gives whether the method had it.
    ///
    /// # Errors
    /// [`Refusal::NoSuchMethod`], or malformed annotations.
    pub fn remove_annotation(
        &mut self,
        method_index: usize,
        descriptor: &[u8],
    ) -> Result<bool, Refusal> {
        let method = self.class.methods().get(method_index).ok_or(Refusal::NoSuchMethod)?;
        let dropped = &mut self.scratch.get_mut().dropped;
        let mut found = false;
        for attribute in method.attributes()? {
            let attribute = attribute?;
            if is_annotations(attribute.name)
                && let Some(range) =
                    find_annotation(self.class.constant_pool(), attribute.reader(), descriptor)?
            {
                found = true;
                if !dropped.iter().any(|(_, known)| *known == range) {
                    dropped.push((method_index, range));
                }
            }
        }
        Ok(found)
    }

    /// The edited class file.
    pub fn finish(self) -> Vec<u8> {
        let mut out = Vec::new();
        self.finish_into(&mut out);
        out
    }

    /// Appends the edited class file to `out`.
    pub fn finish_into(mut self, out: &mut Vec<u8>) {
        let class = self.class;
        {
            let scratch = self.scratch.get_mut();
            scratch.edited.sort_unstable_by_key(|(index, _)| *index);
            scratch.dropped.sort_unstable_by_key(|(_, range)| range.start);
        }
        let scratch = self.scratch.get();
        out.reserve(
            class.bytes().len()
                + scratch.pool.bytes().len()
                + scratch.codes.len()
                + scratch.fields.len()
                + scratch.methods.len(),
        );
        let pool_end = class.constant_pool().end();
        out.extend_from_slice(class.slice(0..8));
        put_u2(out, scratch.pool.count());
        out.extend_from_slice(class.slice(10..pool_end));
        out.extend_from_slice(scratch.pool.bytes());
        out.extend_from_slice(class.slice(pool_end..class.fields_start()));

        put_u2(out, member_count(class.fields().len(), scratch.field_count));
        out.extend_from_slice(class.slice(class.fields_start() + 2..class.methods_start()));
        out.extend_from_slice(&scratch.fields);

        put_u2(out, member_count(class.methods().len(), scratch.method_count));
        copy_methods(class, scratch, out);
        out.extend_from_slice(&scratch.methods);
        out.extend_from_slice(class.slice(class.attributes_start()..class.bytes().len()));
    }
}

/// Copies the old methods, untouched ones as long runs of bytes.
fn copy_methods(class: &ClassFile<'_>, scratch: &Scratch, out: &mut Vec<u8>) {
    let mut copied = class.methods_start() + 2;
    let mut edited = scratch.edited.iter().peekable();
    let mut dropped = scratch.dropped.iter().peekable();
    loop {
        let next_edited = edited.peek().map(|(index, _)| *index);
        let next_dropped = dropped.peek().map(|(index, _)| *index);
        let Some(index) = next_edited.into_iter().chain(next_dropped).min() else { break };
        let code = edited.next_if(|(next, _)| *next == index).map(|(_, range)| range.clone());
        if let Some(record) = class.method_record(index) {
            out.extend_from_slice(class.slice(copied..record.range().start));
            copied = record.range().end;
            copy_method(class, index, code, scratch, out);
        }
        while dropped.next_if(|(next, _)| *next == index).is_some() {}
    }
    out.extend_from_slice(class.slice(copied..class.attributes_start()));
}

/// Copies one method with new code or fewer annotations.
fn copy_method(
    class: &ClassFile<'_>,
    index: usize,
    code: Option<Range<usize>>,
    scratch: &Scratch,
    out: &mut Vec<u8>,
) {
    let Some(range) = class.method_record(index).map(|record| record.range()) else { return };
    let Some(method) = class.methods().get(index) else { return };
    // Flags, name, descriptor and the number of attributes.
    out.extend_from_slice(class.slice(range.start..range.start + 8));
    for attribute in method.attributes().into_iter().flatten().flatten() {
        let info = attribute.offset..attribute.offset + attribute.info.len();
        put_u2(out, attribute.name_index);
        if let (b"Code", Some(code)) = (attribute.name, code.clone()) {
            put_u4(out, code.len() as u32);
            out.extend_from_slice(scratch.codes.get(code).unwrap_or_default());
            continue;
        }
        let dropped = scratch
            .dropped
            .iter()
            .filter(|(_, range)| info.start <= range.start && range.end <= info.end);
        let (count, length) = dropped
            .clone()
            .fold((0, 0), |(count, length), (_, range)| (count + 1, length + range.len()));
        put_u4(out, (info.len() - length) as u32);
        let start = out.len();
        let mut copied = info.start;
        for (_, range) in dropped {
            out.extend_from_slice(class.slice(copied..range.start));
            copied = range.end;
        }
        out.extend_from_slice(class.slice(copied..info.end));
        if count > 0
            && let Some(annotations) = u2_at(attribute.info, 0)
        {
            patch_u2(out, start, annotations.saturating_sub(count));
        }
    }
}

fn write_method(
    method: &NewMethod<'_>,
    pool: &mut PoolExtension,
    out: &mut Vec<u8>,
) -> Result<(), Refusal> {
    put_u2(out, method.access);
    put_u2(out, pool.utf8(method.name)?);
    put_u2(out, pool.utf8(method.descriptor)?);
    let has_code = !method.code.is_empty();
    let has_annotations = !method.annotations.is_empty();
    put_u2(out, u16::from(has_code) + u16::from(has_annotations));
    if has_code {
        let length = method.code.len() as u32;
        if length > 0xFFFF {
            return Err(Refusal::CodeTooLarge { length });
        }
        let length_at = begin_attribute(pool.utf8(b"Code")?, out);
        put_u2(out, method.max_stack);
        put_u2(out, method.max_locals);
        put_u4(out, length);
        out.extend_from_slice(method.code);
        // No exception table, no attributes.
        put_u4(out, 0);
        end_attribute(length_at, out)?;
    }
    if has_annotations {
        let length_at = begin_attribute(pool.utf8(b"RuntimeVisibleAnnotations")?, out);
        let count = u16::try_from(method.annotations.len()).map_err(|_| Refusal::TableTooLong)?;
        put_u2(out, count);
        for descriptor in method.annotations {
            put_u2(out, pool.utf8(descriptor)?);
            // No element values.
            put_u2(out, 0);
        }
        end_attribute(length_at, out)?;
    }
    Ok(())
}

/// Fails if one member more would be too many.
fn check_member_count(old: usize, added: u32) -> Result<(), Refusal> {
    if old + (added as usize) < 0xFFFF { Ok(()) } else { Err(Refusal::TooManyMembers) }
}

/// The new count, which `check_member_count` keeps in range.
fn member_count(old: usize, added: u32) -> u16 {
    (old + added as usize) as u16
}
