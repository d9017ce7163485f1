//! Culprits: bottlenecks that are pieces of one thing put together.
//!
//! The search starts at the methods where cost is spent. If one method spends its
//! cost by way of several callees, none of which keeps most of it, each of these
//! becomes a bottleneck of its own, and their paths part only at their ends.

use super::auto::Bottleneck;
use super::interface::{Cost, Costs, ProfileInterface};

/// What bottlenecks have in common is one culprit if it costs at most so many times
/// what the first of them does.
const WHOLE: f64 = 3.0;
/// ... and at most this share of the program: more is the work of several.
pub const MOST_SHARE: f64 = 0.1;

/// Bottlenecks that are pieces of one culprit.
#[derive(Debug, Clone)]
pub struct Culprit<S> {
    /// The piece that was found first, of which the path is shown.
    pub summary: S,
    /// All pieces, that one first.
    pub pieces: Vec<S>,
    /// Of each other piece the path behind what it has in common with the first one.
    pub others: Vec<Vec<u32>>,
    /// Costs of the pieces together.
    pub costs: Costs,
    /// What they add to the bottlenecks found before them.
    pub added: Costs,
    /// The total of all until then, in the order of the culprits.
    pub covered: Cost,
}

/// Puts bottlenecks together that are pieces of one culprit; the first piece of
/// each decides on the order. `whole` is what the program costs; in a comparison that
/// is the base, not the difference.
pub fn culprits<P: ProfileInterface>(
    profile: &P,
    whole: u64,
    bottlenecks: &[Bottleneck<P::Summary>],
) -> Vec<Culprit<P::Summary>> {
    let mut is_taken = vec![false; bottlenecks.len()];
    let mut culprits = Vec::new();
    let mut covered = 0;
    for at in 0..bottlenecks.len() {
        if std::mem::replace(&mut is_taken[at], true) {
            continue;
        }
        let first = &bottlenecks[at];
        let path = profile.path_of(&first.summary);
        let mut least_in_common = None;
        let mut pieces = vec![first.summary.clone()];
        let mut added = first.added;
        let mut others = Vec::new();
        for later in at + 1..bottlenecks.len() {
            let other = &bottlenecks[later];
            let other_path = profile.path_of(&other.summary);
            let common = path.iter().zip(other_path).take_while(|(one, other)| one == other);
            let common = common.count();
            if is_taken[later] || common == 0 {
                continue;
            }
            let least =
                *least_in_common.get_or_insert_with(|| length_of_whole(profile, whole, first));
            if common >= least {
                is_taken[later] = true;
                pieces.push(other.summary.clone());
                others.push(other_path[common..].to_vec());
                added.base += other.added.base;
                added.cum += other.added.cum;
            }
        }
        covered += added.cum;
        let costs = match pieces.len() {
            1 => profile.costs_of(&first.summary),
            _ => profile.total_costs_of(&pieces),
        };
        let summary = first.summary.clone();
        culprits.push(Culprit { summary, pieces, others, costs, added, covered });
    }
    culprits
}

/// How many methods of a bottleneck's path only stand for a culprit of which
/// the bottleneck is a piece.
fn length_of_whole<P: ProfileInterface>(
    profile: &P,
    whole: u64,
    piece: &Bottleneck<P::Summary>,
) -> usize {
    let size = |costs: Costs| costs.cum.unsigned_abs() as f64;
    let most = WHOLE * size(profile.costs_of(&piece.summary));
    let most = most.min(MOST_SHARE * whole as f64);
    let mut culprit = piece.summary.clone();
    while let Some(shorter) = profile.trim_bottom(&culprit) {
        if size(profile.costs_of(&shorter)) > most {
            break;
        }
        culprit = shorter;
    }
    profile.path_of(&culprit).len()
}
