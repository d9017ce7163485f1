//! Records of the live form about instructions that handle nulls.

use base::leb128::put;

use crate::Error;
use crate::cursor::Cursor;

/// The instructions of a method that are nodes where nulls are followed. They
/// are numbered one after the other.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct NullNodesRecord {
    /// Number of the method.
    pub method: u32,
    /// Number of the first node.
    pub first: u32,
    /// The nodes in the order of the code.
    pub instructions: Vec<NullInstruction>,
}

/// An instruction, in one of its roles.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct NullInstruction {
    /// Its bytecode index.
    pub bci: u16,
    /// Its source line, 0 if unknown.
    pub line: u16,
    /// What it does.
    pub kind: NullInstructionKind,
    /// Number of the field, 0 for elements of arrays and where there is none.
    pub field: u32,
}

/// What an instruction does with nulls.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum NullInstructionKind {
    /// It is the constant `null`.
    #[default]
    Constant,
    /// It loads from the heap.
    Load,
    /// It stores into the heap.
    Store,
    /// It calls a method; a null begins here if that is not followed.
    Native,
    /// It returns.
    Return,
    /// It throws for null.
    Dereference,
    /// It passes the argument of this number, counted from 1.
    Argument(u8),
}

/// Numbers of kinds; those of arguments follow.
const KINDS: [NullInstructionKind; 6] = [
    NullInstructionKind::Constant,
    NullInstructionKind::Load,
    NullInstructionKind::Store,
    NullInstructionKind::Native,
    NullInstructionKind::Return,
    NullInstructionKind::Dereference,
];

impl NullInstructionKind {
    fn number(self) -> u64 {
        match (self, KINDS.iter().position(|&kind| kind == self)) {
            (Self::Argument(number), _) => KINDS.len() as u64 + u64::from(number),
            // All others are in the table.
            (_, known) => known.unwrap_or(0) as u64,
        }
    }

    fn of(number: u64) -> Option<Self> {
        let at = usize::try_from(number).ok()?;
        match at.checked_sub(KINDS.len()) {
            None => KINDS.get(at).copied(),
            Some(argument) => u8::try_from(argument).ok().map(Self::Argument),
        }
    }
}

impl NullNodesRecord {
    pub(crate) fn encode(&self, out: &mut Vec<u8>) {
        put(out, u64::from(self.method));
        put(out, u64::from(self.first));
        put(out, self.instructions.len() as u64);
        for instruction in &self.instructions {
            put(out, u64::from(instruction.bci));
            put(out, u64::from(instruction.line));
            put(out, instruction.kind.number());
            put(out, u64::from(instruction.field));
        }
    }

    pub(crate) fn decode(fields: &mut Cursor<'_>) -> Result<Self, Error> {
        let method = fields.varint_u32("a method id")?;
        let first = fields.varint_u32("a null node")?;
        // Each has four fields of at least one byte.
        let count = fields.count(4, "the number of instructions")?;
        let instructions = (0..count)
            .map(|_| {
                Ok(NullInstruction {
                    bci: fields.varint_u16("a bytecode index")?,
                    line: fields.varint_u16("a line")?,
                    kind: kind(fields)?,
                    field: fields.varint_u32("a field")?,
                })
            })
            .collect::<Result<_, Error>>()?;
        Ok(Self { method, first, instructions })
    }
}

fn kind(fields: &mut Cursor<'_>) -> Result<NullInstructionKind, Error> {
    let number = fields.varint("what an instruction does with nulls")?;
    NullInstructionKind::of(number)
        .ok_or_else(|| Error::invalid(format!("no instruction does {number} with nulls")))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_record_is_read_as_it_was_written() {
        let kinds = KINDS.into_iter().chain([1, 7].map(NullInstructionKind::Argument));
        let instruction = |(kind, bci)| NullInstruction { bci, line: 7, kind, field: 300 };
        let instructions = kinds.zip(3..).map(instruction).collect();
        let record = NullNodesRecord { method: 5, first: 1000, instructions };
        let mut bytes = Vec::new();
        record.encode(&mut bytes);
        let read = NullNodesRecord::decode(&mut Cursor::new(&bytes, 0));
        assert_eq!(read.expect("it is sound"), record);
    }
}
