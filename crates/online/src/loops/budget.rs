//! How much of a loop is judged, and for how long its growth is followed.
//!
//! A loop in a calling context is judged for a number of *accesses* of its thread: reads,
//! writes, and instances of loops, while one of its own instances goes on. When an
//! instance has had so many, it *rests*: what is found is what its whole iterations have
//! shown so far, and the others are counted only. When all instances together have had so
//! many, further ones rest from their beginning. Loops within are judged all the same,
//! each with a budget of its own.
//!
//! The growth of a loop is followed in the same way, for the accesses in all of its contexts, since
//! sizes are of loops. An instance that has had so many itself is given up in its midst: its
//! size is not known.
//!
//! Of few iterations nothing is found: an instance that has had fewer whole ones than are
//! judged goes on until it has them, or has had many times as many accesses.

use std::hash::Hash;

use rustc_hash::FxHashSet;

use super::findings::{Instances, LoopInContext};

/// Accesses for which a loop is looked at where the options do not say.
pub const ACCESSES: u64 = 1 << 24;

/// How many times as many accesses an instance may have that has had few iterations.
const WITH_FEW_ITERATIONS: u64 = 16;

/// What the loops of a thread may cost that are known by a `Loop`: in their contexts where
/// they are judged, by their numbers where their growth is followed.
#[derive(Debug)]
pub struct Budget<Loop> {
    /// Accesses for which each is looked at.
    most: u64,
    /// Accesses of the thread so far.
    pub accesses: u64,
    /// Loops that are not looked at any more in this round.
    resting: FxHashSet<Loop>,
    /// Loops for which this was so in any round.
    pub exhausted: FxHashSet<Loop>,
    /// In each round, all loops have their whole budget.
    round: u32,
}

impl<Loop: Copy + Eq + Hash> Budget<Loop> {
    /// A budget of `most` accesses for each loop.
    pub fn new(most: u64) -> Self {
        Self {
            most,
            accesses: 0,
            resting: FxHashSet::default(),
            exhausted: FxHashSet::default(),
            round: 0,
        }
    }

    /// After how many accesses of the thread an instance rests that began after so many.
    pub fn end_of(&self, since: u64) -> u64 {
        since.saturating_add(self.most)
    }

    /// After how many an instance rests that has not had enough iterations until then.
    pub fn last_end_of(&self, since: u64) -> u64 {
        since.saturating_add(self.most.saturating_mul(WITH_FEW_ITERATIONS))
    }

    /// All loops have their whole budget again.
    pub fn begin_round(&mut self) {
        self.resting.clear();
        self.round += 1;
    }

    /// Whether instances of a loop rest from their beginning.
    #[inline]
    pub fn is_resting(&self, one: Loop) -> bool {
        self.resting.contains(&one)
    }

    /// No further instance of the loop is looked at.
    pub fn rest(&mut self, one: Loop) {
        self.resting.insert(one);
        self.exhausted.insert(one);
    }

    /// Adds the accesses of an instance that has ended, and began after so many, to those of
    /// the instances before. Whether these are as many as the loop may have.
    pub fn spends(&self, spent: &mut u64, since: u64) -> bool {
        *spent = spent.saturating_add(self.accesses - since);
        *spent >= self.most
    }
}

impl Budget<LoopInContext> {
    /// An instance has ended that began after so many accesses. Whether those of all
    /// instances are as many as the loop may have.
    pub fn is_spent(&self, known: &mut Instances, since: u64) -> bool {
        if known.round != self.round {
            (known.round, known.accesses) = (self.round, 0);
        }
        self.spends(&mut known.accesses, since)
    }
}
