//! Sums of weights over all ancestors of nodes.
//!
//! Ancestors overlap, so there is no way to add up sums of sums: a node with
//! several sources needs a walk of its own. Nodes in a circle are one, and a
//! node with a single source adds its weight to that one's sum. If the walks
//! still take too long, the sums that are left are estimated, and marked.

use crate::dataflow::adjacency::Adjacency;
use crate::dataflow::costs::components::{Components, NONE};
use crate::dataflow::costs::sketch;

/// Edges that all walks together may follow; a few seconds.
const BUDGET: u64 = 200_000_000;
/// Edges that one walk may follow before those of the other nodes are made.
const FIRST_TRY: u64 = 10_000;

/// A sum of weights.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Sum {
    /// The sum.
    pub value: f64,
    /// True if it is estimated.
    pub estimated: bool,
}

/// For each of `targets`, the weight of it and of all nodes from which it can
/// be reached without passing through nodes that are `left_out`; a target that
/// is left out itself reaches nothing.
pub fn sums(sources: &Adjacency, left_out: &[bool], weight: &[u64], targets: &[u32]) -> Vec<Sum> {
    sums_within(sources, left_out, weight, targets, BUDGET)
}

/// The same with a budget of edges to follow.
pub fn sums_within(
    sources: &Adjacency,
    left_out: &[bool],
    weight: &[u64],
    targets: &[u32],
    budget: u64,
) -> Vec<Sum> {
    let components = Components::new(sources, left_out, weight);
    let mut walks = Walks::new(&components, budget);
    // Short walks first, so that few long ones do not use up everything.
    let mut long = Vec::new();
    for &target in targets {
        let component = components.of_node[target as usize];
        if component != NONE && !walks.sum(component, FIRST_TRY) {
            long.push(component);
        }
    }
    let mut estimates = Vec::new();
    for component in long {
        if !walks.sum(component, u64::MAX) {
            estimates = sketch::estimates(&components);
            break;
        }
    }
    let sum = |&target: &u32| match components.of_node[target as usize] {
        NONE => Sum { value: weight[target as usize] as f64, estimated: false },
        component => match walks.known[component as usize] {
            Some(value) => Sum { value: value as f64, estimated: false },
            None => Sum { value: estimates[component as usize], estimated: true },
        },
    };
    targets.iter().map(sum).collect()
}

struct Walks<'a> {
    components: &'a Components,
    known: Vec<Option<u64>>,
    /// The walk in which each component was seen last.
    seen: Vec<u32>,
    walk: u32,
    budget: u64,
}

impl<'a> Walks<'a> {
    fn new(components: &'a Components, budget: u64) -> Self {
        let (known, seen) = (vec![None; components.len()], vec![0; components.len()]);
        Self { components, known, seen, walk: 0, budget }
    }

    /// Finds the sum of a component; false if that takes more than `most` edges
    /// or the budget is used up.
    fn sum(&mut self, component: u32, most: u64) -> bool {
        // Down single sources to one whose sum is known or can be found.
        let mut line = vec![component];
        let mut sum = loop {
            let end = line[line.len() - 1];
            if let Some(known) = self.known[end as usize] {
                line.pop();
                break known;
            }
            match self.components.sources.of(end) {
                [] => break 0,
                [source] => line.push(*source),
                _ => match self.walk(end, most) {
                    Some(sum) => {
                        self.known[end as usize] = Some(sum);
                        line.pop();
                        break sum;
                    }
                    None => return false,
                },
            }
        };
        for &member in line.iter().rev() {
            sum = sum.saturating_add(self.components.weight[member as usize]);
            self.known[member as usize] = Some(sum);
        }
        true
    }

    fn walk(&mut self, start: u32, most: u64) -> Option<u64> {
        self.walk += 1;
        self.seen[start as usize] = self.walk;
        let mut pending = vec![start];
        let mut sum = 0u64;
        let mut followed = 0;
        while let Some(component) = pending.pop() {
            sum = sum.saturating_add(self.components.weight[component as usize]);
            let sources = self.components.sources.of(component);
            followed += sources.len() as u64;
            if followed > most.min(self.budget) {
                self.budget = self.budget.saturating_sub(followed);
                return None;
            }
            for &source in sources {
                if std::mem::replace(&mut self.seen[source as usize], self.walk) != self.walk {
                    pending.push(source);
                }
            }
        }
        self.budget -= followed;
        Some(sum)
    }
}
