//! The contexts of two trees in one, paired by their paths.

use std::cmp::Reverse;

use profile::NO_PARENT;

use crate::diff::pairing::{Visitor, walk};
use tree::Tree;

/// A context of one tree, or of both.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Paired {
    /// Its method.
    pub method: u32,
    /// Place of its caller; `None` for roots.
    pub caller: Option<u32>,
    /// Cost of its subtree before and after; 0 where it is not there.
    pub inclusive: [u64; 2],
    /// Its own cost.
    pub exclusive: [u64; 2],
    /// Its calls; 0 where they were not counted.
    pub calls: [u64; 2],
}

/// The `count` contexts with the greatest costs before or after, of trees that
/// share one table of methods. A context stands behind its caller, so the first
/// ones are a tree, however many they are. Contexts that cost nothing are left out.
pub fn union(base: &Tree, new: &Tree, count: usize) -> Vec<Paired> {
    let (base_ends, new_ends) = (base.subtree_ends(), new.subtree_ends());
    let mut partners = Partners { of_base: vec![NONE; base.len()], of_new: vec![NONE; new.len()] };
    walk((base, &base_ends), (new, &new_ends), &mut partners);
    let inclusive = [base.inclusive(), new.inclusive()];
    // Contexts by their places in the new tree, then those that are in the base only.
    let first_gone = new.len() as u32;
    let nodes_of = |id: u32| match id.checked_sub(first_gone) {
        Some(gone) => [gone, NONE],
        None => [partners.of_new[id as usize], id],
    };
    let at = |column: &[u64], node: u32| column.get(node as usize).copied().unwrap_or(0);
    let costs = |id: u32| {
        let nodes = nodes_of(id);
        [at(&inclusive[0], nodes[0]), at(&inclusive[1], nodes[1])]
    };
    let gone = (0u32..).zip(&partners.of_base).filter(|&(_, &partner)| partner == NONE);
    let ids = (0..first_gone).chain(gone.map(|(node, _)| first_gone + node));
    let mut greatest: Vec<(u64, Reverse<u32>)> = ids
        .map(|id| (costs(id)[0].max(costs(id)[1]), Reverse(id)))
        .filter(|&(cost, _)| cost > 0)
        .collect();
    if greatest.len() > count {
        greatest.select_nth_unstable_by(count, |one, other| other.cmp(one));
        greatest.truncate(count);
    }
    greatest.sort_unstable_by(|one, other| other.cmp(one));

    let mut places: rustc_hash::FxHashMap<u32, u32> = rustc_hash::FxHashMap::default();
    let mut paired = Vec::with_capacity(greatest.len());
    for (place, (_, Reverse(id))) in (0..).zip(greatest) {
        places.insert(id, place);
        let [old, now] = nodes_of(id);
        let (tree, node) = if now == NONE { (base, old) } else { (new, now) };
        let caller = match tree.parent[node as usize] {
            NO_PARENT => None,
            parent if now != NONE => Some(parent),
            parent => Some(match partners.of_base[parent as usize] {
                NONE => first_gone + parent,
                partner => partner,
            }),
        };
        let column = |tree: &Tree, node: u32| {
            (at(tree.cost(), node), tree.calls().map_or(0, |calls| at(calls, node)))
        };
        let (old_figures, new_figures) = (column(base, old), column(new, now));
        paired.push(Paired {
            method: tree.method[node as usize],
            caller: caller.and_then(|caller| places.get(&caller).copied()),
            inclusive: costs(id),
            exclusive: [old_figures.0, new_figures.0],
            calls: [old_figures.1, new_figures.1],
        });
    }
    paired
}

const NONE: u32 = u32::MAX;

/// Of each context its partner in the other tree.
struct Partners {
    of_base: Vec<u32>,
    of_new: Vec<u32>,
}

impl Visitor for Partners {
    fn both(&mut self, base: u32, new: u32) {
        self.of_base[base as usize] = new;
        self.of_new[new as usize] = base;
    }

    fn base_only(&mut self, _: u32) {}

    fn new_only(&mut self, _: u32) {}
}
