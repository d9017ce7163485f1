//! The tables of one method and thread: words that probes read and write, as in
//! `SubsumeResultTables`.

use std::sync::atomic::AtomicU64;
use std::sync::atomic::Ordering::Relaxed;

use profile::results::MOST_INPUTS;

/// Words in what a thread keeps of a method.
pub mod header {
    /// The number of the method.
    pub const METHOD: usize = 0;
    /// Calls that returned.
    pub const RETURNED: usize = 1;
    /// Calls in too deep a recursion.
    pub const UNFOLLOWED: usize = 2;
    /// Bytecodes in the extents of calls that returned.
    pub const COST: usize = 3;
    /// Bytecodes in the extents of hits.
    pub const SAVING: usize = 4;
    /// Hits with the input of the call before.
    pub const LAST_HITS: usize = 5;
    /// Calls that returned something else for an input than the call before with it.
    pub const CONFLICTS: usize = 6;
    /// Calls that wrote.
    pub const WROTE: usize = 7;
    /// Hits that did.
    pub const HITS_THAT_WROTE: usize = 8;
    /// The kinds of result that held so far.
    pub const KINDS: usize = 9;
    /// The first result, if any call has returned.
    pub const FIRST_RESULT: usize = 10;
    /// The input of the call before.
    pub const LAST_INPUT: usize = 11;
    /// The receiver of the call before.
    pub const LAST_RECEIVER: usize = 12;
    /// Address of the inputs.
    pub const INPUTS: usize = 13;
    /// By how many bits the hash of an input is shifted to give its place among them.
    pub const INPUTS_SHIFT: usize = 14;
    /// Bits that are zero in the hashes of inputs that are kept when they come for the
    /// first time.
    pub const INPUTS_LEFT_OUT: usize = 15;
    /// How many there is room for.
    pub const INPUTS_LEFT: usize = 16;
    /// The same of receivers; the address is 0 where they are the inputs, or there are
    /// none.
    pub const RECEIVERS: usize = 17;
    /// See [`INPUTS_SHIFT`].
    pub const RECEIVERS_SHIFT: usize = 18;
    /// See [`INPUTS_LEFT_OUT`].
    pub const RECEIVERS_LEFT_OUT: usize = 19;
    /// See [`INPUTS_LEFT`].
    pub const RECEIVERS_LEFT: usize = 20;
    /// Binary logarithm of how many inputs one stands for that comes for the first time.
    pub const LEVEL: usize = 21;
    /// Hits of all inputs, of which some may have been left out since.
    pub const ALL_HITS: usize = 22;
    /// Bits at the first ten of the hashes of inputs that stay though others like them are
    /// left out: most of those can be told without the table.
    pub const FREQUENT: usize = 23;
    /// All of them.
    pub const WORDS: usize = FREQUENT + 16;
}

/// Words of an input, or a receiver, in a table.
pub mod entry {
    /// Its hash; 0 if there is none.
    pub const HASH: usize = 0;
    /// The last result; of a receiver the first one.
    pub const RESULT: usize = 1;
    /// How often that was returned again, and above it the binary logarithm of how many
    /// inputs this one stands for. Of a receiver, whether it has a result.
    pub const HITS: usize = 2;
    /// Bytecodes in the extents of these calls.
    pub const SAVING: usize = 3;
    /// All of them.
    pub const WORDS: usize = 4;
    /// Where the weight begins beside the hits.
    pub const WEIGHT_SHIFT: u32 = 58;
}

/// Binary logarithm of the places of the smallest table.
const FEWEST: u32 = 3;

/// Binary logarithm of the places of the largest one, of which half are taken.
const MOST: u32 = MOST_INPUTS.ilog2() + 1;

/// One of so many entries stays in any case when others are left out.
const FREQUENT: usize = 8;

/// Which of the two tables of a method.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Which {
    /// Inputs.
    Inputs,
    /// Receivers.
    Receivers,
}

impl Which {
    const fn first_word(self) -> usize {
        match self {
            Self::Inputs => header::INPUTS,
            Self::Receivers => header::RECEIVERS,
        }
    }
}

/// An input or receiver.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Entry {
    /// Its hash.
    pub hash: u64,
    /// The last result; of a receiver the first one.
    pub result: u64,
    /// How often that was returned again; of a receiver, whether it has a result.
    pub hits: u64,
    /// Binary logarithm of how many inputs this one stands for.
    pub weight: u32,
    /// Bytecodes in the extents of these calls.
    pub saving: u64,
}

/// What one thread keeps of one method.
#[derive(Debug)]
pub struct MethodTables {
    header: Box<[AtomicU64]>,
    inputs: Box<[AtomicU64]>,
    receivers: Option<Box<[AtomicU64]>>,
}

/// Returns `count` words of zero.
pub fn words(count: usize) -> Box<[AtomicU64]> {
    std::iter::repeat_with(AtomicU64::default).take(count).collect()
}

/// Where probes find them.
pub fn address(words: &[AtomicU64]) -> u64 {
    words.as_ptr() as u64
}

fn table(bits: u32) -> Box<[AtomicU64]> {
    words(entry::WORDS << bits)
}

/// Bytes of a table with so many places.
fn bytes(bits: u32) -> usize {
    (entry::WORDS << bits) * size_of::<u64>()
}

fn bits_of(table: &[AtomicU64]) -> u32 {
    (table.len() / entry::WORDS).ilog2()
}

impl MethodTables {
    /// Of a method of which these kinds of result may hold, and whether its receivers are
    /// told apart from its inputs.
    pub fn new(method: u32, kinds: u8, has_receivers: bool) -> Self {
        let tables = Self {
            header: words(header::WORDS),
            inputs: table(FEWEST),
            receivers: has_receivers.then(|| table(FEWEST)),
        };
        tables.header[header::METHOD].store(method.into(), Relaxed);
        tables.header[header::KINDS].store(kinds.into(), Relaxed);
        tables.announce(Which::Inputs, 0, 0);
        tables.announce(Which::Receivers, 0, 0);
        tables
    }

    /// Address of the header.
    pub fn address(&self) -> u64 {
        address(&self.header)
    }

    /// A word of the header.
    pub fn word(&self, at: usize) -> u64 {
        self.header[at].load(Relaxed)
    }

    fn table(&self, which: Which) -> Option<&[AtomicU64]> {
        match which {
            Which::Inputs => Some(&self.inputs),
            Which::Receivers => self.receivers.as_deref(),
        }
    }

    /// New entries are kept only if the last so many bits of their hashes are zero.
    pub fn level(&self, which: Which) -> u32 {
        self.word(which.first_word() + 2).trailing_ones()
    }

    /// What is kept.
    pub fn entries(&self, which: Which) -> impl Iterator<Item = Entry> + '_ {
        let table = self.table(which).unwrap_or_default();
        table.chunks_exact(entry::WORDS).filter_map(|words| {
            let word = |at: usize| words[at].load(Relaxed);
            let hash = word(entry::HASH);
            let hits = word(entry::HITS);
            (hash != 0).then(|| Entry {
                hash,
                result: word(entry::RESULT),
                hits: hits & ((1 << entry::WEIGHT_SHIFT) - 1),
                weight: (hits >> entry::WEIGHT_SHIFT) as u32,
                saving: word(entry::SAVING),
            })
        })
    }

    /// Tells probes where a table is that has so many entries.
    fn announce(&self, which: Which, level: u32, entries: usize) {
        let Some(table) = self.table(which) else { return };
        let bits = bits_of(table);
        let room = (1_usize << bits) / 2;
        let first = which.first_word();
        let words = [
            address(table),
            u64::from(u64::BITS - bits),
            (1_u64 << level) - 1,
            room.saturating_sub(entries) as u64,
        ];
        for (at, word) in (first..).zip(words) {
            self.header[at].store(word, Relaxed);
        }
        if which == Which::Inputs {
            self.header[header::LEVEL].store(level.into(), Relaxed);
        }
    }

    /// Makes room for more in a table: a larger one, if `take` gives so many bytes, or
    /// every other hash is left out from now on.
    ///
    /// Those with most hits stay in any case: of them, numbers stay exact.
    pub fn make_room(&mut self, which: Which, take: impl Fn(usize) -> bool) {
        let Some(table_before) = self.table(which) else { return };
        let mut bits = bits_of(table_before);
        let mut level = self.level(which);
        let mut kept: Vec<Entry> = self.entries(which).collect();
        if bits < MOST && take(bytes(bits + 1) - bytes(bits)) {
            bits += 1;
        } else {
            let most = (1 << bits) / 2;
            while kept.len() > most - most / 4 {
                level += 1;
                thin_out(&mut kept, level, most / FREQUENT);
            }
        }
        let larger = table(bits);
        let mut frequent = [0_u64; 16];
        for entry in &kept {
            insert(&larger, entry);
            if entry.hash.trailing_zeros() < level {
                frequent[(entry.hash >> 60) as usize] |= 1 << (entry.hash >> 54 & 63);
            }
        }
        if which == Which::Inputs {
            for (word, bits) in self.header[header::FREQUENT..].iter().zip(frequent) {
                word.store(bits, Relaxed);
            }
        }
        match which {
            Which::Inputs => self.inputs = larger,
            Which::Receivers => self.receivers = Some(larger),
        }
        self.announce(which, level, kept.len());
    }

    /// Bytes of its tables.
    pub fn bytes(&self) -> usize {
        let receivers = self.receivers.as_ref().map_or(0, |table| table.len());
        (self.header.len() + self.inputs.len() + receivers) * size_of::<u64>()
    }
}

/// Leaves out entries at random, by their hashes, and lets each of the others stand for
/// those as well; but not the most frequent ones.
fn thin_out(kept: &mut Vec<Entry>, level: u32, most_frequent: usize) {
    kept.sort_unstable_by_key(|entry| std::cmp::Reverse((entry.hits, entry.hash)));
    let others = kept.split_off(most_frequent.min(kept.len()));
    kept.extend(
        others
            .into_iter()
            .filter(|entry| entry.hash.trailing_zeros() >= level)
            .map(|entry| Entry { weight: level, ..entry }),
    );
}

/// Puts an entry where probes look for it: at the place that the first bits of its hash
/// are, or the next one behind that is free.
fn insert(table: &[AtomicU64], one: &Entry) {
    let bits = bits_of(table);
    let mask = (1_usize << bits) - 1;
    let mut place = (one.hash >> (u64::BITS - bits)) as usize;
    loop {
        let words = &table[place * entry::WORDS..][..entry::WORDS];
        if words[entry::HASH].load(Relaxed) == 0 {
            let hits = one.hits | u64::from(one.weight) << entry::WEIGHT_SHIFT;
            for (word, number) in words.iter().zip([one.hash, one.result, hits, one.saving]) {
                word.store(number, Relaxed);
            }
            return;
        }
        place = (place + 1) & mask;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn hash(number: u64) -> u64 {
        let product = (number + 1).wrapping_mul(0x9E37_79B9_7F4A_7C15);
        product ^ product >> 32
    }

    /// As probes do it.
    fn add(tables: &mut MethodTables, hash: u64, take: impl Fn(usize) -> bool) {
        let left_out = tables.word(header::INPUTS_LEFT_OUT);
        if hash & left_out != 0 {
            return;
        }
        insert(&tables.inputs, &Entry { hash, result: 7, hits: 1, weight: 0, saving: 2 });
        let left = tables.word(header::INPUTS_LEFT) as i64 - 1;
        tables.header[header::INPUTS_LEFT].store(left as u64, Relaxed);
        if left < 0 {
            tables.make_room(Which::Inputs, take);
        }
    }

    #[test]
    fn as_many_as_promised_are_kept() {
        let mut tables = MethodTables::new(3, 0, false);
        for number in 0..u64::from(MOST_INPUTS) {
            add(&mut tables, hash(number), |_| true);
        }
        assert_eq!(tables.level(Which::Inputs), 0);
        assert_eq!(tables.entries(Which::Inputs).count() as u32, MOST_INPUTS);
        assert!(tables.entries(Which::Inputs).all(|entry| (entry.hits, entry.saving) == (1, 2)));
    }

    #[test]
    fn of_more_a_part_is_kept() {
        let mut tables = MethodTables::new(3, 0, false);
        let all = 100_000;
        for number in 0..all {
            add(&mut tables, hash(number), |_| true);
        }
        let level = tables.level(Which::Inputs);
        let kept: Vec<Entry> = tables.entries(Which::Inputs).collect();
        assert!(level >= 4 && kept.len() <= MOST_INPUTS as usize, "{level} {}", kept.len());
        let random = kept.iter().filter(|entry| entry.hash.trailing_zeros() >= level);
        let estimate = (random.count() as u64) << level;
        assert!(estimate.abs_diff(all) < all / 10, "{estimate}");
    }

    #[test]
    fn without_memory_fewer_are_kept() {
        let mut tables = MethodTables::new(3, 0, true);
        for number in 0..1000 {
            add(&mut tables, hash(number), |_| false);
        }
        assert!(tables.level(Which::Inputs) >= 7);
        assert!(tables.entries(Which::Inputs).count() <= 4);
        assert_eq!(tables.level(Which::Receivers), 0);
        assert_eq!(tables.entries(Which::Receivers).count(), 0);
    }
}
