//! When places were touched last.
//!
//! Only what was touched since some loop instance began is of interest: a table that is
//! full of older times takes new ones in their stead, and one that is not grows up to a
//! limit. Beyond it the oldest times are forgotten.

use super::events::{FIELD, Place};
use super::memory::Memory;

/// Entries of a bucket.
pub const BUCKET: usize = 8;
/// Binary logarithm of the number of buckets at first.
const FIRST_BITS: u32 = 7;

/// Bytes of a table that is loaded ahead.
const LARGE: usize = 1 << 18;

/// Places that may lie in the same bucket, and when they were touched.
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

/// What there was before a place was touched.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Before {
    /// When the place was touched last; 0 if nobody knows.
    pub time: u64,
    /// When that place was touched last that was forgotten for this one; 0 if none was.
    pub forgotten: u64,
}

/// The last times of places.
#[derive(Debug)]
pub struct Times {
    buckets: Vec<Bucket>,
    /// Binary logarithm of the number of buckets at most.
    most_bits: u32,
}

impl Times {
    /// None yet, and at most 2 to the power of so many buckets.
    pub fn new(most_bits: u32) -> Self {
        Self { buckets: vec![Bucket::default(); 1 << FIRST_BITS], most_bits }
    }

    /// When a place was touched last; 0 if nobody knows.
    pub fn last(&self, place: Place) -> u64 {
        let bucket = &self.buckets[self.bucket(place)];
        bucket.position(place).map_or(0, |at| bucket.times[at])
    }

    /// Whether the processor's own caches may have no room for the table.
    pub fn is_large(&self) -> bool {
        self.buckets.len() * size_of::<Bucket>() > LARGE
    }

    /// Loads what will be asked for of a place: the result depends on all of it.
    pub fn load(&self, place: Place) -> u64 {
        let bucket = &self.buckets[self.bucket(place)];
        bucket.places[0] ^ bucket.times[0]
    }

    /// A place is touched at this time. What was touched before `oldest` is of no
    /// interest.
    pub fn touch(&mut self, place: Place, time: u64, oldest: u64, memory: &Memory) -> Before {
        loop {
            let at = self.bucket(place);
            let bucket = &mut self.buckets[at];
            if let Some(known) = bucket.position(place) {
                let before = std::mem::replace(&mut bucket.times[known], time);
                return Before { time: before, forgotten: 0 };
            }
            let is_old = |touched: &u64| *touched < oldest.max(1);
            if let Some(free) = bucket.times.iter().position(is_old) {
                bucket.places[free] = place;
                bucket.times[free] = time;
                return Before::default();
            }
            let is_small = self.buckets.len() < 1 << self.most_bits;
            if is_small && memory.take(self.buckets.len() * size_of::<Bucket>()) {
                self.grow(oldest);
                continue;
            }
            let bucket = &mut self.buckets[at];
            let last = (0..BUCKET).min_by_key(|&entry| bucket.times[entry]).unwrap_or(0);
            bucket.places[last] = place;
            let forgotten = std::mem::replace(&mut bucket.times[last], time);
            return Before { time: 0, forgotten };
        }
    }

    /// Forgets everything, and gives back what was taken of the memory.
    pub fn clear(&mut self, memory: &Memory) {
        memory.give_back((self.buckets.len() - (1 << FIRST_BITS)) * size_of::<Bucket>());
        *self = Self::new(self.most_bits);
    }

    /// Objects have consecutive identities when they are made one after the other. A
    /// field of eight of them has a bucket of its own, and so have eight consecutive
    /// elements of an array. The next ones lie in the next bucket, so that objects that
    /// are made and dropped pass through the processor's caches in order.
    fn bucket(&self, place: Place) -> usize {
        let (object, part) = (place >> 32, u64::from(place as u32));
        let spread = |number: u64| number.wrapping_mul(0x9E37_79B1);
        let key = match place & FIELD {
            0 => object.wrapping_add(spread(part / BUCKET as u64)),
            _ => (object / BUCKET as u64).wrapping_add(spread(part)),
        };
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

#[cfg(test)]
mod tests {
    use super::*;

    const ALL: u32 = 19;

    #[test]
    fn as_many_places_as_there_are_are_kept() {
        let (mut times, memory) = (Times::new(ALL), Memory::new(1 << 30));
        for place in 1..100_000 {
            assert_eq!(times.touch(place << 32, place, 1, &memory), Before::default());
        }
        assert!((1..100_000).all(|place| times.last(place << 32) == place));
        // So do fields.
        for object in 1..100_000 {
            let field = object << 32 | !(object % 3) & 0xFFFF_FFFF;
            assert_eq!(times.touch(field, object, 1, &memory), Before::default());
            assert_eq!(times.last(field), object);
        }
        assert_eq!(times.last(100_000 << 32), 0);
        let before = times.touch(7 << 32, 200_000, 1, &memory);
        assert_eq!(before, Before { time: 7, forgotten: 0 });
    }

    #[test]
    fn old_times_make_room_and_without_memory_the_oldest_of_a_bucket_goes() {
        let (mut times, memory) = (Times::new(ALL), Memory::new(0));
        for time in 1..1_000_000 {
            let before = times.touch(time, time, time.saturating_sub(100), &memory);
            assert_eq!(before.forgotten, 0);
        }
        assert!((999_950..1_000_000).all(|time| times.last(time) == time));
        let mut forgotten = 0;
        for time in 1_000_000..1_010_000 {
            forgotten = forgotten.max(times.touch(time, time, 1, &memory).forgotten);
        }
        assert!(forgotten > 999_000 && forgotten < 1_009_000, "{forgotten}");
    }
}
