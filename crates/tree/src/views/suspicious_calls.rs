//! Calls that cost far more than the same method's other calls: the sign of a loop
//! within a loop, or of one caller that hands over much more data.

use std::cmp::Reverse;

use profile::NO_PARENT;
use rustc_hash::FxHashMap;

use crate::Tree;
use crate::views::neighbours::{Edge, neighbours};

/// A call counts as suspicious if it costs this many times what others cost.
const TIMES: f64 = 3.0;
/// ... and makes at most this share of the method's calls.
const MOST_CALLS: f64 = 0.5;

/// The calls of a method by one caller, and by all others.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct SuspiciousCalls {
    /// The caller.
    pub caller: u32,
    /// The method.
    pub callee: u32,
    /// Calls by the caller; recursive calls count with the outermost one.
    pub calls: u64,
    /// Cost of these calls, with all that they call.
    pub cost: u64,
    /// Calls by all callers.
    pub all_calls: u64,
    /// Cost of all calls.
    pub all_cost: u64,
    /// By how much the calls cost more than as many calls by others.
    pub excess: u64,
}

/// The suspicious calls with an excess of at least `least`, the greatest first;
/// none if calls were not counted.
///
/// A method that runs whatever it is given costs what that costs: it is suspicious
/// only if a loop is found. So the method, or what it spends most on, or what that
/// one does, and so on, must cost more by itself in each call, or be called more
/// often by its caller, than where others call.
pub fn suspicious_calls(tree: &Tree, least: u64) -> Vec<SuspiciousCalls> {
    if tree.calls().is_none() {
        return Vec::new();
    }
    suspicious_calls_of(tree, &neighbours(tree).edges, least)
}

/// The same with the edges between the methods of the tree at hand.
pub fn suspicious_calls_of(tree: &Tree, edges: &[Edge], least: u64) -> Vec<SuspiciousCalls> {
    let Some(calls) = tree.calls() else { return Vec::new() };
    let mut all: FxHashMap<u32, (u64, u64)> = FxHashMap::default();
    for edge in edges {
        let (calls, cost) = all.entry(edge.callee).or_default();
        *calls += edge.of_callee.calls;
        *cost += edge.of_callee.cost;
    }
    let suspicious = edges.iter().filter_map(|edge| {
        let (caller, part) = (edge.caller?, edge.of_callee);
        let (all_calls, all_cost) = all[&edge.callee];
        let others = [all_calls - part.calls, all_cost - part.cost];
        let excess = excess(others, [part.calls, part.cost])?;
        let callee = edge.callee;
        let (calls, cost) = (part.calls, part.cost);
        let found = SuspiciousCalls { caller, callee, calls, cost, all_calls, all_cost, excess };
        (excess >= least.max(1)).then_some(found)
    });
    let mut suspicious: Vec<SuspiciousCalls> = suspicious.collect();
    if !suspicious.is_empty() {
        let loops = Loops::new(tree, calls, &suspicious);
        suspicious.retain(|found| loops.found(found));
    }
    suspicious.sort_by_key(|found| (Reverse(found.excess), found.callee, found.caller));
    suspicious
}

/// By how much some calls cost more than as many others, if they are few and cost
/// several times as much; each as calls and cost.
fn excess(others: [u64; 2], some: [u64; 2]) -> Option<u64> {
    let ([other_calls, other_cost], [calls, cost]) = (others, some);
    if other_calls == 0 || calls == 0 {
        return None;
    }
    let of_as_many = other_cost as f64 / other_calls as f64 * calls as f64;
    let few = calls as f64 <= MOST_CALLS * (calls + other_calls) as f64;
    (few && cost as f64 >= TIMES * of_as_many).then(|| cost.saturating_sub(of_as_many as u64))
}

/// Looks for what makes a method's calls by one caller cost more.
struct Loops<'t> {
    tree: &'t Tree,
    calls: &'t [u64],
    ends: Vec<u32>,
    inclusive: Vec<u64>,
    /// The contexts of the methods that are called.
    contexts: FxHashMap<u32, Vec<u32>>,
}

/// How many calls below the method the search for a loop goes.
const DEEPEST: usize = 12;

impl<'t> Loops<'t> {
    fn new(tree: &'t Tree, calls: &'t [u64], suspicious: &[SuspiciousCalls]) -> Self {
        let mut contexts: FxHashMap<u32, Vec<u32>> =
            suspicious.iter().map(|found| (found.callee, Vec::new())).collect();
        for (node, method) in (0..).zip(&tree.method) {
            if let Some(nodes) = contexts.get_mut(method) {
                nodes.push(node);
            }
        }
        Self { tree, calls, ends: tree.subtree_ends(), inclusive: tree.inclusive(), contexts }
    }

    fn found(&self, suspicious: &SuspiciousCalls) -> bool {
        let by_caller = |&node: &u32| {
            let parent = self.tree.parent[node as usize];
            parent != NO_PARENT && self.tree.method[parent as usize] == suspicious.caller
        };
        let contexts = self.contexts.get(&suspicious.callee).map_or(&[][..], Vec::as_slice);
        let (mut some, mut others): (Vec<u32>, Vec<u32>) =
            contexts.iter().copied().partition(by_caller);
        for _ in 0..DEEPEST {
            let [some_calls, other_calls] = [&some, &others].map(|of| self.sum(of, self.calls));
            let [some_own, other_own] = [&some, &others].map(|of| self.sum(of, self.tree.cost()));
            if is_multiple([other_calls, other_own], [some_calls, some_own]) {
                return true;
            }
            let Some(callee) = self.costliest_callee(&some) else { return false };
            let below = [&some, &others].map(|of| self.callees(of, callee));
            let [some_below, other_below] = below.each_ref().map(|of| self.sum(of, self.calls));
            if is_multiple([other_calls, other_below], [some_calls, some_below]) {
                return true;
            }
            [some, others] = below;
            if others.is_empty() {
                return false;
            }
        }
        false
    }

    fn sum(&self, contexts: &[u32], column: &[u64]) -> u64 {
        contexts.iter().map(|&node| column[node as usize]).sum()
    }

    /// The method on which contexts spend most, if they call any.
    fn costliest_callee(&self, contexts: &[u32]) -> Option<u32> {
        let mut costs: FxHashMap<u32, u64> = FxHashMap::default();
        for child in contexts.iter().flat_map(|&node| self.children(node)) {
            *costs.entry(self.tree.method[child as usize]).or_default() +=
                self.inclusive[child as usize];
        }
        costs.into_iter().max_by_key(|&(method, cost)| (cost, Reverse(method))).map(|(m, _)| m)
    }

    fn callees(&self, contexts: &[u32], method: u32) -> Vec<u32> {
        let children = contexts.iter().flat_map(|&node| self.children(node));
        children.filter(|&child| self.tree.method[child as usize] == method).collect()
    }

    fn children(&self, node: u32) -> impl Iterator<Item = u32> + '_ {
        let end = self.ends[node as usize];
        let next = move |&child: &u32| Some(self.ends[child as usize]).filter(|&next| next < end);
        std::iter::successors(Some(node + 1).filter(|&first| first < end), next)
    }
}

/// Whether there is a multiple of something for each call; each as calls and what
/// they make. Where others make nothing of it, there is nothing to compare with.
fn is_multiple([other_calls, others]: [u64; 2], [calls, some]: [u64; 2]) -> bool {
    let of_as_many = others as f64 * calls as f64;
    others > 0 && some as f64 * other_calls as f64 >= TIMES * of_as_many
}
