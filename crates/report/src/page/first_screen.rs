//! What the first screen of a page says of a profile, by the numbers of methods.

use serde::Serialize;

use crate::page::count::Count;
use crate::page::listing::Listing;
use crate::page::way::{self, way};
use analysis::subsuming::Subsuming;
use analysis::summary::{Entry, PLACES_OF_LOOP, Summary, entries};
use tree::Tree;
use tree::time::TIME;
use tree::time::text::share;
use tree::views::folding::Extent;
use tree::views::inputs::Inputs;
use tree::views::landings::{Landing, Spread, Step};
use tree::views::own_loops::OwnLoop;
use tree::views::suspicious_calls::SuspiciousCalls;
use tree::views::users::User;
use tree::views::way_in::{Stop, way_in};

/// Entries of each list.
const ENTRIES: usize = 8;

/// The lists of a summary, without the tree.
#[derive(Debug, Default)]
pub struct FirstScreen {
    patterns: Vec<Pattern>,
    places: Vec<FoundEntry>,
    /// Samples of a plain run; 0 without any.
    samples: u64,
    calls: Vec<SuspiciousCalls>,
}

/// An entry of the list of places; places have the way in.
#[derive(Debug)]
enum FoundEntry {
    Place((Landing, Vec<Stop>)),
    Loop(OwnLoop, Vec<(Landing, Vec<Stop>)>),
}

#[derive(Debug)]
struct Pattern {
    method: u32,
    induced: u64,
    user: Option<User>,
}

impl FirstScreen {
    /// The first entries of the summary of a tree with this analysis.
    pub fn new(tree: &Tree, analysis: &Subsuming, summary: &Summary) -> Self {
        let place = |landing: &Landing| {
            (landing.clone(), way_in(tree, &summary.owners, landing.node, Extent::Telling))
        };
        let pattern = |(&method, &user): (&u32, &Option<User>)| Pattern {
            method,
            induced: analysis.induced[method as usize],
            user,
        };
        let patterns = summary.patterns.iter().zip(&summary.users);
        Self {
            patterns: patterns.take(ENTRIES).map(pattern).collect(),
            places: entries(&summary.places, &summary.loops)
                .into_iter()
                .take(ENTRIES)
                .map(|entry| match entry {
                    Entry::Place(landing) => FoundEntry::Place(place(landing)),
                    Entry::Loop(one) => {
                        let places = one.places.iter().take(PLACES_OF_LOOP);
                        let places = places.map(|&at| place(&summary.places[at])).collect();
                        FoundEntry::Loop(one.clone(), places)
                    }
                })
                .collect(),
            samples: if tree.metric() == TIME { 0 } else { tree.samples() },
            calls: summary.calls.iter().take(ENTRIES).copied().collect(),
        }
    }

    /// The section of a page, with the entries whose methods are listed.
    pub fn section(&self, listing: &Listing<'_>) -> Section {
        let step = |step: &Step| Some((listing.number(step.method)?, Count(step.cost)));
        let spread = |spread: Spread| {
            Some((listing.number(spread.method)?, Count(spread.cost), spread.contexts))
        };
        let place = |(landing, way_in): &(Landing, Vec<Stop>)| {
            Some(Place {
                cost: Count(landing.cost),
                time: (self.samples > 0).then(|| share(landing.time, self.samples)),
                way_in: way(way_in, listing)?,
                goes_on: landing.goes_on.iter().map_while(step).collect(),
                all_over: landing.all_over.and_then(spread),
                ways: landing.ways.iter().filter_map(step).collect(),
            })
        };
        let entry = |entry: &FoundEntry| match entry {
            FoundEntry::Place(found) => place(found).map(EntrySection::Place),
            FoundEntry::Loop(one, places) => Some(EntrySection::Loop(LoopSection {
                cost: Count(one.cost),
                caller: listing.number(one.caller)?,
                callee: listing.number(one.callee)?,
                calls_each: Count(one.calls_each),
                inputs: one.inputs.and_then(Inputs::told),
                places: places.iter().filter_map(place).collect(),
                more: one.places.len() - places.len(),
            })),
        };
        let pattern = |pattern: &Pattern| {
            let user = pattern.user.and_then(|user| {
                Some((listing.number(user.method)?, Count(user.cost), Count(user.all)))
            });
            Some((listing.number(pattern.method)?, Count(pattern.induced), user))
        };
        Section {
            patterns: self.patterns.iter().filter_map(pattern).collect(),
            places: self.places.iter().filter_map(entry).collect(),
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
    /// Method, induced cost, and who uses it most.
    patterns: Vec<(u32, Count, Option<UserSection>)>,
    places: Vec<EntrySection>,
    calls: Vec<Calls>,
}

/// An entry of the list of places.
#[derive(Debug, Serialize)]
#[serde(untagged)]
enum EntrySection {
    Place(Place),
    Loop(LoopSection),
}

/// A loop with several places.
#[derive(Debug, Serialize)]
struct LoopSection {
    cost: Count,
    caller: u32,
    callee: u32,
    calls_each: Count,
    /// With how many inputs the callee was called, in words.
    inputs: Option<String>,
    places: Vec<Place>,
    /// How many more there are.
    more: usize,
}

/// A method, what is done for it, and for all.
type UserSection = (u32, Count, Count);

/// Where cost lands.
#[derive(Debug, Serialize)]
struct Place {
    cost: Count,
    /// Its share of the time with the error, if there are samples.
    time: Option<String>,
    way_in: Vec<way::Step>,
    /// Callees with much of the cost, each called by the one before, maybe by way of others.
    goes_on: Vec<(u32, Count)>,
    /// A method that is called all over the place, with its cost and contexts there.
    all_over: Option<(u32, Count, u32)>,
    /// Where ways to the place part: who calls it.
    ways: Vec<(u32, Count)>,
}

/// Calls and cost: by the caller, by all.
#[derive(Debug, Serialize)]
struct Calls {
    caller: u32,
    callee: u32,
    calls: [Count; 2],
    cost: [Count; 2],
}
