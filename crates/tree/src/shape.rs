//! The shape of a tree, in the figures of Ammons et al. 2004's Tables 1 and 5.

use profile::NO_PARENT;
use serde::Serialize;

use crate::Tree;

/// Figures about the nodes of a tree. The virtual root is not counted.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct Shape {
    /// Number of contexts.
    pub contexts: u64,
    /// Contexts that call nothing.
    pub leaves: u64,
    /// Mean depth over all contexts; 0 without contexts.
    pub mean_depth: f64,
    /// Edges from the root, or from the virtual root, to the deepest context.
    pub max_depth: u32,
    /// Mean number of children over the contexts that have any; 0 without.
    pub mean_out_degree: f64,
    /// Greatest number of children of a context.
    pub max_out_degree: u32,
    /// Number of methods that have a context.
    pub methods: u64,
}

/// Measures a tree.
pub fn shape(tree: &Tree) -> Shape {
    let mut executed = vec![false; tree.methods.len()];
    let mut children = vec![0u32; tree.len()];
    // Depth of the nodes on the path to the current one, and the nodes.
    let mut open: Vec<u32> = Vec::new();
    let mut depths: u64 = 0;
    let mut max_depth = 0;
    let root_depth = u32::from(tree.has_virtual_root());
    for (node, (&parent, &method)) in (0u32..).zip(tree.parent.iter().zip(&tree.method)) {
        executed[method as usize] = true;
        if parent != NO_PARENT {
            children[parent as usize] += 1;
        }
        while open.last().is_some_and(|&last| last != parent) {
            open.pop();
        }
        let depth = open.len() as u32 + root_depth;
        depths += u64::from(depth);
        max_depth = max_depth.max(depth);
        open.push(node);
    }
    let contexts = tree.len() as u64;
    let leaves = children.iter().filter(|&&count| count == 0).count() as u64;
    let edges = contexts - tree.roots as u64;
    Shape {
        contexts,
        leaves,
        max_depth,
        mean_depth: ratio(depths, contexts),
        max_out_degree: children.iter().copied().max().unwrap_or(0),
        mean_out_degree: ratio(edges, contexts - leaves),
        methods: executed.iter().filter(|&&executed| executed).count() as u64,
    }
}

fn ratio(part: u64, whole: u64) -> f64 {
    if whole == 0 { 0.0 } else { part as f64 / whole as f64 }
}
