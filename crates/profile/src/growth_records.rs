//! Records of the live form about the growth of loops.

use base::leb128::put;

use crate::Error;
use crate::cursor::Cursor;
use crate::dataflow::growth_bytes::{decode_is_method, decode_points, encode_points};
use crate::dataflow::{GrowthPoint, GrowthTotals, LoopEffects};

/// Sizes and costs of a loop's instances. Of records of one loop the last one counts.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct GrowthRecord {
    /// Number of the loop.
    pub number: u32,
    /// Number of its method.
    pub method: u32,
    /// Bytecode index of its header.
    pub bci: u16,
    /// The source line of that, 0 if unknown.
    pub line: u16,
    /// True for the method itself, which is recursive, rather than a loop.
    pub is_method: bool,
    /// Its instances by their sizes, in ascending order.
    pub points: Vec<GrowthPoint>,
    /// Which of its iterations have an effect.
    pub effects: LoopEffects,
}

/// How many loop instances there were. The last record counts.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct GrowthTotalsRecord(pub GrowthTotals);

impl GrowthRecord {
    pub(crate) fn encode(&self, out: &mut Vec<u8>) {
        put(out, u64::from(self.number));
        put(out, u64::from(self.method));
        put(out, u64::from(self.bci));
        put(out, u64::from(self.line));
        out.push(self.is_method.into());
        encode_points(&self.points, out);
        self.effects.encode(out);
    }

    pub(crate) fn decode(fields: &mut Cursor<'_>) -> Result<Self, Error> {
        Ok(Self {
            number: fields.varint_u32("a loop")?,
            method: fields.varint_u32("a method id")?,
            bci: fields.varint_u16("a bytecode index")?,
            line: fields.varint_u16("a line")?,
            is_method: decode_is_method(fields)?,
            points: decode_points(fields)?,
            effects: LoopEffects::decode(fields)?,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn records_are_read_as_they_were_written() {
        let big = GrowthPoint { sum: u64::MAX, instances: 1 << 40, ..GrowthPoint::of(300, 7) };
        let points = vec![GrowthPoint::of(0, 0), GrowthPoint::of(12, 400), big];
        let (number, method) = (300, 1 << 30);
        let effects = LoopEffects {
            has_one_exit: true,
            instances: 3,
            iterations: 1 << 40,
            instances_without: 2,
            iterations_without: u64::MAX,
            iterations_behind: 129,
        };
        let is_method = true;
        let record =
            GrowthRecord { number, method, bci: 65_535, line: 9, is_method, points, effects };
        let mut bytes = Vec::new();
        record.encode(&mut bytes);
        assert_eq!(GrowthRecord::decode(&mut Cursor::new(&bytes, 0)).expect("is sound"), record);
        for cut in 0..bytes.len() {
            assert!(GrowthRecord::decode(&mut Cursor::new(&bytes[..cut], 0)).is_err(), "{cut}");
        }
        let totals = GrowthTotals {
            instances: u64::MAX,
            inexact: 300,
            unkept: 2,
            unfinished: 1 << 33,
            resting: 200,
        };
        bytes.clear();
        totals.encode(&mut bytes);
        let read = GrowthTotals::decode(&mut Cursor::new(&bytes, 0)).expect("is sound");
        assert_eq!(read, totals);
        // An earlier agent's has four numbers.
        let before = &bytes[..bytes.len() - 2];
        let read = GrowthTotals::decode(&mut Cursor::new(before, 0)).expect("is sound");
        assert_eq!(read, GrowthTotals { resting: 0, ..totals });
    }
}
