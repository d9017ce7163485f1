//! The way into a context: of the calls that lead there, those that say most.

use profile::NO_PARENT;

use crate::Tree;
use crate::names::generated::is_cut;
use crate::owners::{Owner, Owners};
use crate::views::places::Frame;

/// So many methods are shown, besides those that would be folded into one or two frames.
const ROOM: usize = 7;
/// So many methods in a row at least are folded into one frame.
const FOLDED: usize = 3;

/// A frame of the way in.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Stop {
    /// The method, or methods that are left out.
    pub frame: Frame,
    /// How often each call of its caller, which may be folded away, calls it on average, where
    /// that is often.
    pub calls_each: Option<u64>,
}

/// So many calls for each call of the caller are often.
const OFTEN: u64 = 10;

/// The way from the last of one's own methods to a context: that method, the first one of
/// each library behind it, the context's caller, and the context. If the context is one's own,
/// its caller of the program comes before it; if the last of one's own is called often, its
/// caller does.
pub fn way_in(tree: &Tree, owners: &Owners, node: u32) -> Vec<Stop> {
    way_along(tree, owners, &tree.path(node))
}

/// The same of a part of a path of calls, as if there were nothing above it: its last context
/// takes the place of the context. Nothing of an empty path.
pub fn way_along(tree: &Tree, owners: &Owners, path: &[u32]) -> Vec<Stop> {
    let Some(last) = path.len().checked_sub(1) else { return Vec::new() };
    let class = |node: u32| &*tree.methods[tree.method[node as usize] as usize].class;
    let of: Vec<Owner> = path.iter().map(|&node| owners.owner(class(node))).collect();
    let of_program = |at: &usize| of[*at] != Owner::Platform;
    // The program's caller of the last frame; the JDK may be between.
    let caller = (0..last).rev().find(of_program);
    let own = (0..=last).rev().find(|&at| of[at] == Owner::Own);
    let is_often = |at: usize| calls_each(tree, path[at]).is_some();
    let first = match own {
        Some(own) if own == last => caller.unwrap_or(last),
        // In a loop of one's own, maybe by way of the JDK: the loop says more.
        Some(own) if is_often(own) => {
            (0..own).rev().find(of_program).filter(|&at| of[at] == Owner::Own).unwrap_or(own)
        }
        Some(own) => own,
        // Nothing is one's own: where the program begins.
        None => (0..=last).find(of_program).unwrap_or(0),
    };
    // In the order of what they say: its ends, loops of one's own, where libraries are
    // entered, other loops, and who is nearest.
    let mut order = vec![first, last];
    order.extend(own.filter(|&own| own > first));
    let behind_own = own.unwrap_or(first) + 1;
    order.extend(Some(behind_own).filter(|&at| at < last && is_often(at)));
    order.extend(caller);
    let mut library = "";
    for at in first + 1..last {
        // Where a lambda's class comes from is not known.
        if of[at] == Owner::Library && !is_cut(class(path[at])) {
            let of_frame = owners.origin(class(path[at]));
            if of_frame != library {
                order.push(at);
            }
            library = of_frame;
        }
    }
    order.extend((first + 1..last).filter(|&at| is_often(at)));
    order.extend((first + 1..last).rev().filter(of_program));
    let mut shown: Vec<usize> = Vec::new();
    for at in order {
        if shown.len() < ROOM && at >= first && !shown.contains(&at) {
            shown.push(at);
        }
    }
    shown.sort_unstable();
    let method = |at: usize| Frame::Method(tree.method[path[at] as usize]);
    let stop = |at: usize| {
        let calls_each = (at > first).then(|| calls_each(tree, path[at])).flatten();
        Stop { frame: method(at), calls_each }
    };
    let mut stops: Vec<Stop> = Vec::new();
    let mut next = first;
    for at in shown {
        if at - next < FOLDED {
            stops.extend((next..at).map(stop));
        } else {
            stops.push(Stop { frame: Frame::Folded(at - next), calls_each: None });
        }
        stops.push(stop(at));
        next = at + 1;
    }
    stops
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
