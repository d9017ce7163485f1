//! What a method reaches in a call graph, as a tree that a picture has room for.

use std::cmp::Reverse;

use rustc_hash::{FxHashMap, FxHashSet};

/// Methods that are looked at for a picture.
const REACHED: usize = 400;
/// Nodes of a picture at most.
pub const MOST_NODES: usize = 60;
/// Calls of a smaller share of the start's cost are not drawn.
pub const LEAST_CALL: f64 = 0.005;
/// A method that spends this much of its cost on the only one below it is part of a
/// chain.
const PASSED_ON: f64 = 0.9;

/// A call graph. Methods are numbers.
pub trait CallGraph {
    /// What a method costs in the whole run.
    fn cost(&self, method: usize) -> u64;
    /// How often it was executed.
    fn executions(&self, method: usize) -> u64;
    /// Whether no chain may hide it.
    fn keeps(&self, method: usize) -> bool;
    /// Its name in a picture.
    fn name(&self, method: usize) -> String;
    /// Its calls of other methods.
    fn calls(&self, method: usize) -> Vec<Call>;
}

/// The calls of one method by another.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Call {
    /// The callee.
    pub of: usize,
    /// What they cost.
    pub cost: u64,
    /// By how much that differs, 0 below the floor.
    pub change: u64,
    /// Of several callees the greatest rank is drawn first.
    pub rank: u64,
}

/// A method that is reached, and from which of those before it.
#[derive(Debug, Clone, Copy)]
pub struct Reached {
    /// How it is called there.
    pub call: Call,
    above: usize,
}

impl Reached {
    /// The greatest change and then the greatest cost come first.
    fn order(&self) -> (Reverse<u64>, Reverse<u64>, usize, usize) {
        (Reverse(self.call.change), Reverse(self.call.cost), self.call.of, self.above)
    }
}

/// A node of a picture.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Node {
    /// The method, the first one of a chain.
    pub of: usize,
    /// A chain, in which each only passes its cost on; mostly the method alone.
    pub members: Vec<usize>,
    /// What it calls.
    pub below: Vec<Node>,
}

impl Node {
    /// Nodes of the tree.
    pub fn size(&self) -> usize {
        1 + self.below.iter().map(Self::size).sum::<usize>()
    }
}

/// What a picture shows.
#[derive(Debug)]
pub struct Shown {
    /// The start, with all below it.
    pub root: Node,
    /// The methods in it.
    pub methods: Vec<usize>,
    /// How many more were reached.
    pub left_out: usize,
}

/// The methods that `start` reaches, each below the costliest of its callers that is
/// reached before it.
fn reached_from(graph: &impl CallGraph, start: usize) -> Vec<Reached> {
    let least = graph.cost(start) as f64 * LEAST_CALL;
    let first = Call { of: start, cost: graph.cost(start), change: 0, rank: 0 };
    let mut reached = vec![Reached { call: first, above: 0 }];
    let mut seen: FxHashSet<usize> = [start].into_iter().collect();
    let mut offers: FxHashMap<usize, Reached> = FxHashMap::default();
    let mut at = 0;
    while at < reached.len() && reached.len() < REACHED {
        for call in graph.calls(reached[at].call.of) {
            let is_cheap = (call.cost as f64) < least && call.change == 0;
            if call.cost == 0 || is_cheap || seen.contains(&call.of) {
                continue;
            }
            let offer = Reached { call, above: at };
            let known = offers.entry(call.of).or_insert(offer);
            if offer.order() < known.order() {
                *known = offer;
            }
        }
        let Some(best) = offers.values().copied().min_by_key(Reached::order) else { break };
        offers.remove(&best.call.of);
        seen.insert(best.call.of);
        reached.push(best);
        at += 1;
    }
    reached
}

/// A tree of some of the methods reached.
struct Chained<'a, G> {
    graph: &'a G,
    reached: &'a [Reached],
    below: Vec<Vec<usize>>,
}

impl<'a, G: CallGraph> Chained<'a, G> {
    fn new(graph: &'a G, reached: &'a [Reached]) -> Self {
        let mut below = vec![Vec::new(); reached.len()];
        for (at, one) in reached.iter().enumerate().skip(1) {
            below[one.above].push(at);
        }
        for callees in &mut below {
            callees.sort_by_key(|&at| (Reverse(reached[at].call.rank), reached[at].call.of));
        }
        Self { graph, reached, below }
    }

    /// The only callee that a method passes its cost on to.
    fn next_in_chain(&self, at: usize) -> Option<usize> {
        let [callee] = self.below[at].as_slice() else { return None };
        let of = self.reached[at].call.of;
        let passed = self.reached[*callee].call.cost as f64;
        let passes =
            at > 0 && !self.graph.keeps(of) && passed >= PASSED_ON * self.graph.cost(of) as f64;
        passes.then_some(*callee)
    }

    fn node(&self, at: usize) -> Node {
        let of = |at: &usize| self.reached[*at].call.of;
        let mut run: Vec<usize> =
            std::iter::successors(Some(at), |&at| self.next_in_chain(at)).collect();
        // The last one does not pass its cost on, and is drawn by itself.
        let last = run.pop().unwrap_or(at);
        let (members, next) = if run.len() > 1 {
            (run.iter().map(of).collect(), std::slice::from_ref(&last))
        } else {
            (vec![of(&at)], self.below[at].as_slice())
        };
        Node { of: of(&at), members, below: next.iter().map(|&at| self.node(at)).collect() }
    }
}

/// What `start` reaches, with as many nodes as a picture may have.
pub fn shown(graph: &impl CallGraph, start: usize) -> Shown {
    let reached = reached_from(graph, start);
    let mut count = reached.len();
    loop {
        let root = Chained::new(graph, &reached[..count]).node(0);
        // A single node always fits.
        if root.size() <= MOST_NODES || count == 1 {
            let methods = reached[..count].iter().map(|one| one.call.of).collect();
            return Shown { root, methods, left_out: reached.len() - count };
        }
        count -= 1;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Calls as `(caller, callee, cost)`; a method costs what its costliest call does.
    struct Graph(Vec<(usize, usize, u64)>);

    impl CallGraph for Graph {
        fn cost(&self, method: usize) -> u64 {
            let costs = self.0.iter().filter(|call| call.1 == method).map(|call| call.2);
            costs.max().unwrap_or(1000)
        }
        fn executions(&self, _method: usize) -> u64 {
            1
        }
        fn keeps(&self, _method: usize) -> bool {
            false
        }
        fn name(&self, method: usize) -> String {
            method.to_string()
        }
        fn calls(&self, method: usize) -> Vec<Call> {
            let calls = self.0.iter().filter(|call| call.0 == method);
            calls.map(|&(_, of, cost)| Call { of, cost, change: 0, rank: cost }).collect()
        }
    }

    fn node(of: usize, below: Vec<Node>) -> Node {
        Node { of, members: vec![of], below }
    }

    #[test]
    fn each_method_stands_once_below_its_costliest_caller() {
        // 1 and 2 call 3, 2 for more; 3 calls 1 back; 4 is too cheap.
        let graph =
            Graph(vec![(0, 1, 300), (0, 2, 600), (1, 3, 100), (2, 3, 250), (3, 1, 9), (0, 4, 4)]);
        let shown = shown(&graph, 0);
        let expected = node(0, vec![node(2, vec![node(3, vec![])]), node(1, vec![])]);
        assert_eq!(shown.root, expected);
        assert_eq!((shown.methods, shown.left_out), (vec![0, 2, 1, 3], 0));
    }

    #[test]
    fn chains_are_one_node() {
        let chain = [(0, 1, 999), (1, 2, 990), (2, 3, 980), (3, 4, 500), (3, 5, 400)];
        let shown = shown(&Graph(chain.to_vec()), 0);
        let fork = node(3, vec![node(4, vec![]), node(5, vec![])]);
        let chain = Node { of: 1, members: vec![1, 2], below: vec![fork] };
        assert_eq!(shown.root, node(0, vec![chain]));
    }

    #[test]
    fn a_picture_has_so_many_nodes_at_most() {
        let calls = (1..300).map(|callee| (0, callee, 500 - callee as u64));
        let shown = shown(&Graph(calls.collect()), 0);
        assert_eq!(shown.root.size(), MOST_NODES);
        assert_eq!(shown.methods, (0..MOST_NODES).collect::<Vec<_>>(), "the costliest");
        assert_eq!(shown.left_out, 300 - MOST_NODES);
    }
}
