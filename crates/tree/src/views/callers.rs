//! Who calls a method, and at what share of its calls and cost.
//!
//! Recursion counts once, as in inclusive cost: only contexts of the method
//! that have no ancestor of the same method are looked at, with the cost of
//! their subtrees.

use std::cmp::Reverse;

use profile::NO_PARENT;
use rustc_hash::FxHashMap;

use crate::Tree;
use crate::walk::{Visitor, walk};

/// Some contexts of a method seen from one of their callers: where the callers'
/// contexts lie, and what the method costs there.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Use {
    /// The context of the caller reached so far; at first the method's own.
    pub node: u32,
    /// Cost of the subtree of the method's context.
    pub cost: u64,
    /// Calls of the method's context; `None` if they were not counted.
    pub calls: Option<u64>,
}

/// A caller, with its part in the uses of the method.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Caller {
    /// The calling method; `None` above the roots.
    pub method: Option<u32>,
    /// The call site in it, if call sites are kept apart: a number as in
    /// [`Tree::site`].
    pub site: u32,
    /// Cost of the uses from here.
    pub cost: u64,
    /// Calls from here.
    pub calls: Option<u64>,
    /// Calls of the caller itself, in the contexts that the uses are seen from; `None` above
    /// the roots, or if calls were not counted.
    pub own_calls: Option<u64>,
    /// The uses themselves, seen from this caller.
    pub uses: Vec<Use>,
}

/// The outermost contexts of each of the wanted methods, in the order given.
pub fn uses(tree: &Tree, wanted: &[u32]) -> Vec<Vec<Use>> {
    let mut place = vec![None; tree.methods.len()];
    for (at, &method) in wanted.iter().enumerate() {
        place[method as usize] = Some(at);
    }
    let mut pass = Outermost {
        tree,
        spent: 0,
        place,
        active: vec![(0, 0); wanted.len()],
        uses: vec![Vec::new(); wanted.len()],
    };
    walk(&tree.parent, &mut pass);
    pass.uses
}

struct Outermost<'a> {
    tree: &'a Tree,
    spent: u64,
    /// Per method: its place among the wanted ones.
    place: Vec<Option<usize>>,
    /// Per wanted method: its active contexts, and what had been spent when
    /// the outermost one was entered.
    active: Vec<(u32, u64)>,
    uses: Vec<Vec<Use>>,
}

impl Visitor for Outermost<'_> {
    fn enter(&mut self, node: u32) {
        let at = node as usize;
        if let Some(place) = self.place[self.tree.method[at] as usize] {
            let (nodes, since) = &mut self.active[place];
            if *nodes == 0 {
                *since = self.spent;
            }
            *nodes += 1;
        }
        self.spent += self.tree.cost()[at];
    }

    fn leave(&mut self, node: u32) {
        let at = node as usize;
        if let Some(place) = self.place[self.tree.method[at] as usize] {
            let (nodes, since) = &mut self.active[place];
            *nodes -= 1;
            if *nodes == 0 {
                let calls = self.tree.calls().map(|calls| calls[at]);
                self.uses[place].push(Use { node, cost: self.spent - *since, calls });
            }
        }
    }
}

/// Goes one step up: groups uses by caller, the costliest first; ties by
/// calls, then in the order of the methods.
pub fn callers(tree: &Tree, uses: &[Use]) -> Vec<Caller> {
    let mut groups: FxHashMap<(Option<u32>, u32), Caller> = FxHashMap::default();
    let calls = tree.calls();
    for found in uses {
        let parent = tree.parent[found.node as usize];
        let method = (parent != NO_PARENT).then(|| tree.method[parent as usize]);
        let site = tree.site.get(found.node as usize).copied().unwrap_or(0);
        let caller = groups.entry((method, site)).or_insert_with(|| Caller {
            method,
            site,
            cost: 0,
            calls: found.calls.map(|_| 0),
            own_calls: calls.filter(|_| parent != NO_PARENT).map(|_| 0),
            uses: Vec::new(),
        });
        caller.cost += found.cost;
        if let (Some(sum), Some(calls)) = (&mut caller.calls, found.calls) {
            *sum += calls;
        }
        if parent != NO_PARENT {
            // Contexts with the same caller differ in method or site, so none counts twice here.
            if let (Some(sum), Some(calls)) = (&mut caller.own_calls, calls) {
                *sum += calls[parent as usize];
            }
            caller.uses.push(Use { node: parent, ..*found });
        }
    }
    let mut callers: Vec<Caller> = groups.into_values().collect();
    callers.sort_by_key(|c| (Reverse(c.cost), Reverse(c.calls), c.method, c.site));
    callers
}

/// The callers of a method, or of a caller that was followed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Level {
    /// The callers, the costliest first.
    pub callers: Vec<Caller>,
    /// Index of the one whose callers are the next level.
    pub followed: Option<usize>,
}

impl Level {
    /// Cost of the method from all callers of this level.
    pub fn cost(&self) -> u64 {
        self.callers.iter().map(|caller| caller.cost).sum()
    }

    /// Calls of all callers of this level; `None` if they were not counted.
    pub fn calls(&self) -> Option<u64> {
        self.callers.iter().map(|caller| caller.calls).sum()
    }

    /// The caller that has at least `share` of the cost.
    fn main_caller(&self, share: f64) -> Option<usize> {
        let total = self.cost();
        let least = share * total as f64;
        self.callers.iter().position(|c| total > 0 && c.cost as f64 >= least)
    }
}

/// Follows the callers up as long as one of them has at least `share` of the cost,
/// which need not be the one that calls most often. The first level holds the
/// callers of the method itself.
pub fn follow(tree: &Tree, uses: &[Use], share: f64) -> Vec<Level> {
    let mut levels: Vec<Level> = Vec::new();
    let mut next = callers(tree, uses);
    loop {
        match next.as_slice() {
            [] => return levels,
            // Nothing calls a root: the chain has been followed to its end.
            [Caller { method: None, .. }] if !levels.is_empty() => {
                if let Some(last) = levels.last_mut() {
                    last.followed = None;
                }
                return levels;
            }
            _ => {}
        }
        let mut level = Level { callers: next, followed: None };
        level.followed = level.main_caller(share);
        next = match level.followed {
            Some(at) => callers(tree, &level.callers[at].uses),
            None => Vec::new(),
        };
        if next.is_empty() {
            level.followed = None;
        }
        // The uses were only needed to go up.
        level.callers.iter_mut().for_each(|caller| caller.uses = Vec::new());
        levels.push(level);
    }
}
