//! The values that an IPCS reads in the iterations of the loops around it.

use super::events::{Ipcs, Place};
use super::findings::LoopInContext;
use super::given::Singles;
use super::levels::{Level, Levels};
use super::sums::AllSums;
use super::values::{Element, MOST_VALUES, Value};

/// The number of values that are kept before the unneeded ones are dropped.
const FIRST_LIMIT: usize = 64;

/// What an IPCS has read in one of the loops around it.
#[derive(Debug, Default, Clone, Copy)]
struct InLoop {
    /// When the iteration began to which the last values belong; 0 for none.
    start: u64,
    /// Where these values begin.
    position: u32,
    /// Values that were more than are compared, and are not kept.
    dropped: u32,
    /// Number of the sums; 0 before the first sequence of different values.
    sums: u32,
    /// Sequences of one value.
    singles: Singles,
    /// The loop within in which it reads; `None` if it reads in this one itself.
    inner: Option<LoopInContext>,
}

impl InLoop {
    fn end(&self) -> Ended {
        Ended { sums: self.sums, changes: self.singles.changes, inner: self.inner }
    }
}

/// What is known of an IPCS in a loop that has ended.
#[derive(Debug, Default, Clone, Copy)]
pub struct Ended {
    /// Number of the sums, which the caller frees; 0 for none.
    pub sums: u32,
    /// How often a sequence of one value began in another place than the one before.
    pub changes: u32,
    /// The loop within in which it read.
    pub inner: Option<LoopInContext>,
}

/// An IPCS and its last values.
#[derive(Debug)]
pub struct Sequences {
    /// Which instruction in which context.
    pub ipcs: Ipcs,
    /// The outermost and the innermost of its loops.
    outermost: u32,
    innermost: u32,
    /// Of which stay in judged loops the values are.
    stay: u64,
    /// Start of the iteration of the innermost one to which the last value belongs.
    seen: u64,
    /// The values since the start of the outermost one's current iteration.
    values: Vec<Value>,
    /// The last of them, here for not having to wait for that memory.
    last: u64,
    limit: u32,
    /// While all values are the same: where the value lay in the last iteration of the
    /// outermost loop that read it more than once.
    single: Option<Place>,
    /// How many loops there are around, with it, to the innermost one that searches.
    searching: u32,
    /// From this position on, all values are the same as the one there.
    changed: u32,
    /// From this position on, all values count for all loops.
    partial: u32,
    /// Position of the sequences that were asked for next the last time.
    pub next: u32,
    /// Its loops; none while all values are the same.
    loops: Vec<InLoop>,
}

impl Sequences {
    /// Of an IPCS, in no loops yet.
    pub fn new(ipcs: Ipcs) -> Self {
        Self {
            ipcs,
            outermost: 0,
            innermost: 0,
            stay: 0,
            seen: 0,
            values: Vec::new(),
            last: 0,
            limit: FIRST_LIMIT as u32,
            single: None,
            searching: 0,
            changed: 0,
            partial: 0,
            next: 0,
            loops: Vec::new(),
        }
    }

    /// The IPCS is in these loops, from the outermost to the innermost one, during this
    /// stay in judged loops.
    ///
    /// If that was different before, either all of them were left, or there are loops
    /// around it that nobody saw being entered. What was read before is not comparable;
    /// the loops that have noted it find nothing.
    #[inline]
    pub fn lie_in(&mut self, outermost: usize, innermost: usize, stay: u64, sums: &mut AllSums) {
        let loops = (outermost as u32, innermost as u32);
        if (self.outermost, self.innermost) != loops || self.stay != stay {
            (self.outermost, self.innermost) = loops;
            self.stay = stay;
            self.seen = 0;
            self.single = None;
            self.clear_values();
            self.loops.drain(..).for_each(|one| sums.free(one.sums));
        }
    }

    fn clear_values(&mut self) {
        self.values.clear();
        self.limit = FIRST_LIMIT as u32;
        (self.changed, self.partial) = (0, 0);
    }

    fn truncate(&mut self, length: u32) {
        self.values.truncate(length as usize);
        self.last = self.values.last().map_or(0, |last| last.element.0);
        self.changed = self.changed.min(length);
        self.partial = self.partial.min(length);
    }

    /// Adds a value. `counts_from` is the first loop for which it counts, `at` the
    /// position of this IPCS where the loops note it, `now` the time. The result is the
    /// number of bytes that it takes more than before.
    #[inline]
    pub fn push(
        &mut self,
        element: Element,
        counts_from: usize,
        (at, now): (u32, u64),
        levels: &mut Levels,
        sums: &mut AllSums,
    ) -> usize {
        let start = levels.start(self.innermost as usize);
        if self.seen != start {
            self.seen = start;
            self.searching = levels.searching();
            self.begin(at, levels, sums);
        }
        let mut is_change = self.is_change(element);
        if self.loops.is_empty() {
            let is_first = self.values.is_empty();
            let is_new =
                is_first && element.0 != 0 && self.single.is_some_and(|place| place != element.1);
            if is_change || is_new || self.values.len() >= MOST_VALUES {
                self.divide(at, levels);
            }
        }
        if self.values.len() >= self.limit as usize {
            self.drop_values();
            is_change = self.is_change(element);
        }
        let length = self.values.len();
        if is_change {
            self.changed = length as u32;
        }
        let level = (counts_from - counts_from.min(self.outermost as usize)) as u64;
        if level > 0 {
            self.partial = length as u32 + 1;
        }
        let capacity = self.values.capacity();
        self.last = element.0;
        self.values.push(Value::new(element, now, level));
        (self.values.capacity() - capacity) * size_of::<Value>()
    }

    fn is_change(&self, element: Element) -> bool {
        !self.values.is_empty() && self.last != element.0
    }

    /// Iterations have begun since the last value.
    fn begin(&mut self, at: u32, levels: &mut Levels, sums: &mut AllSums) {
        if !self.loops.is_empty() {
            self.begin_iterations(at, levels, sums);
            return;
        }
        let oldest = levels.start(self.outermost as usize);
        if self.values.last().is_some_and(|last| last.time() < oldest) {
            if self.partial == 0 {
                self.single = Singles::place_of(&self.values).or(self.single);
            }
            self.clear_values();
        }
    }

    /// Divides values that were all the same between the iterations: those before the
    /// current ones had sequences that do not count.
    fn divide(&mut self, at: u32, levels: &mut Levels) {
        for number in self.outermost..=self.innermost {
            let start = levels.start(number as usize);
            let Some(level) = levels.get_mut(number as usize) else { return };
            let position = self.values.partition_point(|value| value.time() < start);
            level.touched.push(at);
            let position = position as u32;
            let inner = levels.get(number as usize + 1).map(Level::one);
            self.loops.push(InLoop { start, position, inner, ..InLoop::default() });
        }
        if let Some(first) = self.loops.first_mut() {
            first.singles = Singles::after(self.single);
        }
    }

    /// Iterations have begun since the last value: the sequences of those before end.
    fn begin_iterations(&mut self, at: u32, levels: &mut Levels, sums: &mut AllSums) {
        let end = self.values.len() as u32;
        // Loops whose iterations go on, and where the values begin of the others.
        let mut going_on = 0;
        let mut position = end;
        for number in (0..self.loops.len()).rev() {
            let start = levels.start(self.outermost as usize + number);
            let at_level = self.outermost as usize + number;
            let inner = levels.get(at_level + 1).map(Level::one);
            let Some(level) = levels.get_mut(at_level) else { break };
            if self.loops[number].start == start {
                going_on = number + 1;
                break;
            }
            match self.loops[number].start {
                0 => level.touched.push(at),
                _ if level.is_judged => self.end_sequence(number, sums),
                _ => {}
            }
            let one = &mut self.loops[number];
            if one.start != 0 {
                position = one.position;
            }
            (one.start, one.position, one.dropped, one.inner) = (start, end, 0, inner);
        }
        if going_on == 0 {
            self.clear_values();
            self.loops.iter_mut().for_each(|one| one.position = 0);
        } else {
            self.forget_from(position, going_on);
            let end = self.values.len() as u32;
            self.loops[going_on..].iter_mut().for_each(|one| one.position = end);
        }
    }

    /// The inner loops need none of the values from this position on; the outer ones, so
    /// many, may have enough.
    fn forget_from(&mut self, position: u32, outer: usize) {
        let (Some(first), Some(last)) = (self.loops.first(), self.loops.get(outer.wrapping_sub(1)))
        else {
            return;
        };
        // The values of an inner loop's iteration are the last ones of the outer's.
        let are_full = position >= last.position + MOST_VALUES as u32;
        if !are_full || self.partial > first.position {
            return;
        }
        let dropped = (self.values.len() as u32).saturating_sub(position);
        self.truncate(position);
        for one in &mut self.loops[..outer] {
            one.dropped = one.dropped.saturating_add(dropped);
        }
    }

    /// The sequence of an iteration has all its values: it is compared with the one
    /// before.
    fn end_sequence(&mut self, number: usize, sums: &mut AllSums) {
        let one = &mut self.loops[number];
        let values = self.values.get(one.position as usize..).unwrap_or_default();
        let single;
        if self.partial <= one.position && self.changed <= one.position {
            single = Singles::place_of(values);
        } else {
            let counts_for = (self.partial > one.position).then_some(number);
            (one.sums, single) = sums.add(one.sums, values, counts_for, one.dropped);
        }
        if let Some(single) = single {
            one.singles.add(single);
        }
    }

    /// Whether it reads in a loop that searches.
    pub fn is_in_search(&self) -> bool {
        self.searching != 0
    }

    /// Whether it reads in a loop that searches, within the loop at this position.
    pub fn is_searched_in(&self, level: usize) -> bool {
        self.searching as usize > level + 1
    }

    /// The loop is left.
    pub fn leave(&mut self, level: usize, is_judged: bool, sums: &mut AllSums) -> Ended {
        let number = level.wrapping_sub(self.outermost as usize);
        let Some(&one) = self.loops.get(number) else { return Ended::default() };
        if one.start != 0 {
            if is_judged {
                self.end_sequence(number, sums);
            }
            self.forget_from(one.position, number);
        }
        std::mem::take(&mut self.loops[number]).end()
    }

    /// The loop is not judged any more, and its current iteration, which began at this
    /// time, not at all.
    pub fn rest(&mut self, level: usize, current: u64, sums: &mut AllSums) -> Ended {
        let number = level.wrapping_sub(self.outermost as usize);
        let Some(&one) = self.loops.get(number) else { return Ended::default() };
        if one.start != 0 && one.start < current {
            self.end_sequence(number, sums);
        }
        let one = &mut self.loops[number];
        let ended = one.end();
        one.sums = 0;
        ended
    }

    /// Drops the values that no loop needs: those behind the ones that are compared.
    fn drop_values(&mut self) {
        if !self.loops.is_empty() {
            let mut is_needed = vec![false; self.values.len()];
            for (number, one) in self.loops.iter().enumerate().filter(|(_, one)| one.start != 0) {
                let mut kept = 0;
                for (at, value) in self.values.iter().enumerate().skip(one.position as usize) {
                    if value.counts_from() <= number {
                        kept += 1;
                        is_needed[at] |= kept <= MOST_VALUES;
                    }
                }
            }
            // What goes is counted where it would have been.
            for (number, one) in self.loops.iter_mut().enumerate() {
                if one.start == 0 {
                    continue;
                }
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
            self.truncate(self.values.len() as u32);
        }
        self.limit = (2 * self.values.len()).max(FIRST_LIMIT) as u32;
    }
}
