//! How often the basic blocks of methods were executed, and so each of their lines.

use std::collections::BTreeMap;

use base::leb128::put;

use crate::cursor::Cursor;
use crate::{Error, MethodId};

/// The basic blocks of a method with their counts, in all contexts together
/// (`lines=on`).
///
/// Blocks are counted when they are entered. Where an exception leaves one in the
/// midst, it is counted as cut.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MethodBlocks {
    /// The method.
    pub method: MethodId,
    /// Its blocks, or the parts of them that are counted, in the order of the code.
    pub blocks: Vec<Block>,
    /// Where they were cut short.
    pub cuts: Vec<BlockCut>,
}

/// A basic block, or a part of one.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Block {
    /// How often it was entered; `None` for as often as the method was called.
    pub times: Option<u64>,
    /// The lines of its instructions, in their order.
    pub runs: Vec<LineRun>,
}

/// Instructions of the same source line that follow each other.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct LineRun {
    /// The line, 0 if unknown.
    pub line: u16,
    /// How many instructions.
    pub instructions: u32,
}

/// Exceptions that left a block in the midst.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct BlockCut {
    /// Which block.
    pub block: u32,
    /// How many of its instructions were executed, the one that threw included.
    pub executed: u32,
    /// How often.
    pub times: u64,
}

/// What a source line of a method did.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct LineCount {
    /// How often its most executed instruction was executed.
    pub executions: u64,
    /// How many instructions it executed, those of callees not included.
    pub bytecodes: u64,
}

impl MethodBlocks {
    /// What each line did, if the method was called so often. Instructions without a
    /// line are at line 0.
    pub fn lines(&self, calls: u64) -> BTreeMap<u16, LineCount> {
        let mut lines: BTreeMap<u16, LineCount> = BTreeMap::new();
        for (number, block) in (0..).zip(&self.blocks) {
            let mut cuts: Vec<(u32, u64)> = self
                .cuts
                .iter()
                .filter(|cut| cut.block == number)
                .map(|cut| (cut.executed, cut.times))
                .collect();
            cuts.sort_unstable();
            let mut cuts = cuts.into_iter().peekable();
            // How often the next instruction is executed.
            let mut times = block.times.unwrap_or(calls);
            let mut at = 0;
            for run in &block.runs {
                let line = lines.entry(run.line).or_default();
                let end = at + run.instructions;
                while at < end {
                    while let Some((_, cut)) = cuts.next_if(|&(executed, _)| executed <= at) {
                        // In a copy made while the program ran, counts may not fit.
                        times = times.saturating_sub(cut);
                    }
                    let same = cuts.peek().map_or(end, |&(executed, _)| executed.min(end));
                    line.executions = line.executions.max(times);
                    let bytecodes = times.saturating_mul(u64::from(same - at));
                    line.bytecodes = line.bytecodes.saturating_add(bytecodes);
                    at = same;
                }
            }
        }
        lines
    }

    pub(crate) fn encode(&self, out: &mut Vec<u8>) {
        put(out, u64::from(self.method.0));
        put(out, self.blocks.len() as u64);
        for block in &self.blocks {
            put(out, u64::from(block.times.is_some()));
            if let Some(times) = block.times {
                put(out, times);
            }
            LineRun::encode_all(&block.runs, out);
        }
        put(out, self.cuts.len() as u64);
        for cut in &self.cuts {
            put(out, u64::from(cut.block));
            put(out, u64::from(cut.executed));
            put(out, cut.times);
        }
    }

    fn decode(fields: &mut Cursor<'_>) -> Result<Self, Error> {
        let method = MethodId(fields.varint_u32("a method")?);
        let count = fields.count(2, "the number of blocks")?;
        let mut blocks = Vec::with_capacity(count);
        for _ in 0..count {
            let counted = fields.varint("whether a block has a counter")? != 0;
            let times = if counted { Some(fields.varint("the count of a block")?) } else { None };
            blocks.push(Block { times, runs: LineRun::decode_all(fields)? });
        }
        let count = fields.count(3, "the number of cuts")?;
        let mut cuts = Vec::with_capacity(count);
        for _ in 0..count {
            cuts.push(BlockCut {
                block: fields.varint_u32("the block of a cut")?,
                executed: fields.varint_u32("the instructions before a cut")?,
                times: fields.varint("the count of a cut")?,
            });
        }
        Ok(Self { method, blocks, cuts })
    }

    /// All of a profile's, in the order of the methods.
    pub(crate) fn decode_all(fields: &mut Cursor<'_>) -> Result<Vec<Self>, Error> {
        let count = fields.count(3, "the number of methods with blocks")?;
        (0..count).map(|_| Self::decode(fields)).collect()
    }

    /// Checks that the method is one of so many, and that cuts are of its blocks.
    pub(crate) fn validate(&self, methods: usize) -> Result<(), Error> {
        let method = self.method.0;
        if method as usize >= methods {
            return Err(Error::invalid(format!("blocks of method {method} of {methods}")));
        }
        let blocks = self.blocks.len();
        match self.cuts.iter().find(|cut| cut.block as usize >= blocks) {
            Some(cut) => Err(Error::invalid(format!("a cut of block {} of {blocks}", cut.block))),
            None => Ok(()),
        }
    }
}

impl LineRun {
    pub(crate) fn encode_all(runs: &[Self], out: &mut Vec<u8>) {
        put(out, runs.len() as u64);
        for run in runs {
            put(out, u64::from(run.line));
            put(out, u64::from(run.instructions));
        }
    }

    pub(crate) fn decode_all(fields: &mut Cursor<'_>) -> Result<Vec<Self>, Error> {
        let count = fields.count(2, "the number of runs of lines")?;
        let mut runs = Vec::with_capacity(count);
        for _ in 0..count {
            let line = fields.varint_u16("a line")?;
            // A method has less than 64 KB of code.
            let instructions = fields.varint_u16("the number of instructions")?.into();
            runs.push(Self { line, instructions });
        }
        Ok(runs)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn run(line: u16, instructions: u32) -> LineRun {
        LineRun { line, instructions }
    }

    #[test]
    fn cuts_take_off_what_follows() {
        let blocks = MethodBlocks {
            method: MethodId(0),
            blocks: vec![
                Block { times: None, runs: vec![run(7, 4), run(8, 3)] },
                Block { times: Some(100), runs: vec![run(9, 5), run(7, 2)] },
            ],
            cuts: vec![
                BlockCut { block: 0, executed: 5, times: 3 },
                BlockCut { block: 0, executed: 2, times: 1 },
                BlockCut { block: 1, executed: 6, times: 40 },
            ],
        };
        let lines: Vec<_> = blocks.lines(10).into_iter().collect();
        // By hand: line 7 has 2 x 10 + 2 x 9 + 100 + 60 instructions, line 8 9 + 2 x 6.
        let count = |executions, bytecodes| LineCount { executions, bytecodes };
        assert_eq!(lines, [(7, count(100, 198)), (8, count(9, 21)), (9, count(100, 500))]);
    }
}
