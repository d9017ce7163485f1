//! Merging trees path by path.
//!
//! Two nodes are merged if the labels on their paths from the virtual root
//! agree. The merged tree is built in preorder, children in the order in which
//! they first appear, in time linear in the number of nodes and without a hash
//! table: a node of the merged tree is a list of source nodes, and its children
//! are the children of those, grouped by label.

use std::ops::Range;

use profile::NO_PARENT;

use crate::error::{Error, Result};

/// The merged tree, and what to do with the costs.
#[derive(Debug, Default)]
pub struct Merged {
    /// Label of each merged node.
    pub label: Vec<u32>,
    /// Parent of each merged node or [`NO_PARENT`].
    pub parent: Vec<u32>,
    /// One column of summed costs for each column given.
    pub costs: Vec<Vec<u64>>,
}

/// Merges the given trees.
///
/// `labels` holds numbers below `label_count`; `parents` is in preorder within
/// each of `trees`, which are ranges of node numbers.
///
/// # Errors
/// If the parents are not in preorder.
pub fn merge(
    labels: &[u32],
    label_count: usize,
    parents: Vec<u32>,
    trees: &[Range<u32>],
    costs: &[&[u64]],
) -> Result<Merged> {
    let sizes = subtree_sizes(parents, trees)?;
    let mut merged = Merged {
        // Upper bounds; what is not needed is never touched and costs nothing.
        label: Vec::with_capacity(labels.len()),
        parent: Vec::with_capacity(labels.len()),
        costs: costs.iter().map(|_| Vec::with_capacity(labels.len())).collect(),
    };
    let mut pending = Pending::default();
    let mut groups = Groups::new(label_count);

    for tree in trees {
        groups.add_siblings(tree.clone(), &sizes, labels);
    }
    groups.finish(NO_PARENT, &mut pending);

    let mut sources = Vec::new();
    while let Some(parent) = pending.pop(&mut sources) {
        // The number of nodes fits in 32 bits, as the sources' numbers do.
        let node = merged.label.len() as u32;
        merged.label.push(labels[sources[0] as usize]);
        merged.parent.push(parent);
        for (to, from) in merged.costs.iter_mut().zip(costs) {
            to.push(sources.iter().map(|&source| from[source as usize]).sum());
        }
        for &source in &sources {
            groups.add_siblings(source + 1..source + sizes[source as usize], &sizes, labels);
        }
        groups.finish(node, &mut pending);
    }
    Ok(merged)
}

/// Number of nodes in the subtree of each node, itself included.
///
/// Takes the column of parents, which is not needed any more afterwards.
fn subtree_sizes(parents: Vec<u32>, trees: &[Range<u32>]) -> Result<Vec<u32>> {
    let disorder = || Error::new("the profile contradicts itself: contexts are not in preorder");
    let mut sizes = vec![1u32; parents.len()];
    for tree in trees {
        for node in tree.clone().rev() {
            let parent = parents[node as usize];
            if parent != NO_PARENT {
                if parent < tree.start || parent >= node {
                    return Err(disorder());
                }
                sizes[parent as usize] += sizes[node as usize];
            }
        }
        // A subtree must be contiguous: a node lies within the range that
        // starts at its parent and is as long as the parent's subtree is large.
        for node in tree.clone() {
            let parent = parents[node as usize];
            if parent != NO_PARENT && node - parent >= sizes[parent as usize] {
                return Err(disorder());
            }
        }
    }
    Ok(sizes)
}

/// Merged nodes still to be visited, the next one on top.
#[derive(Default)]
struct Pending {
    /// Parent and number of sources of each node.
    nodes: Vec<(u32, u32)>,
    /// The sources of all of them.
    sources: Vec<u32>,
}

impl Pending {
    /// Takes the next node: its parent is returned, its sources go to `sources`.
    fn pop(&mut self, sources: &mut Vec<u32>) -> Option<u32> {
        let (parent, count) = self.nodes.pop()?;
        sources.clear();
        sources.extend(self.sources.drain(self.sources.len() - count as usize..));
        Some(parent)
    }
}

const NO_GROUP: u32 = u32::MAX;

/// Groups siblings by label.
struct Groups {
    /// Group of each label among the siblings at hand, or [`NO_GROUP`].
    of_label: Vec<u32>,
    /// Label and number of members of each group.
    groups: Vec<(u32, u32)>,
    /// Group and node of each sibling.
    members: Vec<(u32, u32)>,
}

impl Groups {
    fn new(label_count: usize) -> Self {
        Self { of_label: vec![NO_GROUP; label_count], groups: Vec::new(), members: Vec::new() }
    }

    /// Adds the roots of the subtrees in `range`.
    fn add_siblings(&mut self, range: Range<u32>, sizes: &[u32], labels: &[u32]) {
        let mut node = range.start;
        while node < range.end {
            let label = labels[node as usize];
            let of_label = &mut self.of_label[label as usize];
            if *of_label == NO_GROUP {
                *of_label = self.groups.len() as u32;
                self.groups.push((label, 0));
            }
            self.groups[*of_label as usize].1 += 1;
            self.members.push((*of_label, node));
            node += sizes[node as usize];
        }
    }

    /// Hands all groups over as children of `parent` and forgets them.
    fn finish(&mut self, parent: u32, pending: &mut Pending) {
        let base = pending.sources.len();
        if self.groups.len() == self.members.len() {
            // Nothing to merge, by far the most frequent case.
            pending.sources.extend(self.members.iter().rev().map(|&(_, node)| node));
            pending.nodes.extend(self.groups.iter().map(|_| (parent, 1)));
        } else {
            pending.nodes.extend(self.groups.iter().rev().map(|&(_, count)| (parent, count)));
            // The sources of the first group must lie on top. From here on
            // the count of a group is the place of its next member.
            let mut place = 0;
            for (_, count) in self.groups.iter_mut().rev() {
                place += std::mem::replace(count, place);
            }
            pending.sources.resize(base + self.members.len(), 0);
            for &(group, node) in &self.members {
                let place = &mut self.groups[group as usize].1;
                pending.sources[base + *place as usize] = node;
                *place += 1;
            }
        }
        for (label, _) in self.groups.drain(..) {
            self.of_label[label as usize] = NO_GROUP;
        }
        self.members.clear();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const R: u32 = NO_PARENT;

    #[test]
    fn merges_threads_and_siblings_in_order_of_appearance() {
        // 0(1(2) 2 1(3)) in one thread, 5 and 0(3) in another.
        let labels = [0, 1, 2, 2, 1, 3, 5, 0, 3];
        let parents = vec![R, 0, 1, 0, 0, 4, R, R, 7];
        let costs = [1, 10, 100, 1_000, 20, 200, 5, 2, 3];
        let merged = merge(&labels, 6, parents, &[0..6, 6..9], &[&costs]).unwrap();
        assert_eq!(merged.label, [0, 1, 2, 3, 2, 3, 5]);
        assert_eq!(merged.parent, [R, 0, 1, 1, 0, 0, R]);
        assert_eq!(merged.costs, [[3, 30, 100, 200, 1_000, 3, 5]]);
    }

    #[test]
    fn disorder_is_an_error() {
        for parents in [vec![R, 2, 0], vec![R, 0, 0, 1], vec![R, 1]] {
            let labels = vec![0; parents.len()];
            let all = 0..parents.len() as u32;
            assert!(merge(&labels, 1, parents.clone(), &[all], &[]).is_err(), "{parents:?}");
        }
    }
}
