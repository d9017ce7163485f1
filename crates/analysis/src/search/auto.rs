//! A search without a person.

use super::interface::{Cost, Costs, ProfileInterface};
use super::zoom::LONGEST;

/// When to stop.
const ENOUGH_COVERAGE: f64 = 0.8;
const LEAST_GAIN: f64 = 0.01;
const MOST_BOTTLENECKS: usize = 50;
/// An extension must keep this share of what a summary costs.
const KEPT: f64 = 0.5;

/// What a search has found by itself.
#[derive(Debug, Clone)]
pub struct Found<S> {
    /// The bottlenecks in the order in which they were found.
    pub bottlenecks: Vec<Bottleneck<S>>,
    /// Why the search ended.
    pub end: End,
}

/// A bottleneck.
#[derive(Debug, Clone)]
pub struct Bottleneck<S> {
    /// The summary.
    pub summary: S,
    /// What it adds to those found before it.
    pub added: Costs,
    /// The total of all found until then.
    pub covered: Cost,
}

/// Why a search has ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum End {
    /// The bottlenecks cover enough.
    Covered,
    /// The next one would have added too little.
    SmallGain,
    /// There are enough of them.
    Number,
    /// There is no cost to explain.
    NoCost,
}

/// Searches: starts where most cost is not covered yet, goes on to longer
/// sequences while they keep half of it, and labels where that ends. Each
/// bottleneck found is told to `progress` at once.
///
/// If everything together costs less than nothing (in a comparison), it is
/// what became cheaper that is searched for.
pub fn search<P: ProfileInterface>(
    profile: &P,
    progress: &mut dyn FnMut(usize),
) -> Found<P::Summary> {
    let total = profile.total();
    let sign = total.signum();
    let share = |cost: Cost| (sign * cost) as f64 / total.unsigned_abs() as f64;
    let starts = profile.initial_summaries();
    let mut found = Found { bottlenecks: Vec::new(), end: End::NoCost };
    let mut labelled: Vec<P::Summary> = Vec::new();
    let mut covered = 0;
    if total == 0 {
        return found;
    }
    loop {
        let added = profile.added(&labelled, &starts);
        let best = best_of(&added, |costs| sign * costs.base);
        let Some(start) = best.filter(|&at| sign * added[at].base > 0) else {
            found.end = End::SmallGain;
            return found;
        };
        let (summary, added) = extend(profile, &labelled, starts[start].clone(), added[start]);
        if share(added.cum) < LEAST_GAIN {
            found.end = End::SmallGain;
            return found;
        }
        covered += added.cum;
        labelled.push(summary.clone());
        found.bottlenecks.push(Bottleneck { summary, added, covered });
        progress(found.bottlenecks.len());
        if share(covered) >= ENOUGH_COVERAGE {
            found.end = End::Covered;
            return found;
        }
        if found.bottlenecks.len() == MOST_BOTTLENECKS {
            found.end = End::Number;
            return found;
        }
    }
}

/// Goes on to the extension of greatest uncovered cum while it keeps enough. What a
/// callee keeps is what it and all below it cost: the cost along the path to it stays
/// in the cum of any longer path, and would lead to callees that add nothing.
fn extend<P: ProfileInterface>(
    profile: &P,
    labelled: &[P::Summary],
    mut summary: P::Summary,
    mut added: Costs,
) -> (P::Summary, Costs) {
    let sign = added.cum.signum();
    while profile.path_of(&summary).len() < LONGEST {
        let mut longer = profile.extended_top(&summary);
        let callers = longer.len();
        longer.extend(profile.extended_bottom(&summary));
        let costs = profile.added(labelled, &longer);
        let along = |at: usize| if at < callers { 0 } else { added.base };
        let kept: Vec<Cost> =
            (0..).zip(&costs).map(|(at, costs)| sign * (costs.cum - along(at))).collect();
        let numbers = (0..kept.len()).rev();
        let Some(best) = numbers.max_by_key(|&at| kept[at]) else { break };
        if kept[best] <= 0 || (kept[best] as f64) < KEPT * (sign * added.cum) as f64 {
            break;
        }
        added = costs[best];
        summary = longer.swap_remove(best);
    }
    (summary, added)
}

/// The first of those with the greatest value.
fn best_of(costs: &[Costs], value: impl Fn(&Costs) -> Cost) -> Option<usize> {
    let numbers = 0..costs.len();
    numbers.rev().max_by_key(|&at| value(&costs[at]))
}
