//! The tables of a method that name positions for debuggers: lines, variables.

use super::code_edit::{Catcher, CodeEdit};
use super::emitter::Emitter;
use super::output::{patch_u2, put_u2};
use super::refusal::Refusal;
use super::relocation::Relocation;
use crate::read::attribute::Attribute;
use crate::read::code::Code;

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
/// and then every start is moved. `added` are further rows, of starts in the
/// new code and lines.
pub(crate) fn write_line_numbers(
    attribute: &Attribute<'_>,
    relocation: &Relocation,
    added: &[(u32, u16)],
    out: &mut Vec<u8>,
) -> Result<(), Refusal> {
    let count_at = out.len();
    let rows = copy_rows::<4>(attribute, out)?;
    let count = rows.len() + added.len();
    for [start_high, start_low, ..] in rows {
        let start = u16::from_be_bytes([*start_high, *start_low]);
        [*start_high, *start_low] = debug_start(relocation, start, attribute)?.to_be_bytes();
    }
    patch_u2(out, count_at, u16::try_from(count).map_err(|_| Refusal::TableTooLong)?);
    for &(start, line) in added {
        put_u2(out, u16::try_from(start).map_err(|_| Refusal::TableTooLong)?);
        put_u2(out, line);
    }
    Ok(())
}

/// Lines for what an edit appended on the way to handlers: those of the
/// handlers, for a debugger stops where the line changes.
pub(crate) fn landing_pad_lines(
    code: &Code<'_>,
    edit: &CodeEdit,
    emitter: &Emitter,
) -> Vec<(u32, u16)> {
    if edit.landing_pads().is_empty() {
        return Vec::new();
    }
    let handlers: Vec<u32> = code.exception_table().map(|entry| entry.handler).collect();
    // A handler of the edit has the line of the instruction before it.
    let last = code.length().saturating_sub(1);
    let landing_pads = edit
        .landing_pads()
        .iter()
        .map(|landing_pad| landing_pad.catcher)
        .zip(&emitter.landing_pads);
    let jumps = emitter.destinations.iter().map(|to| (to.catcher, &to.jump));
    let mut lines = Vec::new();
    let mut previous = None;
    for (catcher, &position) in landing_pads.chain(jumps) {
        // Many in a row lead to the same handler.
        if previous.replace(catcher) == Some(catcher) {
            continue;
        }
        let bci = match catcher {
            Catcher::Row(row) => handlers.get(usize::from(row)).copied(),
            Catcher::Appended(_) => Some(last),
        };
        lines.extend(bci.and_then(|bci| code.line_of(bci)).map(|line| (position, line)));
    }
    lines.dedup_by_key(|&mut (_, line)| line);
    lines
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
