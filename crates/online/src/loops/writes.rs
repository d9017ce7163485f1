//! When places were written last.
//!
//! Single places are in a [table of times](super::times); long ranges of elements are
//! kept as ranges. What finds no room is forgotten, and counted.

use rustc_hash::FxHashMap;

use super::events::{Event, Events, FIELD, Place};
use super::memory::Memory;
use super::times::{BLOCK, Times};

/// Binary logarithm of the number of lines of single places at most.
const MOST_BITS: u32 = 21;
/// Longer ranges of elements are kept as ranges.
const SHORT_RANGE: u32 = 64;
/// Ranges of an array that are kept.
const MOST_RANGES: usize = 4;
/// Arrays with ranges that are kept.
const MOST_ARRAYS: usize = 1 << 14;

#[derive(Debug, Clone, Copy)]
struct Range {
    start: u32,
    end: u64,
    time: u64,
}

/// Groups of arrays of which it is known whether long ranges of them were written.
const GROUPS: usize = 1 << 10;

/// The last writes of a thread.
#[derive(Debug)]
pub struct Writes {
    single: Times,
    /// Long ranges, by the array, the latest last.
    ranges: FxHashMap<u32, Vec<Range>>,
    /// When a long range was written last of any array of a group: few have any.
    groups: Box<[u64; GROUPS]>,
    /// Writes that were forgotten for want of room.
    pub forgotten: u64,
}

impl Default for Writes {
    fn default() -> Self {
        Self {
            single: Times::new(MOST_BITS),
            ranges: FxHashMap::default(),
            groups: Box::new([0; GROUPS]),
            forgotten: 0,
        }
    }
}

impl Writes {
    /// When a place was written last; some time before `oldest` if nobody knows, or if it
    /// was before.
    #[inline]
    pub fn last_since(&self, oldest: u64, place: Place) -> u64 {
        let single = self.single.last_since(oldest, place);
        match place & FIELD == 0 && self.has_range_since(oldest, place) {
            true => single.max(self.last_range(place)),
            false => single,
        }
    }

    /// The same for elements of an array that lie beside each other, in the order of their
    /// places. `take` gets how many of them have the same time, and that.
    pub fn each_since(
        &self,
        oldest: u64,
        first: Place,
        length: usize,
        mut take: impl FnMut(usize, u64),
    ) {
        let end = first + length as u64;
        if self.has_range_since(oldest, first) {
            (first..end).for_each(|place| take(1, self.last_since(oldest, place)));
            return;
        }
        let mut at = first;
        while at < end {
            let next = end.min((at / BLOCK as u64 + 1) * BLOCK as u64);
            match self.single.block_since(oldest, at) {
                None => take((next - at) as usize, 0),
                Some(block) => {
                    (at..next).for_each(|place| take(1, self.single.time_in(block, place)));
                }
            }
            at = next;
        }
    }

    /// Whether a long range of an array may have been written.
    #[inline]
    fn has_range_since(&self, oldest: u64, place: Place) -> bool {
        self.groups[group(place)] >= oldest
    }

    /// When the last long range was written in which a place lies.
    fn last_range(&self, place: Place) -> u64 {
        let index = place as u32;
        let ranges = self.ranges.get(&array(place)).map_or(&[][..], Vec::as_slice);
        let range =
            ranges.iter().rev().find(|range| range.start <= index && u64::from(index) < range.end);
        range.map_or(0, |range| range.time)
    }

    /// Loads what these events will ask for. The processor waits for many places at once,
    /// since none depends on another, where it would wait for one after the other.
    pub fn load(&self, events: Events<'_>) {
        if !self.single.is_large() {
            return;
        }
        let mut all = 0;
        for event in events {
            match event {
                Event::Read { place, .. } => all ^= self.single.load(place),
                Event::Write { place } => all ^= self.single.load_for_touch(place),
                Event::Copy { place, values, .. } => {
                    for at in (place..place + values.len() as u64).step_by(BLOCK) {
                        all ^= self.single.load(at);
                    }
                }
                Event::Writes { place, length } if length <= SHORT_RANGE => {
                    for at in (place..place + u64::from(length)).step_by(BLOCK) {
                        all ^= self.single.load_for_touch(at);
                    }
                }
                Event::Writes { .. }
                | Event::Iteration { .. }
                | Event::Leave { .. }
                | Event::Effect { .. }
                | Event::Own
                | Event::Given { .. }
                | Event::Captured { .. } => {}
            }
        }
        std::hint::black_box(all);
    }

    /// A place is written at this time. What was written before `oldest` is of no
    /// interest.
    #[inline]
    pub fn write(&mut self, place: Place, time: u64, oldest: u64, memory: &Memory) {
        self.forgotten += self.single.touch(place, time, oldest, memory).forgotten.places;
    }

    /// Consecutive elements are written.
    pub fn write_range(
        &mut self,
        first: Place,
        length: u32,
        time: u64,
        oldest: u64,
        memory: &Memory,
    ) {
        if length <= SHORT_RANGE {
            let forgotten = self.single.touch_range(first, length, time, oldest, memory);
            self.forgotten += forgotten.places;
            return;
        }
        if self.ranges.len() >= MOST_ARRAYS && !self.ranges.contains_key(&array(first)) {
            self.ranges.retain(|_, ranges| ranges.iter().any(|range| range.time >= oldest));
            if self.ranges.len() >= MOST_ARRAYS {
                self.forgotten += 1;
                return;
            }
        }
        let ranges = self.ranges.entry(array(first)).or_default();
        self.groups[group(first)] = time;
        let start = first as u32;
        let new = Range { start, end: u64::from(start) + u64::from(length), time };
        ranges.retain(|old| old.time >= oldest && (old.start < new.start || old.end > new.end));
        if ranges.len() == MOST_RANGES {
            ranges.remove(0);
            self.forgotten += 1;
        }
        ranges.push(new);
    }

    /// No loop runs: nothing of what was written so far is of interest any more.
    pub fn forget_ranges(&mut self) {
        if !self.ranges.is_empty() {
            self.ranges = FxHashMap::default();
        }
    }

    /// Gives back what was taken of the memory.
    pub fn clear(&mut self, memory: &Memory) {
        self.single.clear(memory);
        self.ranges = FxHashMap::default();
    }
}

/// The group of a place's object. Those that are made one after the other are in
/// different ones.
fn group(place: Place) -> usize {
    (place >> 32) as usize % GROUPS
}

fn array(place: Place) -> u32 {
    (place >> 32) as u32
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn old_writes_make_room_and_new_ones_are_forgotten_without_memory() {
        let (mut writes, memory) = (Writes::default(), Memory::new(0));
        for time in 1..1_000_000 {
            writes.write(time, time, time.saturating_sub(100), &memory);
        }
        assert!((999_950..1_000_000).all(|time| writes.last_since(1, time) == time));
        assert_eq!(writes.forgotten, 0);
        for time in 1..10_000 {
            writes.write(time, 1_000_000, 1, &memory);
        }
        assert!(writes.forgotten > 0);
    }

    #[test]
    fn long_ranges_are_kept_as_such() {
        let (mut writes, memory) = (Writes::default(), Memory::new(1 << 30));
        let array = 7 << 32;
        writes.write_range(array + 10, 1000, 5, 1, &memory);
        writes.write_range(array + 500, 3, 6, 1, &memory);
        writes.write_range(array + 20, 100, 7, 1, &memory);
        let last =
            [9, 10, 20, 119, 120, 500, 503, 1009, 1010].map(|at| writes.last_since(1, array + at));
        assert_eq!(last, [0, 5, 7, 7, 5, 6, 5, 5, 0]);
        writes.forget_ranges();
        assert_eq!(writes.last_since(1, array + 10), 0);
    }
}
