//! The largest places of a region: the contexts where its cost stops to lie in
//! one callee and spreads out, or is spent.

use std::cmp::Reverse;

use profile::NO_PARENT;

use crate::Tree;
use crate::names::pattern::Pattern;
use crate::owners::Owners;
use crate::views::folding::{Call, Extent, Frame, Piece, fold};
use crate::views::region::Region;

/// A callee with this share of a context's cost is what the context costs; the
/// cost has not found its place yet.
const PASSED_ON: f64 = 0.7;
/// A caller that loses this share of the cost to other callees stays visible in
/// the path to a place.
const BRANCHING: f64 = 0.2;

/// A context and what is spent in it and below, other places aside.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Place {
    /// The context, a number in the region.
    pub node: u32,
    /// Cost below that lies in no other place.
    pub cost: u64,
    /// Cost of all below that belongs to the region.
    pub inclusive: u64,
}

/// The places with at least the cost `least`, the largest first. Their costs add up
/// to what of the region lies in places; each context counts once.
///
/// What the JDK does by itself for a program is one place, where the program calls
/// the JDK: a search of a list, with all comparisons. `is_platform` says of each
/// method of the tree whether it is the JDK's.
pub fn places(region: &Region, is_platform: &[bool], least: u64) -> Vec<Place> {
    let inclusive = region.inclusive_costs();
    let by_itself = platform_by_itself(region, is_platform);
    let mut largest_callee = vec![0; inclusive.len()];
    for (node, &parent) in region.parent.iter().enumerate().skip(1) {
        if parent != NO_PARENT {
            let largest: &mut u64 = &mut largest_callee[parent as usize];
            *largest = inclusive[node].max(*largest);
        }
    }
    // What of each context lies in no place further down.
    let mut left = region.cost.clone();
    let mut places = Vec::new();
    for node in (0..left.len()).rev() {
        let (cost, parent) = (left[node], region.parent[node]);
        let parts_of_one = by_itself[node] && parent != NO_PARENT && by_itself[parent as usize];
        let passes_on = largest_callee[node] as f64 >= PASSED_ON * inclusive[node] as f64;
        let is_place = cost >= least && cost > 0 && (by_itself[node] || !passes_on);
        if is_place && !parts_of_one {
            places.push(Place { node: node as u32, cost, inclusive: inclusive[node] });
        } else if parent != NO_PARENT {
            left[parent as usize] += cost;
        }
    }
    places.sort_by_key(|place| (Reverse(place.cost), place.node));
    places
}

/// Of each context whether it and all below are the JDK's, and some above are not.
fn platform_by_itself(region: &Region, is_platform: &[bool]) -> Vec<bool> {
    let platform = |node: usize| is_platform[region.method[node] as usize];
    let count = region.method.len();
    let mut below_program = vec![false; count];
    for node in 0..count {
        let parent = region.parent[node];
        let above = parent != NO_PARENT && below_program[parent as usize];
        below_program[node] = above || !platform(node);
    }
    let mut by_itself: Vec<bool> =
        (0..count).map(|node| platform(node) && below_program[node]).collect();
    for node in (0..count).rev() {
        let parent = region.parent[node];
        if parent != NO_PARENT && !by_itself[node] {
            by_itself[parent as usize] = false;
        }
    }
    by_itself
}

/// The path to a place: its first frame, those where the cost branches, and what
/// [`fold`] keeps besides. `inclusive` is [`Region::inclusive_costs`]; methods of `wanted`
/// classes are shown in any case.
pub fn path_to(
    (tree, region): (&Tree, &Region),
    owners: &Owners,
    inclusive: &[u64],
    node: u32,
    wanted: Option<&Pattern>,
    extent: Extent,
) -> Vec<Frame> {
    let path = region.path(node);
    let method = |at: usize| region.method[path[at] as usize];
    let call = |at: usize| {
        let class = &tree.methods[method(at) as usize].class;
        let of_callee = path.get(at + 1).map_or(0, |&callee| inclusive[callee as usize]);
        Call {
            is_telling: branches(inclusive[path[at] as usize], of_callee),
            is_wanted: wanted.is_some_and(|wanted| wanted.matches(class)),
            ..Call::new(owners, class)
        }
    };
    let calls: Vec<Call<'_>> = (0..path.len()).map(call).collect();
    let frame = |piece: Piece| match piece {
        Piece::Call(at) => Frame::Method(method(at)),
        Piece::Folded(_, count) => Frame::Folded(count),
    };
    fold(&calls, 0, calls.len() - 1, extent).into_iter().map(frame).collect()
}

/// Whether much of a context's cost does not go to one callee.
pub(super) fn branches(cost: u64, of_callee: u64) -> bool {
    cost.saturating_sub(of_callee) as f64 >= BRANCHING * cost as f64
}
