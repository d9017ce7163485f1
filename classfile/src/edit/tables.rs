//! The tables of a method that name positions for debuggers: lines, variables.

use super::output::put_u2;
use super::refusal::Refusal;
use super::relocation::Relocation;
use crate::read::attribute::Attribute;

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
