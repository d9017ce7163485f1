//! The values that an IPCS reads in the iterations of the loops around it.

use super::events::{Ipcs, Place};
use super::findings::SimilarIpcs;
use super::levels::Levels;
use super::similarity::{LEAST_RUN, common_run};

/// An IPCS belongs to so many of the loops around it, the innermost ones.
pub const MOST_LEVELS: usize = 16;
/// Values of a sequence that are compared.
pub const MOST_VALUES: usize = 256;
/// So many values are kept before it is looked which of them are needed.
const FIRST_LIMIT: usize = 64;
/// Bits of [`Value::time`] that say for which loops the value counts.
const LEVEL_BITS: u32 = MOST_LEVELS.ilog2();

/// A value and where it was.
pub type Element = (u64, Place);

/// A value that was read.
#[derive(Debug, Clone, Copy)]
struct Value {
    element: Element,
    /// When, and in the last bits the first of the IPCS's loops for which it counts: in
    /// an iteration of those around it its place was written before.
    time: u64,
}

impl Value {
    fn time(&self) -> u64 {
        self.time >> LEVEL_BITS
    }

    fn counts_from(&self) -> usize {
        (self.time & (MOST_LEVELS as u64 - 1)) as usize
    }
}

/// What an IPCS has read in one of the loops around it.
#[derive(Debug, Default)]
struct InLoop {
    /// When the iteration began to which the last values belong; 0 for none.
    start: u64,
    /// Where these values begin.
    position: u32,
    /// Values that were more than are compared, and are not kept.
    dropped: u32,
    /// From the first sequence of different values on.
    sums: Option<Box<Sums>>,
}

/// What is known of an IPCS in a loop instance.
#[derive(Debug, Default)]
pub struct Sums {
    /// The sequence before, if it was long enough to be similar to another.
    before: Vec<Element>,
    /// What was counted.
    pub counts: SimilarIpcs,
    /// Pairs that are similar also when places are compared.
    pub similar_places: u64,
}

/// An IPCS and its last values.
#[derive(Debug)]
pub struct Sequences {
    /// Which instruction in which context.
    pub ipcs: Ipcs,
    /// The innermost of its loops, and how many there are.
    innermost: u32,
    count: u32,
    /// Start of the iteration of the innermost one to which the last value belongs.
    seen: u64,
    /// The values since the start of the outermost one's current iteration.
    values: Vec<Value>,
    limit: usize,
    /// Without it, all values so far were the same.
    loops: Option<Box<[InLoop]>>,
    /// Position of the sequences that were asked for next the last time.
    pub next: u32,
}

/// Room for a sequence.
pub type Scratch = Vec<Element>;

impl Sequences {
    /// Of an IPCS in the loops up to this one.
    pub fn new(ipcs: Ipcs, innermost: usize) -> Self {
        Self {
            ipcs,
            innermost: innermost as u32,
            count: (innermost + 1).min(MOST_LEVELS) as u32,
            seen: 0,
            values: Vec::new(),
            limit: FIRST_LIMIT,
            loops: None,
            next: 0,
        }
    }

    /// The innermost of its loops.
    pub fn innermost(&self) -> usize {
        self.innermost as usize
    }

    /// The outermost of its loops.
    fn outermost(&self) -> usize {
        self.innermost as usize + 1 - self.count as usize
    }

    /// Bytes that it takes beside itself.
    pub fn bytes(&self) -> usize {
        let loops = self.loops.as_ref().map_or(0, |loops| loops.len() * size_of::<InLoop>());
        self.values.capacity() * size_of::<Value>() + loops
    }

    /// Adds a value. `counts_from` is the first loop for which it counts, `at` the
    /// position of this IPCS where the loops note it, `now` the time.
    pub fn push(
        &mut self,
        element: Element,
        counts_from: usize,
        (at, now): (u32, u64),
        levels: &mut Levels,
        scratch: &mut Scratch,
    ) {
        let start = levels.get(self.innermost()).map_or(0, |level| level.start);
        if self.seen != start {
            self.seen = start;
            if self.loops.is_some() {
                self.begin_iterations(at, levels, scratch);
            } else {
                let oldest = levels.get(self.outermost()).map_or(0, |level| level.start);
                if self.values.last().is_some_and(|last| last.time() < oldest) {
                    self.values.clear();
                }
            }
        }
        if self.loops.is_none() {
            let is_new = self.values.first().is_some_and(|first| first.element.0 != element.0);
            if is_new || self.values.len() >= MOST_VALUES {
                self.divide(at, levels);
            }
        }
        if self.values.len() >= self.limit {
            self.drop_values();
        }
        let level = (counts_from - self.outermost().min(counts_from)) as u64;
        self.values.push(Value { element, time: now << LEVEL_BITS | level });
    }

    /// Divides values that were all the same between the iterations: those before the
    /// current ones had sequences that do not count.
    fn divide(&mut self, at: u32, levels: &mut Levels) {
        let outermost = self.outermost();
        let mut loops = Vec::with_capacity(self.count as usize);
        for number in outermost..=self.innermost() {
            let Some(level) = levels.get_mut(number) else { return };
            let position = self.values.partition_point(|value| value.time() < level.start);
            level.touched.push(at);
            loops.push(InLoop {
                start: level.start,
                position: position as u32,
                ..InLoop::default()
            });
        }
        self.loops = Some(loops.into());
    }

    /// Iterations have begun since the last value: the sequences of those before end.
    fn begin_iterations(&mut self, at: u32, levels: &mut Levels, scratch: &mut Scratch) {
        let outermost = self.outermost();
        let Some(mut loops) = self.loops.take() else { return };
        let mut is_first = true;
        for (number, one) in loops.iter_mut().enumerate().rev() {
            let Some(level) = levels.get_mut(outermost + number) else { break };
            if one.start == level.start {
                is_first = false;
                break;
            }
            match one.start {
                0 => level.touched.push(at),
                _ => self.end_sequence(number, one, level.is_judged, scratch),
            }
            one.start = level.start;
            one.position = self.values.len() as u32;
            one.dropped = 0;
        }
        if is_first {
            self.values.clear();
            self.limit = FIRST_LIMIT;
            loops.iter_mut().for_each(|one| one.position = 0);
        }
        self.loops = Some(loops);
    }

    /// The sequence of an iteration has all its values: it is compared with the one
    /// before.
    fn end_sequence(
        &self,
        number: usize,
        one: &mut InLoop,
        is_judged: bool,
        scratch: &mut Scratch,
    ) {
        if !is_judged {
            return;
        }
        scratch.clear();
        let values = self.values.get(one.position as usize..).unwrap_or_default();
        let mut reads = u64::from(one.dropped);
        for value in values.iter().filter(|value| value.counts_from() <= number) {
            reads += 1;
            if scratch.len() < MOST_VALUES {
                scratch.push(value.element);
            }
        }
        let Some(&(first, _)) = scratch.first() else { return };
        if scratch.iter().all(|&(value, _)| value == first) {
            return;
        }
        let sums = one.sums.get_or_insert_default();
        sums.add(scratch, reads);
    }

    /// The loop is left: what is known of this IPCS in it.
    pub fn leave(
        &mut self,
        level: usize,
        is_judged: bool,
        scratch: &mut Scratch,
    ) -> Option<Box<Sums>> {
        let number = level.checked_sub(self.outermost())?;
        let mut loops = self.loops.take()?;
        let sums = loops.get_mut(number).and_then(|one| {
            if one.start != 0 {
                self.end_sequence(number, one, is_judged, scratch);
            }
            std::mem::take(one).sums
        });
        self.loops = Some(loops);
        sums
    }

    /// Drops the values that no loop needs: those behind the ones that are compared.
    fn drop_values(&mut self) {
        if let Some(loops) = &mut self.loops {
            let mut is_needed = vec![false; self.values.len()];
            for (number, one) in loops.iter_mut().enumerate().filter(|(_, one)| one.start != 0) {
                let mut kept = 0;
                for (at, value) in self.values.iter().enumerate().skip(one.position as usize) {
                    if value.counts_from() <= number {
                        kept += 1;
                        is_needed[at] |= kept <= MOST_VALUES;
                    }
                }
            }
            // What goes is counted where it would have been.
            for (number, one) in loops.iter_mut().enumerate().filter(|(_, one)| one.start != 0) {
                let mut before = 0;
                for (at, value) in self.values.iter().enumerate() {
                    if is_needed[at] {
                        before += u32::from(at < one.position as usize);
                    } else if at >= one.position as usize && value.counts_from() <= number {
                        one.dropped = one.dropped.saturating_add(1);
                    }
                }
                one.position = before;
            }
            let mut at = 0;
            self.values.retain(|_| {
                at += 1;
                is_needed[at - 1]
            });
        }
        self.limit = (2 * self.values.len()).max(FIRST_LIMIT);
    }
}

impl Sums {
    /// Adds a sequence of different values.
    fn add(&mut self, sequence: &[Element], reads: u64) {
        let counts = &mut self.counts;
        counts.sequences += 1;
        counts.reads += reads;
        counts.truncated += u64::from(reads > sequence.len() as u64);
        if sequence.len() < LEAST_RUN {
            self.before.clear();
            return;
        }
        if let Some(run) = common_run(&self.before, sequence, |&(value, _)| value) {
            let shorter = self.before.len().min(sequence.len());
            counts.similar += 1;
            counts.wasted += reads;
            counts.ratios += run as f64 / shorter as f64;
            let same = common_run(&self.before, sequence, |&element| element);
            self.similar_places += u64::from(same.is_some());
        }
        self.before.clear();
        self.before.extend_from_slice(sequence);
    }
}
