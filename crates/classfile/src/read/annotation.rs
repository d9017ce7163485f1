//! Annotations (JVMS 4.7.16), as far as finding and skipping them needs.

use super::constant_pool::ConstantPool;
use super::error::{Error, ErrorKind};
use super::reader::Reader;
use std::ops::Range;

/// Deepest nesting of element values that is followed. The specification sets
/// no limit, but a reader that recurses must.
const MAX_NESTING: u32 = 64;

/// Skips one `annotation` structure.
pub(crate) fn skip_annotation(reader: &mut Reader<'_>) -> Result<(), Error> {
    skip_nested_annotation(reader, MAX_NESTING)
}

fn skip_nested_annotation(reader: &mut Reader<'_>, nesting: u32) -> Result<(), Error> {
    reader.skip(2)?;
    let pairs = reader.u2()?;
    for _ in 0..pairs {
        reader.skip(2)?;
        skip_element_value(reader, nesting)?;
    }
    Ok(())
}

fn skip_element_value(reader: &mut Reader<'_>, nesting: u32) -> Result<(), Error> {
    let Some(nesting) = nesting.checked_sub(1) else {
        return Err(reader.error(ErrorKind::BadAnnotation));
    };
    match reader.u1()? {
        b'B' | b'C' | b'D' | b'F' | b'I' | b'J' | b'S' | b'Z' | b's' | b'c' => reader.skip(2),
        b'e' => reader.skip(4),
        b'@' => skip_nested_annotation(reader, nesting),
        b'[' => {
            let values = reader.u2()?;
            for _ in 0..values {
                skip_element_value(reader, nesting)?;
            }
            Ok(())
        }
        _ => Err(reader.error(ErrorKind::BadAnnotation)),
    }
}

/// Finds the annotation of a type in the `info` of a `Runtime*Annotations`
/// attribute; gives its absolute range in the file.
pub(crate) fn find_annotation(
    pool: &ConstantPool<'_>,
    mut reader: Reader<'_>,
    descriptor: &[u8],
) -> Result<Option<Range<usize>>, Error> {
    let annotations = reader.u2()?;
    for _ in 0..annotations {
        let start = reader.offset();
        let mut head = reader;
        let found = pool.utf8(head.u2()?)? == descriptor;
        skip_annotation(&mut reader)?;
        if found {
            return Ok(Some(start..reader.offset()));
        }
    }
    Ok(None)
}
