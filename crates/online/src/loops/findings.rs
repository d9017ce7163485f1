//! What was found similar, added up for each loop in its calling context.

use rustc_hash::FxHashMap;

use super::events::Ipcs;

/// A loop in a calling context: its number and the node of the activation that runs it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct LoopInContext {
    /// Number of the loop.
    pub number: u32,
    /// The node.
    pub node: u32,
}

/// How many instances of a loop there were.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Instances {
    /// Those that ran an inner loop, or a call that copies an array.
    pub all: u64,
    /// Those of them that had enough iterations to be judged.
    pub judged: u64,
    /// Iterations that were not judged, as the loop's [budget](super::budget) was spent.
    pub unjudged: u64,
    /// Accesses while they went on, in the last round of budgets in which there were any.
    pub accesses: u64,
    /// The number of that round.
    pub round: u32,
}

/// What the instances of a loop have in common in which an IPCS was similar.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Finding {
    /// How many there were.
    pub reported: u64,
    /// Their iterations.
    pub iterations: u64,
    /// Values that count, and are in sequences of more than one value.
    pub reads: u64,
    /// Those of them in IPCSs that are similar when places are compared, too.
    pub repeated: u64,
    /// Those of them in sequences that are similar to the one before, in similar IPCSs.
    pub wasted: u64,
    /// The similar IPCSs.
    pub similar: FxHashMap<Ipcs, SimilarIpcs>,
}

/// An IPCS that was similar, in the instances where it was.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct SimilarIpcs {
    /// In how many instances.
    pub reported: u64,
    /// In how many of these the places were the same, too.
    pub same_places: u64,
    /// Sequences of more than one value.
    pub sequences: u64,
    /// Those of them that are similar to the one before.
    pub similar: u64,
    /// The values in all sequences.
    pub reads: u64,
    /// Those in similar ones.
    pub wasted: u64,
    /// How much of the shorter of two similar sequences they have in common, summed up.
    pub ratios: f64,
    /// Sequences of which only the first values were compared.
    pub truncated: u64,
}

impl Instances {
    /// Adds one, which may have been long enough to be judged.
    pub fn count(&mut self, is_long: bool) {
        self.all += 1;
        self.judged += u64::from(is_long);
    }
}

impl Finding {
    /// Adds another one of the same loop.
    pub fn add(&mut self, other: Finding) {
        self.reported += other.reported;
        self.iterations += other.iterations;
        self.reads += other.reads;
        self.repeated = self.repeated.saturating_add(other.repeated);
        self.wasted += other.wasted;
        for (ipcs, one) in other.similar {
            self.similar.entry(ipcs).or_default().add(&one);
        }
    }
}

impl SimilarIpcs {
    fn add(&mut self, other: &Self) {
        self.reported += other.reported;
        self.same_places += other.same_places;
        self.sequences += other.sequences;
        self.similar += other.similar;
        self.reads += other.reads;
        self.wasted += other.wasted;
        self.ratios += other.ratios;
        self.truncated += other.truncated;
    }
}
