//! The path from the root to a node in the tree adjusted for recursion.
//!
//! Algorithm 2 of the paper gives every node an adjusted parent: if the labels
//! from the node's parent back to the previous occurrence of its method repeat
//! those from there back to the one before, the parent is the adjusted parent
//! of that previous occurrence, otherwise it is the original parent.
//!
//! No column of adjusted parents is needed. The adjusted path of a node is the
//! adjusted path of its original parent, either extended by the node or cut
//! back to the place of the previous occurrence, which the node then takes. So
//! a walk through the original tree can keep the path on a stack: entering a
//! node cuts and pushes, leaving it pops and puts back what was cut off.
//!
//! Where the paper scans all ancestors for the last two occurrences, the stack
//! remembers for each method the place of its last occurrence, and for each
//! place that of the occurrence before.

/// No such place on the path.
pub const NOWHERE: u32 = u32::MAX;

/// The adjusted path of the node that a walk has reached.
///
/// Labels are method numbers; the virtual root, where there is one, is a label
/// of its own at place 0.
#[derive(Debug)]
pub struct AdjustedPath {
    places: Vec<Place>,
    /// Place of the last occurrence of each label, or [`NOWHERE`].
    last: Vec<u32>,
    /// Places cut off at nodes that were entered and not left.
    cut_off: Vec<Place>,
    /// Greatest height of any node of each label, for the nodes left so far.
    heights: Vec<u32>,
}

#[derive(Debug, Clone, Copy)]
struct Place {
    label: u32,
    /// Place of the previous occurrence of the label, or [`NOWHERE`].
    previous: u32,
    /// The deepest place reached in the adjusted subtree so far.
    deepest: u32,
}

/// How many places were cut off when a node was entered.
#[derive(Debug, Clone, Copy)]
pub struct Cut(u32);

impl AdjustedPath {
    /// An empty path over labels below `labels`.
    pub fn new(labels: usize) -> Self {
        Self {
            places: Vec::new(),
            last: vec![NOWHERE; labels],
            cut_off: Vec::new(),
            heights: vec![0; labels],
        }
    }

    /// Goes down to a child, in the original tree, of the node reached.
    pub fn enter(&mut self, label: u32) -> Cut {
        let cut = self.repeated(label).map_or(0, |place| self.cut_back(place));
        let place = self.depth();
        let previous = std::mem::replace(&mut self.last[label as usize], place);
        self.places.push(Place { label, previous, deepest: place });
        Cut(cut)
    }

    /// Goes back to where the path was before [`AdjustedPath::enter`] returned
    /// this cut. Cuts must be given back last in, first out.
    pub fn leave(&mut self, cut: Cut) {
        let Some(Place { label, previous, deepest }) = self.places.pop() else { return };
        let place = self.depth();
        self.last[label as usize] = previous;
        let height = &mut self.heights[label as usize];
        *height = (*height).max(deepest - place);
        if let Some(parent) = self.places.last_mut() {
            parent.deepest = parent.deepest.max(deepest);
        }
        for _ in 0..cut.0 {
            if let Some(back) = self.cut_off.pop() {
                self.last[back.label as usize] = self.depth();
                self.places.push(back);
            }
        }
    }

    /// Place of the node reached, which is its depth in the adjusted tree.
    pub fn place(&self) -> u32 {
        self.depth().saturating_sub(1)
    }

    /// Place of the last occurrence of `label`, or [`NOWHERE`].
    pub fn last(&self, label: u32) -> u32 {
        self.last[label as usize]
    }

    /// Labels on the path with the place of their last occurrence.
    pub fn last_occurrences(&self) -> impl Iterator<Item = (u32, u32)> + '_ {
        let places = (0..).zip(&self.places).map(|(place, p)| (p.label, place));
        places.filter(|&(label, place)| self.last(label) == place)
    }

    /// Greatest height, in the adjusted tree, of any node of each label. All
    /// nodes must have been left.
    pub fn into_heights(self) -> Vec<u32> {
        self.heights
    }

    /// The path is never longer than the tree has nodes, which 32 bits number.
    fn depth(&self) -> u32 {
        self.places.len() as u32
    }

    /// The place that a node with this label takes over from the previous
    /// occurrence, if its parent ends a repetition.
    fn repeated(&self, label: u32) -> Option<u32> {
        let match1 = self.last(label);
        let match2 = self.places.get(match1 as usize)?.previous;
        if match2 == NOWHERE {
            return None;
        }
        // The paper's second loop ends at both occurrences at once only if the
        // two subpaths are equally long, and then they must agree label by label.
        let recent = &self.places[match1 as usize + 1..];
        let before = &self.places[match2 as usize + 1..match1 as usize];
        let same = recent.len() == before.len()
            && recent.iter().zip(before).all(|(a, b)| a.label == b.label);
        same.then_some(match1)
    }

    /// Cuts the path back so that `place` is free; returns how much went.
    fn cut_back(&mut self, place: u32) -> u32 {
        let cut = self.depth() - place;
        for _ in 0..cut {
            if let Some(top) = self.places.pop() {
                self.last[top.label as usize] = top.previous;
                self.cut_off.push(top);
            }
        }
        cut
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Follows one branch; returns the adjusted depth of each of its nodes and
    /// the heights of all labels.
    fn depths(labels: &[u32]) -> (Vec<u32>, Vec<u32>) {
        let mut path = AdjustedPath::new(10);
        let mut cuts = Vec::new();
        let mut depths = Vec::new();
        for &label in labels {
            cuts.push(path.enter(label));
            depths.push(path.place());
        }
        while let Some(cut) = cuts.pop() {
            path.leave(cut);
        }
        (depths, path.into_heights())
    }

    #[test]
    fn third_repetition_takes_the_place_of_the_second() {
        // main a b a b a b c, and with two more a b.
        let (depths_of, heights) = depths(&[0, 1, 2, 1, 2, 1, 2, 3]);
        assert_eq!(depths_of, [0, 1, 2, 3, 4, 3, 4, 5]);
        assert_eq!(heights[..4], [5, 4, 3, 0]);
        let (_, longer) = depths(&[0, 1, 2, 1, 2, 1, 2, 1, 2, 1, 2, 3]);
        assert_eq!(longer, heights);
    }

    #[test]
    fn different_subpaths_stay() {
        assert_eq!(depths(&[0, 1, 2, 1, 3, 1]).0, [0, 1, 2, 3, 4, 5]);
        assert_eq!(depths(&[1, 1, 1, 1]).0, [0, 1, 1, 1]);
    }

    #[test]
    fn what_was_cut_off_comes_back() {
        let mut path = AdjustedPath::new(4);
        let cuts: Vec<Cut> = [1, 2, 1, 2].into_iter().map(|label| path.enter(label)).collect();
        let before: Vec<_> = path.last_occurrences().collect();
        let cut = path.enter(1);
        assert_eq!(path.place(), 2);
        path.leave(cut);
        assert_eq!(path.last_occurrences().collect::<Vec<_>>(), before);
        assert_eq!(cuts.len(), 4);
    }
}
