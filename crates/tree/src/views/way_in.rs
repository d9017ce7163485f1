//! The way into a context: of the calls that lead there, those that say most.

use profile::NO_PARENT;

use crate::Tree;
use crate::owners::Owners;
use crate::views::folding::{Call, Extent, Frame, Piece, first_of_way_in, fold};
use crate::views::inputs::Inputs;

/// A frame of the way in.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Stop {
    /// The method, or methods that are left out.
    pub frame: Frame,
    /// How often each call of its caller, which may be folded away, calls it on average, where
    /// that is often.
    pub calls_each: Option<u64>,
    /// With how many inputs it was called then, if that is known.
    pub inputs: Option<Inputs>,
}

/// From this number of calls per call of the caller on, a method is called often.
const OFTEN: u64 = 10;

/// The way from the last of one's own methods to a context: that method, the first one of
/// each library behind it, the context's caller, and the context. If the context is one's own,
/// its caller of the program comes before it; if the last of one's own is called often, its
/// caller does.
pub fn way_in(tree: &Tree, owners: &Owners, node: u32, extent: Extent) -> Vec<Stop> {
    way_along(tree, owners, &tree.path(node), extent)
}

/// The same of a part of a path of calls, as if there were nothing above it: its last context
/// takes the place of the context. Nothing of an empty path.
pub fn way_along(tree: &Tree, owners: &Owners, path: &[u32], extent: Extent) -> Vec<Stop> {
    if path.is_empty() {
        return Vec::new();
    }
    let class = |node: u32| &*tree.methods[tree.method[node as usize] as usize].class;
    let is_often = |node: u32| calls_each(tree, node).is_some();
    let call = |&node: &u32| Call { is_telling: is_often(node), ..Call::new(owners, class(node)) };
    let calls: Vec<Call<'_>> = path.iter().map(call).collect();
    let first = first_of_way_in(&calls);
    let calls = &calls[first..];
    let stop = |piece: Piece| {
        let (at, frame) = match piece {
            Piece::Call(at) => (at, Frame::Method(tree.method[path[first + at] as usize])),
            Piece::Folded(_, count) => (0, Frame::Folded(count)),
        };
        // How often the first one is called is not part of the way.
        let calls_each = (at > 0).then(|| calls_each(tree, path[first + at])).flatten();
        let method = frame.method().filter(|_| calls_each.is_some());
        Stop { frame, calls_each, inputs: method.and_then(|method| Inputs::of(tree, method)) }
    };
    fold(calls, 0, calls.len() - 1, extent).into_iter().map(stop).collect()
}

/// How often each call of a context's caller calls it, if that is often.
fn calls_each(tree: &Tree, node: u32) -> Option<u64> {
    let calls = tree.calls()?;
    let caller = Some(tree.parent[node as usize]).filter(|&caller| caller != NO_PARENT)?;
    let [calls, of_caller] = [node, caller].map(|node| calls[node as usize]);
    often(calls, of_caller)
}

/// How many calls there are for each call of the caller, rounded, if that is often.
pub(super) fn often(calls: u64, of_caller: u64) -> Option<u64> {
    let each = calls.saturating_add(of_caller / 2).checked_div(of_caller)?;
    (each >= OFTEN).then_some(each)
}
