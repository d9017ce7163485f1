//! Where the cost of a profile lies, in three lists: the places where it lands, repeated
//! patterns, and suspicious calls.

use std::cmp::Reverse;

use crate::subsuming::Subsuming;
use tree::Tree;
use tree::owners::Owners;
use tree::views::landings::{Landing, landings};
use tree::views::neighbours::Edge;
use tree::views::own_loops::{OwnLoop, own_loops};
use tree::views::suspicious_calls::{SuspiciousCalls, suspicious_calls_of};
use tree::views::users::{User, users};

/// A subsuming method with more contexts than this is a pattern; others are seen as
/// single places.
const MOST_CONTEXTS: u64 = 3;
/// Smaller shares of all are not listed.
pub const LEAST_SHARE: f64 = 0.005;
/// The lists, the greatest cost first.
#[derive(Debug)]
pub struct Summary {
    /// The methods of the program in which the cost lands.
    pub places: Vec<Landing>,
    /// Loops of one's own that have several of these places below them.
    pub loops: Vec<OwnLoop>,
    /// Subsuming methods that many places call, by what they induce.
    pub patterns: Vec<u32>,
    /// For each pattern that is the JDK's: who uses it most.
    pub users: Vec<Option<User>>,
    /// Whose code the classes are.
    pub owners: Owners,
    /// Calls that cost far more than the method's other calls.
    pub calls: Vec<SuspiciousCalls>,
}

impl Summary {
    /// The summary of a tree with this analysis, and with the `edges` between its
    /// methods.
    pub fn new(tree: &Tree, analysis: &Subsuming, edges: &[Edge]) -> Self {
        let least = (LEAST_SHARE * tree.total() as f64) as u64;
        let is_single = |method: u32| {
            analysis.subsumes[method as usize]
                && analysis.costs[method as usize].contexts <= MOST_CONTEXTS
        };
        let mut patterns: Vec<u32> = (0..tree.methods.len() as u32)
            .filter(|&method| analysis.subsumes[method as usize] && !is_single(method))
            .filter(|&method| analysis.induced[method as usize] >= least.max(1))
            .collect();
        patterns.sort_by_key(|&m| (Reverse(analysis.induced[m as usize]), m));
        let is_platform = tree.are_platform();
        let users = users(tree, &is_platform, &patterns);
        let places = landings(tree, &is_platform, least);
        let calls = suspicious_calls_of(tree, edges, least);
        let owners = tree.owners();
        let loops = own_loops(tree, &owners, &places);
        Self { places, loops, patterns, users, owners, calls }
    }
}

/// Places of a loop that an entry names.
pub const PLACES_OF_LOOP: usize = 4;

/// An entry of the list of places.
#[derive(Debug, Clone, Copy)]
pub enum Entry<'a> {
    /// A place by itself.
    Place(&'a Landing),
    /// A loop, in which there are several.
    Loop(&'a OwnLoop),
}

/// The places, those of one loop together, the greatest cost first.
pub fn entries<'a>(places: &'a [Landing], loops: &'a [OwnLoop]) -> Vec<Entry<'a>> {
    let is_alone = |at: usize| !loops.iter().any(|one| one.places.contains(&at));
    let alone = places.iter().enumerate().filter(|(at, _)| is_alone(*at));
    let alone = alone.map(|(_, place)| Entry::Place(place));
    let mut entries: Vec<Entry<'a>> = loops.iter().map(Entry::Loop).chain(alone).collect();
    entries.sort_by_key(|entry| {
        Reverse(match entry {
            Entry::Place(place) => place.cost,
            Entry::Loop(one) => one.cost,
        })
    });
    entries
}
