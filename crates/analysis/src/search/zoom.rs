//! Zooming: going on to longer or shorter sequences as long as one of them
//! keeps the cost, and leaving out those that do not matter.

use std::cmp::Reverse;

use super::interface::{Cost, ProfileInterface};

/// What zooming in one direction has found.
#[derive(Debug, Clone)]
pub struct Zoomed<S> {
    /// The summaries to list.
    pub summaries: Vec<S>,
    /// How many more there are that do not matter.
    pub below_cutoff: usize,
}

/// Methods in a sequence that is not extended by itself any more: a user whose
/// program recurses deeper would wait for names that nobody reads.
pub const LONGEST: usize = 250;

/// Zooms from a summary, where `next` gives those one method longer (or
/// shorter). With a `cutoff` of 0.95, 95 % of the cost must be kept.
pub fn zoom<P: ProfileInterface>(
    profile: &P,
    from: &P::Summary,
    cutoff: f64,
    next: impl Fn(&P::Summary) -> Vec<P::Summary>,
) -> Zoomed<P::Summary> {
    let least = cutoff * magnitude(profile.cum_of(from));
    let mut reached: Option<P::Summary> = None;
    loop {
        let at = reached.as_ref().unwrap_or(from);
        let too_long = profile.path_of(at).len() >= LONGEST && reached.is_some();
        let mut candidates = if too_long { Vec::new() } else { next(at) };
        sort_by_cum(profile, &mut candidates);
        let found = candidates.len();
        // The first one alone is by far the most frequent case.
        let first = candidates.first().map(|first| magnitude(profile.cum_of(first)));
        if first.is_some_and(|first| first >= least) {
            reached = candidates.into_iter().next();
            continue;
        }
        let running = profile.running_cums(&candidates);
        let enough = running.into_iter().position(|total| magnitude(total) >= least);
        candidates.truncate(enough.map_or(0, |at| at + 1));
        return match (enough, reached) {
            (Some(_), _) => {
                Zoomed { below_cutoff: found - candidates.len(), summaries: candidates }
            }
            (None, Some(reached)) => Zoomed { summaries: vec![reached], below_cutoff: 0 },
            (None, None) => Zoomed { summaries: Vec::new(), below_cutoff: found },
        };
    }
}

/// Sorts by the magnitude of the cum, the greatest first; ties stay in the
/// order of the methods.
pub fn sort_by_cum<P: ProfileInterface>(profile: &P, summaries: &mut [P::Summary]) {
    summaries.sort_by_cached_key(|summary| Reverse(profile.cum_of(summary).unsigned_abs()));
}

fn magnitude(cost: Cost) -> f64 {
    cost.unsigned_abs() as f64
}
