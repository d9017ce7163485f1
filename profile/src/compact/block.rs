//! A block of calling contexts: one byte stream per column.

use super::section::Section;
use crate::Error;
use crate::varint::{self, put};

/// Most contexts that a block holds.
pub(super) const MOST_NODES: usize = 65_536;

/// Columns before the metrics.
pub(super) const STEPS: usize = 0;
pub(super) const METHOD: usize = 1;
pub(super) const SITE: usize = 2;
pub(super) const FIRST_METRIC: usize = 3;

/// One varint per context.
const CODING_EACH: u32 = 0;
/// One varint that holds for all contexts of the block.
const CODING_SAME: u32 = 1;

/// Bytes of a column's entry in the directory: u32 length, u32 coding.
const ENTRY_LEN: usize = 8;

/// A block while it is written.
#[derive(Debug)]
pub(super) struct Builder {
    nodes: u32,
    columns: Vec<Column>,
    payload: Vec<u8>,
}

#[derive(Debug, Default)]
struct Column {
    bytes: Vec<u8>,
    /// The first value, while all values are equal to it.
    same: Option<u64>,
}

impl Column {
    fn push(&mut self, value: u64, first: bool) {
        if first {
            self.same = Some(value);
        } else if self.same != Some(value) {
            self.same = None;
        }
        put(&mut self.bytes, value);
    }
}

impl Builder {
    pub(super) fn new(metrics: usize) -> Self {
        let columns = (0..FIRST_METRIC + metrics).map(|_| Column::default()).collect();
        Self { nodes: 0, columns, payload: Vec::new() }
    }

    pub(super) fn push(&mut self, steps: u32, method: u32, site: u32, costs: &[u64]) {
        let first = self.nodes == 0;
        self.columns[STEPS].push(u64::from(steps), first);
        self.columns[METHOD].push(u64::from(method), first);
        self.columns[SITE].push(u64::from(site), first);
        for (column, &cost) in self.columns[FIRST_METRIC..].iter_mut().zip(costs) {
            column.push(cost, first);
        }
        self.nodes += 1;
    }

    pub(super) fn is_empty(&self) -> bool {
        self.nodes == 0
    }

    pub(super) fn is_full(&self) -> bool {
        self.nodes as usize == MOST_NODES
    }

    /// The payload of the block's section; the builder is empty afterwards.
    pub(super) fn take(&mut self) -> &[u8] {
        let payload = &mut self.payload;
        payload.clear();
        payload.extend_from_slice(&self.nodes.to_le_bytes());
        payload.extend_from_slice(&(self.columns.len() as u32).to_le_bytes());
        for (index, column) in self.columns.iter_mut().enumerate() {
            // The steps keep a byte per context, so that the length of a file
            // bounds the number of contexts in it.
            let coding = match column.same {
                Some(value) if index != STEPS => {
                    column.bytes.clear();
                    put(&mut column.bytes, value);
                    CODING_SAME
                }
                _ => CODING_EACH,
            };
            payload.extend_from_slice(&(column.bytes.len() as u32).to_le_bytes());
            payload.extend_from_slice(&coding.to_le_bytes());
        }
        for column in &mut self.columns {
            payload.extend_from_slice(&column.bytes);
            column.bytes.clear();
            column.same = None;
        }
        self.nodes = 0;
        payload
    }
}

/// A block of a file in memory, its directory checked.
#[derive(Debug)]
pub(super) struct Block<'a> {
    pub(super) nodes: usize,
    columns: Vec<Stream<'a>>,
}

/// The bytes of one column.
#[derive(Debug, Clone, Copy)]
struct Stream<'a> {
    bytes: &'a [u8],
    coding: u32,
    offset: u64,
}

impl<'a> Block<'a> {
    /// Reads the directory of a block with `metrics` metrics.
    pub(super) fn parse(section: &Section<'a>, metrics: usize) -> Result<Self, Error> {
        let mut cursor = section.cursor();
        let nodes = cursor.fixed_u32("the contexts of a block")? as usize;
        let count = cursor.fixed_u32("the columns of a block")? as usize;
        if nodes > MOST_NODES {
            return Err(Error::at(section.offset, format!("a block of {nodes} contexts")));
        }
        if count != FIRST_METRIC + metrics {
            return Err(Error::at(section.offset, format!("a block of {count} columns")));
        }
        let mut directory = cursor.clone();
        cursor.take(count * ENTRY_LEN, "the directory of a block")?;
        let mut columns = Vec::with_capacity(count);
        for index in 0..count {
            let length = directory.fixed_u32("the length of a column")? as usize;
            let coding_at = directory.offset();
            let coding = directory.fixed_u32("the coding of a column")?;
            let known = coding == CODING_EACH || (coding == CODING_SAME && index != STEPS);
            if !known {
                return Err(Error::at(coding_at, format!("unknown coding {coding} of a column")));
            }
            let offset = cursor.offset();
            let bytes = cursor.take(length, "a column")?;
            if coding == CODING_EACH && bytes.len() < nodes {
                return Err(Error::at(offset, "a column with fewer bytes than contexts"));
            }
            columns.push(Stream { bytes, coding, offset });
        }
        if cursor.remaining() > 0 {
            return Err(cursor.error("bytes behind the last column of a block"));
        }
        Ok(Self { nodes, columns })
    }

    /// Decodes a column of numbers below `limit`.
    pub(super) fn decode_u32(
        &self,
        column: usize,
        limit: u64,
        out: &mut [u32],
    ) -> Result<(), Error> {
        let mut largest = 0;
        self.decode(column, out, |value| {
            largest = largest.max(value);
            value as u32
        })?;
        if largest >= limit && !out.is_empty() {
            let offset = self.columns[column].offset;
            return Err(Error::at(offset, format!("a column holds {largest}, limit {limit}")));
        }
        Ok(())
    }

    /// Decodes a column of any numbers.
    pub(super) fn decode_u64(&self, column: usize, out: &mut [u64]) -> Result<(), Error> {
        self.decode(column, out, |value| value)
    }

    /// Offset in the file of a column's bytes.
    pub(super) fn offset(&self, column: usize) -> u64 {
        self.columns[column].offset
    }

    fn decode<T: Copy>(
        &self,
        column: usize,
        out: &mut [T],
        mut convert: impl FnMut(u64) -> T,
    ) -> Result<(), Error> {
        let Stream { bytes, coding, offset } = self.columns[column];
        let mut position = 0;
        let broken =
            |position: usize| Error::at(offset + position as u64, "no valid number in a column");
        if coding == CODING_SAME {
            let value = varint::get(bytes, &mut position).ok_or_else(|| broken(0))?;
            out.fill(convert(value));
        } else {
            for slot in out {
                match varint::get(bytes, &mut position) {
                    Some(value) => *slot = convert(value),
                    None => return Err(broken(position)),
                }
            }
        }
        if position != bytes.len() {
            return Err(Error::at(offset + position as u64, "bytes behind the end of a column"));
        }
        Ok(())
    }
}
