//! The exception table of a method (JVMS 4.7.3).

use super::code_edit::{Catcher, CodeEdit};
use super::emitter::Emitter;
use super::output::{patch_u2, put_u2};
use super::refusal::Refusal;
use super::relocation::Relocation;
use crate::read::code::{Code, ExceptionEntry};
use std::ops::Range;

/// What became of the entries of an exception table.
#[derive(Clone, Debug, Default)]
pub(crate) struct ExceptionRows {
    /// The number that each old entry has now; where it became several, that
    /// of the first one that leads to its handler.
    numbers: Vec<u16>,
    /// Landing pads by what they lead to, kept for its memory.
    by_catcher: Vec<(Catcher, usize)>,
    /// Where landing pads to one catcher are taken, kept for its memory.
    pad_ranges: Vec<(u32, u32)>,
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
/// Landing pads stand directly before the entry that they lead to, and that entry
/// leaves out what they cover: a verifier compares types for every entry that
/// covers an instruction.
///
/// Compilers write handlers that cover themselves, to release a monitor for
/// instance. Code inserted before the first instruction of such a handler is
/// left out of its range. HotSpot's C1 gives up on methods where an entry
/// covers something that can throw at the very start of its own handler, and
/// code that fails there would be led back to itself.
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
    let ExceptionRows { numbers, by_catcher, pad_ranges } = rows;
    numbers.clear();
    by_catcher.clear();
    by_catcher.extend(edit.landing_pads().iter().map(|landing_pad| landing_pad.catcher).zip(0..));
    by_catcher.sort_unstable();
    let mut table = ExceptionTable { edit, emitter, by_catcher, pad_ranges, count: 0, out };
    for (number, entry) in (0..).zip(code.exception_table()) {
        let place = |position: Option<u32>, bci| {
            position.ok_or_else(|| Refusal::bad_position(bci, code.bytecode_offset()))
        };
        let start = place(relocation.before(entry.start), entry.start)?;
        let end = place(relocation.range_end(entry.end), entry.end)?;
        let handler = place(relocation.before(entry.handler), entry.handler)?;
        let handler_itself = place(relocation.at(entry.handler), entry.handler)?;
        table.landing_pads(Catcher::Row(number), Some(&entry))?;
        let at = table.count;
        let entry_point = emitter.entry_of(handler);
        if start <= handler && handler < end && handler < handler_itself {
            table.rows(start, handler, entry_point, entry.catch_type)?;
            table.rows(handler_itself, end, entry_point, entry.catch_type)?;
        } else {
            table.rows(start, end, entry_point, entry.catch_type)?;
        }
        // If landing pads cover all of it, the last of them.
        let number = if table.count > at { at } else { at.saturating_sub(1) };
        numbers.push(u16::try_from(number).map_err(|_| Refusal::TableTooLong)?);
    }
    for (number, (handler, &position)) in (0..).zip(edit.handlers().iter().zip(&emitter.handlers)) {
        table.landing_pads(Catcher::Appended(number), None)?;
        for range in edit.handler_ranges(handler) {
            let (start, end) = place_range(relocation, range)?;
            table.rows(start, end, emitter.entry_of(position), 0)?;
        }
    }
    table.guards(code)?;
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

/// An exception table being written.
struct ExceptionTable<'t> {
    edit: &'t CodeEdit,
    emitter: &'t Emitter,
    /// Landing pads, sorted by what they lead to.
    by_catcher: &'t [(Catcher, usize)],
    /// Where those to the current catcher are taken, ascending.
    pad_ranges: &'t mut Vec<(u32, u32)>,
    count: usize,
    out: &'t mut Vec<u8>,
}

impl ExceptionTable<'_> {
    /// Writes the landing pads to one catcher, `old` if it is an entry of the
    /// method.
    fn landing_pads(
        &mut self,
        catcher: Catcher,
        old: Option<&ExceptionEntry>,
    ) -> Result<(), Refusal> {
        self.pad_ranges.clear();
        let relocation = &self.emitter.relocation;
        let first = self.by_catcher.partition_point(|&(other, _)| other < catcher);
        let rest = self.by_catcher.get(first..).unwrap_or_default();
        for &(_, index) in rest.iter().take_while(|&&(other, _)| other == catcher) {
            let landing_pad = &self.edit.landing_pads()[index];
            let position = self.emitter.landing_pads[index];
            for range in self.edit.landing_pad_ranges(landing_pad) {
                let (mut start, end) = place_range(relocation, range)?;
                if old.is_some_and(|entry| entry.handler == range.start) {
                    start = relocation.at(range.start).unwrap_or(start);
                }
                self.pad_ranges.push((start, end));
                self.row(start, end, position, old.map_or(0, |entry| entry.catch_type))?;
            }
        }
        self.pad_ranges.sort_unstable();
        Ok(())
    }

    /// Writes what covers the landing pads themselves: what caught what led there,
    /// or else whatever covers the handler's first instruction. Types fit, as a
    /// landing pad starts with what the handler starts with.
    fn guards(&mut self, code: &Code<'_>) -> Result<(), Refusal> {
        if !self.edit.landing_pads().iter().any(|landing_pad| landing_pad.is_guarded) {
            return Ok(());
        }
        let rows: Vec<_> = code.exception_table().collect();
        for (landing_pad, &start) in self.edit.landing_pads().iter().zip(&self.emitter.landing_pads)
        {
            let Catcher::Row(number) = landing_pad.catcher else { continue };
            let Some(caught) = rows.get(usize::from(number)).filter(|_| landing_pad.is_guarded)
            else {
                continue;
            };
            let end = start + self.edit.landing_pad_code(landing_pad).len() as u32;
            let covers = |row: &&ExceptionEntry| match caught.catch_type {
                0 => *row == caught,
                _ => (row.start..row.end).contains(&caught.handler),
            };
            for row in rows.iter().filter(covers) {
                let handler = self.emitter.relocation.before(row.handler);
                let handler = handler.ok_or(Refusal::NoSuchHandler)?;
                self.row(start, end, self.emitter.entry_of(handler), row.catch_type)?;
                if row.catch_type == 0 {
                    break;
                }
            }
        }
        Ok(())
    }

    /// Writes what of a range no landing pad covers.
    fn rows(
        &mut self,
        mut start: u32,
        end: u32,
        handler: u32,
        catch_type: u16,
    ) -> Result<(), Refusal> {
        for number in 0..self.pad_ranges.len() {
            let (from, to) = self.pad_ranges[number];
            if from >= end {
                break;
            }
            self.row(start, from, handler, catch_type)?;
            start = start.max(to);
        }
        self.row(start, end, handler, catch_type)
    }

    /// Writes an entry, if there is anything in its range.
    fn row(&mut self, start: u32, end: u32, handler: u32, catch_type: u16) -> Result<(), Refusal> {
        if start >= end {
            return Ok(());
        }
        for position in [start, end, handler] {
            // The end of the code fits too, as code is at most 65,535 long.
            put_u2(self.out, u16::try_from(position).map_err(|_| Refusal::TableTooLong)?);
        }
        put_u2(self.out, catch_type);
        self.count += 1;
        Ok(())
    }
}
