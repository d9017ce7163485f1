//! The costliest contexts of a tree with, of each method, the costliest one: a
//! picture in which every method can be found.

use profile::NO_PARENT;
use rustc_hash::FxHashMap;

use crate::Tree;
use crate::views::outline::{Outlined, outline};
use crate::walk::{Visitor, walk};

/// `count` contexts, one half of them the costliest ones, the other half the
/// costliest of each method with what calls it, as far as there are so many. A
/// context stands behind its caller, so the first ones are a tree, however many
/// they are. Contexts that cost nothing are left out.
pub fn outline_of_every_method(tree: &Tree, count: usize) -> Vec<Outlined> {
    let costliest = outline(tree, count);
    if costliest.len() < count {
        // These are all that cost anything.
        return costliest;
    }
    let mut of_methods = OfMethods::new(tree);
    walk(&tree.parent, &mut of_methods);
    let mut best: Vec<Outlined> = of_methods.best.into_iter().flatten().collect();
    best.sort_unstable_by(|one, other| other.cmp(one));

    let mut known: FxHashMap<u32, Outlined> =
        costliest.iter().chain(&best).map(|found| (found.node.0, *found)).collect();
    let mut missing = Missing::new(tree);
    for found in &best {
        missing.ask(found.node.0, &known);
    }
    walk(&tree.parent, &mut missing);
    known.extend(missing.found);

    let mut order = Order { tree, known, is_placed: vec![false; tree.len()], placed: Vec::new() };
    let (mut costliest, mut best) = (costliest.into_iter(), best.into_iter());
    while order.placed.len() < count {
        let one = costliest.find(|found| !order.is_placed[found.node.0 as usize]);
        let other = best.find(|found| !order.is_placed[found.node.0 as usize]);
        if one.is_none() && other.is_none() {
            break;
        }
        for found in one.into_iter().chain(other) {
            order.place(found.node.0);
        }
    }
    order.placed.truncate(count);
    order.placed
}

/// Finds the costliest context of each method.
struct OfMethods<'t> {
    tree: &'t Tree,
    spent: u64,
    entered: u32,
    /// What both were when an open context was entered.
    open: Vec<(u64, u32)>,
    best: Vec<Option<Outlined>>,
}

impl<'t> OfMethods<'t> {
    fn new(tree: &'t Tree) -> Self {
        let best = vec![None; tree.methods.len()];
        Self { tree, spent: 0, entered: 0, open: Vec::new(), best }
    }
}

impl Visitor for OfMethods<'_> {
    fn enter(&mut self, node: u32) {
        self.open.push((self.spent, self.entered));
        self.spent += self.tree.cost()[node as usize];
        self.entered += 1;
    }

    fn leave(&mut self, node: u32) {
        let Some((spent, entered)) = self.open.pop() else { return };
        let found = Outlined {
            inclusive: self.spent - spent,
            node: std::cmp::Reverse(node),
            contexts: self.entered - entered,
        };
        let best = &mut self.best[self.tree.method[node as usize] as usize];
        if found.inclusive > 0 && *best < Some(found) {
            *best = Some(found);
        }
    }
}

/// Finds the figures of some contexts.
struct Missing<'t> {
    tree: &'t Tree,
    is_wanted: Vec<bool>,
    spent: u64,
    entered: u32,
    /// Of the wanted contexts that are open: what both were when they were entered.
    open: Vec<(u64, u32)>,
    found: Vec<(u32, Outlined)>,
}

impl<'t> Missing<'t> {
    fn new(tree: &'t Tree) -> Self {
        let is_wanted = vec![false; tree.len()];
        Self { tree, is_wanted, spent: 0, entered: 0, open: Vec::new(), found: Vec::new() }
    }

    /// Wants the callers of a context that are not known.
    fn ask(&mut self, node: u32, known: &FxHashMap<u32, Outlined>) {
        let mut above = self.tree.parent[node as usize];
        while above != NO_PARENT && !self.is_wanted[above as usize] {
            self.is_wanted[above as usize] = !known.contains_key(&above);
            above = self.tree.parent[above as usize];
        }
    }
}

impl Visitor for Missing<'_> {
    fn enter(&mut self, node: u32) {
        if self.is_wanted[node as usize] {
            self.open.push((self.spent, self.entered));
        }
        self.spent += self.tree.cost()[node as usize];
        self.entered += 1;
    }

    fn leave(&mut self, node: u32) {
        if !self.is_wanted[node as usize] {
            return;
        }
        let Some((spent, entered)) = self.open.pop() else { return };
        let outlined = Outlined {
            inclusive: self.spent - spent,
            node: std::cmp::Reverse(node),
            contexts: self.entered - entered,
        };
        self.found.push((node, outlined));
    }
}

/// Contexts in their order, callers first.
struct Order<'t> {
    tree: &'t Tree,
    known: FxHashMap<u32, Outlined>,
    is_placed: Vec<bool>,
    placed: Vec<Outlined>,
}

impl Order<'_> {
    /// Places a context behind those of its callers that have no place yet.
    fn place(&mut self, node: u32) {
        let first = self.placed.len();
        let mut next = node;
        while next != NO_PARENT && !self.is_placed[next as usize] {
            self.is_placed[next as usize] = true;
            self.placed.extend(self.known.get(&next));
            next = self.tree.parent[next as usize];
        }
        self.placed[first..].reverse();
    }
}
