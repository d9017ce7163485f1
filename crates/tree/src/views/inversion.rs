//! The inverted tree: what methods cost by themselves, by who calls them.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use crate::Tree;

/// A method with what was spent in it, or in what it calls on the way down to
/// the method of the first level.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Inverted {
    /// The method.
    pub method: u32,
    /// Place of what it calls; `None` on the first level.
    pub callee: Option<u32>,
    /// Exclusive cost of the first level's method where it is called this way.
    pub cost: u64,
    /// The part of it that no other method has called.
    pub ends: u64,
    /// Contexts of the first level's method that have this cost.
    pub contexts: u32,
}

/// The costliest part of an inverted tree.
#[derive(Debug, Default)]
pub struct Inversion {
    /// One half are those of the greatest costs, the other half methods of the first
    /// level, as long as there are any, both the greatest first, and a callee before
    /// its callers: the first ones are a tree, however many they are.
    pub nodes: Vec<Inverted>,
    /// Methods that cost something by themselves.
    pub methods: usize,
}

/// Contexts of one method whose callers down to it are the same, as seen from
/// the outermost of those.
struct Group {
    method: u32,
    callee: Option<u32>,
    cost: u64,
    contexts: Vec<Seen>,
}

/// A context, and its ancestor reached so far.
#[derive(Clone, Copy)]
struct Seen {
    context: u32,
    ancestor: u32,
}

/// The `count` costliest nodes of a tree's inversion, and as many of its first
/// level as half of them.
///
/// Threads and call sites must be merged, so that no two contexts of a method
/// reach the same ancestor the same way.
pub fn invert(tree: &Tree, count: usize) -> Inversion {
    let mut groups = first_level(tree);
    let mut inversion = Inversion { nodes: Vec::new(), methods: groups.len() };
    // Of equal costs the one that was found first, which is the callee.
    let mut waiting: BinaryHeap<(u64, Reverse<usize>)> =
        groups.iter().enumerate().map(|(at, group)| (group.cost, Reverse(at))).collect();
    let mut place_of = vec![usize::MAX; tree.methods.len()];
    let mut first = by_cost(&groups).into_iter();
    let mut is_taken = vec![false; groups.len()];
    while inversion.nodes.len() < count {
        let taken = |at: &usize| is_taken.get(*at).is_some_and(|&is_taken| is_taken);
        // In turn, so that every method can be found.
        let of_first_level =
            if inversion.nodes.len() % 2 == 1 { first.find(|at| !taken(at)) } else { None };
        let mut costliest = std::iter::from_fn(|| waiting.pop()).map(|(_, Reverse(at))| at);
        let Some(at) = of_first_level.or_else(|| costliest.find(|at| !taken(at))) else {
            break;
        };
        if let Some(is_taken) = is_taken.get_mut(at) {
            *is_taken = true;
        }
        // Node numbers fit in 32 bits, and the count does.
        let place = inversion.nodes.len() as u32;
        let contexts = std::mem::take(&mut groups[at].contexts);
        let first_new = groups.len();
        let mut ends = 0;
        for batch in contexts.chunks(BATCH) {
            for (seen, (cost, caller)) in batch.iter().zip(looked_up(tree, batch)) {
                let Some((parent, method)) = caller else {
                    ends += cost;
                    continue;
                };
                let known = &mut place_of[method as usize];
                if *known == usize::MAX {
                    *known = groups.len();
                    let contexts = Vec::new();
                    groups.push(Group { method, callee: Some(place), cost: 0, contexts });
                }
                let group = &mut groups[*known];
                group.cost += cost;
                group.contexts.push(Seen { ancestor: parent, ..*seen });
            }
        }
        for (new, group) in groups.iter().enumerate().skip(first_new) {
            place_of[group.method as usize] = usize::MAX;
            waiting.push((group.cost, Reverse(new)));
        }
        let Group { method, callee, cost, .. } = groups[at];
        let contexts = contexts.len() as u32;
        inversion.nodes.push(Inverted { method, callee, cost, ends, contexts });
    }
    inversion
}

/// Contexts that are looked up before any of them is dealt with: they are all over the
/// tree, and the processor waits for memory once where it would wait for each.
const BATCH: usize = 64;

/// Of each context of a batch its cost, and the ancestor's caller with its method.
fn looked_up(tree: &Tree, batch: &[Seen]) -> [(u64, Option<(u32, u32)>); BATCH] {
    let mut found = [(0, None); BATCH];
    for (found, seen) in found.iter_mut().zip(batch) {
        let parent = tree.parent[seen.ancestor as usize];
        // There is no context of the number NO_PARENT.
        let method = tree.method.get(parent as usize);
        *found = (tree.cost()[seen.context as usize], method.map(|&method| (parent, method)));
    }
    found
}

/// The places of groups, the greatest cost first.
fn by_cost(groups: &[Group]) -> Vec<usize> {
    let mut places: Vec<usize> = (0..groups.len()).collect();
    places.sort_by_key(|&at| Reverse(groups[at].cost));
    places
}

/// The contexts that cost something, by method.
fn first_level(tree: &Tree) -> Vec<Group> {
    let mut sizes = vec![0usize; tree.methods.len()];
    let costly = || (0u32..).zip(&tree.method).zip(tree.cost()).filter(|&(_, &cost)| cost > 0);
    for ((_, &method), _) in costly() {
        sizes[method as usize] += 1;
    }
    let group = |(method, &size): (u32, &usize)| Group {
        method,
        callee: None,
        cost: 0,
        contexts: Vec::with_capacity(size),
    };
    let mut groups: Vec<Group> = (0u32..).zip(&sizes).map(group).collect();
    for ((node, &method), &cost) in costly() {
        let group = &mut groups[method as usize];
        group.cost += cost;
        group.contexts.push(Seen { context: node, ancestor: node });
    }
    groups.retain(|group| !group.contexts.is_empty());
    groups
}
