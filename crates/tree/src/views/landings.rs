//! The methods of a program in which its cost lands.
//!
//! What the JDK does for a method counts as the method's own work. A method's cost lands in
//! it if no callee has most of it. Cost that has been explained by one method explains no
//! other one: the landings hold each context once.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use profile::NO_PARENT;
use rustc_hash::FxHashMap;

use crate::Tree;

/// A callee with this share of a method's cost is what the method costs.
const PASSED_ON: f64 = 0.5;
/// A method with more than this share of all is taken apart into its own work and its callees.
const MOST_SHARE: f64 = 0.1;
/// If this share of a method's cost is its own work, it lands there in any case.
const OWN_WORK: f64 = 0.5;
/// How many callees down the search for the cost goes.
const DEEPEST: usize = 100;
/// Callees are named as long as they have this share of a landing.
const NAMED: f64 = 0.25;
/// A callee that only passes this share of its cost on to the next one is not named.
const SAME: f64 = 0.9;
/// The largest number of them that are named, one calling the next.
const STEPS: usize = 3;
/// A method that is called all over a landing is named if it has this share of it.
const MUCH_OF_IT: f64 = 1.0 / 3.0;
/// Ways in part where no caller has this share, ...
const ONE_WAY: f64 = 0.9;
/// ... and those are named that have this one.
const A_WAY: f64 = 0.1;
/// Ways that have less than this share together are not told.
const TOLD: f64 = 0.5;
/// If methods of the program have no more than this share of the work, the JDK is the program.
const LEAST_OF_PROGRAM: f64 = 0.1;

/// A method in which cost lands, by contexts that no greater landing has explained.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Landing {
    /// The method.
    pub method: u32,
    /// What these contexts cost, with all below them; of a method that costs more than a tenth
    /// of all, what it does itself.
    pub cost: u64,
    /// Samples of a plain run in what that cost is of; 0 without any.
    pub time: u64,
    /// How many they are; of a method that costs no more, recursion counts once.
    pub contexts: u32,
    /// The costliest one.
    pub node: u32,
    /// What that costs.
    pub node_cost: u64,
    /// Callees that have much of the cost, each called by the one before it, maybe by way of
    /// others.
    pub goes_on: Vec<Step>,
    /// Where the ways to the contexts part, if they do: who calls them, with what they cost
    /// by way of each.
    pub ways: Vec<Step>,
    /// A method that is called all over these contexts, which no single path leads to.
    pub all_over: Option<Spread>,
}

/// A method that has much of a landing's cost in several contexts together.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Spread {
    /// The method.
    pub method: u32,
    /// What it has of the cost, with all that it calls; recursion counts once.
    pub cost: u64,
    /// Its outermost contexts there.
    pub contexts: u32,
}

/// A callee that has much of a landing's cost.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Step {
    /// The method.
    pub method: u32,
    /// What it has of the cost.
    pub cost: u64,
}

/// The landings that cost at least `least`, the greatest first; they are found greatest
/// first, too, so that a small one does not take the cost of a large one away.
/// `is_platform` says of each method of the tree whether it is the JDK's.
pub fn landings(tree: &Tree, is_platform: &[bool], least: u64) -> Vec<Landing> {
    let mut costs = Costs::new(tree, is_platform);
    if (costs.own.iter().sum::<u64>() as f64) < LEAST_OF_PROGRAM * tree.total() as f64 {
        costs = Costs::new(tree, &vec![false; is_platform.len()]);
    }
    let mut found: Vec<Landing> = Vec::new();
    // Methods that call each other pass everything on, until nothing else is left.
    for recursion in [Recursion::PassesOn, Recursion::Stays] {
        while let Some(method) = costs.greatest(least.max(1), recursion) {
            found.push(costs.explain(method));
        }
    }
    found.sort_by_key(|landing| (Reverse(landing.cost), landing.method));
    found
}

/// Whether a call that comes back to a method that is active already passes cost on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Recursion {
    PassesOn,
    Stays,
}

/// What no landing has explained yet.
struct Costs<'t> {
    tree: &'t Tree,
    is_platform: Vec<bool>,
    ends: Vec<u32>,
    /// By context: that of the program whose work it is, itself or the nearest one above.
    worker: Vec<u32>,
    /// By context: whether none above is of its method.
    is_outermost: Vec<bool>,
    /// The contexts by method, and where those of each method begin.
    contexts: Vec<u32>,
    starts: Vec<usize>,
    /// By context: its own cost, and that with all below it.
    left: Vec<u64>,
    inclusive: Vec<u64>,
    /// By context: its samples; empty without any.
    time_left: Vec<u64>,
    /// By method of the program: its cost with all that it calls, and its own work.
    all: Vec<u64>,
    own: Vec<u64>,
    /// By method: whether all of its cost is more than one landing has.
    is_taken_apart: Vec<bool>,
    /// By caller and callee of the program, by way of the JDK or not: what outermost contexts
    /// of the caller pass on, and what goes to outermost contexts of the callee.
    calls: FxHashMap<(u32, u32), [u64; 2]>,
}

impl<'t> Costs<'t> {
    fn new(tree: &'t Tree, is_platform: &[bool]) -> Self {
        let is_outermost = outermost(tree);
        let (contexts, starts) = by_method(tree);
        let mut costs = Self {
            tree,
            is_platform: is_platform.to_vec(),
            ends: tree.subtree_ends(),
            worker: Vec::with_capacity(tree.len()),
            is_outermost,
            contexts,
            starts,
            left: tree.cost().to_vec(),
            inclusive: tree.inclusive(),
            time_left: tree.time().map_or_else(Vec::new, <[u64]>::to_vec),
            all: vec![0; tree.methods.len()],
            own: vec![0; tree.methods.len()],
            is_taken_apart: Vec::new(),
            calls: FxHashMap::default(),
        };
        for node in 0..tree.len() as u32 {
            let parent = tree.parent[node as usize];
            let worker = match parent {
                _ if !costs.is_jdk(node) => node,
                NO_PARENT => NO_PARENT,
                parent => costs.worker[parent as usize],
            };
            costs.worker.push(worker);
            if worker != NO_PARENT {
                let method = costs.method(worker);
                costs.own[method] += tree.cost()[node as usize];
            }
            costs.count(node, costs.inclusive[node as usize], u64::wrapping_add);
        }
        let most = MOST_SHARE * tree.total() as f64;
        costs.is_taken_apart = costs.all.iter().map(|&all| all as f64 > most).collect();
        costs
    }

    fn method(&self, node: u32) -> usize {
        self.tree.method[node as usize] as usize
    }

    fn is_jdk(&self, node: u32) -> bool {
        self.is_platform[self.method(node)]
    }

    /// The context of the program that calls another one, by way of the JDK or not.
    fn caller(&self, node: u32) -> Option<u32> {
        let parent = Some(self.tree.parent[node as usize]).filter(|&parent| parent != NO_PARENT);
        parent.map(|parent| self.worker[parent as usize]).filter(|&worker| worker != NO_PARENT)
    }

    fn contexts_of(&self, method: u32) -> impl Iterator<Item = u32> + '_ {
        let [start, end] = [0, 1].map(|next| self.starts[method as usize + next]);
        self.contexts[start..end].iter().copied()
    }

    /// Adds the cost of a context to that of its method, or takes it away.
    fn count(&mut self, node: u32, cost: u64, change: fn(u64, u64) -> u64) {
        if self.is_jdk(node) {
            return;
        }
        let is_outermost = self.is_outermost[node as usize];
        let method = self.method(node);
        if is_outermost {
            self.all[method] = change(self.all[method], cost);
        }
        let Some(caller) = self.caller(node) else { return };
        let passes_on = self.is_outermost[caller as usize];
        if passes_on || is_outermost {
            let call = (self.tree.method[caller as usize], method as u32);
            let sums = self.calls.entry(call).or_default();
            for sum in sums.iter_mut().zip([passes_on, is_outermost]).filter(|(_, is)| *is) {
                *sum.0 = change(*sum.0, cost);
            }
        }
    }

    /// What of a method's cost would be one landing.
    fn part(&self, method: usize) -> u64 {
        if self.is_taken_apart[method] { self.own[method] } else { self.all[method] }
    }

    /// The costliest method in which cost lands.
    fn greatest(&self, least: u64, recursion: Recursion) -> Option<u32> {
        // Of each method: the callee that it passes most on to, and how much.
        let mut largest: Vec<(u64, usize)> = vec![(0, 0); self.all.len()];
        for (&(caller, callee), sums) in &self.calls {
            if caller != callee {
                let largest = &mut largest[caller as usize];
                *largest = (sums[recursion as usize], callee as usize).max(*largest);
            }
        }
        let share = |method: usize| largest[method].0 as f64 / self.all[method].max(1) as f64;
        // From callee to callee, as long as each has most of the one before.
        let passes_on = |method: usize| {
            let (mut at, mut left, mut steps) = (method, 1.0, 0);
            while share(at) >= PASSED_ON && steps < DEEPEST {
                left *= share(at);
                at = largest[at].1;
                steps += 1;
            }
            steps > 0 && left >= PASSED_ON
        };
        let lands = |&method: &usize| {
            let does_it = self.own[method] as f64 >= OWN_WORK * self.all[method] as f64;
            self.part(method) >= least
                && (self.is_taken_apart[method] || does_it || !passes_on(method))
        };
        let methods = (0..self.all.len()).filter(lands);
        methods.max_by_key(|&method| (self.part(method), Reverse(method))).map(|m| m as u32)
    }

    /// Makes the cost of a method a landing.
    fn explain(&mut self, method: u32) -> Landing {
        if self.is_taken_apart[method as usize] {
            return self.explain_own_work(method);
        }
        let cost = self.all[method as usize];
        let costs_some =
            |node: &u32| self.is_outermost[*node as usize] && self.inclusive[*node as usize] > 0;
        let contexts: Vec<u32> = self.contexts_of(method).filter(costs_some).collect();
        let costs: Vec<(u32, u64)> =
            contexts.iter().map(|&node| (node, self.inclusive[node as usize])).collect();
        let goes_on = self.goes_on(method, cost, &contexts);
        let all_over = self.all_over(method, cost, &contexts, &goes_on);
        let callers = costs.iter().map(|&(node, cost)| (self.tree.parent[node as usize], cost));
        self.take_from(callers.collect());
        let time = contexts.iter().map(|&node| self.take_away(node)).sum();
        Landing { time, ..self.landing(method, &costs, goes_on, all_over) }
    }

    /// Makes what a method does itself a landing, and leaves what it calls.
    fn explain_own_work(&mut self, method: u32) -> Landing {
        let mut costs: Vec<(u32, u64)> = Vec::new();
        let mut by_jdk: FxHashMap<u32, u64> = FxHashMap::default();
        let mut time = 0;
        for context in self.contexts_of(method).collect::<Vec<_>>() {
            let mut own = 0;
            let (mut node, end) = (context, self.ends[context as usize]);
            while node < end {
                if self.worker[node as usize] != context {
                    node = self.ends[node as usize];
                    continue;
                }
                let cost = std::mem::take(&mut self.left[node as usize]);
                own += cost;
                time += self.take_time(node);
                // From there up to the context itself.
                let mut at = node;
                while at != context {
                    self.inclusive[at as usize] -= cost;
                    let parent = self.tree.parent[at as usize];
                    if parent == context {
                        *by_jdk.entry(self.tree.method[at as usize]).or_default() += cost;
                    }
                    at = parent;
                }
                node += 1;
            }
            if own > 0 {
                costs.push((context, own));
            }
        }
        self.take_from(costs.clone());
        self.own[method as usize] = 0;
        let cost: u64 = costs.iter().map(|(_, cost)| cost).sum();
        let largest = by_jdk.into_iter().max_by_key(|&(method, cost)| (cost, Reverse(method)));
        let largest = largest.filter(|(_, of_it)| *of_it as f64 >= NAMED * cost as f64);
        let goes_on = largest.map(|(method, cost)| Step { method, cost }).into_iter().collect();
        Landing { time, ..self.landing(method, &costs, goes_on, None) }
    }

    /// The landing of contexts and what they cost.
    fn landing(
        &self,
        method: u32,
        costs: &[(u32, u64)],
        goes_on: Vec<Step>,
        all_over: Option<Spread>,
    ) -> Landing {
        let cost = costs.iter().map(|(_, cost)| cost).sum();
        let costliest = costs.iter().max_by_key(|(node, cost)| (*cost, Reverse(*node)));
        // There is one, as they cost something.
        let &(node, node_cost) = costliest.unwrap_or(&(0, 0));
        let ways = self.ways(cost, costs);
        let contexts = costs.len() as u32;
        Landing { method, cost, time: 0, contexts, node, node_cost, goes_on, ways, all_over }
    }

    /// The callees that have most of the cost of contexts, each called by the one before it,
    /// maybe by way of others that only pass it on; the last one may be the JDK's.
    fn goes_on(&self, method: u32, cost: u64, contexts: &[u32]) -> Vec<Step> {
        let mut steps: Vec<Step> = Vec::new();
        let mut from: Vec<u32> = contexts.to_vec();
        while steps.len() < DEEPEST {
            // By callee: what it has, and its contexts.
            let mut callees: FxHashMap<u32, (u64, Vec<u32>)> = FxHashMap::default();
            for &context in &from {
                self.each_callee(context, &mut |callee| {
                    let entry = callees.entry(self.tree.method[callee as usize]).or_default();
                    entry.0 += self.inclusive[callee as usize];
                    entry.1.push(callee);
                });
            }
            let is_named = |method: u32| steps.iter().any(|step| step.method == method);
            let largest = callees
                .into_iter()
                .filter(|&(callee, (of_it, _))| {
                    callee != method && !is_named(callee) && of_it as f64 >= NAMED * cost as f64
                })
                .max_by_key(|&(callee, (of_it, _))| {
                    (!self.is_platform[callee as usize], of_it, Reverse(callee))
                });
            let Some((callee, (of_it, contexts))) = largest else { break };
            steps.push(Step { method: callee, cost: of_it });
            if self.is_platform[callee as usize] {
                break;
            }
            from = contexts;
        }
        let next: Vec<u64> = steps.iter().skip(1).map(|step| step.cost).chain([0]).collect();
        let telling = steps.iter().zip(next);
        let telling = telling.filter(|(step, next)| (*next as f64) < SAME * step.cost as f64);
        telling.map(|(step, _)| *step).take(STEPS).collect()
    }

    /// The method of the program that the most contexts below some contexts call, several
    /// at least, and that has much of their cost and is not named without that. Of several
    /// the one of least cost: if a method calls another one, the callee.
    fn all_over(
        &self,
        method: u32,
        cost: u64,
        contexts: &[u32],
        goes_on: &[Step],
    ) -> Option<Spread> {
        let mut spreads: FxHashMap<u32, Spread> = FxHashMap::default();
        // By method: the end of its outermost context that was reached last.
        let mut until: FxHashMap<u32, u32> = FxHashMap::default();
        for &top in contexts {
            for node in top + 1..self.ends[top as usize] {
                let method = self.tree.method[node as usize];
                let until = until.entry(method).or_default();
                if node >= *until && !self.is_jdk(node) && self.inclusive[node as usize] > 0 {
                    *until = self.ends[node as usize];
                    let none = Spread { method, cost: 0, contexts: 0 };
                    let spread = spreads.entry(method).or_insert(none);
                    spread.cost += self.inclusive[node as usize];
                    spread.contexts += 1;
                }
            }
        }
        let is_named = |other: u32| other == method || goes_on.iter().any(|s| s.method == other);
        let wanted = |spread: &Spread| {
            spread.contexts as usize > contexts.len()
                && spread.cost as f64 >= MUCH_OF_IT * cost as f64
                && !is_named(spread.method)
        };
        let rank = |spread: &Spread| (spread.contexts, Reverse((spread.cost, spread.method)));
        spreads.into_values().filter(wanted).max_by_key(rank)
    }

    /// The nearest callers of contexts, by way of the same methods, of which no one has nearly
    /// all of the cost.
    fn ways(&self, cost: u64, contexts: &[(u32, u64)]) -> Vec<Step> {
        let mut at: Vec<(Option<u32>, u64)> =
            contexts.iter().map(|&(node, cost)| (Some(node), cost)).collect();
        for _ in 0..DEEPEST {
            let mut ways: FxHashMap<u32, u64> = FxHashMap::default();
            for (node, of_it) in &mut at {
                *node = node.and_then(|node| self.caller(node));
                if let Some(node) = *node {
                    *ways.entry(self.tree.method[node as usize]).or_default() += *of_it;
                }
            }
            let mut ways: Vec<Step> =
                ways.into_iter().map(|(method, cost)| Step { method, cost }).collect();
            ways.sort_by_key(|way| (Reverse(way.cost), way.method));
            let Some(first) = ways.first() else { break };
            if (first.cost as f64) < ONE_WAY * cost as f64 {
                ways.retain(|way| way.cost as f64 >= A_WAY * cost as f64);
                ways.truncate(STEPS);
                // Where threads begin there is no caller: then the rest is not told.
                let told: u64 = ways.iter().map(|way| way.cost).sum();
                let is_most = told as f64 >= TOLD * cost as f64;
                return if is_most { ways } else { Vec::new() };
            }
        }
        Vec::new()
    }

    /// The callees of a context, and those of the program that the JDK calls for it.
    fn each_callee(&self, context: u32, each: &mut impl FnMut(u32)) {
        let (mut node, end) = (context + 1, self.ends[context as usize]);
        while node < end {
            let is_direct = self.tree.parent[node as usize] == context;
            if is_direct || !self.is_jdk(node) {
                each(node);
            }
            node = if self.is_jdk(node) { node + 1 } else { self.ends[node as usize] };
        }
    }

    /// Takes costs out of those of contexts, and out of those of all above them, each of
    /// which is visited once.
    fn take_from(&mut self, costs: Vec<(u32, u64)>) {
        let mut pending = BinaryHeap::from(costs);
        while let Some((context, mut cost)) = pending.pop() {
            // A caller stands before its callees: all that is to be taken from it is there.
            while let Some(&(_, more)) = pending.peek().filter(|(next, _)| *next == context) {
                cost += more;
                pending.pop();
            }
            if context == NO_PARENT {
                continue;
            }
            self.inclusive[context as usize] -= cost;
            self.count(context, cost, u64::wrapping_sub);
            pending.push((self.tree.parent[context as usize], cost));
        }
    }

    /// Takes the samples of a context, each of which belongs to one landing.
    fn take_time(&mut self, node: u32) -> u64 {
        self.time_left.get_mut(node as usize).map_or(0, std::mem::take)
    }

    /// Takes a context and all below it out of the costs, but not of those of its callers.
    /// Returns their samples.
    fn take_away(&mut self, top: u32) -> u64 {
        let mut time = 0;
        for node in top..self.ends[top as usize] {
            let (own, inclusive) = (self.left[node as usize], self.inclusive[node as usize]);
            let worker = self.worker[node as usize];
            if worker != NO_PARENT {
                let method = self.method(worker);
                self.own[method] -= own;
            }
            self.count(node, inclusive, u64::wrapping_sub);
            self.left[node as usize] = 0;
            self.inclusive[node as usize] = 0;
            time += self.take_time(node);
        }
        time
    }
}

/// The contexts in the order of their methods, and where those of each method, and of all,
/// begin and end.
fn by_method(tree: &Tree) -> (Vec<u32>, Vec<usize>) {
    let mut starts = vec![0; tree.methods.len() + 1];
    for &method in &tree.method {
        starts[method as usize + 1] += 1;
    }
    for at in 1..starts.len() {
        starts[at] += starts[at - 1];
    }
    let mut next = starts.clone();
    let mut contexts = vec![0; tree.len()];
    for (node, &method) in (0..).zip(&tree.method) {
        let at = &mut next[method as usize];
        contexts[*at] = node;
        *at += 1;
    }
    (contexts, starts)
}

/// Of each context whether none above it is of its method.
pub fn outermost(tree: &Tree) -> Vec<bool> {
    let mut depth: Vec<u32> = Vec::with_capacity(tree.len());
    let mut path: Vec<u32> = Vec::new();
    let mut on_path = vec![0u32; tree.methods.len()];
    let mut outermost = Vec::with_capacity(tree.len());
    for (&method, &parent) in tree.method.iter().zip(&tree.parent) {
        let deep = if parent == NO_PARENT { 0 } else { depth[parent as usize] + 1 };
        depth.push(deep);
        for left in path.drain(deep as usize..) {
            on_path[left as usize] -= 1;
        }
        outermost.push(on_path[method as usize] == 0);
        on_path[method as usize] += 1;
        path.push(method);
    }
    outermost
}
