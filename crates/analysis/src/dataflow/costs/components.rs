//! Strongly connected components: nodes that depend on each other in a circle
//! have the same ancestors, so they can be treated as one.

use crate::dataflow::adjacency::Adjacency;

/// The components of a part of a graph.
#[derive(Debug)]
pub struct Components {
    /// The component of each node, [`NONE`] for nodes that were left out.
    pub of_node: Vec<u32>,
    /// Components that each component depends on, each once. They have smaller
    /// numbers.
    pub sources: Adjacency,
    /// Sum of the weights of each component's nodes.
    pub weight: Vec<u64>,
}

/// In [`Components::of_node`]: the node was left out.
pub const NONE: u32 = u32::MAX;

impl Components {
    /// The components among the nodes that are not `left_out`, where `sources`
    /// lists what each node depends on.
    pub fn new(sources: &Adjacency, left_out: &[bool], weight: &[u64]) -> Self {
        let of_node = tarjan(sources, left_out);
        let count = of_node.iter().filter(|&&c| c != NONE).max().map_or(0, |&c| c as usize + 1);
        let mut weights = vec![0u64; count];
        let mut pairs = Vec::new();
        for (node, &component) in (0u32..).zip(&of_node) {
            if component == NONE {
                continue;
            }
            let sum = &mut weights[component as usize];
            *sum = sum.saturating_add(weight[node as usize]);
            for &source in sources.of(node) {
                let from = of_node[source as usize];
                if from != NONE && from != component {
                    pairs.push((component, from));
                }
            }
        }
        pairs.sort_unstable();
        pairs.dedup();
        let sources = Adjacency::new(count, pairs.iter().copied());
        Self { of_node, sources, weight: weights }
    }

    /// Number of components.
    pub fn len(&self) -> usize {
        self.weight.len()
    }

    /// True if there is no component.
    pub fn is_empty(&self) -> bool {
        self.weight.is_empty()
    }
}

/// Tarjan's algorithm with a stack of its own, because graphs are deep. It
/// numbers a component after those that it depends on.
fn tarjan(sources: &Adjacency, left_out: &[bool]) -> Vec<u32> {
    const UNSEEN: u32 = u32::MAX;
    let nodes = sources.len();
    let mut component = vec![NONE; nodes];
    let mut seen = vec![UNSEEN; nodes];
    let mut lowest = vec![0u32; nodes];
    let mut open: Vec<u32> = Vec::new();
    // Nodes on the way down, each with how many sources were followed.
    let mut path: Vec<(u32, u32)> = Vec::new();
    let (mut next_seen, mut next_component) = (0, 0);
    for root in 0..nodes as u32 {
        if left_out[root as usize] || seen[root as usize] != UNSEEN {
            continue;
        }
        path.push((root, 0));
        while let Some(&mut (node, ref mut followed)) = path.last_mut() {
            let at = node as usize;
            if *followed == 0 {
                (seen[at], lowest[at]) = (next_seen, next_seen);
                next_seen += 1;
                open.push(node);
            }
            if let Some(&source) = sources.of(node).get(*followed as usize) {
                *followed += 1;
                let from = source as usize;
                if left_out[from] {
                    continue;
                }
                if seen[from] == UNSEEN {
                    path.push((source, 0));
                } else if component[from] == NONE {
                    lowest[at] = lowest[at].min(seen[from]);
                }
                continue;
            }
            path.pop();
            if let Some(&(above, _)) = path.last() {
                lowest[above as usize] = lowest[above as usize].min(lowest[at]);
            }
            if lowest[at] == seen[at] {
                while let Some(member) = open.pop() {
                    component[member as usize] = next_component;
                    if member == node {
                        break;
                    }
                }
                next_component += 1;
            }
        }
    }
    component
}
