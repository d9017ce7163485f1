//! What was found in an instance of a loop, and where it is written down.

use rustc_hash::FxHashMap;

use super::super::events::Ipcs;
use super::super::findings::{Finding, Instances, LoopInContext};
use super::super::levels::Level;
use super::super::sections::Section;
use super::super::sums::Sums;
use super::LEAST_ITERATIONS;

/// In how many iterations an IPCS must have sequences, in per cent (`minSeqRatio`).
const LEAST_SEQUENCES: u64 = 45;
/// How many pairs of them must be similar, in per cent (`minSimRatio`), and how much of what
/// is read must lie in sequences that are long enough to be similar.
const LEAST_SIMILAR: u64 = 70;

/// Where it is written down what was found.
pub(super) struct Found<'j> {
    pub(super) instances: &'j mut FxHashMap<LoopInContext, Instances>,
    pub(super) findings: &'j mut FxHashMap<LoopInContext, Finding>,
    pub(super) news: &'j mut Vec<LoopInContext>,
    pub(super) section: Option<&'j mut Section>,
}

impl Found<'_> {
    /// Adds what was found in so many iterations of an instance.
    pub(super) fn add(&mut self, one: LoopInContext, mut finding: Finding, iterations: u64) {
        if finding.similar.is_empty() {
            return;
        }
        finding.reported = 1;
        finding.iterations = iterations;
        if let Some(section) = &mut self.section {
            section.add(one, finding.clone());
        }
        let known = self.findings.entry(one).or_default();
        known.add(finding);
        if known.reported.is_power_of_two() {
            self.news.push(one);
        }
    }

    /// Counts an instance of so many iterations, if it ran an inner loop.
    pub(super) fn count(
        &mut self,
        one: LoopInContext,
        has_inner: bool,
        iterations: u64,
    ) -> &mut Instances {
        let is_long = iterations >= LEAST_ITERATIONS;
        if let Some(section) = self.section.as_mut().filter(|_| has_inner) {
            section.count(one, is_long);
        }
        let known = self.instances.entry(one).or_default();
        if has_inner {
            known.count(is_long);
        }
        known
    }
}

/// Counts the iterations of a loop that were not judged, if it rests.
pub(super) fn count_unjudged(level: &Level, instances: &mut FxHashMap<LoopInContext, Instances>) {
    if let Some(judged) = level.rests {
        instances.entry(level.one()).or_default().unjudged += level.iterations - judged;
    }
}

impl Finding {
    /// Adds an IPCS of an instance with so many iterations; `is_inherent` if what is read
    /// again is worked on with something new.
    pub(super) fn judge(&mut self, ipcs: Ipcs, sums: &Sums, iterations: u64, is_inherent: bool) {
        let mut counts = sums.counts;
        self.reads += counts.reads;
        let pairs = counts.sequences.saturating_sub(1);
        let least = iterations * LEAST_SEQUENCES;
        let are_many = counts.sequences >= 2 && counts.sequences * 100 >= least;
        let is_similar = sums.similar_next * 100 >= pairs * LEAST_SIMILAR;
        let same_places = sums.long >= 2
            && sums.long * 100 * 100 >= least * LEAST_SIMILAR
            && sums.long_reads * 100 >= counts.reads * LEAST_SIMILAR
            && sums.similar_places * 100 >= (sums.long - 1) * LEAST_SIMILAR;
        self.repeated += if are_many && same_places && !is_inherent { counts.reads } else { 0 };
        if are_many && (is_similar || same_places) {
            self.wasted += counts.wasted;
            counts.reported = 1;
            counts.same_places = same_places.into();
            self.similar.insert(ipcs, counts);
        }
    }
}
