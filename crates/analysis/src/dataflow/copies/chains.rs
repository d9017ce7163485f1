//! Hot copy chains, section 3.5.1 of the paper.
//!
//! A chain is a path over heap locations that takes each edge at most once. If
//! it is a true chain, all its edges have the same frequency, so its frequency
//! is that of its least frequent edge; its waste factor is its length times its
//! volume. There may be very many paths, so they are not all made: the search
//! goes on from the path that may become the most wasteful chain, and finds
//! chains in the order of their waste factors. What it does for each path does
//! not depend on how many chains it has found.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use rustc_hash::{FxHashMap, FxHashSet};

use crate::dataflow::copies::graph::CopyGraph;

/// How far to search.
#[derive(Debug, Clone, Copy)]
pub struct Limits {
    /// Edges in the longest chain, 32 at most.
    pub length: usize,
    /// Chains wanted.
    pub top: usize,
    /// Paths to look at before giving up, and the most parts of chains to keep;
    /// about 60 bytes of memory each.
    pub paths: usize,
}

/// The chains found.
#[derive(Debug, Default)]
pub struct Chains {
    /// By waste factor, the largest first; equal ones the longest first.
    pub chains: Vec<Chain>,
    /// Paths looked at.
    pub paths: usize,
    /// Parts of the chains found, each counted with every chain that has it.
    pub parts: usize,
    /// If the search was given up: no chain that is missing has a greater waste
    /// factor than this.
    pub missing: Option<u64>,
}

/// A copy chain.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Chain {
    /// Its edges in the graph, in order.
    pub edges: Vec<u32>,
    /// Least frequency of its edges.
    pub frequency: u64,
    /// Bytes that the least frequent edge copies at a time, the fewest if
    /// several edges are the least frequent.
    pub bytes: u8,
    /// Length times frequency times bytes.
    pub waste: u64,
    /// Chains inside this one that have no entry of their own.
    pub folded: usize,
}

/// Finds the chains with the largest waste factors among those that `wanted`
/// accepts by their edges. A chain all of whose edges are in one already found is
/// folded into it: a part of it, or a circle that starts elsewhere.
pub fn chains(graph: &CopyGraph, limits: Limits, wanted: impl Fn(&[u32]) -> bool) -> Chains {
    let mut search = Search::new(graph, limits);
    let mut found = Chains::default();
    let mut parts = Parts::default();
    while found.chains.len() < limits.top {
        match search.next() {
            Next::Chain(step) => {
                let chain = search.chain(step);
                if !wanted(&chain.edges) {
                    continue;
                }
                if let Some(host) = parts.host(&chain.edges) {
                    found.chains[host].folded += 1;
                    continue;
                }
                let all_known = parts.add(graph, &chain.edges, found.chains.len(), limits);
                found.chains.push(chain);
                if !all_known {
                    found.missing = search.greatest_left();
                    break;
                }
            }
            Next::GivenUp(missing) => {
                found.missing = Some(missing);
                break;
            }
            Next::Done => break,
        }
    }
    found.paths = search.steps.len();
    found.parts = parts.looked_at;
    found
}

/// Parts of chains to look at for each path that the limits allow. A chain of
/// five copies has 15, and one that passes itself 31 at most.
const PARTS_FOR_A_PATH: usize = 31;

/// The parts of the chains found: sets of edges that are paths themselves. So
/// whether a path is a part of any chain takes one look, however many there are.
#[derive(Default)]
struct Parts {
    /// The edges of each part in ascending order, with the first chain that has it.
    hosts: FxHashMap<Box<[u32]>, usize>,
    /// Paths within chains looked at.
    looked_at: usize,
}

impl Parts {
    /// The first chain that has all of these edges.
    fn host(&self, edges: &[u32]) -> Option<usize> {
        let mut edges = edges.to_vec();
        edges.sort_unstable();
        self.hosts.get(edges.as_slice()).copied()
    }

    /// Adds all parts of a chain: every path over its edges. False if they are
    /// more than the limits allow, and some are missing.
    fn add(&mut self, graph: &CopyGraph, chain: &[u32], host: usize, limits: Limits) -> bool {
        let mut chain = chain.to_vec();
        chain.sort_unstable();
        // Paths as the bits of their edges, of which there are at most 32, with
        // the locations they lead to: going on depends on nothing else.
        let mut known: FxHashSet<(u32, u32)> = FxHashSet::default();
        let mut pending: Vec<(u32, u32)> =
            (0..).zip(&chain).map(|(at, &edge)| (1 << at, graph.edge(edge).to)).collect();
        while let Some((bits, end)) = pending.pop() {
            if !known.insert((bits, end)) {
                continue;
            }
            self.looked_at += 1;
            if self.hosts.len() >= limits.paths
                || self.looked_at > limits.paths.saturating_mul(PARTS_FOR_A_PATH)
            {
                return false;
            }
            let is_in_part = |at: usize| bits & 1 << at != 0;
            let part = (0..chain.len()).filter(|&at| is_in_part(at)).map(|at| chain[at]);
            self.hosts.entry(part.collect()).or_insert(host);
            for (at, &edge) in chain.iter().enumerate() {
                if graph.edge(edge).from == end && !is_in_part(at) {
                    pending.push((bits | 1 << at, graph.edge(edge).to));
                }
            }
        }
        true
    }
}

/// What the search came across.
enum Next {
    /// A chain that ends with this step; none that follow are more wasteful.
    Chain(u32),
    /// The paths allowed are used up.
    GivenUp(u64),
    /// There are no more chains.
    Done,
}

/// The last edge of a path, with the one before it.
#[derive(Clone, Copy)]
struct Step {
    edge: u32,
    before: Option<u32>,
    length: u32,
    frequency: u64,
    bytes: u8,
}

/// Ordered by what comes next: by waste factor or what it may become, paths to
/// go on from before chains, longer chains before shorter ones, then in the
/// order in which they were made.
type Pending = (u64, bool, u32, Reverse<u32>);

struct Search<'a> {
    graph: &'a CopyGraph,
    limits: Limits,
    bounds: Bounds,
    /// First edges of paths with their bounds, the best last.
    starts: Vec<(u64, Reverse<u32>)>,
    steps: Vec<Step>,
    pending: BinaryHeap<Pending>,
}

impl<'a> Search<'a> {
    fn new(graph: &'a CopyGraph, limits: Limits) -> Self {
        let limits = Limits { length: limits.length.clamp(1, 32), ..limits };
        let bounds = Bounds::new(graph, limits.length);
        let mut starts: Vec<(u64, Reverse<u32>)> = (0..graph.edges.len() as u32)
            .map(|edge| {
                let first = first_step(graph, edge);
                (bounds.of(graph, &first), Reverse(edge))
            })
            .collect();
        starts.sort_unstable();
        Self { graph, limits, bounds, starts, steps: Vec::new(), pending: BinaryHeap::new() }
    }

    fn next(&mut self) -> Next {
        loop {
            // Starts wait outside the heap until their turn comes.
            let best = self.pending.peek().map(|&(bound, ..)| bound);
            if let Some(&(bound, Reverse(edge))) = self.starts.last()
                && best.is_none_or(|best| bound >= best)
            {
                self.starts.pop();
                self.push(bound, first_step(self.graph, edge));
                continue;
            }
            let Some((bound, is_path, _, Reverse(step))) = self.pending.pop() else {
                return Next::Done;
            };
            if !is_path {
                return Next::Chain(step);
            }
            if self.steps.len() >= self.limits.paths {
                return Next::GivenUp(bound);
            }
            self.go_on(step);
        }
    }

    /// The greatest waste factor that a chain not found yet may have.
    fn greatest_left(&self) -> Option<u64> {
        let pending = self.pending.peek().map(|&(bound, ..)| bound);
        pending.max(self.starts.last().map(|&(bound, _)| bound))
    }

    fn push(&mut self, bound: u64, step: Step) {
        let number = self.steps.len() as u32;
        self.pending.push((bound, true, step.length, Reverse(number)));
        self.steps.push(step);
    }

    /// Makes the chain that ends here pending, and all paths one edge longer.
    fn go_on(&mut self, number: u32) {
        let step = self.steps[number as usize];
        self.pending.push((waste(&step), false, step.length, Reverse(number)));
        if step.length as usize == self.limits.length {
            return;
        }
        let graph = self.graph;
        for &edge in graph.outgoing(graph.edge(step.edge).to) {
            if self.is_on_path(number, edge) {
                continue;
            }
            let info = graph.edge(edge);
            let (frequency, bytes) = (info.count, info.bytes).min((step.frequency, step.bytes));
            let length = step.length + 1;
            let next = Step { edge, before: Some(number), length, frequency, bytes };
            self.push(self.bounds.of(graph, &next), next);
        }
    }

    fn path(&self, last: u32) -> impl Iterator<Item = u32> + '_ {
        std::iter::successors(Some(last), |&step| self.steps[step as usize].before)
            .map(|step| self.steps[step as usize].edge)
    }

    fn is_on_path(&self, last: u32, edge: u32) -> bool {
        self.path(last).any(|on_path| on_path == edge)
    }

    fn chain(&self, last: u32) -> Chain {
        let step = &self.steps[last as usize];
        let mut edges: Vec<u32> = self.path(last).collect();
        edges.reverse();
        Chain { edges, frequency: step.frequency, bytes: step.bytes, waste: waste(step), folded: 0 }
    }
}

fn first_step(graph: &CopyGraph, edge: u32) -> Step {
    let info = graph.edge(edge);
    Step { edge, before: None, length: 1, frequency: info.count, bytes: info.bytes }
}

fn waste(step: &Step) -> u64 {
    product(step.length, step.frequency, step.bytes)
}

fn product(length: u32, frequency: u64, bytes: u8) -> u64 {
    frequency.saturating_mul(u64::from(length) * u64::from(bytes))
}

/// What the continuations of a path can reach at most.
struct Bounds {
    /// For `k` further edges, and each location to go on from: the greatest
    /// least frequency of any walk, and the most bytes of any of its edges.
    further: Vec<Vec<(u64, u8)>>,
}

impl Bounds {
    fn new(graph: &CopyGraph, length: usize) -> Self {
        let mut further = vec![vec![(u64::MAX, 0); graph.locations.len()]];
        for k in 1..length {
            let shorter = &further[k - 1];
            let mut longer = vec![(0u64, 0u8); graph.locations.len()];
            for edge in &graph.edges {
                let (frequency, bytes) = shorter[edge.to as usize];
                let here = &mut longer[edge.from as usize];
                here.0 = here.0.max(frequency.min(edge.count));
                if frequency > 0 {
                    here.1 = here.1.max(bytes).max(edge.bytes);
                }
            }
            further.push(longer);
        }
        Self { further }
    }

    /// The greatest waste factor of the chain that ends with `step` and of all
    /// that go on from it.
    fn of(&self, graph: &CopyGraph, step: &Step) -> u64 {
        let end = graph.edge(step.edge).to as usize;
        let mut greatest = waste(step);
        for (k, further) in self.further.iter().enumerate().skip(1) {
            let length = step.length + k as u32;
            if length as usize > self.further.len() {
                break;
            }
            let (frequency, bytes) = further[end];
            // Either the least frequent edge stays the same, or it comes later.
            if frequency >= step.frequency {
                greatest = greatest.max(product(length, step.frequency, step.bytes));
            }
            greatest = greatest.max(product(length, frequency.min(step.frequency), bytes));
        }
        greatest
    }
}
