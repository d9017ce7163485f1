//! The part of a tree that is worth printing, from the root down.

use std::cmp::Reverse;

use profile::NO_PARENT;

use crate::Tree;
use crate::names::pattern::Pattern;

/// What to leave out.
#[derive(Debug, Clone)]
pub struct Limits {
    /// Contexts deeper than this; the root has depth 0, children of a virtual
    /// root have depth 1.
    pub depth: u32,
    /// Contexts whose subtree has a smaller share of the total cost.
    pub min_percent: f64,
    /// All but so many of the costliest children of each context.
    pub top: usize,
    /// Contexts with no class that matches on their path or in their subtree.
    pub class: Option<Pattern>,
}

/// A context to print.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Line {
    /// Its node.
    pub node: u32,
    /// Its depth, as in [`Limits::depth`].
    pub depth: u32,
    /// Line of its parent, `None` for roots.
    pub parent: Option<usize>,
    /// Number of forks above it: a chain of single callees is not indented,
    /// otherwise deep trees would fit on no screen.
    pub indent: u32,
}

/// The lines to print, each context before its callees, the costliest first;
/// ties in the order of the methods. `inclusive` is [`Tree::inclusive`].
pub fn top_down(tree: &Tree, inclusive: &[u64], limits: &Limits) -> Vec<Line> {
    let kept = limits.class.as_ref().map(|pattern| on_path_or_below(tree, pattern));
    let ends = tree.subtree_ends();
    let least = limits.min_percent / 100.0 * tree.total() as f64;

    // The children to print of a node, or the roots, the last one first.
    let children_of = |first: u32, end: u32| {
        let mut children = Vec::new();
        let mut child = first;
        while child < end {
            let at = child as usize;
            if inclusive[at] as f64 >= least && kept.as_ref().is_none_or(|kept| kept[at]) {
                children.push(child);
            }
            child = ends[at];
        }
        children.sort_by_key(|&child| {
            (Reverse(inclusive[child as usize]), tree.method[child as usize])
        });
        children.truncate(limits.top);
        children.reverse();
        children
    };
    let forks = |children: &[u32]| u32::from(children.len() > 1);

    let mut lines: Vec<Line> = Vec::new();
    let root_depth = u32::from(tree.has_virtual_root());
    let roots = children_of(0, tree.len() as u32);
    let of_root = |node| Line { node, depth: root_depth, parent: None, indent: 0 };
    let mut pending: Vec<Line> = roots.into_iter().map(of_root).collect();
    while let Some(line) = pending.pop() {
        if line.depth > limits.depth {
            continue;
        }
        let children = children_of(line.node + 1, ends[line.node as usize]);
        let indent = line.indent + forks(&children);
        let parent = Some(lines.len());
        pending.extend(children.into_iter().map(|node| Line {
            node,
            depth: line.depth + 1,
            parent,
            indent,
        }));
        lines.push(line);
    }
    lines
}

/// Says for each node whether a class on its path or in its subtree matches.
fn on_path_or_below(tree: &Tree, pattern: &Pattern) -> Vec<bool> {
    let of_method: Vec<bool> = tree.methods.iter().map(|m| pattern.matches(&m.class)).collect();
    let own = || tree.method.iter().map(|&method| of_method[method as usize]);
    let mut above: Vec<bool> = own().collect();
    for node in 0..tree.len() {
        let parent = tree.parent[node];
        above[node] |= parent != NO_PARENT && above[parent as usize];
    }
    let mut below: Vec<bool> = own().collect();
    for node in (0..tree.len()).rev() {
        let parent = tree.parent[node];
        if parent != NO_PARENT {
            below[parent as usize] |= below[node];
        }
    }
    above.into_iter().zip(below).map(|(above, below)| above || below).collect()
}
