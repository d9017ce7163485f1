//! Natural loops.

use super::control_flow::{BlockIndex, ControlFlow};
use super::dominators::Dominators;

/// A natural loop: a header that dominates its body, and edges back to it.
///
/// Loops with the same header are one loop.
#[derive(Clone, Debug)]
pub struct NaturalLoop {
    /// The block through which the loop is entered.
    pub header: BlockIndex,
    /// Sources of the edges back to the header, ordered.
    pub latches: Vec<BlockIndex>,
    /// All blocks of the loop with the header, ordered.
    pub body: Vec<BlockIndex>,
    /// The innermost loop around this one, as its position in
    /// [`Loops::natural`].
    pub parent: Option<usize>,
    /// How many loops are around this one.
    pub depth: u32,
}

impl NaturalLoop {
    /// Whether a block belongs to the loop, or to a loop inside it.
    pub fn contains(&self, block: BlockIndex) -> bool {
        self.body.binary_search(&block).is_ok()
    }
}

/// The loops of a method.
#[derive(Clone, Debug)]
pub struct Loops {
    natural: Vec<NaturalLoop>,
    irreducible: Vec<(BlockIndex, BlockIndex)>,
    /// The innermost loop of each block.
    innermost: Vec<Option<usize>>,
}

impl ControlFlow {
    /// The natural loops, and what only looks like one.
    pub fn loops(&self) -> Loops {
        Loops::new(self, &self.dominators())
    }
}

impl Loops {
    fn new(flow: &ControlFlow, dominators: &Dominators) -> Loops {
        let order = dominators.reverse_postorder();
        let count = flow.blocks().len();
        let mut rank = vec![usize::MAX; count];
        for (position, &block) in order.iter().enumerate() {
            rank[block as usize] = position;
        }
        let mut predecessors = vec![Vec::new(); count];
        let mut back_edges = Vec::new();
        let mut irreducible = Vec::new();
        for &source in order {
            for target in flow.all_successors(source) {
                predecessors[target as usize].push(source);
                if dominators.dominates(target, source) {
                    back_edges.push((target, source));
                } else if rank[target as usize] <= rank[source as usize] {
                    irreducible.push((source, target));
                }
            }
        }
        back_edges.sort_unstable();
        back_edges.dedup();
        irreducible.sort_unstable();
        irreducible.dedup();

        let mut natural: Vec<NaturalLoop> = back_edges
            .chunk_by(|left, right| left.0 == right.0)
            .filter_map(|edges| {
                let &(header, _) = edges.first()?;
                let latches: Vec<_> = edges.iter().map(|&(_, latch)| latch).collect();
                let body = collect_body(header, &latches, &predecessors, count);
                Some(NaturalLoop { header, latches, body, parent: None, depth: 0 })
            })
            .collect();
        // Outer loops first: of two loops that share a block one contains the
        // other, and the larger one is outside.
        natural.sort_by_key(|natural_loop| {
            (std::cmp::Reverse(natural_loop.body.len()), natural_loop.header)
        });
        let mut innermost: Vec<Option<usize>> = vec![None; count];
        for index in 0..natural.len() {
            let parent = innermost[natural[index].header as usize];
            natural[index].parent = parent;
            natural[index].depth = parent.map_or(0, |outer| natural[outer].depth + 1);
            for &block in &natural[index].body {
                innermost[block as usize] = Some(index);
            }
        }
        Loops { natural, irreducible, innermost }
    }

    /// The natural loops, every loop behind those around it.
    pub fn natural(&self) -> &[NaturalLoop] {
        &self.natural
    }

    /// Edges, as source and target, that close a cycle whose target does not
    /// dominate their source: the cycle can be entered elsewhere, and is not a
    /// natural loop.
    pub fn irreducible_edges(&self) -> &[(BlockIndex, BlockIndex)] {
        &self.irreducible
    }

    /// The innermost natural loop that a block belongs to, as its position in
    /// [`Loops::natural`].
    pub fn innermost(&self, block: BlockIndex) -> Option<usize> {
        self.innermost.get(block as usize).copied().flatten()
    }
}

/// All blocks that reach a latch without running through the header.
fn collect_body(
    header: BlockIndex,
    latches: &[BlockIndex],
    predecessors: &[Vec<BlockIndex>],
    count: usize,
) -> Vec<BlockIndex> {
    let mut in_body = vec![false; count];
    in_body[header as usize] = true;
    let mut body = vec![header];
    let mut work = latches.to_vec();
    while let Some(block) = work.pop() {
        if !in_body[block as usize] {
            in_body[block as usize] = true;
            body.push(block);
            work.extend_from_slice(&predecessors[block as usize]);
        }
    }
    body.sort_unstable();
    body
}
