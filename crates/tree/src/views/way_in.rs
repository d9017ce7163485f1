//! The way into a context: of the calls that lead there, those that say most.

use profile::NO_PARENT;

use crate::Tree;
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
    /// How often each call of its caller, which may be folded away, calls it, where that is
    /// often.
    pub calls_each: Option<u64>,
}

/// So many calls for each call of the caller are often.
const OFTEN: u64 = 10;

/// The way from the last of one's own methods to a context: that method, the first one of
/// each library behind it, the context's caller, and the context. If the context is one's own,
/// its caller of the program comes before it.
pub fn way_in(tree: &Tree, owners: &Owners, node: u32) -> Vec<Stop> {
    let path = tree.path(node);
    let class = |node: u32| &*tree.methods[tree.method[node as usize] as usize].class;
    let of: Vec<Owner> = path.iter().map(|&node| owners.owner(class(node))).collect();
    let last = path.len() - 1;
    let of_program = |at: &usize| of[*at] != Owner::Platform;
    // The program's caller of the last frame; the JDK may be between.
    let caller = (0..last).rev().find(of_program);
    let own = (0..=last).rev().find(|&at| of[at] == Owner::Own);
    let first = match own {
        Some(own) if own == last => caller.unwrap_or(last),
        Some(own) => own,
        // Nothing is one's own: where the program begins.
        None => (0..=last).find(of_program).unwrap_or(last),
    };
    // In the order of what they say: its ends, where libraries are entered, loops, and who
    // is nearest.
    let mut order = vec![first, last];
    order.extend(caller);
    let mut library = "";
    for at in first + 1..last {
        if of[at] == Owner::Library {
            let of_frame = owners.origin(class(path[at]));
            if of_frame != library {
                order.push(at);
            }
            library = of_frame;
        }
    }
    let loops = (first + 1..last).filter(|&at| calls_each(tree, path[at]).is_some());
    order.extend(loops);
    order.extend((first + 1..last).rev().filter(of_program));
    let mut shown: Vec<usize> = Vec::new();
    for at in order {
        if shown.len() < ROOM && at >= first && !shown.contains(&at) {
            shown.push(at);
        }
    }
    shown.sort_unstable();
    let method = |at: usize| Frame::Method(tree.method[path[at] as usize]);
    let mut stops: Vec<Stop> = Vec::new();
    let mut next = first;
    for at in shown {
        if at - next < FOLDED {
            stops.extend((next..at).map(|at| Stop { frame: method(at), calls_each: None }));
        } else {
            stops.push(Stop { frame: Frame::Folded(at - next), calls_each: None });
        }
        let calls_each = (at > first).then(|| calls_each(tree, path[at])).flatten();
        stops.push(Stop { frame: method(at), calls_each });
        next = at + 1;
    }
    stops
}

/// How often each call of a context's caller calls it, if that is often.
fn calls_each(tree: &Tree, node: u32) -> Option<u64> {
    let calls = tree.calls()?;
    let caller = Some(tree.parent[node as usize]).filter(|&caller| caller != NO_PARENT)?;
    let [calls, of_caller] = [node, caller].map(|node| calls[node as usize]);
    calls.checked_div(of_caller).filter(|&each| each >= OFTEN)
}
