//! Records of the live form about the results of methods.

use base::leb128::put;

use crate::Error;
use crate::MethodId;
use crate::cursor::Cursor;
use crate::dataflow::{MethodResults, ResultsTotals};

/// What the calls of a method had as inputs and results. Its method is the number that
/// the record of its class gives to it. Of records of one method and depth the last one
/// counts.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct MethodResultsRecord(pub MethodResults);

/// What the results of all methods together are based on. The last record counts.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct ResultsTotalsRecord(pub ResultsTotals);

impl MethodResultsRecord {
    pub(crate) fn encode(&self, out: &mut Vec<u8>) {
        put(out, u64::from(self.0.method.0));
        self.0.encode_numbers(out);
        self.0.encode_empty(out);
    }

    pub(crate) fn decode(fields: &mut Cursor<'_>) -> Result<Self, Error> {
        let method = MethodId(fields.varint_u32("a method id")?);
        let mut results = MethodResults::decode_numbers(method, fields)?;
        // Records of before end here.
        if fields.remaining() > 0 {
            results.decode_empty(fields)?;
        }
        Ok(Self(results))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::results;

    #[test]
    fn records_are_read_as_they_were_written() {
        let record = MethodResultsRecord(MethodResults {
            method: MethodId(1 << 30),
            depth: 4,
            kinds: results::FLUENT | results::PER_RECEIVER,
            level: 3,
            receivers_level: 63,
            returned: u64::MAX,
            unfollowed: 1,
            stopped: true,
            receivers: 300,
            inputs: 1 << 40,
            hits: 5,
            hits_error: 6,
            last_hits: 7,
            conflicts: 800,
            wrote: 9,
            hits_that_wrote: 10,
            cost: 11,
            saving: 12,
            saving_error: 13,
            empty: Some(14),
        });
        let mut bytes = Vec::new();
        record.encode(&mut bytes);
        let read = MethodResultsRecord::decode(&mut Cursor::new(&bytes, 0));
        assert_eq!(read.expect("is sound"), record);
        // The last field is a byte, and records of before lack it.
        let of_before = bytes.len() - 1;
        for cut in 0..of_before {
            let read = MethodResultsRecord::decode(&mut Cursor::new(&bytes[..cut], 0));
            assert!(read.is_err(), "{cut}");
        }
        let read = MethodResultsRecord::decode(&mut Cursor::new(&bytes[..of_before], 0));
        assert_eq!(read.expect("is sound").0, MethodResults { empty: None, ..record.0 });
        let totals = ResultsTotals { threads: 300, identities: u64::MAX, too_deep: 2 };
        bytes.clear();
        totals.encode(&mut bytes);
        let read = ResultsTotals::decode(&mut Cursor::new(&bytes, 0)).expect("is sound");
        assert_eq!(read, totals);
    }
}
