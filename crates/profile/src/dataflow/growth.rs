//! How the cost of loops grows with their input, as "Input-Sensitive Profiling" (PLDI
//! 2012) measures it.

use crate::Error;
use crate::MethodId;
use crate::dataflow::Place;
use crate::dataflow::check::within;

/// Smaller sizes have a bucket each.
const EXACT: u64 = 256;
/// Buckets of larger ones, between a power of two and the next one.
const BUCKETS_OF_POWER: u32 = 16;

/// Sizes and costs of the loops of a program.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct GrowthProfile {
    /// The loops of which an instance ended, and the recursive methods.
    pub loops: Vec<LoopGrowth>,
    /// How many instances there were, and what was left out.
    pub totals: GrowthTotals,
}

/// Sizes and costs of the instances of a loop.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct LoopGrowth {
    /// Its header.
    pub place: Place,
    /// True for a recursive method rather than a loop: its activations are the instances.
    pub is_method: bool,
    /// Its instances by their sizes, in ascending order, one point for each
    /// [bucket](GrowthPoint::bucket).
    pub points: Vec<GrowthPoint>,
    /// Which iterations of its long instances have an effect; of methods, of none.
    pub effects: LoopEffects,
}

/// Iterations of a loop, in its instances of at least ten.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct LoopEffects {
    /// Whether one place in the code alone leads out of it, exceptions aside: it does not
    /// stop when it has found something.
    pub has_one_exit: bool,
    /// The instances.
    pub instances: u64,
    /// Their iterations.
    pub iterations: u64,
    /// Instances of which no iteration has an effect.
    pub instances_without: u64,
    /// Their iterations.
    pub iterations_without: u64,
    /// Iterations of the other instances that follow the last one with an effect.
    pub iterations_behind: u64,
}

/// Loop instances of about the same size. The *size* is how many places an instance has
/// read before it has written them, the *cost* how many values it has read in all.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct GrowthPoint {
    /// How many, at least one.
    pub instances: u64,
    /// The sum of their sizes.
    pub sizes: u64,
    /// The least cost.
    pub least: u64,
    /// The sum of all costs.
    pub sum: u64,
    /// The greatest cost.
    pub greatest: u64,
}

/// How many loop instances there were, and why some are in no point.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct GrowthTotals {
    /// Instances that ended.
    pub instances: u64,
    /// Those of them of which the size is not known: places that they had touched were
    /// forgotten for want of memory, or they copied very long arrays.
    pub inexact: u64,
    /// Those of them that found no memory for their point.
    pub unkept: u64,
    /// Instances that had not ended when the recording or their thread did.
    pub unfinished: u64,
    /// Loops and methods that were followed for as many accesses as the options allow, and
    /// not for all that their instances did. Where several runs are added up, those of each
    /// count.
    pub resting: u64,
}

impl GrowthPoint {
    /// One instance.
    pub fn of(size: u64, cost: u64) -> Self {
        Self { instances: 1, sizes: size, least: cost, sum: cost, greatest: cost }
    }

    /// The number of the bucket of a size: the size itself below 256, and from there on
    /// one of sixteen of equal width between two powers of two.
    pub fn bucket(size: u64) -> u32 {
        if size < EXACT {
            return size as u32;
        }
        let power = size.ilog2();
        let bits = BUCKETS_OF_POWER.ilog2();
        let within = (size >> (power - bits)) as u32 & (BUCKETS_OF_POWER - 1);
        EXACT as u32 + (power - EXACT.ilog2()) * BUCKETS_OF_POWER + within
    }

    /// Adds instances of the same bucket.
    pub fn add(&mut self, other: &Self) {
        self.instances = self.instances.saturating_add(other.instances);
        self.sizes = self.sizes.saturating_add(other.sizes);
        self.least = self.least.min(other.least);
        self.sum = self.sum.saturating_add(other.sum);
        self.greatest = self.greatest.max(other.greatest);
    }

    /// The mean size.
    pub fn size(&self) -> f64 {
        self.sizes as f64 / self.instances as f64
    }

    /// The mean cost.
    pub fn cost(&self) -> f64 {
        self.sum as f64 / self.instances as f64
    }
}

impl LoopEffects {
    /// Adds those of another thread or run.
    pub fn add(&mut self, other: &Self) {
        self.has_one_exit |= other.has_one_exit;
        for (sum, number) in [
            (&mut self.instances, other.instances),
            (&mut self.iterations, other.iterations),
            (&mut self.instances_without, other.instances_without),
            (&mut self.iterations_without, other.iterations_without),
            (&mut self.iterations_behind, other.iterations_behind),
        ] {
            *sum = sum.saturating_add(number);
        }
    }
}

impl GrowthTotals {
    /// Adds those of another thread or run.
    pub fn add(&mut self, other: &Self) {
        self.instances = self.instances.saturating_add(other.instances);
        self.inexact = self.inexact.saturating_add(other.inexact);
        self.unkept = self.unkept.saturating_add(other.unkept);
        self.unfinished = self.unfinished.saturating_add(other.unfinished);
        self.resting = self.resting.saturating_add(other.resting);
    }
}

impl GrowthProfile {
    /// Checks that every number lies within its table, and that every point has
    /// instances.
    ///
    /// `methods` is how many methods the profile has.
    ///
    /// # Errors
    ///
    /// Names the first one that does not.
    pub fn validate(&self, methods: usize) -> Result<(), Error> {
        for (at, one) in self.loops.iter().enumerate() {
            let method = one.place.method.unwrap_or(MethodId(u32::MAX));
            within("growing loop", at, "method", method.0, methods)?;
            if one.points.iter().any(|point| point.instances == 0) {
                return Err(Error::invalid(format!(
                    "growing loop {at} has a point without instances"
                )));
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn buckets_follow_each_other_and_hold_a_sixteenth_of_a_power_of_two() {
        let mut last = 0;
        for size in 1..100_000 {
            let bucket = GrowthPoint::bucket(size);
            assert!(bucket == last || bucket == last + 1, "{size}");
            assert!(size >= 256 || u64::from(bucket) == size, "{size}");
            last = bucket;
        }
        let numbers = [255, 256, 271, 272, 511, 512, 543, 544].map(GrowthPoint::bucket);
        assert_eq!(numbers, [255, 256, 256, 257, 271, 272, 272, 273]);
        assert_eq!(GrowthPoint::bucket(u64::MAX), 256 + 56 * 16 - 1);
    }

    #[test]
    fn points_are_added_up() {
        let mut point = GrowthPoint::of(300, 50);
        point.add(&GrowthPoint::of(302, 30));
        point.add(&GrowthPoint::of(304, 70));
        let expected = GrowthPoint { instances: 3, sizes: 906, least: 30, sum: 150, greatest: 70 };
        assert_eq!(point, expected);
        assert_eq!((point.size(), point.cost()), (302.0, 50.0));
    }
}
