//! Folded stacks, which every flame graph tool reads.

use std::cmp::Reverse;
use std::io::Write;

use profile::NO_PARENT;

use crate::import::frame;
use tree::Tree;
use tree::error::Result;
use tree::names::pattern::Pattern;
use tree::readable_names::printable;

/// Which stacks to write.
#[derive(Debug, Clone, Default)]
pub struct Stacks {
    /// Only stacks with a frame in a class that matches.
    pub class: Option<Pattern>,
    /// Only the stacks of greatest cost; ties in favour of the earlier one.
    pub top: Option<usize>,
    /// Also stacks that cost something only by another metric than the first.
    pub every_metric: bool,
}

/// Calls `each` with every selected stack that costs something by itself: its
/// methods from the root on, and its node.
///
/// # Errors
/// The first error that `each` returns, which ends the walk.
pub fn for_each_stack(
    tree: &Tree,
    stacks: &Stacks,
    mut each: impl FnMut(&[u32], u32) -> Result<()>,
) -> Result<()> {
    let selected = select(tree, stacks);
    let mut open: Vec<u32> = Vec::new();
    let mut frames: Vec<u32> = Vec::new();
    for (node, &parent) in (0u32..).zip(&tree.parent) {
        while open.last().is_some_and(|&last| last != parent) {
            open.pop();
            frames.pop();
        }
        open.push(node);
        frames.push(tree.method[node as usize]);
        if selected[node as usize] {
            each(&frames, node)?;
        }
    }
    Ok(())
}

/// Writes the stacks as text, one a line: frames separated by `;`, a space,
/// the cost. With `descriptors`, methods carry theirs, `|` standing for `;`.
///
/// # Errors
/// If `out` fails.
pub fn write(tree: &Tree, stacks: &Stacks, descriptors: bool, out: &mut impl Write) -> Result<()> {
    let mut frames = frames(tree, descriptors);
    for frame in &mut frames {
        // A line is a stack.
        *frame = printable(frame).into_owned();
    }
    for_each_stack(tree, stacks, |stack, node| {
        let cost = tree.cost()[node as usize];
        for (at, &method) in stack.iter().enumerate() {
            if at > 0 {
                out.write_all(b";")?;
            }
            out.write_all(frames[method as usize].as_bytes())?;
        }
        writeln!(out, " {cost}")?;
        Ok(())
    })
}

/// The frame of each method of the tree.
pub fn frames(tree: &Tree, descriptors: bool) -> Vec<String> {
    let frame_of = |method| {
        let mut text = String::new();
        frame::write(method, descriptors, &mut text);
        text
    };
    tree.methods.iter().map(frame_of).collect()
}

/// Says for each node whether its stack is to be written.
pub fn select(tree: &Tree, stacks: &Stacks) -> Vec<bool> {
    let of_method: Vec<bool> = tree
        .methods
        .iter()
        .map(|method| stacks.class.as_ref().is_none_or(|p| p.matches(&method.class)))
        .collect();
    // A stack has a frame in a matching class if its last frame or its
    // parent's stack has.
    let mut selected: Vec<bool> = Vec::with_capacity(tree.len());
    for (&method, &parent) in tree.method.iter().zip(&tree.parent) {
        let above = parent != NO_PARENT && selected[parent as usize];
        selected.push(above || of_method[method as usize]);
    }
    let metrics = if stacks.every_metric { tree.metrics.len() } else { 1 };
    let metrics = &tree.metrics[..metrics.min(tree.metrics.len())];
    for (node, selected) in selected.iter_mut().enumerate() {
        *selected &= metrics.iter().any(|metric| metric.values[node] > 0);
    }
    if let Some(top) = stacks.top {
        let mut nodes: Vec<usize> = (0..tree.len()).filter(|&node| selected[node]).collect();
        if top < nodes.len() {
            // Only which ones are the costliest matters, not their order.
            nodes.select_nth_unstable_by_key(top, |&node| (Reverse(tree.cost()[node]), node));
            for &node in &nodes[top..] {
                selected[node] = false;
            }
        }
    }
    selected
}
