//! A block of calling contexts: one byte stream per column.

use base::leb128::{self, put};

use super::section::Section;
use super::stream::{self, Stream};
use crate::Error;

/// Most contexts that a block holds.
pub(super) const MOST_NODES: usize = 65_536;

/// Columns before the metrics.
pub(crate) const STEPS: usize = 0;
pub(crate) const METHOD: usize = 1;
pub(crate) const SITE: usize = 2;
pub(crate) const FIRST_METRIC: usize = 3;

/// A block while it is written.
#[derive(Debug)]
pub(super) struct Builder {
    nodes: u32,
    columns: Vec<Vec<u8>>,
    payload: Vec<u8>,
}

impl Builder {
    pub(super) fn new(metrics: usize) -> Self {
        let columns = vec![Vec::new(); FIRST_METRIC + metrics];
        Self { nodes: 0, columns, payload: Vec::new() }
    }

    pub(super) fn push(&mut self, steps: u32, method: u32, site: u32, costs: &[u64]) {
        put(&mut self.columns[STEPS], u64::from(steps));
        put(&mut self.columns[METHOD], u64::from(method));
        put(&mut self.columns[SITE], u64::from(site));
        for (column, &cost) in self.columns[FIRST_METRIC..].iter_mut().zip(costs) {
            put(column, cost);
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
        for column in &mut self.columns {
            stream::write(payload, column);
            column.clear();
        }
        self.nodes = 0;
        payload
    }
}

/// A block of a file in memory, its columns found.
#[derive(Debug)]
pub(super) struct Block<'a> {
    pub(super) nodes: usize,
    columns: Vec<Stream<'a>>,
}

impl<'a> Block<'a> {
    /// Finds the columns of a block with `metrics` metrics.
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
        let mut columns = Vec::with_capacity(count);
        for _ in 0..count {
            let column = Stream::read(&mut cursor, "a column")?;
            // So the length of a file bounds the memory that is needed for it.
            if column.length < nodes {
                return Err(Error::at(column.offset, "a column with fewer bytes than contexts"));
            }
            columns.push(column);
        }
        if cursor.remaining() > 0 {
            return Err(cursor.error("bytes behind the last column of a block"));
        }
        Ok(Self { nodes, columns })
    }

    /// Decodes a column of numbers below `limit`, in `space` if it is compressed.
    pub(super) fn decode_u32(
        &self,
        column: usize,
        limit: u64,
        out: &mut [u32],
        space: &mut Vec<u8>,
    ) -> Result<(), Error> {
        let mut largest = 0;
        self.decode(column, out, space, |value| {
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
    pub(super) fn decode_u64(
        &self,
        column: usize,
        out: &mut [u64],
        space: &mut Vec<u8>,
    ) -> Result<(), Error> {
        self.decode(column, out, space, |value| value)
    }

    /// The sum of a column.
    pub(super) fn sum(&self, column: usize, space: &mut Vec<u8>) -> Result<u128, Error> {
        let mut sum = 0;
        self.for_each(column, self.nodes, space, |value| sum += u128::from(value))?;
        Ok(sum)
    }

    /// Offset in the file of a column's bytes.
    pub(super) fn offset(&self, column: usize) -> u64 {
        self.columns[column].offset
    }

    fn decode<T: Copy>(
        &self,
        column: usize,
        out: &mut [T],
        space: &mut Vec<u8>,
        mut convert: impl FnMut(u64) -> T,
    ) -> Result<(), Error> {
        let mut slots = out.iter_mut();
        self.for_each(column, slots.len(), space, |value| {
            if let Some(slot) = slots.next() {
                *slot = convert(value);
            }
        })
    }

    /// Hands over the numbers of a column, which holds `count`.
    #[inline]
    fn for_each(
        &self,
        column: usize,
        count: usize,
        space: &mut Vec<u8>,
        mut each: impl FnMut(u64),
    ) -> Result<(), Error> {
        let stream = self.columns[column];
        let bytes = stream.content(space)?;
        let error = |position, message| Err(Error::at(stream.offset_of(position), message));
        let mut position = 0;
        for _ in 0..count {
            let Some(value) = leb128::get(bytes, &mut position) else {
                return error(position, "no valid number in a column");
            };
            each(value);
        }
        if position != bytes.len() {
            return error(position, "bytes behind the end of a column");
        }
        Ok(())
    }
}
