//! Exact blame: the methods that explain the difference of two profiles.
//!
//! The induced cost of Maplesden et al. 2015 (section 4) with another set of methods: not
//! those that subsume, but those whose code changed, is new, or is gone. Each
//! context belongs to the nearest such method on its path, in both trees, so what
//! a method explains is all that its change did to what it calls.
//!
//! Contexts without such a method on their path differ because of what the
//! program was given: data, options, the environment. They belong to the method
//! where the runs part: the last one on the path that was called as often in both
//! runs, and that then did more by itself or called others more often.
//!
//! Every context belongs to one method, so what the methods explain adds up to
//! the difference of the profiles.

use profile::NO_PARENT;
use rustc_hash::FxHashMap;

use crate::diff::changes::CodeChange;
use crate::diff::pairing::{Visitor, walk};
use tree::Tree;

/// What one method explains.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Blamed {
    /// The method, in the table of both trees; `None` for the virtual root, to
    /// which roots belong that were called more often in one run.
    pub method: Option<u32>,
    /// What became of its code; `None` if it is the same, or not known to differ.
    pub change: Option<CodeChange>,
    /// Cost of the contexts that belong to the method, before.
    pub base: u64,
    /// Their cost after.
    pub new: u64,
    /// How often the method was called where contexts belong to it, before and
    /// after; 0 where calls were not counted.
    pub calls: [u64; 2],
    /// The part of the contexts with the greatest difference, if any differs.
    pub greatest: Option<Part>,
}

impl Blamed {
    /// What the method explains.
    pub fn difference(&self) -> i128 {
        i128::from(self.new) - i128::from(self.base)
    }
}

/// A part of what a method explains: its own cost, or that of one callee with all
/// below it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Part {
    /// The callee; `None` for the method's own cost.
    pub callee: Option<u32>,
    /// Cost before.
    pub base: u64,
    /// Cost after.
    pub new: u64,
    /// How often the method called the callee before; 0 for its own cost, and where
    /// calls were not counted.
    pub base_calls: u64,
    /// How often after.
    pub new_calls: u64,
}

impl Part {
    /// Difference of the part.
    pub fn difference(&self) -> i128 {
        i128::from(self.new) - i128::from(self.base)
    }
}

/// Explains the difference of two trees that share one table of methods, by their
/// first metric. `changes` has an entry for each method of the table. The answer
/// has the methods to which any context belongs, in the order of the table, the
/// virtual root at the end.
pub fn blame(base: &Tree, new: &Tree, changes: &[Option<CodeChange>]) -> Vec<Blamed> {
    let together = Together::of(base, new);
    let mut parts = Parts::new(changes);
    parts.add(base, &together.base, |part| (&mut part.base, &mut part.base_calls));
    parts.add(new, &together.new, |part| (&mut part.new, &mut part.new_calls));
    parts.by_method()
}

/// For each node of both trees whether the runs have not parted there: the node,
/// and every one above, is in both trees and was called as often in both runs.
struct Together<'t> {
    trees: [&'t Tree; 2],
    /// Calls of the nodes of each tree; if one does not count them, a node is taken
    /// to be called as often where it is in both trees.
    calls: Option<[&'t [u64]; 2]>,
    base: Vec<bool>,
    new: Vec<bool>,
}

impl<'t> Together<'t> {
    fn of(base: &'t Tree, new: &'t Tree) -> Self {
        let mut together = Self {
            trees: [base, new],
            calls: base.calls().zip(new.calls()).map(|(base, new)| [base, new]),
            base: vec![false; base.len()],
            new: vec![false; new.len()],
        };
        let (base_ends, new_ends) = (base.subtree_ends(), new.subtree_ends());
        walk((base, &base_ends), (new, &new_ends), &mut together);
        together
    }
}

impl Visitor for Together<'_> {
    fn both(&mut self, base: u32, new: u32) {
        let (old, now) = (base as usize, new as usize);
        let parent = self.trees[0].parent[old];
        let above = parent == NO_PARENT || self.base[parent as usize];
        let same_calls = self.calls.is_none_or(|[base, new]| base[old] == new[now]);
        self.base[old] = above && same_calls;
        self.new[now] = above && same_calls;
    }

    fn base_only(&mut self, _: u32) {}

    fn new_only(&mut self, _: u32) {}
}

/// Costs by the method that they belong to, and by the callee through which.
struct Parts<'c> {
    changes: &'c [Option<CodeChange>],
    /// The own cost of each method where it is what contexts belong to, and how
    /// often it was called there; the virtual root at the end.
    own: Vec<Part>,
    /// The parts of callees: the method or the virtual root, and the part.
    through: Vec<(u32, Part)>,
    /// Place in `through` by method and callee.
    places: FxHashMap<(u32, u32), usize>,
    /// The entry of `places` that was used last: contexts of one subtree follow each
    /// other.
    last: ((u32, u32), usize),
}

/// In place of a callee: the cost is the method's own.
const OWN: u32 = u32::MAX;

impl<'c> Parts<'c> {
    fn new(changes: &'c [Option<CodeChange>]) -> Self {
        let none = Part { callee: None, base: 0, new: 0, base_calls: 0, new_calls: 0 };
        Self {
            changes,
            own: vec![none; changes.len() + 1],
            through: Vec::new(),
            places: FxHashMap::default(),
            last: ((OWN, OWN), 0),
        }
    }

    /// Adds all contexts of a tree to one side of the parts, which `side` chooses.
    fn add(
        &mut self,
        tree: &Tree,
        together: &[bool],
        side: impl Fn(&mut Part) -> (&mut u64, &mut u64),
    ) {
        let root = self.changes.len() as u32;
        // By node: the method that it belongs to, and through which callee.
        let mut belongs: Vec<(u32, u32)> = Vec::with_capacity(tree.len());
        let calls = tree.calls();
        for node in 0..tree.len() {
            let method = tree.method[node];
            let above = match tree.parent[node] {
                NO_PARENT => (root, OWN),
                parent => belongs[parent as usize],
            };
            let changed_above = above.0 != root && self.changes[above.0 as usize].is_some();
            let own = match self.changes[method as usize] {
                Some(change) if change.is_certain() || !changed_above => true,
                _ => together[node] && !changed_above,
            };
            let first_below = above.1 == OWN;
            let (by, callee) = match (own, first_below) {
                (true, _) => (method, OWN),
                (false, true) => (above.0, method),
                (false, false) => above,
            };
            belongs.push((by, callee));
            let (cost, sum_of_calls) = side(self.part(by, callee));
            *cost += tree.cost()[node];
            if own || first_below {
                *sum_of_calls += calls.map_or(0, |calls| calls[node]);
            }
        }
    }

    fn part(&mut self, by: u32, callee: u32) -> &mut Part {
        if callee == OWN {
            return &mut self.own[by as usize];
        }
        let key = (by, callee);
        if self.last.0 != key {
            let through = &mut self.through;
            let place = *self.places.entry(key).or_insert_with(|| {
                let part =
                    Part { callee: Some(callee), base: 0, new: 0, base_calls: 0, new_calls: 0 };
                through.push((by, part));
                through.len() - 1
            });
            self.last = (key, place);
        }
        &mut self.through[self.last.1].1
    }

    fn by_method(mut self) -> Vec<Blamed> {
        let root = self.changes.len();
        let blamed = |(at, own): (usize, &Part)| Blamed {
            method: (at != root).then_some(at as u32),
            change: self.changes.get(at).copied().flatten(),
            base: own.base,
            new: own.new,
            calls: [own.base_calls, own.new_calls],
            greatest: (own.difference() != 0).then_some(*own),
        };
        let mut methods: Vec<Blamed> = self.own.iter().enumerate().map(blamed).collect();
        // In an order that does not depend on hashes: that of the first context.
        for (by, part) in self.through.drain(..) {
            let method = &mut methods[by as usize];
            method.base += part.base;
            method.new += part.new;
            let size = |part: &Part| part.difference().unsigned_abs();
            if size(&part) > method.greatest.as_ref().map_or(0, size) {
                method.greatest = Some(part);
            }
        }
        methods.retain(|m| m.base + m.new > 0);
        methods
    }
}
