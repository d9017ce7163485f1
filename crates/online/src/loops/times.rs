//! When places were touched last.
//!
//! Only what was touched since some loop instance began is of interest: a table that is
//! full of older times takes new ones in their stead, and one that is not grows up to a
//! limit. Beyond it the oldest times are forgotten.

use super::events::Place;
use super::memory::Memory;

/// Consecutive elements, or fields with consecutive numbers, of an object: their times lie
/// beside each other, and are found together.
pub const BLOCK: usize = 8;
/// Blocks whose keys lie beside each other: one of them is looked for in as many places.
const GROUP: usize = 8;
/// Binary logarithm of the number of groups at first.
const FIRST_BITS: u32 = 6;
/// Binary logarithm of [`GROUP`].
const GROUP_BITS: u32 = GROUP.ilog2();

/// Bytes of a table that is loaded ahead.
const LARGE: usize = 1 << 18;

/// Times of consecutive places. They are told since [`Times::base`]; 0 stands for an
/// unknown one.
pub type Block = [u32; BLOCK];

/// Blocks with their keys. The processor's caches take the keys as one line: whether a
/// block is there is known when that has come from memory.
#[derive(Debug, Clone, Copy, Default)]
#[repr(align(64))]
struct Group {
    /// What places each block is of, divided by [`BLOCK`], and one more; 0 for no block.
    keys: [u64; GROUP],
    /// The latest time of each.
    latest: [u32; GROUP],
    blocks: [Block; GROUP],
}

impl Group {
    /// Where the block of this key is, most likely here.
    #[inline]
    fn find(&self, key: u64, home: usize) -> Option<usize> {
        if self.keys[home] == key + 1 {
            return Some(home);
        }
        // Without branches: there is no order in which it would be found sooner.
        let mut found = 0_u32;
        for (at, &one) in self.keys.iter().enumerate() {
            found |= u32::from(one == key + 1) << at;
        }
        (found != 0).then(|| found.trailing_zeros() as usize)
    }

    /// Another block takes the place of this one.
    fn set(&mut self, at: usize, key: u64, block: Block, latest: u32) {
        self.keys[at] = key + 1;
        self.blocks[at] = block;
        self.latest[at] = latest;
    }
}

/// What there was before a place was touched.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Before {
    /// When the place was touched last; 0 if nobody knows.
    pub time: u64,
    /// What was forgotten for this one.
    pub forgotten: Forgotten,
}

/// Times that nobody knows any more, though they would be of interest.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Forgotten {
    /// How many.
    pub places: u64,
    /// The latest one; 0 for none.
    pub latest: u64,
}

/// The last times of places.
#[derive(Debug)]
pub struct Times {
    groups: Vec<Group>,
    /// Binary logarithm of the number of groups at most.
    most_bits: u32,
    /// The time since which times are told.
    base: u64,
}

impl Times {
    /// None yet, and at most 2 to the power of so many blocks.
    pub fn new(most_bits: u32) -> Self {
        Self {
            groups: vec![Group::default(); 1 << FIRST_BITS],
            most_bits: most_bits - GROUP_BITS,
            base: 0,
        }
    }

    /// When a place was touched last; some time before `oldest` if nobody knows, or if it
    /// was before.
    #[inline]
    pub fn last_since(&self, oldest: u64, place: Place) -> u64 {
        self.block_since(oldest, place).map_or(0, |block| self.time_in(block, place))
    }

    /// The times of the block of a place, if any of them is not before `oldest`.
    #[inline]
    pub fn block_since(&self, oldest: u64, place: Place) -> Option<&Block> {
        let (group, home) = self.position(key(place));
        let group = &self.groups[group];
        let at = group.find(key(place), home)?;
        (group.latest[at] >= self.since_base(oldest)).then(|| &group.blocks[at])
    }

    /// How a time is told, not 0.
    #[inline]
    fn since_base(&self, time: u64) -> u32 {
        time.saturating_sub(self.base).clamp(1, u32::MAX.into()) as u32
    }

    /// The time that a block has for a place.
    #[inline]
    pub fn time_in(&self, block: &Block, place: Place) -> u64 {
        self.time(block[slot(place)])
    }

    #[inline]
    fn time(&self, since_base: u32) -> u64 {
        if since_base == 0 { 0 } else { self.base + u64::from(since_base) }
    }

    /// Whether the processor's own caches may have no room for the table.
    pub fn is_large(&self) -> bool {
        self.groups.len() * size_of::<Group>() > LARGE
    }

    /// Loads what will be asked for of a place that is read: the result depends on all of it.
    #[inline]
    pub fn load(&self, place: Place) -> u64 {
        let (group, home) = self.position(key(place));
        self.groups[group].keys[home]
    }

    /// Loads what will be asked for of a place that is touched: the result depends on all of it.
    #[inline]
    pub fn load_for_touch(&self, place: Place) -> u64 {
        let (group, home) = self.position(key(place));
        let group = &self.groups[group];
        group.keys[home] ^ u64::from(group.latest[home] ^ group.blocks[home][0])
    }

    /// A place is touched at this time. What was touched before `oldest` is of no
    /// interest.
    #[inline]
    pub fn touch(&mut self, place: Place, time: u64, oldest: u64, memory: &Memory) -> Before {
        let mut before = 0;
        let forgotten = self.touch_block(place, time, oldest, memory, |times, since_base| {
            before = std::mem::replace(&mut times[slot(place)], since_base);
        });
        Before { time: self.time(before), forgotten }
    }

    /// Consecutive places of an object are touched.
    pub fn touch_range(
        &mut self,
        first: Place,
        length: u32,
        time: u64,
        oldest: u64,
        memory: &Memory,
    ) -> Forgotten {
        let mut all = Forgotten::default();
        let end = first + u64::from(length);
        let mut at = first;
        while at < end {
            let next = end.min((key(at) + 1) * BLOCK as u64);
            let slots = slot(at)..slot(at) + (next - at) as usize;
            let forgotten = self.touch_block(at, time, oldest, memory, |times, since_base| {
                times[slots].fill(since_base);
            });
            all.add(forgotten);
            at = next;
        }
        all
    }

    /// The block of a place is touched: `set` gets its times, and what stands for this
    /// time there.
    #[inline]
    fn touch_block(
        &mut self,
        place: Place,
        time: u64,
        oldest: u64,
        memory: &Memory,
        set: impl FnOnce(&mut Block, u32),
    ) -> Forgotten {
        let key = key(place);
        let mut forgotten = Forgotten::default();
        if time - self.base > u32::MAX.into() {
            forgotten = self.rebase(time, oldest);
        }
        let since_base = (time - self.base) as u32;
        let (group, home) = self.position(key);
        if let Some(at) = self.groups[group].find(key, home) {
            let group = &mut self.groups[group];
            group.latest[at] = since_base;
            set(&mut group.blocks[at], since_base);
            return forgotten;
        }
        let (group, at, lost) = self.make_room(key, oldest, memory);
        forgotten.add(lost);
        let mut block = Block::default();
        set(&mut block, since_base);
        self.groups[group].set(at, key, block, since_base);
        forgotten
    }

    /// The place for the block of a new key, and what is forgotten for it.
    #[inline]
    fn make_room(&mut self, key: u64, oldest: u64, memory: &Memory) -> (usize, usize, Forgotten) {
        let oldest = self.since_base(oldest);
        loop {
            let (number, home) = self.position(key);
            let group = &self.groups[number];
            let mut last = home;
            for at in (0..GROUP).map(|number| home ^ number) {
                if group.latest[at] < group.latest[last] {
                    last = at;
                }
            }
            if group.latest[last] < oldest {
                return (number, last, Forgotten::default());
            }
            let is_small = self.groups.len() < 1 << self.most_bits;
            if is_small && memory.take(self.groups.len() * size_of::<Group>()) {
                self.grow(oldest);
                continue;
            }
            let places = group.blocks[last].iter().filter(|&&time| time >= oldest).count() as u64;
            let latest = self.time(group.latest[last]);
            return (number, last, Forgotten { places, latest });
        }
    }

    /// Forgets everything, and gives back what was taken of the memory.
    pub fn clear(&mut self, memory: &Memory) {
        memory.give_back((self.groups.len() - (1 << FIRST_BITS)) * size_of::<Group>());
        *self = Self::new(self.most_bits + GROUP_BITS);
    }

    /// In which group a block lies, and where in it if that is free. Objects have
    /// consecutive identities when they are made one after the other, and so lie beside
    /// each other: those that are made and dropped pass through the processor's caches in
    /// order.
    #[inline]
    fn position(&self, key: u64) -> (usize, usize) {
        let (object, part) = (key >> PART_BITS, key & ((1 << PART_BITS) - 1));
        let at = object.wrapping_add(part.wrapping_mul(0x9E37_79B1)) as usize;
        ((at / GROUP) & (self.groups.len() - 1), at % GROUP)
    }

    #[cold]
    fn grow(&mut self, oldest: u32) {
        let twice = vec![Group::default(); 2 * self.groups.len()];
        for old in std::mem::replace(&mut self.groups, twice) {
            for (at, &key) in old.keys.iter().enumerate() {
                if key == 0 || old.latest[at] < oldest {
                    continue;
                }
                // A group is divided between two, so there is room.
                let (group, home) = self.position(key - 1);
                let group = &mut self.groups[group];
                let free = (0..GROUP).map(|number| home ^ number).find(|&at| group.keys[at] == 0);
                if let Some(free) = free {
                    group.set(free, key - 1, old.blocks[at], old.latest[at]);
                }
            }
        }
    }

    /// Times are told since a later one, so that there are numbers for new ones.
    #[cold]
    fn rebase(&mut self, now: u64, oldest: u64) -> Forgotten {
        let base = now - u64::from(u32::MAX / 2);
        let difference = base - self.base;
        let mut forgotten = Forgotten::default();
        for group in &mut self.groups {
            for time in group.blocks.as_flattened_mut().iter_mut().filter(|time| **time > 0) {
                let before = self.base + u64::from(*time);
                *time = u64::from(*time).saturating_sub(difference) as u32;
                if *time == 0 && before >= oldest {
                    forgotten.add(Forgotten { places: 1, latest: before });
                }
            }
            for time in &mut group.latest {
                *time = u64::from(*time).saturating_sub(difference) as u32;
            }
        }
        self.base = base;
        forgotten
    }
}

impl Forgotten {
    fn add(&mut self, other: Forgotten) {
        self.places += other.places;
        self.latest = self.latest.max(other.latest);
    }
}

/// Bits of a key that are of the part of the object.
const PART_BITS: u32 = 32 - BLOCK.ilog2();

fn key(place: Place) -> u64 {
    place / BLOCK as u64
}

fn slot(place: Place) -> usize {
    place as usize % BLOCK
}

#[cfg(test)]
mod tests {
    use super::*;

    const ALL: u32 = 20;

    #[test]
    fn as_many_places_as_there_are_are_kept() {
        let (mut times, memory) = (Times::new(ALL), Memory::new(1 << 30));
        for place in 1..100_000 {
            assert_eq!(times.touch(place << 32, place, 1, &memory), Before::default());
        }
        assert!((1..100_000).all(|place| times.last_since(1, place << 32) == place));
        // So do fields.
        for object in 1..100_000 {
            let field = object << 32 | !(object % 3) & 0xFFFF_FFFF;
            assert_eq!(times.touch(field, object, 1, &memory), Before::default());
            assert_eq!(times.last_since(1, field), object);
        }
        assert_eq!(times.last_since(1, 100_000 << 32), 0);
        let before = times.touch(7 << 32, 200_000, 1, &memory);
        assert_eq!(before, Before { time: 7, forgotten: Forgotten::default() });
    }

    #[test]
    fn old_times_make_room_and_without_memory_the_oldest_of_a_bucket_goes() {
        let (mut times, memory) = (Times::new(ALL), Memory::new(0));
        for time in 1..1_000_000 {
            let before = times.touch(time, time, time.saturating_sub(100), &memory);
            assert_eq!(before.forgotten, Forgotten::default());
        }
        assert!((999_950..1_000_000).all(|time| times.last_since(1, time) == time));
        let (mut forgotten, mut places) = (0, 0);
        for time in 1_000_000..1_010_000 {
            let before = times.touch(time, time, 1, &memory).forgotten;
            forgotten = forgotten.max(before.latest);
            places += before.places;
        }
        assert!(forgotten > 999_000 && forgotten < 1_009_000, "{forgotten}");
        let kept =
            (1..1_010_000).filter(|&place| times.last_since(1, place) == place).count() as u64;
        assert_eq!(kept, ((BLOCK * GROUP) << FIRST_BITS) as u64, "all that have room");
        assert!(places > 9_000, "{places}");
    }

    #[test]
    fn ranges_are_touched_like_their_places_one_by_one() {
        let mut state = 1_u64;
        let mut random = |below: u64| {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            (state >> 33) % below
        };
        let memory = Memory::new(1 << 30);
        let (mut times, mut literal) = (Times::new(ALL), std::collections::HashMap::new());
        for time in 1..3_000 {
            let (first, length) = ((random(9) << 32) + random(300), random(70) as u32);
            times.touch_range(first, length, time, 1, &memory);
            literal.extend((first..first + u64::from(length)).map(|place| (place, time)));
        }
        for place in (0..9).flat_map(|object| (object << 32)..(object << 32) + 400) {
            let expected = literal.get(&place).copied().unwrap_or(0);
            assert_eq!(times.last_since(1, place), expected);
            let block = times.block_since(2_000, place);
            let known = block.map_or(0, |block| times.time_in(block, place));
            assert!(known == expected || expected < 2_000 && known == 0, "{known} {expected}");
        }
    }

    #[test]
    fn times_beyond_32_bits_are_kept_and_what_is_too_old_is_forgotten() {
        let (mut times, memory) = (Times::new(ALL), Memory::new(1 << 30));
        let late = u64::from(u32::MAX) + 10;
        for (place, time) in [(1, 5), (2 << 32, late - 100), (3 << 32, late)] {
            let before = times.touch(place, time, 1, &memory);
            let lost = if time == late {
                Forgotten { places: 1, latest: 5 }
            } else {
                Forgotten::default()
            };
            assert_eq!(before, Before { time: 0, forgotten: lost });
        }
        let last = [1, 2 << 32, 3 << 32].map(|place| times.last_since(1, place));
        assert_eq!(last, [0, late - 100, late]);
        assert_eq!(times.touch(2 << 32, late + 1, late - 100, &memory).time, late - 100);
    }
}
