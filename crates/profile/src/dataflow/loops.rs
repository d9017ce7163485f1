//! Similar memory accesses in loops, as "Toddler: Detecting Performance Problems via
//! Similar Memory-Access Patterns" (ICSE 2013) defines them.

use crate::dataflow::Place;
use crate::dataflow::check::within;
use crate::{Error, MethodId};

/// What was found in the loops of a program.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct LoopProfile {
    /// Loops in their calling contexts, of threads one after the other.
    pub loops: Vec<SimilarLoop>,
    /// What was left out.
    pub totals: LoopTotals,
}

/// A loop in a calling context in whose iterations similar values were read.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct SimilarLoop {
    /// Its header.
    pub place: Place,
    /// The calls that led to it, from the thread's first method on. Empty if the loop's
    /// method is that.
    pub path: Vec<Place>,
    /// Instances that ran an inner loop, or a call that copies an array.
    pub instances: u64,
    /// Those of them that had enough iterations to be judged.
    pub judged: u64,
    /// Those of them in which values were similar.
    pub reported: u64,
    /// The iterations of these.
    pub iterations: u64,
    /// Values read in them, but for the loop's own data and single values.
    pub reads: u64,
    /// Those of them that instructions read again in the same places, and for nothing new.
    pub repeated: u64,
    /// Those in sequences that are similar to the one before.
    pub wasted: u64,
    /// Iterations, of any instance, that were not judged, since the loop had been judged for
    /// as many accesses as the options allow.
    pub unjudged: u64,
    /// What reads similar values, what wastes most first.
    pub similar: Vec<SimilarRead>,
    /// How much more does.
    pub others: u64,
}

/// An instruction in its calling context (an IPCS of the paper) that reads similar values.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct SimilarRead {
    /// The instruction.
    pub place: Place,
    /// The calls from the loop to its method, from that of the loop's method on.
    pub path: Vec<Place>,
    /// What it reads, in words.
    pub what: String,
    /// In how many instances its values were similar.
    pub reported: u64,
    /// In how many of these it read them in the same places.
    pub same_places: u64,
    /// Sequences: values of an iteration, more than one different.
    pub sequences: u64,
    /// Those of them that are similar to the one before.
    pub similar: u64,
    /// Values in all of them.
    pub reads: u64,
    /// Values in the similar ones.
    pub wasted: u64,
    /// How much of the shorter of two similar sequences they have in common: the sum for
    /// all, in thousandths.
    pub ratios: u64,
    /// Sequences of which only the first 256 values were compared.
    pub truncated: u64,
}

/// How much was looked at, and what was left out.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct LoopTotals {
    /// Values read in loops that are judged, but for their own data.
    pub reads: u64,
    /// Reads that found no memory.
    pub lost: u64,
    /// Reads in more loops than an instruction belongs to: the outermost ones miss them.
    pub deep: u64,
    /// Writes that were forgotten for want of memory: what they wrote may pass for data
    /// from outside.
    pub forgotten: u64,
    /// Elements of copied arrays that were not looked at.
    pub uncopied: u64,
    /// Cycles in the code that are no natural loops.
    pub irreducible: u64,
    /// Loops in their contexts, of each thread, that were not judged to the end, since they
    /// had been judged for as many accesses as the options allow.
    pub exhausted: u64,
    /// Iterations of them that were not judged.
    pub unjudged: u64,
}

impl LoopProfile {
    /// Checks that every number lies within its table.
    ///
    /// `methods` is how many methods the profile has.
    ///
    /// # Errors
    ///
    /// Names the first number that does not.
    pub fn validate(&self, methods: usize) -> Result<(), Error> {
        for (at, found) in self.loops.iter().enumerate() {
            let places = [found.place].into_iter().chain(found.path.iter().copied());
            let inner = |read: &SimilarRead| {
                [read.place].into_iter().chain(read.path.iter().copied()).collect::<Vec<_>>()
            };
            for place in places.chain(found.similar.iter().flat_map(inner)) {
                let method = place.method.unwrap_or(MethodId(u32::MAX));
                within("loop", at, "method", method.0, methods)?;
            }
        }
        Ok(())
    }
}
