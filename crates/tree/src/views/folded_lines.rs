//! Lines of a printed tree, from the root down or from a method up, with long chains folded.

use crate::Tree;
use crate::names::pattern::Pattern;
use crate::owners::Owners;
use crate::views::folding::{Call, Extent, Piece, fold};
use crate::views::places::branches;
use crate::views::{bottom_up, top_down};

/// A row of the printed tree.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Row {
    /// The line of this number.
    Line(usize),
    /// Lines from the first one on, each of which has the next one below it alone.
    Folded {
        /// The first one.
        first: usize,
        /// How many they are.
        count: usize,
    },
}

/// How lines are folded.
#[derive(Debug, Clone, Copy)]
pub struct Folding<'a> {
    /// Whose code is what.
    pub owners: &'a Owners,
    /// Classes that are shown in any case.
    pub wanted: Option<&'a Pattern>,
    /// How much is shown.
    pub extent: Extent,
}

impl<'a> Folding<'a> {
    /// The call of a line; the next one in print has so much of its cost.
    fn call(&self, tree: &'a Tree, method: Option<u32>, cost: u64, of_next: u64) -> Call<'a> {
        let class = method.map_or("", |method| &tree.methods[method as usize].class);
        Call {
            is_telling: branches(cost, of_next),
            is_wanted: self.wanted.is_some_and(|wanted| wanted.matches(class)),
            ..Call::new(self.owners, class)
        }
    }

    /// The rows of [`top_down::top_down`]. `inclusive` is [`Tree::inclusive`].
    pub fn from_the_root(
        &self,
        tree: &'a Tree,
        lines: &[top_down::Line],
        inclusive: &[u64],
    ) -> Vec<Row> {
        let call = |(at, line): (usize, &top_down::Line)| {
            let next = lines.get(at + 1).filter(|next| next.parent == Some(at));
            let of_next = next.map_or(0, |next| inclusive[next.node as usize]);
            let method = Some(tree.method[line.node as usize]);
            self.call(tree, method, inclusive[line.node as usize], of_next)
        };
        let calls: Vec<Call<'_>> = lines.iter().enumerate().map(call).collect();
        let above: Vec<Option<usize>> = lines.iter().map(|line| line.parent).collect();
        let mut rows = Vec::new();
        for (first, last) in chains(&above) {
            let mut callers = all_above(&above, first);
            callers.reverse();
            let from = callers.len();
            let path: Vec<Call<'_>> =
                callers.into_iter().chain(first..=last).map(|at| calls[at]).collect();
            let pieces = fold(&path, from, path.len() - 1, self.extent);
            rows.extend(pieces.into_iter().map(|piece| match piece {
                Piece::Call(at) => Row::Line(first + at - from),
                Piece::Folded(at, count) => Row::Folded { first: first + at - from, count },
            }));
        }
        rows
    }

    /// The rows of [`bottom_up::bottom_up`] of a method.
    pub fn from_a_method(
        &self,
        tree: &'a Tree,
        method: u32,
        lines: &[bottom_up::Line],
    ) -> Vec<Row> {
        let call = |(at, line): (usize, &bottom_up::Line)| {
            let next = lines.get(at + 1).filter(|next| next.callee == Some(at));
            let of_next = next.map_or(0, |next| next.caller.cost);
            self.call(tree, line.caller.method, line.caller.cost, of_next)
        };
        let calls: Vec<Call<'_>> = lines.iter().enumerate().map(call).collect();
        let called = self.call(tree, Some(method), 0, 0);
        let above: Vec<Option<usize>> = lines.iter().map(|line| line.callee).collect();
        let mut rows = Vec::new();
        for (first, last) in chains(&above) {
            // What is printed last calls everything else.
            let path = (first..=last).rev().chain(all_above(&above, first)).map(|at| calls[at]);
            let path: Vec<Call<'_>> = path.chain([called]).collect();
            let pieces = fold(&path, 0, last - first, self.extent);
            rows.extend(pieces.into_iter().rev().map(|piece| match piece {
                Piece::Call(at) => Row::Line(last - at),
                Piece::Folded(at, count) => Row::Folded { first: last + 1 - at - count, count },
            }));
        }
        rows
    }
}

/// The first and last lines of all chains: each line but the last has the next one below it
/// alone. Lines stand before those below them.
fn chains(above: &[Option<usize>]) -> Vec<(usize, usize)> {
    let mut below = vec![0; above.len()];
    for &above in above.iter().flatten() {
        below[above] += 1;
    }
    let mut chains: Vec<(usize, usize)> = Vec::new();
    for (at, &above) in above.iter().enumerate() {
        match chains.last_mut() {
            Some((_, last)) if above == Some(*last) && below[*last] == 1 => *last = at,
            _ => chains.push((at, at)),
        }
    }
    chains
}

/// All lines above one, the nearest first.
fn all_above(above: &[Option<usize>], at: usize) -> Vec<usize> {
    std::iter::successors(above[at], |&at| above[at]).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn chains_end_where_lines_part() {
        // 0 - 1 - 2, below which are 3 - 4 and 5; 6 stands alone.
        let above = [None, Some(0), Some(1), Some(2), Some(3), Some(2), None];
        assert_eq!(chains(&above), [(0, 2), (3, 4), (5, 5), (6, 6)]);
        assert_eq!(all_above(&above, 4), [3, 2, 1, 0]);
        assert_eq!(chains(&[]), []);
    }
}
