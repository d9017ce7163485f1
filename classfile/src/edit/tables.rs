//! The tables of a method that name positions: exceptions, lines, variables.

use super::code_edit::CodeEdit;
use super::emitter::Emitter;
use super::output::{patch_u2, put_u2};
use super::refusal::Refusal;
use super::relocation::Relocation;
use crate::read::attribute::Attribute;
use crate::read::code::Code;
use crate::read::error::ErrorKind;

/// Writes the exception table: the old entries, then those of the edit.
///
/// The old ones come first, so whatever the method catches it still catches.
pub(crate) fn write_exception_table(
    code: &Code<'_>,
    edit: &CodeEdit,
    emitter: &Emitter,
    out: &mut Vec<u8>,
) -> Result<(), Refusal> {
    let relocation = &emitter.relocation;
    let place = |bci: u32| {
        relocation
            .before(bci)
            .and_then(|position| u16::try_from(position).ok())
            .ok_or(Refusal::bad_position(bci, code.bytecode_offset()))
    };
    let count_at = out.len();
    put_u2(out, 0);
    let mut count = code.exception_table().len();
    for entry in code.exception_table() {
        put_u2(out, place(entry.start)?);
        put_u2(out, place(entry.end)?);
        put_u2(out, place(entry.handler)?);
        put_u2(out, entry.catch_type);
    }
    for (handler, &position) in edit.handlers().iter().zip(&emitter.handlers) {
        for range in edit.handler_ranges(handler) {
            let bound = |bci| {
                relocation
                    .before(bci)
                    .and_then(|position| u16::try_from(position).ok())
                    .ok_or(Refusal::NotAnInstruction { bci })
            };
            let (start, end) = (bound(range.start)?, bound(range.end)?);
            put_u2(out, start);
            put_u2(out, end);
            put_u2(out, u16::try_from(position).map_err(|_| Refusal::TableTooLong)?);
            put_u2(out, 0);
            count += 1;
        }
    }
    patch_u2(out, count_at, u16::try_from(count).map_err(|_| Refusal::TableTooLong)?);
    Ok(())
}

/// A range of a debugging table: the start of code inserted before its first
/// instruction, but the start of the method if it started there, so that the
/// entry fragment belongs to the first line and sees the arguments.
fn debug_start(
    relocation: &Relocation,
    bci: u16,
    attribute: &Attribute<'_>,
) -> Result<u16, Refusal> {
    if bci == 0 { Ok(0) } else { debug_position(relocation, bci.into(), attribute) }
}

fn debug_position(
    relocation: &Relocation,
    bci: u32,
    attribute: &Attribute<'_>,
) -> Result<u16, Refusal> {
    relocation
        .before_or_within(bci)
        .and_then(|position| u16::try_from(position).ok())
        .ok_or(Refusal::bad_position(bci, attribute.offset))
}

/// Writes the contents of a `LineNumberTable` (JVMS 4.7.12).
pub(crate) fn write_line_numbers(
    attribute: &Attribute<'_>,
    relocation: &Relocation,
    out: &mut Vec<u8>,
) -> Result<(), Refusal> {
    let mut reader = attribute.reader();
    let count = reader.u2()?;
    put_u2(out, count);
    for _ in 0..count {
        let start = reader.u2()?;
        let line = reader.u2()?;
        put_u2(out, debug_start(relocation, start, attribute)?);
        put_u2(out, line);
    }
    Ok(reader.expect_end()?)
}

/// Writes one range as start and length.
pub(crate) fn write_range(
    start: u16,
    length: u16,
    attribute: &Attribute<'_>,
    relocation: &Relocation,
    out: &mut Vec<u8>,
) -> Result<(), Refusal> {
    let end = u32::from(start) + u32::from(length);
    let new_start = debug_start(relocation, start, attribute)?;
    // An empty range at 0 stays empty.
    let new_end = if end == 0 { 0 } else { debug_position(relocation, end, attribute)? };
    let new_length = new_end
        .checked_sub(new_start)
        .ok_or(Refusal::Malformed(attribute.reader().error(ErrorKind::BadCodePosition(end))))?;
    put_u2(out, new_start);
    put_u2(out, new_length);
    Ok(())
}

/// Writes the contents of a `LocalVariableTable` or `LocalVariableTypeTable`
/// (JVMS 4.7.13 and 4.7.14).
pub(crate) fn write_local_variables(
    attribute: &Attribute<'_>,
    relocation: &Relocation,
    out: &mut Vec<u8>,
) -> Result<(), Refusal> {
    let mut reader = attribute.reader();
    let count = reader.u2()?;
    put_u2(out, count);
    for _ in 0..count {
        let start = reader.u2()?;
        let length = reader.u2()?;
        write_range(start, length, attribute, relocation, out)?;
        out.extend_from_slice(reader.bytes(6)?);
    }
    Ok(reader.expect_end()?)
}
