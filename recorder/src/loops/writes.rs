//! When places were written last.
//!
//! Only what was written since the outermost iteration began is of interest: a table
//! that is full of older writes takes new ones in their stead, and one that is not grows
//! up to a limit. Beyond it the oldest writes are forgotten, and counted.

use rustc_hash::FxHashMap;

use super::events::Place;
use super::memory::Memory;

/// Entries of a bucket.
const BUCKET: usize = 8;
/// Binary logarithm of the number of buckets at first, and at most.
const FIRST_BITS: u32 = 7;
const MOST_BITS: u32 = 19;
/// Longer ranges of elements are kept as ranges.
const SHORT_RANGE: u32 = 64;
/// Ranges of an array that are kept.
const MOST_RANGES: usize = 4;
/// Arrays with ranges that are kept.
const MOST_ARRAYS: usize = 1 << 14;

/// Places that may lie in the same bucket, and when they were written.
#[derive(Debug, Clone, Copy, Default)]
#[repr(align(128))]
struct Bucket {
    places: [Place; BUCKET],
    times: [u64; BUCKET],
}

impl Bucket {
    fn position(&self, place: Place) -> Option<usize> {
        self.places.iter().position(|&known| known == place)
    }
}

#[derive(Debug, Clone, Copy)]
struct Range {
    start: u32,
    end: u64,
    time: u64,
}

/// The last writes of a thread.
#[derive(Debug)]
pub struct Writes {
    buckets: Vec<Bucket>,
    /// Long ranges, by the array, the latest last.
    ranges: FxHashMap<u32, Vec<Range>>,
    /// Writes that were forgotten for want of room.
    pub forgotten: u64,
}

impl Default for Writes {
    fn default() -> Self {
        let buckets = vec![Bucket::default(); 1 << FIRST_BITS];
        Self { buckets, ranges: FxHashMap::default(), forgotten: 0 }
    }
}

impl Writes {
    /// When a place was written last; 0 if nobody knows.
    pub fn last(&self, place: Place) -> u64 {
        let bucket = &self.buckets[self.bucket(place)];
        let single = bucket.position(place).map_or(0, |at| bucket.times[at]);
        if self.ranges.is_empty() {
            return single;
        }
        let index = place as u32;
        let ranges = self.ranges.get(&array(place)).map_or(&[][..], Vec::as_slice);
        let range =
            ranges.iter().rev().find(|range| range.start <= index && u64::from(index) < range.end);
        single.max(range.map_or(0, |range| range.time))
    }

    /// A place is written at this time. What was written before `oldest` is of no
    /// interest.
    pub fn write(&mut self, place: Place, time: u64, oldest: u64, memory: &Memory) {
        loop {
            let at = self.bucket(place);
            let bucket = &mut self.buckets[at];
            let is_old = |written: &u64| *written < oldest.max(1);
            let free = bucket.position(place).or_else(|| bucket.times.iter().position(is_old));
            if let Some(free) = free {
                bucket.places[free] = place;
                bucket.times[free] = time;
                return;
            }
            let is_small = self.buckets.len() < 1 << MOST_BITS;
            if is_small && memory.take(self.buckets.len() * size_of::<Bucket>()) {
                self.grow(oldest);
                continue;
            }
            let bucket = &mut self.buckets[at];
            let last = (0..BUCKET).min_by_key(|&entry| bucket.times[entry]).unwrap_or(0);
            bucket.places[last] = place;
            bucket.times[last] = time;
            self.forgotten += 1;
            return;
        }
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
            for index in 0..u64::from(length) {
                self.write(first + index, time, oldest, memory);
            }
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
        memory.give_back((self.buckets.len() - (1 << FIRST_BITS)) * size_of::<Bucket>());
        *self = Self { forgotten: self.forgotten, ..Self::default() };
    }

    /// Objects have consecutive identities when they are made one after the other: a
    /// field of them lies in consecutive buckets, so that objects that are made and
    /// dropped pass through the processor's caches in order. Eight consecutive elements
    /// of an array have a bucket of their own.
    fn bucket(&self, place: Place) -> usize {
        let part = u64::from(place as u32) / BUCKET as u64;
        let key = u64::from(array(place)).wrapping_add(part.wrapping_mul(0x9E37_79B1));
        key as usize & (self.buckets.len() - 1)
    }

    fn grow(&mut self, oldest: u64) {
        let twice = vec![Bucket::default(); 2 * self.buckets.len()];
        for old in std::mem::replace(&mut self.buckets, twice) {
            for (place, time) in old.places.into_iter().zip(old.times) {
                if time < oldest.max(1) {
                    continue;
                }
                // A bucket is divided between two, so there is room.
                let at = self.bucket(place);
                let bucket = &mut self.buckets[at];
                if let Some(free) = bucket.times.iter().position(|&time| time == 0) {
                    bucket.places[free] = place;
                    bucket.times[free] = time;
                }
            }
        }
    }
}

fn array(place: Place) -> u32 {
    (place >> 32) as u32
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn as_many_writes_as_there_are_are_kept() {
        let (mut writes, memory) = (Writes::default(), Memory::new(1 << 30));
        for place in 1..100_000 {
            writes.write(place << 32, place, 1, &memory);
        }
        assert!((1..100_000).all(|place| writes.last(place << 32) == place));
        assert_eq!((writes.last(100_000 << 32), writes.forgotten), (0, 0));
    }

    #[test]
    fn old_writes_make_room_and_new_ones_are_forgotten_without_memory() {
        let (mut writes, memory) = (Writes::default(), Memory::new(0));
        for time in 1..1_000_000 {
            writes.write(time, time, time.saturating_sub(100), &memory);
        }
        assert!((999_950..1_000_000).all(|time| writes.last(time) == time));
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
        let last = [9, 10, 20, 119, 120, 500, 503, 1009, 1010].map(|at| writes.last(array + at));
        assert_eq!(last, [0, 5, 7, 7, 5, 6, 5, 5, 0]);
        writes.forget_ranges();
        assert_eq!(writes.last(array + 10), 0);
    }
}
