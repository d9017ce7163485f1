//! What was found of one static loop, in all its calling contexts.

use std::cmp::Reverse;
use std::collections::BTreeMap;

use crate::dataflow::{Place, SimilarLoop, SimilarRead};

/// Of so many judged instances one at least must be reported, or the loop is a rare one.
const RARE: u64 = 20;

/// From this share on a loop counts as redundant: most of what it reads, it has read in
/// the same places before, and for nothing new.
const REDUNDANT: f64 = 0.85;

/// A static loop.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Cluster {
    /// Its header.
    pub place: Place,
    /// Instances that ran an inner loop, or a call that copies an array.
    pub instances: u64,
    /// Those of them that had enough iterations to be judged.
    pub judged: u64,
    /// Those of them in which values were similar.
    pub reported: u64,
    /// The iterations of these.
    pub iterations: u64,
    /// Values read in them from outside, in sequences of more than one value.
    pub reads: u64,
    /// Those of them that instructions read again in the same places, and for nothing new.
    pub repeated: u64,
    /// Those in sequences that are similar to the one before.
    pub wasted: u64,
    /// Iterations that were not judged, since the loop had been judged for as many accesses
    /// as the options allow.
    pub unjudged: u64,
    /// Calling paths to it, each with the waste there, most first.
    pub paths: Vec<(Vec<Place>, u64)>,
    /// What reads similar values, most waste first.
    pub similar: Vec<SimilarRead>,
    /// How much more there is of that.
    pub others: u64,
}

/// What a loop does with most of what it reads.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Verdict {
    /// It reads the same data again.
    Redundant,
    /// It reads similar data, beside others.
    Similar,
}

impl Verdict {
    /// As it is printed.
    pub fn word(self) -> &'static str {
        match self {
            Self::Redundant => "redundant",
            Self::Similar => "similar",
        }
    }
}

/// Whether what is read again lies in the same places.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Places {
    /// It does.
    Same,
    /// The values are the same, their places are not.
    Other,
    /// Sometimes it does.
    Some,
}

impl Places {
    /// As it is printed.
    pub fn words(self) -> &'static str {
        match self {
            Self::Same => "same places",
            Self::Other => "same values only",
            Self::Some => "same places in part",
        }
    }
}

/// Puts together what is found of one static loop; what wastes most comes first.
pub fn cluster(loops: &[SimilarLoop]) -> Vec<Cluster> {
    let mut clusters: BTreeMap<Place, Cluster> = BTreeMap::new();
    for one in loops {
        // The line follows from the position.
        let cluster = clusters.entry(one.place).or_default();
        cluster.place = one.place;
        cluster.add(one);
    }
    let mut clusters: Vec<Cluster> = clusters.into_values().collect();
    for cluster in &mut clusters {
        cluster.similar.sort_by(|a, b| {
            let key = |read: &SimilarRead| (Reverse(read.wasted), read.path.len());
            key(a).cmp(&key(b)).then_with(|| (a.place, &a.path).cmp(&(b.place, &b.path)))
        });
        cluster.paths.sort_by(|a, b| (Reverse(a.1), &a.0).cmp(&(Reverse(b.1), &b.0)));
    }
    clusters.sort_by_key(|cluster| (Reverse(cluster.wasted), cluster.place));
    clusters
}

impl Cluster {
    fn add(&mut self, one: &SimilarLoop) {
        let sum = |total: &mut u64, more: u64| *total = total.saturating_add(more);
        sum(&mut self.instances, one.instances);
        sum(&mut self.judged, one.judged);
        sum(&mut self.reported, one.reported);
        sum(&mut self.iterations, one.iterations);
        sum(&mut self.reads, one.reads);
        sum(&mut self.repeated, one.repeated);
        sum(&mut self.wasted, one.wasted);
        sum(&mut self.unjudged, one.unjudged);
        sum(&mut self.others, one.others);
        match self.paths.iter_mut().find(|(path, _)| *path == one.path) {
            Some((_, wasted)) => sum(wasted, one.wasted),
            None => self.paths.push((one.path.clone(), one.wasted)),
        }
        for read in &one.similar {
            let same = |known: &&mut SimilarRead| {
                known.place == read.place && known.path == read.path && known.what == read.what
            };
            let Some(known) = self.similar.iter_mut().find(same) else {
                self.similar.push(read.clone());
                continue;
            };
            sum(&mut known.reported, read.reported);
            sum(&mut known.same_places, read.same_places);
            sum(&mut known.sequences, read.sequences);
            sum(&mut known.similar, read.similar);
            sum(&mut known.reads, read.reads);
            sum(&mut known.wasted, read.wasted);
            sum(&mut known.ratios, read.ratios);
            sum(&mut known.truncated, read.truncated);
        }
    }

    /// How much of what it reads it has read before in the same places, for nothing new.
    pub fn share(&self) -> f64 {
        if self.reads == 0 { 0.0 } else { self.repeated as f64 / self.reads as f64 }
    }

    /// Whether it reads the same places again, and always for something new.
    pub fn has_something_new(&self) -> bool {
        self.repeated == 0 && self.places() != Places::Other
    }

    /// Whether what an instruction reads again in the same places meets something new in each
    /// iteration: otherwise, all of its values would be among those repeated for nothing new. A
    /// search for an equal element never does.
    pub fn meets_something_new(&self, read: &SimilarRead) -> bool {
        match read.same_places == read.reported {
            true => self.repeated < read.reads,
            false => read.same_places > 0 && self.repeated == 0,
        }
    }

    /// Whether values were similar in so few of its instances that this may be chance.
    pub fn is_rare(&self) -> bool {
        self.reported.saturating_mul(RARE) < self.judged
    }

    /// What that means.
    pub fn verdict(&self) -> Verdict {
        if self.share() >= REDUNDANT { Verdict::Redundant } else { Verdict::Similar }
    }

    /// Where that lies which is read again.
    pub fn places(&self) -> Places {
        let sum = |of: fn(&SimilarRead) -> u64| self.similar.iter().map(of).sum::<u64>();
        match (sum(|read| read.same_places), sum(|read| read.reported)) {
            (0, _) => Places::Other,
            (same, reported) if same == reported => Places::Same,
            _ => Places::Some,
        }
    }
}

/// How much of the shorter of two similar sequences they have in common, on average.
pub fn mean_ratio(read: &SimilarRead) -> f64 {
    if read.similar == 0 { 0.0 } else { read.ratios as f64 / 1000.0 / read.similar as f64 }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::MethodId;

    fn place(method: u32, bci: u16) -> Place {
        Place { method: Some(MethodId(method)), bci, line: 1 }
    }

    fn found(at: Place, path: Vec<Place>, wasted: u64, repeated: u64) -> SimilarLoop {
        let read = SimilarRead {
            place: place(9, 4),
            reported: 1,
            same_places: u64::from(repeated > 0),
            similar: 2,
            ratios: 1500,
            wasted,
            ..SimilarRead::default()
        };
        let similar = vec![read];
        let (reads, reported) = (100, 1);
        SimilarLoop {
            place: at,
            path,
            wasted,
            reads,
            repeated,
            reported,
            similar,
            ..SimilarLoop::default()
        }
    }

    #[test]
    fn what_meets_something_new_is_not_repeated() {
        let mut one = cluster(&[found(place(1, 5), Vec::new(), 70, 90)]).remove(0);
        one.similar[0].reads = 90;
        let read = one.similar[0].clone();
        assert!(!one.meets_something_new(&read));
        one.repeated = 0;
        assert!(one.meets_something_new(&read));
        // Of values in other places nothing is known.
        assert!(!one.meets_something_new(&SimilarRead { same_places: 0, ..read }));
    }

    #[test]
    fn loops_of_one_place_are_one_cluster_and_waste_ranks_them() {
        let (one, other) = (place(1, 5), place(2, 5));
        let paths = [vec![place(0, 1)], vec![place(0, 7)]];
        let clusters = cluster(&[
            found(other, Vec::new(), 70, 0),
            found(one, paths[0].clone(), 30, 90),
            found(one, paths[1].clone(), 50, 90),
            found(one, paths[1].clone(), 5, 90),
        ]);
        assert_eq!(clusters.len(), 2);
        assert_eq!((clusters[0].place, clusters[0].wasted), (one, 85));
        assert_eq!(clusters[0].paths, [(paths[1].clone(), 55), (paths[0].clone(), 30)]);
        assert_eq!(
            (clusters[0].verdict(), clusters[0].places()),
            (Verdict::Redundant, Places::Same)
        );
        assert_eq!(
            (clusters[1].verdict(), clusters[1].places()),
            (Verdict::Similar, Places::Other)
        );
        assert_eq!(clusters[0].similar.len(), 1);
        assert_eq!(mean_ratio(&clusters[0].similar[0]), 0.75);
    }
}
