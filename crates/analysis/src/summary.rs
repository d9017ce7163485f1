//! Where the cost of a profile lies, in three lists: repeated patterns, the largest
//! single places, and suspicious calls.

use std::cmp::Reverse;

use crate::subsuming::Subsuming;
use tree::Tree;
use tree::views::neighbours::Edge;
use tree::views::parts::{Part, parts};
use tree::views::region::Region;
use tree::views::suspicious_calls::{SuspiciousCalls, suspicious_calls_of};

/// A subsuming method with more contexts than this is a pattern; others are seen as
/// single places.
const MOST_CONTEXTS: u64 = 3;
/// Smaller shares of all are not listed.
pub const LEAST_SHARE: f64 = 0.005;
/// Contexts of a place that cost less than this part of the least place are not told
/// from their callers.
const PIECES: u64 = 20;
/// A single place has at most this share of all.
const MOST_SHARE: f64 = 0.1;

/// The lists, the greatest cost first.
#[derive(Debug)]
pub struct Summary {
    /// Subsuming methods that many places call, by what they induce.
    pub patterns: Vec<u32>,
    /// The contexts that cost much.
    pub region: Region,
    /// Of each method of the tree whether it is the JDK's.
    pub is_platform: Vec<bool>,
    /// The parts that the program consists of.
    pub places: Vec<Part>,
    /// Calls that cost far more than the method's other calls.
    pub calls: Vec<SuspiciousCalls>,
}

impl Summary {
    /// The summary of a tree with this analysis, and with the `edges` between its
    /// methods.
    ///
    /// Places hold what patterns cost there, too: a library that spends its cost in
    /// other code, such as regular expressions, is found by where it is called.
    pub fn new(tree: &Tree, analysis: &Subsuming, edges: &[Edge]) -> Self {
        let least = (LEAST_SHARE * tree.total() as f64) as u64;
        let is_single = |method: u32| {
            analysis.subsumes[method as usize]
                && analysis.costs[method as usize].contexts <= MOST_CONTEXTS
        };
        // Small contexts, too: many of them may be most of a place.
        let region = Region::of_at_least(tree, (least / PIECES).max(1));
        let mut patterns: Vec<u32> = (0..tree.methods.len() as u32)
            .filter(|&method| analysis.subsumes[method as usize] && !is_single(method))
            .filter(|&method| analysis.induced[method as usize] >= least.max(1))
            .collect();
        patterns.sort_by_key(|&m| (Reverse(analysis.induced[m as usize]), m));
        let is_platform = tree.are_platform();
        let most = (MOST_SHARE * tree.total() as f64) as u64;
        let places = parts(&region, &is_platform, least, most);
        let calls = suspicious_calls_of(tree, edges, least);
        Self { patterns, region, is_platform, places, calls }
    }
}
