//! How long the growth of a loop is followed.
//!
//! The instances of a loop are followed until they have had so many *accesses* of their
//! thread: reads, writes, and instances of loops. Then the loop *rests*. An instance that
//! has had so many itself is given up in its midst: its size is not known. Sizes are of
//! loops and not of contexts, and so is the budget.

use rustc_hash::{FxHashMap, FxHashSet};

/// What following the loops of a thread may cost.
#[derive(Debug)]
pub(super) struct GrowthBudget {
    /// Accesses for which each loop is followed.
    most: u64,
    /// Accesses of the thread so far.
    pub(super) accesses: u64,
    /// Those that the instances of each loop have had, by its number.
    spent: FxHashMap<u32, u64>,
    /// Loops that are not followed any more in this round.
    resting: FxHashSet<u32>,
    /// Loops for which this was so in any round.
    pub(super) exhausted: FxHashSet<u32>,
}

impl GrowthBudget {
    /// So many accesses for each loop.
    pub(super) fn new(most: u64) -> Self {
        Self {
            most,
            accesses: 0,
            spent: FxHashMap::default(),
            resting: FxHashSet::default(),
            exhausted: FxHashSet::default(),
        }
    }

    /// All loops have their whole budget again.
    pub(super) fn begin_round(&mut self) {
        self.spent.clear();
        self.resting.clear();
    }

    /// Whether instances of a loop are followed no more.
    #[inline]
    pub(super) fn is_resting(&self, number: u32) -> bool {
        self.resting.contains(&number)
    }

    /// Whether an instance that began after so many accesses has had all that it may have.
    #[inline]
    pub(super) fn is_spent(&self, since: u64) -> bool {
        self.accesses - since >= self.most
    }

    /// No further instance of the loop is followed.
    pub(super) fn rest(&mut self, number: u32) {
        self.resting.insert(number);
        self.exhausted.insert(number);
    }

    /// An instance of the loop has ended that began after so many accesses.
    pub(super) fn end(&mut self, number: u32, since: u64) {
        let spent = self.spent.entry(number).or_default();
        *spent = spent.saturating_add(self.accesses - since);
        if *spent >= self.most {
            self.rest(number);
        }
    }
}
