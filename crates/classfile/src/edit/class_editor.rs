//! A class file in the making.

use super::code_edit::CodeEdit;
use super::copied_method::{copy_code, intern_short_constants};
use super::method_rewrite::{RewriteScratch, begin_attribute, end_attribute, write_code};
use super::output::{put_u2, put_u4};
use super::pool_extension::PoolExtension;
use super::refusal::Refusal;
use super::relocation::Move;
use crate::read::annotation::find_annotation;
use crate::read::class_file::ClassFile;
use crate::read::code::Code;
use crate::read::member::is_annotations;
use crate::read::reader::{u2_at, u4_at};
use std::ops::Range;

/// Memory for editing, to be kept from class to class.
#[derive(Clone, Debug, Default)]
pub struct Scratch {
    pool: PoolExtension,
    rewrite: RewriteScratch,
    /// The `info` of all edited `Code` attributes.
    codes: Vec<u8>,
    /// Edited methods, in the order of the class.
    edited: Vec<EditedCode>,
    /// Where their instructions went.
    moves: Vec<Move>,
    /// Annotations to drop.
    dropped: Vec<DroppedAnnotation>,
    /// Fields to add before the class's own, in their final form.
    first_fields: Vec<u8>,
    /// Fields to add behind the class's own, in their final form.
    fields: Vec<u8>,
    /// All of these.
    field_count: u32,
    /// Methods to add, in their final form.
    methods: Vec<u8>,
    method_count: u32,
}

/// A method with new code.
#[derive(Clone, Debug)]
struct EditedCode {
    method: usize,
    /// Where the `info` of the old `Code` attribute lies in the old file.
    old: Range<usize>,
    /// Where the new one lies in [`Scratch::codes`].
    new: Range<usize>,
    /// Where its moves lie in [`Scratch::moves`].
    moves: Range<usize>,
}

/// A method with new code, and where the instructions of the old one went.
#[derive(Clone, Copy, Debug)]
pub struct MovedCode<'e> {
    /// Its place among the methods of the class.
    pub method: usize,
    /// Bytes of its old code.
    pub old_length: u32,
    /// Bytes of its new code.
    pub length: u32,
    /// Where its instructions went. What stands before the first move has stayed.
    pub moves: &'e [Move],
}

/// An annotation that is left out.
#[derive(Clone, Debug)]
struct DroppedAnnotation {
    /// Where it lies in the old file.
    annotation: Range<usize>,
    /// Where the `info` of its attribute lies.
    info: Range<usize>,
}

impl Scratch {
    fn restart(&mut self, class: &ClassFile<'_>) {
        self.pool.restart(class.constant_pool());
        self.codes.clear();
        self.edited.clear();
        self.moves.clear();
        self.dropped.clear();
        self.first_fields.clear();
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
        let info = edit.info_range();
        let code = method
            .unchecked_code(info.clone())?
            .filter(|code| edit.fits(code))
            .ok_or(Refusal::NoCode)?;
        let Scratch { pool, rewrite, codes, edited, moves, .. } = self.scratch.get_mut();
        let start = codes.len();
        if let Err(refusal) = write_code(&code, edit, pool, rewrite, codes) {
            codes.truncate(start);
            return Err(refusal);
        }
        let first_move = moves.len();
        moves.extend_from_slice(rewrite.moves());
        let new = EditedCode {
            method: method_index,
            old: info,
            new: start..codes.len(),
            moves: first_move..moves.len(),
        };
        match edited.binary_search_by_key(&method_index, |known| known.method) {
            Ok(place) => edited[place] = new,
            Err(place) => edited.insert(place, new),
        }
        Ok(())
    }

    /// The methods whose code was edited, in the order of the class.
    pub fn moved_code(&self) -> impl Iterator<Item = MovedCode<'_>> {
        let Scratch { codes, edited, moves, .. } = self.scratch.get();
        // Behind two numbers of two bytes.
        let length = |bytes: &[u8], info: &Range<usize>| u4_at(bytes, info.start + 4).unwrap_or(0);
        edited.iter().map(move |edited| MovedCode {
            method: edited.method,
            old_length: length(self.class.bytes(), &edited.old),
            length: length(codes, &edited.new),
            moves: moves.get(edited.moves.clone()).unwrap_or_default(),
        })
    }

    /// Adds a field behind the others.
    ///
    /// # Errors
    /// [`Refusal::PoolFull`] and [`Refusal::TooManyMembers`].
    pub fn add_field(
        &mut self,
        access: u16,
        name: &[u8],
        descriptor: &[u8],
    ) -> Result<(), Refusal> {
        let field = self.new_field(access, name, descriptor)?;
        self.scratch.get_mut().fields.extend_from_slice(&field);
        Ok(())
    }

    /// Adds a field before the class's own, behind those that were added so before. JVMs
    /// lay out fields of one size in the order of the class file.
    ///
    /// # Errors
    /// [`Refusal::PoolFull`] and [`Refusal::TooManyMembers`].
    pub fn add_first_field(
        &mut self,
        access: u16,
        name: &[u8],
        descriptor: &[u8],
    ) -> Result<(), Refusal> {
        let field = self.new_field(access, name, descriptor)?;
        self.scratch.get_mut().first_fields.extend_from_slice(&field);
        Ok(())
    }

    /// Counts a field and gives its bytes.
    fn new_field(
        &mut self,
        access: u16,
        name: &[u8],
        descriptor: &[u8],
    ) -> Result<[u8; 8], Refusal> {
        let old_count = self.class.fields().len();
        let Scratch { pool, field_count, .. } = self.scratch.get_mut();
        let name = pool.utf8(name)?;
        let descriptor = pool.utf8(descriptor)?;
        check_member_count(old_count, *field_count)?;
        *field_count += 1;
        let mut field = [0; 8];
        for (bytes, part) in field.chunks_exact_mut(2).zip([access, name, descriptor, 0]) {
            bytes.copy_from_slice(&part.to_be_bytes());
        }
        Ok(field)
    }

    /// Adds a method. Its code may not jump, so that it needs no frames.
    ///
    /// # Errors
    /// [`Refusal::PoolFull`], [`Refusal::TooManyMembers`] and
    /// [`Refusal::CodeTooLarge`].
    pub fn add_method(&mut self, method: NewMethod<'_>) -> Result<(), Refusal> {
        self.append_method(|pool, out| write_method(&method, pool, out))
    }

    /// Adds a method that does what one of another class does, under another name.
    ///
    /// Constants that its code names with a single byte should be there before, see
    /// [`ClassEditor::intern_short_constants`].
    ///
    /// # Errors
    /// [`Refusal::NotCopied`] for code with handlers, or with constants other than classes,
    /// members and whole numbers, or that names private members; and if the class has too
    /// many methods or its constant pool is full.
    pub fn copy_method(
        &mut self,
        code: &Code<'_>,
        access: u16,
        name: &[u8],
        annotations: &[&[u8]],
    ) -> Result<(), Refusal> {
        self.append_method(|pool, out| {
            put_u2(out, access);
            put_u2(out, pool.utf8(name)?);
            put_u2(out, pool.utf8(code.method().descriptor())?);
            put_u2(out, 1 + u16::from(!annotations.is_empty()));
            copy_code(code, pool, out)?;
            write_annotations(annotations, pool, out)
        })
    }

    /// Makes entries for the constants that this code names with a single byte: to be
    /// called for all methods that are going to be copied, before anything else is added.
    ///
    /// # Errors
    /// As of [`ClassEditor::copy_method`].
    pub fn intern_short_constants(&mut self, code: &Code<'_>) -> Result<(), Refusal> {
        intern_short_constants(code, self.pool())
    }

    fn append_method(
        &mut self,
        write: impl FnOnce(&mut PoolExtension, &mut Vec<u8>) -> Result<(), Refusal>,
    ) -> Result<(), Refusal> {
        let old_count = self.class.methods().len();
        let Scratch { pool, methods, method_count, .. } = self.scratch.get_mut();
        check_member_count(old_count, *method_count)?;
        let start = methods.len();
        if let Err(refusal) = write(pool, methods) {
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
                && let Some(annotation) =
                    find_annotation(self.class.constant_pool(), attribute.reader(), descriptor)?
            {
                found = true;
                if !dropped.iter().any(|known| known.annotation == annotation) {
                    let info = attribute.offset..attribute.offset + attribute.info.len();
                    dropped.push(DroppedAnnotation { annotation, info });
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
        let dropped = &mut self.scratch.get_mut().dropped;
        dropped.sort_unstable_by_key(|dropped| dropped.annotation.start);
        let scratch = self.scratch.get();
        out.reserve(
            class.bytes().len()
                + scratch.pool.bytes().len()
                + scratch.codes.len()
                + scratch.first_fields.len()
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
        out.extend_from_slice(&scratch.first_fields);
        out.extend_from_slice(class.slice(class.fields_start() + 2..class.methods_start()));
        out.extend_from_slice(&scratch.fields);

        put_u2(out, member_count(class.methods().len(), scratch.method_count));
        copy_methods(class, scratch, out);
        out.extend_from_slice(&scratch.methods);
        out.extend_from_slice(class.slice(class.attributes_start()..class.bytes().len()));
    }
}

/// Copies the old methods: long runs of bytes, broken only where code was
/// edited or an annotation dropped.
fn copy_methods(class: &ClassFile<'_>, scratch: &Scratch, out: &mut Vec<u8>) {
    let mut copied = class.methods_start() + 2;
    let mut dropped = scratch.dropped.as_slice();
    for edited in &scratch.edited {
        let earlier = dropped.partition_point(|dropped| dropped.info.start < edited.old.start);
        let (before, behind) = dropped.split_at(earlier);
        copied = copy_annotations(class, copied, before, out);
        dropped = behind;
        // The length comes just before the contents.
        out.extend_from_slice(class.slice(copied..edited.old.start - 4));
        put_u4(out, edited.new.len() as u32);
        out.extend_from_slice(scratch.codes.get(edited.new.clone()).unwrap_or_default());
        copied = edited.old.end;
    }
    copied = copy_annotations(class, copied, dropped, out);
    out.extend_from_slice(class.slice(copied..class.attributes_start()));
}

/// Copies from `copied` to the end of the last attribute that loses some of
/// its annotations, without these. Gives that end.
fn copy_annotations(
    class: &ClassFile<'_>,
    mut copied: usize,
    dropped: &[DroppedAnnotation],
    out: &mut Vec<u8>,
) -> usize {
    for attribute in dropped.chunk_by(|left, right| left.info == right.info) {
        let Some(DroppedAnnotation { info, .. }) = attribute.first() else { continue };
        let removed: usize = attribute.iter().map(|dropped| dropped.annotation.len()).sum();
        out.extend_from_slice(class.slice(copied..info.start - 4));
        put_u4(out, (info.len() - removed) as u32);
        // As many as there are ranges; the attribute counts at least these.
        let count = u2_at(class.bytes(), info.start).unwrap_or(0);
        put_u2(out, count.saturating_sub(attribute.len() as u16));
        copied = info.start + 2;
        for dropped in attribute {
            out.extend_from_slice(class.slice(copied..dropped.annotation.start));
            copied = dropped.annotation.end;
        }
        out.extend_from_slice(class.slice(copied..info.end));
        copied = info.end;
    }
    copied
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
    write_annotations(method.annotations, pool, out)
}

/// Writes annotations without element values, given by the descriptors of their types.
fn write_annotations(
    annotations: &[&[u8]],
    pool: &mut PoolExtension,
    out: &mut Vec<u8>,
) -> Result<(), Refusal> {
    if annotations.is_empty() {
        return Ok(());
    }
    let length_at = begin_attribute(pool.utf8(b"RuntimeVisibleAnnotations")?, out);
    put_u2(out, u16::try_from(annotations.len()).map_err(|_| Refusal::TableTooLong)?);
    for descriptor in annotations {
        put_u2(out, pool.utf8(descriptor)?);
        // No element values.
        put_u2(out, 0);
    }
    end_attribute(length_at, out)
}

/// Fails if one member more would be too many.
fn check_member_count(old: usize, added: u32) -> Result<(), Refusal> {
    if old + (added as usize) < 0xFFFF { Ok(()) } else { Err(Refusal::TooManyMembers) }
}

/// The new count, which `check_member_count` keeps in range.
fn member_count(old: usize, added: u32) -> u16 {
    (old + added as usize) as u16
}
