//! The `LineNumberTable` attribute (JVMS 4.7.12).

use super::code::Code;

/// Which source line each instruction stems from.
#[derive(Clone, Debug, Default)]
pub struct LineTable {
    /// Start and line, ordered by start; entries of equal start keep the
    /// order of the class file.
    entries: Vec<(u16, u16)>,
}

impl Code<'_> {
    /// The source lines of the code.
    pub fn line_table(&self) -> LineTable {
        LineTable::new(self)
    }

    /// The source line of the instruction at `bci`. For many questions build
    /// the [`LineTable`] once.
    pub fn line_of(&self, bci: u32) -> Option<u16> {
        line_of(self, bci)
    }
}

impl LineTable {
    /// Collects all tables of the code; there may be several. Malformed ones
    /// count as far as they can be read.
    pub fn new(code: &Code<'_>) -> LineTable {
        let mut entries: Vec<_> = rows(code).collect();
        entries.sort_by_key(|&(start, _)| start);
        LineTable { entries }
    }

    /// The line of the instruction at `bci`: that of the last entry that does
    /// not start behind it.
    pub fn line_of(&self, bci: u32) -> Option<u16> {
        let behind = self.entries.partition_point(|&(start, _)| u32::from(start) <= bci);
        let (_, line) = self.entries.get(behind.checked_sub(1)?)?;
        Some(*line)
    }

    /// Starts and lines, ordered by start.
    pub fn entries(&self) -> &[(u16, u16)] {
        &self.entries
    }
}

/// Start and line of every entry, in the order of the class file.
fn rows(code: &Code<'_>) -> impl Iterator<Item = (u16, u16)> {
    let tables =
        code.attributes().flatten().filter(|attribute| attribute.name == b"LineNumberTable");
    tables.flat_map(|attribute| {
        let rows = attribute.info.get(2..).unwrap_or_default().as_chunks::<4>().0;
        rows.iter().map(|&[start_high, start_low, line_high, line_low]| {
            let start = u16::from_be_bytes([start_high, start_low]);
            (start, u16::from_be_bytes([line_high, line_low]))
        })
    })
}

/// As [`LineTable::line_of`], for a single question.
fn line_of(code: &Code<'_>, bci: u32) -> Option<u16> {
    let before = rows(code).filter(|&(start, _)| u32::from(start) <= bci);
    // Of several with the same start the last one.
    before.max_by_key(|&(start, _)| start).map(|(_, line)| line)
}
