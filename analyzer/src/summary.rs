//! Where the cost of a profile lies, in three lists: repeated patterns, the largest
//! single places, and suspicious calls.

use std::cmp::Reverse;

use crate::error::Result;
use crate::names::method::Method;
use crate::subsuming::Subsuming;
use crate::tree::Tree;
use crate::views::neighbours::Edge;
use crate::views::places::{Place, places};
use crate::views::region::Region;
use crate::views::suspicious_calls::{SuspiciousCalls, suspicious_calls_of};

/// A subsuming method with more contexts than this is a pattern; what others induce
/// lies in single places.
const MOST_CONTEXTS: u64 = 3;
/// Smaller shares of all are not listed.
pub const LEAST_SHARE: f64 = 0.005;

/// The lists, the greatest cost first.
#[derive(Debug)]
pub struct Summary {
    /// Subsuming methods that many places call, by what they induce.
    pub patterns: Vec<u32>,
    /// What no pattern explains.
    pub region: Region,
    /// Places in the region.
    pub places: Vec<Place>,
    /// Calls that cost far more than the method's other calls.
    pub calls: Vec<SuspiciousCalls>,
}

impl Summary {
    /// The summary of a tree with this analysis, and with the `edges` between its
    /// methods.
    ///
    /// # Errors
    /// If the tree is not in preorder.
    pub fn new(tree: &Tree, analysis: &Subsuming, edges: &[Edge]) -> Result<Self> {
        let least = (LEAST_SHARE * tree.total() as f64) as u64;
        let is_single = |method: u32| {
            analysis.subsumes[method as usize]
                && analysis.costs[method as usize].contexts <= MOST_CONTEXTS
        };
        let region = Region::induced(tree, &analysis.subsumes, is_single, true)?;
        let mut patterns: Vec<u32> = (0..tree.methods.len() as u32)
            .filter(|&method| analysis.subsumes[method as usize] && !is_single(method))
            .filter(|&method| analysis.induced[method as usize] >= least.max(1))
            .collect();
        patterns.sort_by_key(|&m| (Reverse(analysis.induced[m as usize]), m));
        let is_platform: Vec<bool> = tree.methods.iter().map(Method::is_platform).collect();
        let places = places(&region, &is_platform, least);
        let calls = suspicious_calls_of(tree, edges, least);
        Ok(Self { patterns, region, places, calls })
    }
}
