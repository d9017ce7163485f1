//! Calls in loops of one's own, below which several places are.
//!
//! A query in a loop costs in a dozen methods of three libraries. What is to be changed is the
//! loop.

use std::cmp::Reverse;

use profile::NO_PARENT;
use rustc_hash::FxHashSet;

use crate::Tree;
use crate::owners::{Owner, Owners};
use crate::views::inputs::Inputs;
use crate::views::landings::{Landing, outermost};
use crate::views::way_in::often;

/// A loop that has more than this share of all is the program itself.
const MOST_SHARE: f64 = 0.8;
/// If a place has this share of a loop, the place says enough.
const SAYS_ENOUGH: f64 = 0.5;
/// A method that is called once is the program itself, too.
const FEWEST_CALLS: u64 = 2;

/// A method of one's own that calls another method often, with places below.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OwnLoop {
    /// The method of one's own.
    pub caller: u32,
    /// What it calls, maybe by way of the JDK.
    pub callee: u32,
    /// How often each of its calls does so, on average, in the costliest context.
    pub calls_each: u64,
    /// With how many inputs the callee was called, if that is known.
    pub inputs: Option<Inputs>,
    /// What these calls cost with all below them; recursion counts once.
    pub cost: u64,
    /// The places below, as numbers in the list that was given, two at least.
    pub places: Vec<usize>,
}

/// The loops whose cost is in two or more of the places and mostly in none, the costliest first. Each place
/// belongs to one loop at most, the innermost on the way to its costliest context.
pub fn own_loops(tree: &Tree, owners: &Owners, places: &[Landing]) -> Vec<OwnLoop> {
    let mut loops: Vec<OwnLoop> = Vec::new();
    for (at, place) in places.iter().enumerate() {
        let Some((caller, callee, calls_each)) = innermost(tree, owners, place.node) else {
            continue;
        };
        match loops.iter_mut().find(|one| one.caller == caller && one.callee == callee) {
            Some(known) => known.places.push(at),
            None => {
                let inputs = Inputs::of(tree, callee);
                let places = vec![at];
                loops.push(OwnLoop { caller, callee, calls_each, inputs, cost: 0, places });
            }
        }
    }
    loops.retain(|one| one.places.len() > 1);
    add_costs(tree, owners, &mut loops);
    let greatest = |one: &OwnLoop| one.places.iter().map(|&at| places[at].cost).max().unwrap_or(0);
    loops.retain(|one| {
        one.cost as f64 <= MOST_SHARE * tree.total() as f64
            && (greatest(one) as f64) < SAYS_ENOUGH * one.cost as f64
    });
    loops.sort_by_key(|one| (Reverse(one.cost), one.caller, one.callee));
    loops
}

/// The innermost call in a loop of one's own on the way to a context: caller, callee, and how
/// often each call of the caller makes it.
fn innermost(tree: &Tree, owners: &Owners, node: u32) -> Option<(u32, u32, u64)> {
    let calls = tree.calls()?;
    let owner = |node: u32| owner(tree, owners, node);
    // From the context up: the nearest one of the program until now.
    let mut callee = None;
    for at in tree.and_callers(node) {
        if owner(at) == Owner::Platform {
            continue;
        }
        if let Some(callee) = callee
            && owner(at) == Owner::Own
        {
            let [of_callee, of_caller] = [callee, at].map(|node: u32| calls[node as usize]);
            if of_caller >= FEWEST_CALLS
                && let Some(each) = often(of_callee, of_caller)
            {
                let method = |node: u32| tree.method[node as usize];
                return Some((method(at), method(callee), each));
            }
        }
        callee = Some(at);
    }
    None
}

fn owner(tree: &Tree, owners: &Owners, node: u32) -> Owner {
    owners.owner(&tree.methods[tree.method[node as usize] as usize].class)
}

/// Adds up what the calls of each loop cost.
fn add_costs(tree: &Tree, owners: &Owners, loops: &mut [OwnLoop]) {
    if loops.is_empty() {
        return;
    }
    let callees: FxHashSet<u32> = loops.iter().map(|one| one.callee).collect();
    let (inclusive, is_outermost) = (tree.inclusive(), outermost(tree));
    for node in 0..tree.len() as u32 {
        let method = tree.method[node as usize];
        if !is_outermost[node as usize] || !callees.contains(&method) {
            continue;
        }
        let mut above = tree.and_callers(node).skip(1);
        let caller = above.find(|&at| owner(tree, owners, at) != Owner::Platform);
        let caller = caller.map_or(NO_PARENT, |caller| tree.method[caller as usize]);
        for one in loops.iter_mut().filter(|one| (one.caller, one.callee) == (caller, method)) {
            one.cost += inclusive[node as usize];
        }
    }
}
