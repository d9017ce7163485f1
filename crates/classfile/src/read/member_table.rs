//! The tables of fields and of methods (JVMS 4.1).

use super::error::Error;
use super::reader::Reader;
use std::ops::Range;

/// Where a field or method lies in the file.
#[derive(Clone, Debug)]
pub(crate) struct MemberRecord {
    start: u32,
    end: u32,
}

impl MemberRecord {
    /// Reads a counted table of members.
    pub(crate) fn parse_table(reader: &mut Reader<'_>) -> Result<Vec<MemberRecord>, Error> {
        let count = reader.u2()?;
        // The count is a claim; the bytes behind it may not exist.
        let mut members = Vec::with_capacity(usize::from(count).min(1024));
        for _ in 0..count {
            let start = reader.offset();
            reader.skip(6)?;
            let attributes = reader.u2()?;
            for _ in 0..attributes {
                reader.skip(2)?;
                let length = reader.u4()?;
                reader.skip(length as usize)?;
            }
            members.push(MemberRecord { start: start as u32, end: reader.offset() as u32 });
        }
        Ok(members)
    }

    /// The absolute range of the whole structure.
    pub(crate) fn range(&self) -> Range<usize> {
        self.start as usize..self.end as usize
    }
}
