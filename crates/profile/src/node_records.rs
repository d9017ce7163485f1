//! The metadata record of a method's nodes in the cost graph.

use base::leb128::put;

use crate::Error;
use crate::cursor::Cursor;
use crate::dataflow::InstructionKind;

/// The instructions of a method that are nodes of the cost graph. They are
/// numbered one after the other, and so are their nodes: instruction n in slot
/// s is the node n x (slots + 1) + s; consumers are in slot 0.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct CostNodesRecord {
    /// Number of the method.
    pub method: u32,
    /// Number of the first instruction, at least 1.
    pub first: u32,
    /// The instructions in the order of the code.
    pub instructions: Vec<CostInstruction>,
    /// Instructions that exceptions left, with the counter of how often.
    pub cuts: Vec<(u16, u32)>,
    /// Dependences that follow from the code: the second of these instructions
    /// uses what the first one made in the same call of the method. Both are
    /// counted from 0.
    pub dependences: Vec<(u32, u32)>,
}

/// An instruction that is a node.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct CostInstruction {
    /// Its bytecode index.
    pub bci: u16,
    /// Its source line, 0 if unknown.
    pub line: u16,
    /// What it does.
    pub kind: InstructionKind,
    /// Number of the field, 0 for elements of arrays and where there is none.
    pub field: u32,
    /// Where its basic block starts.
    pub block: u16,
    /// Which counter says how often the block was executed.
    pub counter: u32,
    /// Where it keeps what it met, in words from the first counter on; 0 if it
    /// keeps nothing that readers need.
    pub met: u32,
    /// True if it accesses a field of `this`, so that what it meets is what the
    /// counters are for.
    pub is_own: bool,
}

const KINDS: [InstructionKind; 6] = [
    InstructionKind::Compute,
    InstructionKind::Allocate,
    InstructionKind::Load,
    InstructionKind::Store,
    InstructionKind::Predicate,
    InstructionKind::Native,
];

impl CostNodesRecord {
    pub(crate) fn encode(&self, out: &mut Vec<u8>) {
        put(out, u64::from(self.method));
        put(out, u64::from(self.first));
        put(out, self.instructions.len() as u64);
        for instruction in &self.instructions {
            put(out, u64::from(instruction.bci));
            put(out, u64::from(instruction.line));
            let kind = KINDS.iter().position(|&kind| kind == instruction.kind).unwrap_or(0);
            put(out, kind as u64);
            put(out, u64::from(instruction.field));
            put(out, u64::from(instruction.block));
            put(out, u64::from(instruction.counter));
            put(out, u64::from(instruction.met) << 1 | u64::from(instruction.is_own));
        }
        put(out, self.cuts.len() as u64);
        for &(bci, counter) in &self.cuts {
            put(out, u64::from(bci));
            put(out, u64::from(counter));
        }
        put(out, self.dependences.len() as u64);
        for &(from, to) in &self.dependences {
            put(out, u64::from(from));
            put(out, u64::from(to));
        }
    }

    pub(crate) fn decode(fields: &mut Cursor<'_>) -> Result<Self, Error> {
        let method = fields.varint_u32("a method id")?;
        let first = fields.varint_u32("an instruction")?;
        // Each has seven fields of at least one byte.
        let count = fields.count(7, "the number of instructions")?;
        let instructions = (0..count)
            .map(|_| {
                let mut instruction = CostInstruction {
                    bci: fields.varint_u16("a bytecode index")?,
                    line: fields.varint_u16("a line")?,
                    kind: kind(fields)?,
                    field: fields.varint_u32("a field")?,
                    block: fields.varint_u16("a bytecode index")?,
                    counter: fields.varint_u32("a counter")?,
                    ..CostInstruction::default()
                };
                let met = fields.varint("a place behind the counters")?;
                instruction.is_own = met & 1 != 0;
                instruction.met = u32::try_from(met >> 1)
                    .map_err(|_| Error::invalid("a place behind the counters is too large"))?;
                Ok(instruction)
            })
            .collect::<Result<_, Error>>()?;
        let count = fields.count(2, "the number of cuts")?;
        let cuts = (0..count)
            .map(|_| Ok((fields.varint_u16("a bytecode index")?, fields.varint_u32("a counter")?)))
            .collect::<Result<_, Error>>()?;
        let count = fields.count(2, "the number of dependences")?;
        let dependences = (0..count)
            .map(|_| {
                Ok((fields.varint_u32("an instruction")?, fields.varint_u32("an instruction")?))
            })
            .collect::<Result<_, Error>>()?;
        Ok(Self { method, first, instructions, cuts, dependences })
    }
}

fn kind(fields: &mut Cursor<'_>) -> Result<InstructionKind, Error> {
    let number = fields.varint("what an instruction does")?;
    let kind = usize::try_from(number).ok().and_then(|number| KINDS.get(number).copied());
    kind.ok_or_else(|| Error::invalid(format!("no instruction does {number}")))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_record_is_read_as_it_was_written() {
        let instruction = |kind, bci| CostInstruction {
            bci,
            line: 7,
            kind,
            field: 300,
            block: 2,
            counter: 1,
            met: 9,
            is_own: bci == 5,
        };
        let record = CostNodesRecord {
            method: 5,
            first: 1000,
            instructions: KINDS
                .into_iter()
                .zip(3..)
                .map(|(kind, at)| instruction(kind, at))
                .collect(),
            cuts: vec![(4, 0), (700, 1)],
            dependences: vec![(0, 1), (1, 5)],
        };
        let mut bytes = Vec::new();
        record.encode(&mut bytes);
        let read = CostNodesRecord::decode(&mut Cursor::new(&bytes, 0));
        assert_eq!(read.expect("it is sound"), record);
    }
}
