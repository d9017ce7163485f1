//! Counters of each basic block, from which the executions of source lines follow.
//!
//! The counters that every recording has add blocks up. With the option `lines`, a node
//! has one for each counted block, too, and one for each cut.

use classfile::Code;
use profile::block_records::BlocksRecord;
use profile::blocks::LineRun;
use profile::layout::node;

use super::MethodPlan;

/// The counters of blocks and cuts in a method's nodes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct LineCounts {
    counters: u32,
    /// False where there was no room for them in the code.
    pub has_probes: bool,
}

impl MethodPlan {
    /// Has lines counted, too. Comes last: nothing else may change the plan's blocks and
    /// cuts.
    pub fn count_lines(&mut self) {
        let blocks = self.blocks.len() as u32;
        for (cut, counter) in self.cuts.iter_mut().zip(blocks..) {
            cut.residue.line_counter = Some(counter);
        }
        let counters = blocks + self.cuts.len() as u32;
        self.line_counts = Some(LineCounts { counters, has_probes: true });
    }

    /// How many counters of blocks and cuts a node has.
    pub fn block_counters(&self) -> u32 {
        self.line_counts.map_or(0, |counts| counts.counters)
    }

    /// Gives up the counters' probes; the counters stay, at 0.
    pub fn leave_lines_out(&mut self) {
        if let Some(counts) = &mut self.line_counts {
            counts.has_probes = false;
        }
        for cut in &mut self.cuts {
            cut.residue.line_counter = None;
        }
    }

    /// True if lines are counted.
    pub fn has_line_probes(&self) -> bool {
        self.line_counts.is_some_and(|counts| counts.has_probes)
    }

    /// Word offset in a node of a counter of a block or a cut.
    pub fn block_counter(&self, number: u32) -> u32 {
        node::call_counters(self.flags()) + 2 * (self.counted_sites() + number)
    }

    /// What the blocks are, as the profile's metadata describes them; `None` if lines are
    /// not counted. `method` is the method's number.
    pub fn blocks_record(&self, method: u32, code: &Code<'_>) -> Option<BlocksRecord> {
        self.has_line_probes().then_some(())?;
        let base = (self.base_bytecodes > 0).then_some((0, self.base_bytecodes));
        let counted = self.blocks.iter().map(|block| (block.start, block.bytecodes));
        let extents: Vec<(u32, u32)> = base.into_iter().chain(counted).collect();
        let table = code.line_table();
        let runs = |&(start, length): &(u32, u32)| {
            let instructions = code.instructions().skip_while(|found| found.bci < start);
            let mut runs: Vec<LineRun> = Vec::new();
            for instruction in instructions.take(length as usize) {
                let line = table.line_of(instruction.bci).unwrap_or(0);
                match runs.last_mut() {
                    Some(run) if run.line == line => run.instructions += 1,
                    _ => runs.push(LineRun { line, instructions: 1 }),
                }
            }
            runs
        };
        let cut = |bci: u32, unexecuted: u32| {
            let behind = extents.partition_point(|&(start, _)| start <= bci);
            let block = behind.saturating_sub(1);
            (block as u32, extents.get(block).map_or(0, |&(_, length)| length - unexecuted))
        };
        Some(BlocksRecord {
            method,
            first_is_base: base.is_some(),
            blocks: extents.iter().map(runs).collect(),
            cuts: self.cuts.iter().map(|found| cut(found.bci, found.residue.bytecodes)).collect(),
        })
    }
}
