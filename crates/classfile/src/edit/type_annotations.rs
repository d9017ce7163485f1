//! Type annotations inside code (JVMS 4.7.20).

use super::exception_table::ExceptionRows;
use super::output::put_u2;
use super::refusal::Refusal;
use super::relocation::Relocation;
use super::tables::move_range;
use crate::read::annotation::skip_annotation;
use crate::read::attribute::Attribute;
use crate::read::error::ErrorKind;
use crate::read::reader::Reader;

/// Writes the contents of a `Runtime(In)VisibleTypeAnnotations` attribute of
/// a `Code` attribute.
///
/// Annotated local variables name ranges, the others name one instruction.
/// Caught exceptions name an entry of the exception table. A position where no instruction starts is kept as it
/// is: JVMs do not look at it, and compilers have written such.
pub(crate) fn write_type_annotations(
    attribute: &Attribute<'_>,
    relocation: &Relocation,
    rows: &ExceptionRows,
    out: &mut Vec<u8>,
) -> Result<(), Refusal> {
    let mut reader = attribute.reader();
    let count = reader.u2()?;
    put_u2(out, count);
    for _ in 0..count {
        write_target(&mut reader, attribute, relocation, rows, out)?;
        let start = reader.position();
        let path_length = usize::from(reader.u1()?);
        reader.skip(2 * path_length)?;
        skip_annotation(&mut reader)?;
        out.extend_from_slice(attribute.info.get(start..reader.position()).unwrap_or_default());
    }
    Ok(reader.expect_end()?)
}

/// Writes `target_type` and `target_info`.
fn write_target(
    reader: &mut Reader<'_>,
    attribute: &Attribute<'_>,
    relocation: &Relocation,
    rows: &ExceptionRows,
    out: &mut Vec<u8>,
) -> Result<(), Refusal> {
    let target_type = reader.u1()?;
    out.push(target_type);
    match target_type {
        // Local variables and resources.
        0x40 | 0x41 => {
            let ranges = reader.u2()?;
            put_u2(out, ranges);
            for _ in 0..ranges {
                let start = reader.u2()?;
                let length = reader.u2()?;
                let moved = move_range(start, length, attribute, relocation);
                let (start, length) = moved.unwrap_or((start, length));
                put_u2(out, start);
                put_u2(out, length);
                put_u2(out, reader.u2()?);
            }
        }
        // Exception parameters.
        0x42 => put_u2(out, rows.renumbered(reader.u2()?)),
        // instanceof, new and method references.
        0x43..=0x46 => write_offset(reader, relocation, out)?,
        // Casts and type arguments, with the number of the argument.
        0x47..=0x4B => {
            write_offset(reader, relocation, out)?;
            out.push(reader.u1()?);
        }
        _ => return Err(reader.error(ErrorKind::BadAnnotation).into()),
    }
    Ok(())
}

fn write_offset(
    reader: &mut Reader<'_>,
    relocation: &Relocation,
    out: &mut Vec<u8>,
) -> Result<(), Refusal> {
    let bci = reader.u2()?;
    let position = relocation.at(bci.into());
    put_u2(out, position.and_then(|position| u16::try_from(position).ok()).unwrap_or(bci));
    Ok(())
}
