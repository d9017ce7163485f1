//! Finds out what blocks find in each slot when they are entered.
//!
//! One slot after the other, and only where something reads it: a name is
//! followed backwards to what was written last. Where control joins, a phi
//! is made; redundant ones are removed afterwards
//! ([`super::redundancy`]).

use super::coverage::{Coverage, Run};
use super::definition::{Definition, Origin};
use super::draft::{Draft, NONE, Slot, Term, TermId, Write};
use super::predecessors::Predecessors;
use super::unsupported::Unsupported;
use crate::cfg::control_flow::BlockIndex;
use crate::read::code::Code;
use std::cell::OnceCell;
use std::ops::Range;

/// Inputs of phis before those of redundant ones are removed. Compilers
/// write up to 6,200 (of all JDK 17 and 25 and a dozen applications); only code
/// made for the purpose reaches this.
const MOST_INPUTS: usize = 1 << 22;

/// An input of a phi.
#[derive(Clone, Copy, Debug)]
pub(super) struct Input {
    pub(super) origin: Origin,
    pub(super) term: TermId,
    /// The start of a covered block whose predecessors are covered as well:
    /// the input says something new only if the block itself has a phi here.
    pub(super) is_covered_before: bool,
}

/// A phi and its inputs.
#[derive(Clone, Debug)]
pub(super) struct Phi {
    pub(super) term: TermId,
    pub(super) block: BlockIndex,
    pub(super) slot: Slot,
    /// Which of the inputs are its own.
    pub(super) inputs: Range<u32>,
}

/// All phis and their inputs.
#[derive(Debug, Default)]
pub(super) struct Phis {
    pub(super) phis: Vec<Phi>,
    pub(super) inputs: Vec<Input>,
}

/// Finds the meaning of all names in the draft.
pub(super) fn resolve(
    draft: &mut Draft,
    code: &Code<'_>,
    predecessors: &Predecessors<'_>,
) -> Result<Phis, Unsupported> {
    let writes = by_slot(&draft.writes, draft.slot_count, |write| write.slot);
    let reads = by_slot(&draft.reads, draft.slot_count, |&read| match draft.term(read) {
        Term::AtEntry { slot, .. } => slot,
        Term::Defined(_) => 0,
    });
    let mut resolution = Resolution {
        draft,
        code,
        predecessors,
        coverage: OnceCell::new(),
        blocks: vec![BlockState::default(); predecessors.flow.blocks().len()],
        end_covered_by: Vec::new(),
        way_back: Vec::new(),
        slot: 0,
        writes: &[],
        unfilled: 0,
        found: Phis::default(),
    };
    for slot in 0..resolution.draft.slot_count {
        let reads = reads.of(slot);
        if !reads.is_empty() {
            resolution.resolve_slot(slot, reads, writes.of(slot))?;
        }
    }
    Ok(resolution.found)
}

/// Items grouped by slot, in the order they had.
struct BySlot<T> {
    items: Vec<T>,
    /// Where those of each slot start.
    starts: Vec<u32>,
}

fn by_slot<T: Copy>(items: &[T], slot_count: u32, slot: impl Fn(&T) -> Slot) -> BySlot<T> {
    let mut ends = vec![0; slot_count as usize + 1];
    for item in items {
        ends[slot(item) as usize] += 1;
    }
    let mut end = 0;
    for count in &mut ends {
        end += *count;
        *count = end;
    }
    let mut starts = ends;
    let mut grouped = items.to_vec();
    for item in items.iter().rev() {
        let start = &mut starts[slot(item) as usize];
        *start -= 1;
        grouped[*start as usize] = *item;
    }
    BySlot { items: grouped, starts }
}

impl<T> BySlot<T> {
    fn of(&self, slot: Slot) -> &[T] {
        let slot = slot as usize;
        &self.items[self.starts[slot] as usize..self.starts[slot + 1] as usize]
    }
}

/// What is known about a block and the slot in hand. Stamps are one more than
/// the slot that an entry was made for, so nothing has to be cleared.
#[derive(Clone, Copy, Default)]
struct BlockState {
    write_stamp: u32,
    /// Which of the slot's writes are the block's.
    first_write: u32,
    last_write: u32,
    entry_stamp: u32,
    at_entry: TermId,
}

struct Resolution<'r, 'a> {
    draft: &'r mut Draft,
    code: &'r Code<'a>,
    predecessors: &'r Predecessors<'r>,
    coverage: OnceCell<Coverage>,
    blocks: Vec<BlockState>,
    /// One more than the handler that was last found to cover the block to
    /// its end.
    end_covered_by: Vec<u32>,
    /// Blocks that a name was followed through.
    way_back: Vec<BlockIndex>,
    slot: Slot,
    /// The writes to the slot in hand.
    writes: &'r [Write],
    /// The first phi without inputs.
    unfilled: usize,
    found: Phis,
}

impl<'r> Resolution<'r, '_> {
    fn resolve_slot(
        &mut self,
        slot: Slot,
        reads: &[TermId],
        writes: &'r [Write],
    ) -> Result<(), Unsupported> {
        let is_local = slot < self.draft.local_count;
        if is_local && writes.is_empty() {
            // As with `this`: nothing else is ever there.
            for &read in reads {
                let parameter = self.parameter(slot, read)?;
                self.draft.replace(read, parameter);
            }
            return Ok(());
        }
        self.slot = slot;
        self.writes = writes;
        for (index, write) in writes.iter().enumerate() {
            let state = &mut self.blocks[write.block as usize];
            if state.write_stamp != slot + 1 {
                state.write_stamp = slot + 1;
                state.first_write = index as u32;
            }
            state.last_write = index as u32;
        }
        for &read in reads {
            if let Term::AtEntry { block, .. } = self.draft.term(read) {
                let meaning = self.at_entry(block)?;
                self.draft.replace(read, meaning);
            }
        }
        while let Some(phi) = self.found.phis.get(self.unfilled) {
            let block = phi.block;
            let start = self.found.inputs.len() as u32;
            self.add_inputs(block)?;
            if self.found.inputs.len() > MOST_INPUTS {
                return Err(Unsupported::TooManyPhis);
            }
            let inputs = start..self.found.inputs.len() as u32;
            self.found.phis[self.unfilled].inputs = inputs;
            self.unfilled += 1;
        }
        Ok(())
    }

    fn parameter(&self, slot: Slot, read: TermId) -> Result<TermId, Unsupported> {
        match (self.draft.initial.get(slot as usize), self.draft.term(read)) {
            (Some(&parameter), _) if parameter != NONE => Ok(parameter),
            (_, Term::AtEntry { block, .. }) => Err(self.undefined(block)),
            (_, Term::Defined(_)) => Err(self.undefined(0)),
        }
    }

    fn undefined(&self, block: BlockIndex) -> Unsupported {
        Unsupported::Undefined { bci: self.predecessors.flow.blocks()[block as usize].start }
    }

    /// What the slot holds when a block is entered.
    fn at_entry(&mut self, block: BlockIndex) -> Result<TermId, Unsupported> {
        let mut at = block;
        self.way_back.clear();
        let found = loop {
            let state = &self.blocks[at as usize];
            if state.entry_stamp == self.slot + 1 {
                break state.at_entry;
            }
            self.way_back.push(at);
            match self.predecessors.only_predecessor(at) {
                Some(before) => match self.last_write(before) {
                    Some(write) => break write.term,
                    None => at = before,
                },
                None => break self.at_join(at)?,
            }
        };
        for &passed in &self.way_back {
            let state = &mut self.blocks[passed as usize];
            state.entry_stamp = self.slot + 1;
            state.at_entry = found;
        }
        Ok(found)
    }

    /// What the slot holds that several predecessors lead to, or none but the start
    /// of the method or an exception.
    fn at_join(&mut self, block: BlockIndex) -> Result<TermId, Unsupported> {
        let is_handler = self.predecessors.is_handler(block);
        if self.predecessors.normal(block).is_empty() {
            if self.slot >= self.draft.local_count {
                return Ok(self.draft.define(Definition::Caught(block)));
            }
            if !is_handler {
                // Only the first block has neither.
                return match self.draft.initial[self.slot as usize] {
                    NONE => Err(self.undefined(block)),
                    parameter => Ok(parameter),
                };
            }
        }
        let position = self.draft.position(self.slot);
        let term = self.draft.define(Definition::Phi { block, position });
        self.found.phis.push(Phi { term, block, slot: self.slot, inputs: 0..0 });
        Ok(term)
    }

    /// The block's own writes to the slot.
    fn writes_of(&self, block: BlockIndex) -> &'r [Write] {
        let state = &self.blocks[block as usize];
        if state.write_stamp != self.slot + 1 {
            return &[];
        }
        &self.writes[state.first_write as usize..=state.last_write as usize]
    }

    fn last_write(&self, block: BlockIndex) -> Option<&'r Write> {
        self.writes_of(block).last()
    }

    /// What the slot holds when a block is left.
    fn at_end(&mut self, block: BlockIndex) -> Result<TermId, Unsupported> {
        match self.last_write(block) {
            Some(write) => Ok(write.term),
            None => self.at_entry(block),
        }
    }

    fn add_input(&mut self, origin: Origin, term: TermId) {
        self.found.inputs.push(Input { origin, term, is_covered_before: false });
    }

    fn add_inputs(&mut self, block: BlockIndex) -> Result<(), Unsupported> {
        if block == 0 {
            match self.draft.initial.get(self.slot as usize) {
                Some(&parameter) if parameter != NONE => self.add_input(Origin::Entry, parameter),
                _ => return Err(self.undefined(block)),
            }
        }
        let all = self.predecessors;
        for &predecessor in all.normal(block) {
            let term = self.at_end(predecessor)?;
            self.add_input(Origin::Block(predecessor), term);
        }
        if all.is_handler(block) {
            if self.slot < self.draft.local_count {
                self.add_covered(block)?;
            } else {
                self.add_caught(block);
            }
        }
        Ok(())
    }

    fn runs(&self, handler: BlockIndex) -> Vec<Run> {
        let coverage = self.coverage.get_or_init(|| Coverage::new(self.code, self.predecessors));
        coverage.of(handler).to_vec()
    }

    /// The exception, for a handler that is also jumped to with something on
    /// the stack.
    fn add_caught(&mut self, handler: BlockIndex) {
        let caught = self.draft.define(Definition::Caught(handler));
        for run in self.runs(handler) {
            self.add_input(Origin::Before(run.start), caught);
        }
    }

    /// What a local variable holds at each place that a handler covers.
    fn add_covered(&mut self, handler: BlockIndex) -> Result<(), Unsupported> {
        let runs = self.runs(handler);
        let stamp = handler + 1;
        self.end_covered_by.resize(self.blocks.len(), 0);
        for run in &runs {
            if run.end == self.predecessors.flow.blocks()[run.block as usize].end {
                self.end_covered_by[run.block as usize] = stamp;
            }
        }
        for run in &runs {
            let writes = self.writes_of(run.block);
            let before = writes.partition_point(|write| write.end <= run.start);
            match before.checked_sub(1).and_then(|last| writes.get(last)) {
                Some(write) => self.add_input(Origin::Before(run.start), write.term),
                None => self.add_run_entry(run)?,
            }
            // What the last covered instruction writes, no exception brings.
            for write in &writes[before..] {
                if write.end < run.end {
                    self.add_input(Origin::Before(write.end), write.term);
                }
            }
        }
        Ok(())
    }

    /// What a run finds in the slot when its block is entered.
    fn add_run_entry(&mut self, run: &Run) -> Result<(), Unsupported> {
        let all = self.predecessors;
        let predecessors = all.normal(run.block);
        let is_covered_before = run.block != 0
            && !all.is_handler(run.block)
            && run.start == all.flow.blocks()[run.block as usize].start
            && predecessors.iter().all(|&predecessor| self.keeps_covered(predecessor, run.handler));
        if is_covered_before && predecessors.len() == 1 {
            return Ok(());
        }
        let term = self.at_entry(run.block)?;
        let origin = Origin::Before(run.start);
        self.found.inputs.push(Input { origin, term, is_covered_before });
        Ok(())
    }

    /// Whether a handler covers a block to its end, and has been told what
    /// the slot holds there: by the block's start, or behind a write that was
    /// not its last instruction.
    fn keeps_covered(&self, block: BlockIndex, handler: BlockIndex) -> bool {
        let end = self.predecessors.flow.blocks()[block as usize].end;
        self.end_covered_by[block as usize] == handler + 1
            && self.last_write(block).is_none_or(|write| write.end < end)
    }
}
