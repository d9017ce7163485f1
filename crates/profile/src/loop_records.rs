//! Records of the live form about similar memory accesses in loops.

use base::leb128::put;

use crate::Error;
use crate::cursor::{Cursor, put_string};

/// A loop in a calling context in whose iterations similar values were read. Of records
/// of one loop and one node the last one counts.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct LoopRecord {
    /// Number of the loop.
    pub number: u32,
    /// Node of the activation that runs it.
    pub node: u32,
    /// Bytecode index of its header.
    pub bci: u16,
    /// The source line of that, 0 if unknown.
    pub line: u16,
    /// The methods from the thread's first one to that of the loop.
    pub path: Vec<FrameRecord>,
    /// Instances that ran an inner loop, or a call that copies an array.
    pub instances: u64,
    /// Those of them that had enough iterations.
    pub judged: u64,
    /// Those of them that are reported here.
    pub reported: u64,
    /// The iterations of these.
    pub iterations: u64,
    /// Values that they read and that count.
    pub reads: u64,
    /// Those of them that instructions read again in the same places, and for nothing new.
    pub repeated: u64,
    /// Those in sequences that are similar to the one before.
    pub wasted: u64,
    /// Iterations, of any instance, that were not judged, since the loop had been judged for
    /// as many accesses as the options allow.
    pub unjudged: u64,
    /// The instructions in their contexts that read similar values, those with most waste
    /// first.
    pub similar: Vec<SimilarReadRecord>,
    /// How many more there are.
    pub others: u64,
}

/// A method in a calling context, and where it was called.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct FrameRecord {
    /// Number of the method.
    pub method: u32,
    /// Word offset of the slot in the caller's node; 0 without a caller.
    pub slot: u32,
}

/// An instruction in its context that read similar values.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct SimilarReadRecord {
    /// The methods below that of the loop.
    pub path: Vec<FrameRecord>,
    /// Its bytecode index in the last one of these, or in that of the loop.
    pub bci: u16,
    /// The source line, 0 if unknown.
    pub line: u16,
    /// What it reads, in words.
    pub what: String,
    /// In how many instances its values were similar.
    pub reported: u64,
    /// In how many of these it read them in the same places.
    pub same_places: u64,
    /// Sequences of more than one value.
    pub sequences: u64,
    /// Those of them that are similar to the one before.
    pub similar: u64,
    /// Values in all of them.
    pub reads: u64,
    /// Values in those that are similar.
    pub wasted: u64,
    /// How much of the shorter of two similar sequences they have in common: the sum for
    /// all, in thousandths.
    pub ratios: u64,
    /// Sequences of which only the first values were compared.
    pub truncated: u64,
}

/// What was left out of the loops. The last record counts.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct LoopTotalsRecord {
    /// Values read in loops that are judged, but for their own data.
    pub reads: u64,
    /// Reads that found no memory.
    pub lost: u64,
    /// Reads in more loops than an instruction belongs to.
    pub deep: u64,
    /// Writes that were forgotten for want of memory.
    pub forgotten: u64,
    /// Elements of copied arrays that were not looked at.
    pub uncopied: u64,
    /// Cycles in the code that are no natural loops.
    pub irreducible: u64,
    /// Loops in their contexts, of each thread, that were not judged to the end, since they
    /// had been judged for as many accesses as the options allow.
    pub exhausted: u64,
    /// Iterations of them that were not judged.
    pub unjudged: u64,
}

impl LoopRecord {
    fn numbers(&self) -> [u64; 8] {
        let Self { instances, judged, reported, iterations, reads, repeated, wasted, .. } = *self;
        [instances, judged, reported, iterations, reads, repeated, wasted, self.unjudged]
    }

    pub(crate) fn encode(&self, out: &mut Vec<u8>) {
        put(out, u64::from(self.number));
        put(out, u64::from(self.node));
        put(out, u64::from(self.bci));
        put(out, u64::from(self.line));
        encode_path(&self.path, out);
        self.numbers().iter().for_each(|&number| put(out, number));
        put(out, self.similar.len() as u64);
        for read in &self.similar {
            encode_path(&read.path, out);
            put(out, u64::from(read.bci));
            put(out, u64::from(read.line));
            put_string(out, &read.what);
            read.numbers().iter().for_each(|&number| put(out, number));
        }
        put(out, self.others);
    }

    pub(crate) fn decode(fields: &mut Cursor<'_>) -> Result<Self, Error> {
        let number = fields.varint_u32("a loop")?;
        let node = fields.varint_u32("a node")?;
        let bci = fields.varint_u16("a bytecode index")?;
        let line = fields.varint_u16("a line")?;
        let path = decode_path(fields)?;
        let numbers = decode_numbers(fields)?;
        let [instances, judged, reported, iterations, reads, repeated, wasted, unjudged] = numbers;
        // Each has twelve fields of at least one byte.
        let count = fields.count(12, "the number of similar reads")?;
        let similar = (0..count).map(|_| SimilarReadRecord::decode(fields));
        let similar = similar.collect::<Result<_, Error>>()?;
        let others = fields.varint("a number of reads")?;
        Ok(Self {
            number,
            node,
            bci,
            line,
            path,
            instances,
            judged,
            reported,
            iterations,
            reads,
            repeated,
            wasted,
            unjudged,
            similar,
            others,
        })
    }
}

impl SimilarReadRecord {
    fn numbers(&self) -> [u64; 8] {
        let Self {
            reported,
            same_places,
            sequences,
            similar,
            reads,
            wasted,
            ratios,
            truncated,
            ..
        } = *self;
        [reported, same_places, sequences, similar, reads, wasted, ratios, truncated]
    }

    fn decode(fields: &mut Cursor<'_>) -> Result<Self, Error> {
        let path = decode_path(fields)?;
        let bci = fields.varint_u16("a bytecode index")?;
        let line = fields.varint_u16("a line")?;
        let what = fields.string("what is read")?.to_owned();
        let numbers = decode_numbers(fields)?;
        let [reported, same_places, sequences, similar, reads, wasted, ratios, truncated] = numbers;
        Ok(Self {
            path,
            bci,
            line,
            what,
            reported,
            same_places,
            sequences,
            similar,
            reads,
            wasted,
            ratios,
            truncated,
        })
    }
}

impl LoopTotalsRecord {
    pub(crate) fn encode(&self, out: &mut Vec<u8>) {
        let Self { reads, lost, deep, forgotten, uncopied, irreducible, .. } = *self;
        let Self { exhausted, unjudged, .. } = *self;
        let numbers = [reads, lost, deep, forgotten, uncopied, irreducible, exhausted, unjudged];
        numbers.iter().for_each(|&number| put(out, number));
    }

    pub(crate) fn decode(fields: &mut Cursor<'_>) -> Result<Self, Error> {
        let [reads, lost, deep, forgotten, uncopied, irreducible, exhausted, unjudged] =
            decode_numbers(fields)?;
        Ok(Self { reads, lost, deep, forgotten, uncopied, irreducible, exhausted, unjudged })
    }
}

fn decode_numbers<const N: usize>(fields: &mut Cursor<'_>) -> Result<[u64; N], Error> {
    let mut numbers = [0; N];
    for number in &mut numbers {
        *number = fields.varint("a number of a loop")?;
    }
    Ok(numbers)
}

fn encode_path(path: &[FrameRecord], out: &mut Vec<u8>) {
    put(out, path.len() as u64);
    for frame in path {
        put(out, u64::from(frame.method));
        put(out, u64::from(frame.slot));
    }
}

fn decode_path(fields: &mut Cursor<'_>) -> Result<Vec<FrameRecord>, Error> {
    let count = fields.count(2, "the length of a calling path")?;
    let frame = |_| {
        let method = fields.varint_u32("a method id")?;
        Ok(FrameRecord { method, slot: fields.varint_u32("a slot")? })
    };
    (0..count).map(frame).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn records_are_read_as_they_were_written() {
        let frame = |method| FrameRecord { method, slot: method + 1 };
        let read = SimilarReadRecord {
            path: vec![frame(8)],
            bci: 1,
            line: 2,
            what: "java.util.ArrayList.size".into(),
            reported: 3,
            same_places: 4,
            sequences: 500,
            similar: 6,
            reads: 7,
            wasted: 8,
            ratios: 9,
            truncated: 10,
        };
        let record = LoopRecord {
            number: 300,
            node: 1 << 30,
            bci: 65_535,
            line: 9,
            path: vec![frame(1), frame(400)],
            instances: 11,
            judged: 12,
            reported: 13,
            iterations: 14,
            reads: 15,
            repeated: 16,
            wasted: 17,
            unjudged: 19,
            similar: vec![read, SimilarReadRecord::default()],
            others: 18,
        };
        let mut bytes = Vec::new();
        record.encode(&mut bytes);
        assert_eq!(LoopRecord::decode(&mut Cursor::new(&bytes, 0)).expect("is sound"), record);
        let totals = LoopTotalsRecord {
            reads: 1,
            lost: 2,
            deep: 3,
            forgotten: 4,
            uncopied: 5,
            irreducible: u64::MAX,
            exhausted: 6,
            unjudged: 7,
        };
        bytes.clear();
        totals.encode(&mut bytes);
        let read = LoopTotalsRecord::decode(&mut Cursor::new(&bytes, 0));
        assert_eq!(read.expect("is sound"), totals);
    }
}
