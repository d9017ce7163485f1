//! Dominators, after Cooper, Harvey and Kennedy, "A Simple, Fast Dominance
//! Algorithm" (2001).

use super::control_flow::{BlockIndex, ControlFlow};

/// Which blocks every path from the entry to a block runs through.
///
/// Edges to exception handlers count as edges.
#[derive(Clone, Debug)]
pub struct Dominators {
    /// The immediate dominator; the entry's is itself, unreachable blocks
    /// have none.
    immediate: Vec<Option<BlockIndex>>,
    /// Reachable blocks in reverse postorder.
    order: Vec<BlockIndex>,
    /// Number of each block in the dominator tree, entering and leaving, so
    /// that dominance is containment.
    intervals: Vec<(u32, u32)>,
}

impl ControlFlow {
    /// Which blocks dominate which.
    pub fn dominators(&self) -> Dominators {
        Dominators::new(self)
    }
}

impl Dominators {
    fn new(flow: &ControlFlow) -> Dominators {
        let order = reverse_postorder(flow);
        let count = flow.blocks().len();
        let mut rank = vec![usize::MAX; count];
        for (position, &block) in order.iter().enumerate() {
            rank[block as usize] = position;
        }
        let mut predecessors = vec![Vec::new(); order.len()];
        for (position, &block) in order.iter().enumerate() {
            for successor in flow.all_successors(block) {
                predecessors[rank[successor as usize]].push(position);
            }
        }
        // Over positions in the order, where dominators have smaller numbers.
        let mut immediate: Vec<Option<usize>> = vec![None; order.len()];
        if let Some(entry) = immediate.first_mut() {
            *entry = Some(0);
        }
        let mut changed = true;
        while changed {
            changed = false;
            for position in 1..order.len() {
                let dominator = predecessors[position]
                    .iter()
                    .copied()
                    .filter(|&predecessor| immediate[predecessor].is_some())
                    .reduce(|left, right| common_dominator(&immediate, left, right));
                if dominator != immediate[position] {
                    immediate[position] = dominator;
                    changed = true;
                }
            }
        }
        let mut by_block = vec![None; count];
        for (position, &block) in order.iter().enumerate() {
            by_block[block as usize] = immediate[position].map(|dominator| order[dominator]);
        }
        let intervals = number_tree(&by_block, &order);
        Dominators { immediate: by_block, order, intervals }
    }

    /// The closest block, other than itself, that dominates a block; `None`
    /// for the entry and for unreachable blocks.
    pub fn immediate_dominator(&self, block: BlockIndex) -> Option<BlockIndex> {
        self.immediate
            .get(block as usize)
            .copied()
            .flatten()
            .filter(|&dominator| dominator != block)
    }

    /// Whether a block can be reached from the entry.
    pub fn is_reachable(&self, block: BlockIndex) -> bool {
        self.immediate.get(block as usize).copied().flatten().is_some()
    }

    /// Whether every path from the entry to `block` runs through `dominator`.
    /// A block dominates itself. False if one of them is unreachable.
    pub fn dominates(&self, dominator: BlockIndex, block: BlockIndex) -> bool {
        if !self.is_reachable(dominator) || !self.is_reachable(block) {
            return false;
        }
        let (outer_start, outer_end) = self.intervals[dominator as usize];
        let (inner_start, inner_end) = self.intervals[block as usize];
        outer_start <= inner_start && inner_end <= outer_end
    }

    /// The reachable blocks in reverse postorder of a depth-first search.
    pub fn reverse_postorder(&self) -> &[BlockIndex] {
        &self.order
    }
}

/// The closest common ancestor in the dominator tree under construction.
fn common_dominator(immediate: &[Option<usize>], mut left: usize, mut right: usize) -> usize {
    while left != right {
        // Both have a dominator already, and it comes earlier in the order.
        if left > right {
            left = immediate[left].unwrap_or(0);
        } else {
            right = immediate[right].unwrap_or(0);
        }
    }
    left
}

fn reverse_postorder(flow: &ControlFlow) -> Vec<BlockIndex> {
    let mut visited = vec![false; flow.blocks().len()];
    let mut order = Vec::with_capacity(flow.blocks().len());
    if flow.blocks().is_empty() {
        return order;
    }
    visited[0] = true;
    let mut path = vec![(0, flow.all_successors(0))];
    while let Some((block, successors)) = path.last_mut() {
        match successors.next() {
            Some(next) if !visited[next as usize] => {
                visited[next as usize] = true;
                path.push((next, flow.all_successors(next)));
            }
            Some(_) => {}
            None => {
                order.push(*block);
                path.pop();
            }
        }
    }
    order.reverse();
    order
}

/// Numbers the dominator tree so that a subtree is an interval.
fn number_tree(immediate: &[Option<BlockIndex>], order: &[BlockIndex]) -> Vec<(u32, u32)> {
    // Sizes from the leaves up, then starts from the root down: in reverse
    // postorder a dominator precedes what it dominates.
    let mut sizes = vec![1u32; immediate.len()];
    for &block in order.iter().rev() {
        if let Some(parent) = immediate[block as usize]
            && parent != block
        {
            sizes[parent as usize] += sizes[block as usize];
        }
    }
    let mut intervals = vec![(0, 0); immediate.len()];
    let mut next_child = vec![0; immediate.len()];
    for &block in order {
        let start = match immediate[block as usize] {
            Some(parent) if parent != block => {
                let start = next_child[parent as usize];
                next_child[parent as usize] += sizes[block as usize];
                start
            }
            _ => 0,
        };
        intervals[block as usize] = (start, start + sizes[block as usize]);
        next_child[block as usize] = start + 1;
    }
    intervals
}
