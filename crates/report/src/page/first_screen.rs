//! What the first screen of a page says of a profile, by the numbers of methods.

use serde::Serialize;

use crate::page::count::Count;
use crate::page::listing::Listing;
use analysis::subsuming::Subsuming;
use analysis::summary::Summary;
use tree::views::parts::{Part, Spread};
use tree::views::places::{Frame, folded_path};
use tree::views::suspicious_calls::SuspiciousCalls;

/// Entries of each list.
const ENTRIES: usize = 8;

/// The lists of a summary, without the tree.
#[derive(Debug, Default)]
pub struct FirstScreen {
    patterns: Vec<Pattern>,
    places: Vec<(u64, Vec<Frame>, Option<Spread>)>,
    calls: Vec<SuspiciousCalls>,
}

#[derive(Debug)]
struct Pattern {
    method: u32,
    induced: u64,
}

impl FirstScreen {
    /// The first entries of the summary of a tree with this analysis.
    pub fn new(analysis: &Subsuming, summary: &Summary) -> Self {
        let inclusive = summary.region.inclusive_costs();
        let Summary { region, is_platform, .. } = summary;
        let place = |part: &Part| {
            let path = folded_path(region, is_platform, &inclusive, part.place.node);
            (part.place.cost, path, part.spread)
        };
        let pattern =
            |&method: &u32| Pattern { method, induced: analysis.induced[method as usize] };
        Self {
            patterns: summary.patterns.iter().take(ENTRIES).map(pattern).collect(),
            places: summary.places.iter().take(ENTRIES).map(place).collect(),
            calls: summary.calls.iter().take(ENTRIES).copied().collect(),
        }
    }

    /// The section of a page, with the entries whose methods are listed.
    pub fn section(&self, listing: &Listing<'_>) -> Section {
        let frame = |frame: &Frame| match *frame {
            Frame::Method(method) => listing.number(method).map(i64::from),
            Frame::Folded(frames) => Some(-(frames as i64)),
        };
        Section {
            patterns: self
                .patterns
                .iter()
                .filter_map(|pattern| {
                    Some((listing.number(pattern.method)?, Count(pattern.induced)))
                })
                .collect(),
            places: self
                .places
                .iter()
                .filter_map(|(cost, path, spread)| {
                    let frames = path.iter().map(frame).collect::<Option<Vec<i64>>>()?;
                    let spread = spread.and_then(|spread| {
                        let method = listing.number(spread.method)?;
                        Some((method, Count(spread.cost), spread.contexts))
                    });
                    Some((Count(*cost), frames, spread))
                })
                .collect(),
            calls: self
                .calls
                .iter()
                .filter_map(|found| {
                    Some(Calls {
                        caller: listing.number(found.caller)?,
                        callee: listing.number(found.callee)?,
                        calls: [Count(found.calls), Count(found.all_calls)],
                        cost: [Count(found.cost), Count(found.all_cost)],
                    })
                })
                .collect(),
        }
    }
}

/// The section of a page.
#[derive(Debug, Serialize)]
pub struct Section {
    /// Method and induced cost.
    patterns: Vec<(u32, Count)>,
    /// Cost and path: numbers of methods; a negative number is so many frames that
    /// are folded. Then the method that contexts there share, with its cost and
    /// their number.
    places: Vec<(Count, Vec<i64>, Option<Shared>)>,
    calls: Vec<Calls>,
}

/// A method, its cost, and its contexts.
type Shared = (u32, Count, u32);

/// Calls and cost: by the caller, by all.
#[derive(Debug, Serialize)]
struct Calls {
    caller: u32,
    callee: u32,
    calls: [Count; 2],
    cost: [Count; 2],
}
