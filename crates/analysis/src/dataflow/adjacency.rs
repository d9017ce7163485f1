//! Neighbours of the nodes of a graph.

use std::ops::Range;

/// The neighbours of each node, one list after the other.
#[derive(Debug, Clone, Default)]
pub struct Adjacency {
    /// Where the list of each node begins, and the end of the last one.
    first: Vec<u32>,
    items: Vec<u32>,
}

impl Adjacency {
    /// The lists of `nodes` nodes: each pair adds its second number to the list
    /// of its first one. Lists keep the order of the pairs.
    pub fn new(nodes: usize, pairs: impl Iterator<Item = (u32, u32)> + Clone) -> Self {
        let mut first = vec![0; nodes + 1];
        for (node, _) in pairs.clone() {
            first[node as usize + 1] += 1;
        }
        for node in 0..nodes {
            first[node + 1] += first[node];
        }
        let mut next = first.clone();
        let mut items = vec![0; first[nodes] as usize];
        for (node, item) in pairs {
            let place = &mut next[node as usize];
            items[*place as usize] = item;
            *place += 1;
        }
        Self { first, items }
    }

    /// Number of nodes.
    pub fn len(&self) -> usize {
        self.first.len().saturating_sub(1)
    }

    /// True if there is no node.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The list of a node.
    pub fn of(&self, node: u32) -> &[u32] {
        &self.items[self.range(node)]
    }

    /// Where the list of a node lies among all lists, one after the other. Where
    /// pairs were sorted, that is where its pairs were.
    pub fn range(&self, node: u32) -> Range<usize> {
        self.first[node as usize] as usize..self.first[node as usize + 1] as usize
    }

    /// Marks what can be reached from the nodes already marked.
    pub fn spread(&self, marked: &mut [bool]) {
        let mut pending: Vec<u32> =
            (0u32..).zip(&*marked).filter(|(_, m)| **m).map(|(n, _)| n).collect();
        while let Some(node) = pending.pop() {
            for &next in self.of(node) {
                if !std::mem::replace(&mut marked[next as usize], true) {
                    pending.push(next);
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Adjacency;

    #[test]
    fn lists_keep_the_order_of_pairs() {
        let pairs = [(2, 7), (0, 1), (2, 5), (0, 3)];
        let lists = Adjacency::new(4, pairs.into_iter());
        let all: Vec<&[u32]> = (0..4).map(|node| lists.of(node)).collect();
        assert_eq!(all, [&[1, 3][..], &[], &[7, 5], &[]]);
        assert!(Adjacency::default().is_empty());
    }

    #[test]
    fn spreads_through_cycles() {
        let lists = Adjacency::new(5, [(0, 1), (1, 2), (2, 0), (3, 4)].into_iter());
        let mut marked = [false, true, false, false, false];
        lists.spread(&mut marked);
        assert_eq!(marked, [true, true, true, false, false]);
    }
}
