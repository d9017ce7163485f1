//! Where exceptions leave basic blocks, and what catches them there.
//!
//! Blocks are counted when they are entered. An instruction that throws before
//! the end of its block leads, on the way to whatever catches the exception,
//! through a *landing pad* that takes off the residue. No code runs unless
//! something is thrown, and many instructions share a landing pad: those with the
//! same residue and the same catcher.

use std::collections::BTreeMap;
use std::ops::Range;

use classfile::{Catcher, Code, JointHandlers};

use super::MethodPlan;

/// An instruction that can throw and is not the last one of its block.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Cut {
    /// The instruction.
    pub bci: u32,
    /// From behind the one before in the same block, or the block's start, to
    /// the end of the instruction.
    pub range: Range<u32>,
    /// What of the block is not executed then.
    pub residue: Residue,
}

/// What is counted in a block, or the part of it that an exception leaves
/// unexecuted.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Default)]
pub struct Residue {
    /// Instructions.
    pub bytecodes: u32,
    /// Allocations.
    pub allocations: u32,
    /// Derived call sites.
    pub derived: u32,
    /// Kinds of instructions if data flow is recorded, else 0.
    pub kinds: u64,
    /// In recordings of costs, the counter of the cut.
    pub counter: Option<u32>,
    /// Where lines are counted, that of the cut among the node's counters of blocks.
    pub line_counter: Option<u32>,
}

/// A method with more cuts is counted in parts that end where something can
/// be thrown. For every instruction the verifier looks at all entries of the
/// exception table, and there is one for each cut; a JVM of release 24 or later
/// verifies all that is rewritten when recording starts. More than this cost
/// more time at the start than they save; fewer save none.
pub const MOST_CUTS: usize = 8;

/// Where values are followed, starting takes longer anyway, and parts cost more
/// because more is counted.
pub const MOST_CUTS_IF_FOLLOWED: usize = 64;

/// How exceptions are dealt with that cut blocks short.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct CutRules {
    /// A method with more cuts is counted in parts.
    pub most: usize,
    /// Also those are cuts that leave nothing of a block but the instruction that
    /// threw, where it would have been a node of the cost graph: how often it was
    /// executed matters by itself.
    pub of_last_nodes: bool,
}

/// The cuts of one method.
#[derive(Debug, Clone, Copy)]
pub struct Cuts<'c> {
    /// Has the cuts.
    pub plan: &'c MethodPlan,
    /// Has the exception table.
    pub code: &'c Code<'c>,
    /// Calls that initialise `this`, which nothing may cover.
    pub initialisers: &'c [u32],
    /// Which cuts may share a landing pad, because of their variables' types.
    pub joint: &'c JointHandlers,
}

/// Cuts that are dealt with by the same code.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct LandingPad {
    /// Where it leads.
    pub catcher: Catcher,
    /// What it takes off.
    pub residue: Residue,
    /// Which group of instructions its cuts belong to.
    pub group: usize,
}

impl Cuts<'_> {
    /// All landing pads, and the ranges in which they are taken. `rethrows` are the
    /// probes' own handlers with what they cover.
    pub fn by_landing_pad(
        &self,
        rethrows: &[(Catcher, Vec<Range<u32>>)],
    ) -> BTreeMap<LandingPad, Vec<Range<u32>>> {
        let mut pads: BTreeMap<LandingPad, Vec<Range<u32>>> = BTreeMap::new();
        let rows: Vec<_> = self.code.exception_table().collect();
        for cut in &self.plan.cuts {
            if self.initialisers.contains(&cut.bci) {
                continue;
            }
            let group = self.joint.group_of(cut.bci);
            let mut add = |catcher, covered: &Range<u32>| {
                let range = cut.range.start.max(covered.start)..cut.range.end.min(covered.end);
                pads.entry(LandingPad { catcher, residue: cut.residue, group })
                    .or_default()
                    .push(range);
            };
            let mut goes_on = true;
            for (number, row) in (0..).zip(&rows) {
                let covered = row.start..row.end;
                if goes_on && covered.contains(&cut.bci) {
                    add(Catcher::Row(number), &covered);
                    // What catches everything leaves nothing to the catchers behind it.
                    goes_on = row.catch_type != 0;
                }
            }
            if goes_on {
                for (catcher, ranges) in rethrows {
                    if let Some(covered) = ranges.iter().find(|range| range.contains(&cut.bci)) {
                        add(*catcher, covered);
                    }
                }
            }
        }
        pads
    }
}

/// What of `0..length` lies in none of the ranges.
pub fn complement(mut ranges: Vec<Range<u32>>, length: u32) -> Vec<Range<u32>> {
    ranges.sort_unstable_by_key(|range| range.start);
    let starts = std::iter::once(0).chain(ranges.iter().map(|range| range.end));
    let ends = ranges.iter().map(|range| range.start).chain([length]);
    starts.zip(ends).map(|(start, end)| start..end).filter(|range| !range.is_empty()).collect()
}
