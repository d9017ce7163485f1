//! The tables of a method that name positions: exceptions, lines, variables.

use super::code_edit::{Catcher, CodeEdit};
use super::emitter::Emitter;
use super::output::{patch_u2, put_u2};
use super::refusal::Refusal;
use super::relocation::Relocation;
use crate::read::attribute::Attribute;
use crate::read::code::Code;
use std::ops::Range;

/// What became of the entries of an exception table.
#[derive(Clone, Debug, Default)]
pub(crate) struct ExceptionRows {
    /// The number that each old entry has now; where it became several, that
    /// of the one that leads to its handler.
    numbers: Vec<u16>,
    /// Detours by what they lead to, kept for its memory.
    by_catcher: Vec<(Catcher, usize)>,
}

impl ExceptionRows {
    /// The number that an old entry has now.
    pub(crate) fn renumbered(&self, old: u16) -> u16 {
        self.numbers.get(usize::from(old)).copied().unwrap_or(old)
    }
}

/// Writes the exception table: the old entries, then those of the edit.
///
/// The old ones come first, so whatever the method catches it still catches.
/// Detours stand directly before the entry that they lead to.
///
/// Compilers write handlers that cover themselves, to release a monitor for
/// instance. Code inserted before the first instruction of such a handler is
/// left out of its range: HotSpot's C1 gives up on methods where an entry
/// covers something that can throw at the very start of its own handler.
pub(crate) fn write_exception_table(
    code: &Code<'_>,
    edit: &CodeEdit,
    emitter: &Emitter,
    rows: &mut ExceptionRows,
    out: &mut Vec<u8>,
) -> Result<(), Refusal> {
    let relocation = &emitter.relocation;
    let count_at = out.len();
    put_u2(out, 0);
    let mut table = ExceptionTable { count: 0, out };
    rows.numbers.clear();
    rows.by_catcher.clear();
    rows.by_catcher.extend(edit.detours().iter().map(|detour| detour.catcher).zip(0..));
    rows.by_catcher.sort_unstable();
    let detours = Detours { edit, emitter, by_catcher: &rows.by_catcher };
    for (number, entry) in code.exception_table().enumerate() {
        let place = |position: Option<u32>, bci| {
            position.ok_or_else(|| Refusal::bad_position(bci, code.bytecode_offset()))
        };
        let start = place(relocation.before(entry.start), entry.start)?;
        let end = place(relocation.range_end(entry.end), entry.end)?;
        let handler = place(relocation.before(entry.handler), entry.handler)?;
        let handler_itself = place(relocation.at(entry.handler), entry.handler)?;
        // A table has at most 65,535 entries.
        detours.write(Catcher::Row(number as u16), entry.catch_type, &mut table)?;
        rows.numbers.push(u16::try_from(table.count).map_err(|_| Refusal::TableTooLong)?);
        let entry_point = emitter.entry_of(handler);
        let covers_itself = start <= handler && handler < end && handler < handler_itself;
        if !covers_itself {
            table.row(start, end, entry_point, entry.catch_type)?;
            continue;
        }
        if start < handler {
            table.row(start, handler, entry_point, entry.catch_type)?;
        }
        if handler_itself < end {
            table.row(handler_itself, end, entry_point, entry.catch_type)?;
        }
    }
    for (number, (handler, &position)) in (0..).zip(edit.handlers().iter().zip(&emitter.handlers)) {
        detours.write(Catcher::Appended(number), 0, &mut table)?;
        for range in edit.handler_ranges(handler) {
            let (start, end) = place_range(relocation, range)?;
            table.row(start, end, emitter.entry_of(position), 0)?;
        }
    }
    let count = u16::try_from(table.count).map_err(|_| Refusal::TableTooLong)?;
    patch_u2(out, count_at, count);
    Ok(())
}

/// Where a range of the edit lies in the new code.
fn place_range(relocation: &Relocation, range: &Range<u32>) -> Result<(u32, u32), Refusal> {
    let no_instruction = |bci| move || Refusal::NotAnInstruction { bci };
    let start = relocation.before(range.start).ok_or_else(no_instruction(range.start))?;
    let end = relocation.range_end(range.end).ok_or_else(no_instruction(range.end))?;
    Ok((start, end))
}

/// The detours of an edit.
struct Detours<'d> {
    edit: &'d CodeEdit,
    emitter: &'d Emitter,
    /// Sorted.
    by_catcher: &'d [(Catcher, usize)],
}

impl Detours<'_> {
    /// Writes the entries of those that lead to one catcher.
    fn write(
        &self,
        catcher: Catcher,
        catch_type: u16,
        table: &mut ExceptionTable<'_>,
    ) -> Result<(), Refusal> {
        let first = self.by_catcher.partition_point(|&(other, _)| other < catcher);
        let rest = self.by_catcher.get(first..).unwrap_or_default();
        for &(_, index) in rest.iter().take_while(|&&(other, _)| other == catcher) {
            let detour = &self.edit.detours()[index];
            let position = self.emitter.detours[index];
            for range in self.edit.detour_ranges(detour) {
                let (start, end) = place_range(&self.emitter.relocation, range)?;
                table.row(start, end, position, catch_type)?;
            }
        }
        Ok(())
    }
}

/// An exception table being written.
struct ExceptionTable<'o> {
    count: usize,
    out: &'o mut Vec<u8>,
}

impl ExceptionTable<'_> {
    fn row(&mut self, start: u32, end: u32, handler: u32, catch_type: u16) -> Result<(), Refusal> {
        for position in [start, end, handler] {
            // The end of the code fits too, as code is at most 65,535 long.
            put_u2(self.out, u16::try_from(position).map_err(|_| Refusal::TableTooLong)?);
        }
        put_u2(self.out, catch_type);
        self.count += 1;
        Ok(())
    }
}

/// Where an entry of a debugging table starts: with the code inserted before
/// its first instruction, but at the start of the method if it started there,
/// so that the entry fragment belongs to the first line and sees the
/// arguments.
#[inline]
fn debug_start(
    relocation: &Relocation,
    bci: u16,
    attribute: &Attribute<'_>,
) -> Result<u16, Refusal> {
    if bci == 0 {
        return Ok(0);
    }
    debug_position(relocation.before_or_within(bci.into()), bci.into(), attribute)
}

#[inline]
fn debug_position(
    position: Option<u32>,
    bci: u32,
    attribute: &Attribute<'_>,
) -> Result<u16, Refusal> {
    position
        .and_then(|position| u16::try_from(position).ok())
        .ok_or_else(|| Refusal::bad_position(bci, attribute.offset))
}

/// Writes the contents of a `LineNumberTable` (JVMS 4.7.12): copied at once,
/// and then every start is moved.
pub(crate) fn write_line_numbers(
    attribute: &Attribute<'_>,
    relocation: &Relocation,
    out: &mut Vec<u8>,
) -> Result<(), Refusal> {
    for [start_high, start_low, ..] in copy_rows::<4>(attribute, out)? {
        let start = u16::from_be_bytes([*start_high, *start_low]);
        [*start_high, *start_low] = debug_start(relocation, start, attribute)?.to_be_bytes();
    }
    Ok(())
}

/// Copies a counted table and gives its rows in the copy.
fn copy_rows<'o, const ROW: usize>(
    attribute: &Attribute<'_>,
    out: &'o mut Vec<u8>,
) -> Result<&'o mut [[u8; ROW]], Refusal> {
    let mut reader = attribute.reader();
    let count = usize::from(reader.u2()?);
    let rows = reader.bytes(ROW * count)?;
    reader.expect_end()?;
    put_u2(out, count as u16);
    let start = out.len();
    out.extend_from_slice(rows);
    Ok(out.get_mut(start..).unwrap_or_default().as_chunks_mut().0)
}

/// The new start and length of a range of a debugging table.
#[inline]
pub(crate) fn move_range(
    start: u16,
    length: u16,
    attribute: &Attribute<'_>,
    relocation: &Relocation,
) -> Result<(u16, u16), Refusal> {
    let end = u32::from(start) + u32::from(length);
    let new_start = debug_start(relocation, start, attribute)?;
    // An empty range at 0 stays empty.
    let new_end = match end {
        0 => 0,
        _ => debug_position(relocation.range_end_or_within(end), end, attribute)?,
    };
    let bad_range = || Refusal::bad_position(end, attribute.offset);
    let new_length = new_end.checked_sub(new_start).ok_or_else(bad_range)?;
    Ok((new_start, new_length))
}

/// Writes the contents of a `LocalVariableTable` or `LocalVariableTypeTable`
/// (JVMS 4.7.13 and 4.7.14).
pub(crate) fn write_local_variables(
    attribute: &Attribute<'_>,
    relocation: &Relocation,
    out: &mut Vec<u8>,
) -> Result<(), Refusal> {
    for [start_high, start_low, length_high, length_low, ..] in copy_rows::<10>(attribute, out)? {
        let start = u16::from_be_bytes([*start_high, *start_low]);
        let length = u16::from_be_bytes([*length_high, *length_low]);
        let (start, length) = move_range(start, length, attribute, relocation)?;
        [*start_high, *start_low] = start.to_be_bytes();
        [*length_high, *length_low] = length.to_be_bytes();
    }
    Ok(())
}
