//! How the cost of loops grows with their input (Coppa, Demetrescu and Finocchi,
//! "Input-Sensitive Profiling", PLDI 2012).
//!
//! The *input* of a loop instance is the set of places that it reads before it has
//! written them; how many there are is its *size*, which the paper calls read memory
//! size. Its *cost* is the number of its reads, those of its own data included.
//!
//! As in the paper, a place has the time of its last access, and an open instance a
//! number that makes its size when those of the instances within are added. A read of a
//! place that was not touched since the innermost instance began adds 1 to its number,
//! and takes 1 from that of the innermost instance that was open when the place was
//! touched last: for that one and those around it the place is nothing new. An instance
//! that ends adds its number to that of the instance around it.
//!
//! Activations of recursive methods have sizes and costs like loop instances.
//!
//! Each loop has a [budget](super::budget). While none is followed, nobody needs to
//! know what the thread does: what an instance reads is input unless it was touched since
//! the instance began.

use profile::dataflow::{GrowthPoint, GrowthTotals};
use rustc_hash::FxHashMap;

use super::budget::Budget;
use super::events::{Event, MOST_COPIED, Place};
use super::findings::LoopInContext;
use super::memory::Memory;
use super::program::Program;
use super::times::{Before, Times};

/// Binary logarithm of the number of buckets of places at most.
const MOST_BITS: u32 = 22;
/// Longer ranges of elements are not followed one by one.
const LONGEST_RANGE: u64 = 1 << 16;
/// Bytes of a point that are counted when it is made.
const BYTES_OF_POINT: usize = 96;

/// A loop, and a [bucket](GrowthPoint::bucket) of sizes.
pub type LoopAndBucket = (u32, u32);

/// An instance that goes on and is followed.
#[derive(Debug)]
struct Open {
    /// Number of the loop.
    number: u32,
    /// How many loops are around it, followed or not.
    depth: usize,
    /// When it began.
    begin: u64,
    /// Accesses of the thread before it.
    since: u64,
    /// Reads of the thread before it.
    reads_before: u64,
    /// Its size, less what those within it have added. It may be negative.
    size: i64,
}

/// Sizes and costs of the loop instances of a thread.
#[derive(Debug)]
pub struct Growth {
    accesses: Times,
    /// How many instances there were so far.
    clock: u64,
    /// All loops that go on, the outermost one first.
    loops: Vec<LoopInContext>,
    /// Those of them that are followed.
    open: Vec<Open>,
    /// How long each is.
    budget: Budget<u32>,
    /// Accesses in the instances of each loop, by its number, that have ended in this round.
    spent: FxHashMap<u32, u64>,
    /// Reads so far.
    reads: u64,
    /// When an access took place last that nobody knows any more. To the instances that
    /// were open at that time the place looks new.
    forgotten: u64,
    /// What was counted.
    pub points: FxHashMap<LoopAndBucket, GrowthPoint>,
    /// What was not.
    pub totals: GrowthTotals,
}

impl Growth {
    /// Of a thread that has done nothing yet. Each loop is followed for so many accesses.
    pub fn new(accesses: u64) -> Self {
        Self {
            accesses: Times::new(MOST_BITS),
            clock: 0,
            loops: Vec::new(),
            open: Vec::new(),
            budget: Budget::new(accesses),
            spent: FxHashMap::default(),
            reads: 0,
            forgotten: 0,
            points: FxHashMap::default(),
            totals: GrowthTotals::default(),
        }
    }

    /// Takes what the thread has done.
    pub fn take(&mut self, event: &Event<'_>, program: &impl Program, memory: &Memory) {
        match *event {
            Event::Iteration { number, node, depth, .. } => {
                self.iterate(LoopInContext { number, node }, depth as usize, program, memory);
            }
            Event::Leave { depth } => self.leave(depth as usize, memory),
            Event::Read { place, .. } => {
                self.budget.accesses += 1;
                self.read(place, memory);
            }
            Event::Copy { place, values, left, .. } => {
                self.budget.accesses += values.len() as u64;
                self.read_range(place, values.len() as u64, memory);
                if left > 0 {
                    self.read_range(place + MOST_COPIED, left.into(), memory);
                }
            }
            Event::Write { place } => {
                self.budget.accesses += 1;
                self.touch(place, memory);
            }
            Event::Writes { place, length } => {
                self.budget.accesses += 1;
                self.write_range(place, length.into(), memory);
            }
            Event::Effect { .. } | Event::Own | Event::Given { .. } | Event::Captured { .. } => {}
        }
    }

    fn iterate(
        &mut self,
        one: LoopInContext,
        depth: usize,
        program: &impl Program,
        memory: &Memory,
    ) {
        if self.loops.get(depth) == Some(&one) {
            self.leave(depth + 1, memory);
            return;
        }
        self.leave(depth, memory);
        // Of loops that were entered before somebody listened nothing is known.
        self.loops.resize(depth, LoopInContext { number: u32::MAX, node: 0 });
        self.loops.push(one);
        if self.follows(one.number) && program.is_judged(one) {
            self.clock += 1;
            self.open.push(Open {
                number: one.number,
                depth,
                begin: self.clock,
                since: self.budget.accesses,
                reads_before: self.reads,
                size: 0,
            });
        }
        self.budget.accesses += 1;
    }

    /// Whether instances of a loop of this number are followed, if it is judged.
    #[inline]
    pub fn follows(&self, number: u32) -> bool {
        !self.budget.is_resting(number)
    }

    /// How many loops the thread is in, from the outermost one, before the first that is
    /// followed; all if none is.
    pub fn unfollowed(&self) -> usize {
        self.open.first().map_or(self.loops.len(), |open| open.depth)
    }

    /// Gives up the outermost instance if it has spent its loop's budget. Says how many
    /// loops the thread is in, from the outermost one, of which none is followed then.
    #[inline]
    pub fn rest(&mut self) -> Option<usize> {
        let outermost = self.open.first()?;
        if self.budget.accesses < self.budget.end_of(outermost.since) {
            return None;
        }
        self.budget.rest(outermost.number);
        self.open.remove(0);
        Some(self.unfollowed())
    }

    /// All loops have their whole budget again.
    pub fn begin_round(&mut self) {
        self.budget.begin_round();
        self.spent.clear();
    }

    /// Loops that were followed for a part of what their instances did.
    pub fn exhausted(&self) -> impl Iterator<Item = u32> {
        self.budget.exhausted.iter().copied()
    }

    /// Leaves loops until so many are left.
    fn leave(&mut self, depth: usize, memory: &Memory) {
        self.loops.truncate(depth);
        while self.open.last().is_some_and(|open| open.depth >= depth) {
            self.end(memory);
        }
    }

    /// The innermost instance ends.
    fn end(&mut self, memory: &Memory) {
        let Some(ended) = self.open.pop() else { return };
        if let Some(around) = self.open.last_mut() {
            around.size += ended.size;
        }
        let spent = self.spent.entry(ended.number).or_default();
        if self.budget.spends(spent, ended.since) {
            self.budget.rest(ended.number);
        }
        self.totals.instances += 1;
        if ended.begin <= self.forgotten {
            self.totals.inexact += 1;
            return;
        }
        // It is what all that was read adds up to, and so not negative.
        let size = u64::try_from(ended.size).unwrap_or(0);
        let point = GrowthPoint::of(size, self.reads - ended.reads_before);
        let key = (ended.number, GrowthPoint::bucket(size));
        match self.points.get_mut(&key) {
            Some(known) => known.add(&point),
            None if memory.take(BYTES_OF_POINT) => {
                self.points.insert(key, point);
            }
            None => self.totals.unkept += 1,
        }
    }

    /// Nobody sees how the open instances go on.
    pub fn abandon(&mut self, memory: &Memory) {
        self.totals.unfinished += self.open.len() as u64;
        self.open.clear();
        self.loops.clear();
        self.accesses.clear(memory);
    }

    /// A place is read.
    fn read(&mut self, place: Place, memory: &Memory) {
        let Some(last) = self.touch(place, memory) else { return };
        self.reads += 1;
        let Some(innermost) = self.open.last_mut().filter(|open| last < open.begin) else { return };
        innermost.size += 1;
        let older = self.open.partition_point(|open| open.begin <= last);
        if let Some(known) = older.checked_sub(1).and_then(|at| self.open.get_mut(at)) {
            known.size -= 1;
        }
    }

    /// Consecutive elements are read.
    fn read_range(&mut self, first: Place, length: u64, memory: &Memory) {
        if length > LONGEST_RANGE {
            self.reads += length;
            self.forgotten = self.clock;
            return;
        }
        (first..first + length).for_each(|place| self.read(place, memory));
    }

    /// Consecutive elements are written.
    fn write_range(&mut self, first: Place, length: u64, memory: &Memory) {
        if length > LONGEST_RANGE {
            self.forgotten = self.clock;
            return;
        }
        for place in first..first + length {
            self.touch(place, memory);
        }
    }

    /// When a place was touched before, in instances so far; `None` where none is open.
    fn touch(&mut self, place: Place, memory: &Memory) -> Option<u64> {
        let oldest = self.open.first()?.begin;
        let Before { time, forgotten } = self.accesses.touch(place, self.clock, oldest, memory);
        self.forgotten = self.forgotten.max(forgotten.latest);
        Some(time)
    }
}

#[cfg(test)]
mod tests {
    use super::super::literal_growth::{self, LiteralGrowth, Step};
    use super::super::program::Small;
    use super::*;

    /// What becomes of steps.
    fn grown(steps: &[Step], memory: &Memory) -> Growth {
        grown_within(u64::MAX, steps, memory)
    }

    /// What becomes of them where each loop is followed for so many accesses.
    fn grown_within(accesses: u64, steps: &[Step], memory: &Memory) -> Growth {
        let mut growth = Growth::new(accesses);
        let mut loops = Vec::new();
        for step in steps {
            match *step {
                Step::Begin(number) => loops.push(number),
                Step::End => {
                    loops.pop();
                    let depth = loops.len() as u32;
                    growth.take(&Event::Leave { depth }, &Small, memory);
                }
                Step::Iterate => {}
                Step::Read(first, length) => {
                    growth.budget.accesses += length;
                    growth.read_range(first, length, memory);
                }
                Step::Write(first, length) => {
                    growth.budget.accesses += 1;
                    growth.write_range(first, length, memory);
                }
            }
            if let (Step::Begin(_) | Step::Iterate, Some(&number)) = (step, loops.last()) {
                let depth = loops.len() as u32 - 1;
                growth.take(&Event::Iteration { number, node: 1, depth, more: 0 }, &Small, memory);
            }
            while growth.rest().is_some() {}
        }
        growth
    }

    fn literal(steps: &[Step]) -> FxHashMap<LoopAndBucket, GrowthPoint> {
        let mut literal = LiteralGrowth::default();
        steps.iter().for_each(|step| literal.take(step));
        literal.points
    }

    #[test]
    fn what_is_read_before_it_is_written_is_input() {
        use Step::{Begin, End, Read, Write};
        let steps = [
            Begin(1),
            Read(10, 3),
            Begin(2),
            Read(10, 4),
            Write(20, 2),
            Read(20, 2),
            Read(13, 1),
            End,
            Read(20, 1),
            End,
        ];
        let points = grown(&steps, &Memory::new(1 << 20)).points;
        // The inner one reads four places and two of its own; the outer one has read
        // three of the four before.
        assert_eq!(points[&(2, 4)], GrowthPoint::of(4, 7));
        assert_eq!(points[&(1, 4)], GrowthPoint::of(4, 11));
        assert_eq!(points, literal(&steps));
    }

    #[test]
    fn sizes_and_costs_are_those_of_the_definition() {
        let memory = Memory::new(1 << 30);
        let mut points = 0;
        for seed in 0..300 {
            let steps = literal_growth::random_steps(seed, 60, 2_000);
            let growth = grown(&steps, &memory);
            assert_eq!(growth.points, literal(&steps), "seed {seed}");
            assert_eq!(growth.totals.inexact, 0);
            points += growth.points.len();
        }
        assert!(points > 3_000, "{points} points");
    }

    #[test]
    fn loops_that_are_not_judged_are_none() {
        use Step::{Begin, End, Iterate, Read};
        let steps = [Begin(1), Read(1, 2), Begin(100), Read(2, 3), Begin(2), Read(1, 4), End];
        let steps = [&steps[..], &[Iterate, Read(9, 1), End, End]].concat();
        let expected = [((2, 4), GrowthPoint::of(4, 4)), ((1, 5), GrowthPoint::of(5, 10))];
        let growth = grown(&steps, &Memory::new(1 << 20));
        assert_eq!(growth.points, expected.into_iter().collect());
    }

    /// What is forgotten makes nothing wrong: the instances that it concerns are left out
    /// and counted.
    #[test]
    fn without_memory_instances_are_left_out_and_the_others_are_right() {
        let (mut exact, mut inexact) = (0, 0);
        for seed in 0..90 {
            // Enough for points, and for no larger table of places.
            let memory = Memory::new(16_000);
            let steps = literal_growth::random_steps(seed, 20_000, 4_000);
            let growth = grown(&steps, &memory);
            let all = literal(&steps);
            let mut counted = 0;
            for (key, point) in &growth.points {
                let true_one = all[key];
                assert!(point.instances <= true_one.instances && point.sum <= true_one.sum);
                assert!(point.least >= true_one.least && point.greatest <= true_one.greatest);
                counted += point.instances;
            }
            let GrowthTotals { instances, inexact: left_out, unkept, .. } = growth.totals;
            assert_eq!(instances, all.values().map(|point| point.instances).sum::<u64>());
            assert_eq!(counted + left_out + unkept, instances, "seed {seed}");
            (exact, inexact) = (exact + counted, inexact + left_out);
        }
        assert!(exact > 1_000 && inexact > 1_000, "{exact} exact, {inexact} inexact");
    }

    /// Instances that are followed have their true sizes, whatever rests around them.
    #[test]
    fn a_loop_is_followed_for_its_budget_and_rightly() {
        let memory = Memory::new(1 << 30);
        let (mut followed, mut all) = (0, 0);
        for (seed, accesses) in (0..200).zip([1, 30, 200, 1_500].into_iter().cycle()) {
            let steps = literal_growth::random_steps(seed, 60, 2_000);
            let growth = grown_within(accesses, &steps, &memory);
            let literal = literal(&steps);
            for (key, point) in &growth.points {
                let true_one = literal[key];
                assert!(point.instances <= true_one.instances && point.sum <= true_one.sum);
                assert!(point.least >= true_one.least && point.greatest <= true_one.greatest);
                followed += point.instances;
            }
            let instances_of = |number: u32, points: &FxHashMap<LoopAndBucket, GrowthPoint>| {
                let of_loop = points.iter().filter(|(key, _)| key.0 == number);
                of_loop.map(|(_, point)| point.instances).sum::<u64>()
            };
            for number in 0..4 {
                let (some, every) =
                    (instances_of(number, &growth.points), instances_of(number, &literal));
                all += every;
                let is_cut = growth.exhausted().any(|known| known == number);
                assert!(is_cut || some == every, "loop {number} of seed {seed}");
            }
        }
        assert!(followed > 1_000 && all > 2 * followed, "{followed} of {all} instances");
    }

    #[test]
    fn an_instance_that_spends_the_budget_is_given_up_and_those_within_go_on() {
        use Step::{Begin, End, Iterate, Read};
        let inner = [Begin(2), Read(10, 4), End];
        let steps = [&[Begin(1), Read(10, 3)], &inner[..], &inner, &[Iterate], &inner, &[End]];
        let steps = [steps.concat(), vec![Begin(1), Read(20, 2), End]].concat();
        let growth = grown_within(12, &steps, &Memory::new(1 << 20));
        // Three reads of its own, and twice four with an instance each: the twelfth access
        // is one of the second instance within, which has had five by then.
        let expected =
            [((2, 4), GrowthPoint { instances: 3, sizes: 12, sum: 12, ..GrowthPoint::of(4, 4) })];
        assert_eq!(growth.points, expected.into_iter().collect());
        let exhausted: std::collections::BTreeSet<u32> = growth.exhausted().collect();
        assert_eq!(exhausted, [1, 2].into());
    }

    #[test]
    fn long_copies_spoil_the_instances_around_them_only() {
        use Step::{Begin, End, Iterate, Read};
        let steps = [
            Begin(1),
            Read(10, LONGEST_RANGE + 1),
            Begin(2),
            Read(10, 5),
            End,
            End,
            Iterate,
            Begin(3),
            Read(10, 6),
            End,
        ];
        let growth = grown(&steps, &Memory::new(1 << 20));
        let expected = [((2, 5), GrowthPoint::of(5, 5)), ((3, 6), GrowthPoint::of(6, 6))];
        assert_eq!(growth.points, expected.into_iter().collect());
        assert_eq!(growth.totals.inexact, 1);
    }

    #[test]
    fn what_nobody_sees_end_is_counted() {
        let memory = Memory::new(1 << 20);
        let mut growth = grown(&[Step::Begin(1), Step::Read(1, 2), Step::Begin(2)], &memory);
        growth.abandon(&memory);
        growth.take(&Event::Leave { depth: 0 }, &Small, &memory);
        assert!(growth.points.is_empty());
        assert_eq!(growth.totals, GrowthTotals { unfinished: 2, ..GrowthTotals::default() });
    }
}
