//! Subsuming methods and what they induce for every pair of small thresholds,
//! in one pass through the tree.

use profile::NO_PARENT;

use crate::subsuming::characteristics::Characteristics;
use crate::subsuming::{Thresholds, choose};
use tree::Tree;
use tree::costs::Costs;
use tree::names::pattern::Pattern;
use tree::walk::{Visitor, walk};

/// The greatest threshold of the grid; the least one is 0.
pub const GREATEST: u32 = 10;
/// Thresholds in each direction.
pub const SIDE: usize = GREATEST as usize + 1;
/// Pairs of thresholds: height and distance.
pub const PAIRS: usize = SIDE * SIDE;

/// One number for each pair of thresholds; that of height `h` and distance `d`
/// stands at `h * SIDE + d`.
pub type Cells = [u64; PAIRS];

/// At which pairs a method subsumes: at those where the height is below
/// `height` and the distance below `distance`.
///
/// Height and distance are each compared with a threshold of their own, so the
/// pairs always form a rectangle in the corner.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Reach {
    /// Thresholds of height at which the method may subsume, 0 to [`SIDE`].
    pub height: usize,
    /// Thresholds of distance at which the method may subsume, 0 to [`SIDE`].
    pub distance: usize,
}

impl Reach {
    /// True if the method subsumes at this pair.
    pub fn covers(self, height: usize, distance: usize) -> bool {
        height < self.height && distance < self.distance
    }

    fn is_empty(self) -> bool {
        self.height == 0 || self.distance == 0
    }

    fn is_full(self) -> bool {
        self.height == SIDE && self.distance == SIDE
    }
}

/// What methods induce at each pair of thresholds.
#[derive(Debug)]
pub struct ThresholdGrid {
    /// Per method: where it subsumes.
    pub reach: Vec<Reach>,
    /// Per method: what it induces at the pairs that its reach covers, 0
    /// elsewhere; `None` if it subsumes nowhere.
    pub induced: Vec<Option<Box<Cells>>>,
    /// What the virtual root collects because nothing else subsumes it.
    pub virtual_root: Cells,
}

impl ThresholdGrid {
    /// Analyses a tree whose methods have these characteristics and costs.
    /// Methods that match `never` do not subsume, as in
    /// [`Subsuming::analyse`](crate::subsuming::Subsuming::analyse).
    pub fn analyse(
        tree: &Tree,
        characteristics: &[Characteristics],
        costs: &[Costs],
        never: &Pattern,
    ) -> Self {
        let reach = reach(tree, characteristics, costs, never);
        let induced = reach.iter().map(|r| (!r.is_empty()).then(|| Box::new([0; PAIRS]))).collect();
        let grid = Self { reach, induced, virtual_root: [0; PAIRS] };
        let mut pass = Pass { tree, grid, open: Vec::new(), depth: 0 };
        walk(&tree.parent, &mut pass);
        pass.grid
    }
}

fn reach(
    tree: &Tree,
    characteristics: &[Characteristics],
    costs: &[Costs],
    never: &Pattern,
) -> Vec<Reach> {
    let mut reach = vec![Reach::default(); tree.methods.len()];
    for bound in 0..=GREATEST {
        let chosen = |thresholds| {
            let several = tree.has_virtual_root();
            choose(&tree.methods, several, characteristics, costs, thresholds, never).into_iter()
        };
        let by_height = chosen(Thresholds { height: bound, distance: 0 });
        let by_distance = chosen(Thresholds { height: 0, distance: bound });
        for (reach, (height, distance)) in reach.iter_mut().zip(by_height.zip(by_distance)) {
            reach.height += usize::from(height);
            reach.distance += usize::from(distance);
        }
    }
    reach
}

/// What the part of a subtree that has been left leaves to its ancestors.
struct Left {
    /// At every pair of thresholds.
    everywhere: u64,
    /// At some pairs more; meaningless unless `differs`.
    more: Cells,
    /// Some method below subsumes at some pairs only.
    differs: bool,
}

struct Pass<'a> {
    tree: &'a Tree,
    grid: ThresholdGrid,
    /// One entry for each open node, kept when the node is left because the
    /// next one will need it.
    open: Vec<Left>,
    depth: usize,
}

impl Visitor for Pass<'_> {
    fn enter(&mut self, node: u32) {
        let own = self.tree.cost()[node as usize];
        match self.open.get_mut(self.depth) {
            Some(left) => (left.everywhere, left.differs) = (own, false),
            None => self.open.push(Left { everywhere: own, more: [0; PAIRS], differs: false }),
        }
        self.depth += 1;
    }

    fn leave(&mut self, node: u32) {
        self.depth -= 1;
        let (above, from) = self.open.split_at_mut(self.depth);
        let from = &from[0];
        let method = self.tree.method[node as usize] as usize;
        let reach = self.grid.reach[method];
        let parent = above.last_mut();
        debug_assert_eq!(parent.is_none(), self.tree.parent[node as usize] == NO_PARENT);

        if let Some(induced) = &mut self.grid.induced[method] {
            from.add_where(&mut induced[..], |height| {
                0..if height < reach.height { reach.distance } else { 0 }
            });
        }
        match parent {
            _ if reach.is_full() => {}
            Some(parent) if reach.is_empty() && !from.differs => {
                parent.everywhere += from.everywhere;
            }
            Some(parent) => {
                if !parent.differs {
                    parent.differs = true;
                    parent.more = [0; PAIRS];
                }
                from.add_where(&mut parent.more, |height| {
                    if height < reach.height { reach.distance..SIDE } else { 0..SIDE }
                });
            }
            None => from.add_where(&mut self.grid.virtual_root, |height| {
                if height < reach.height { reach.distance..SIDE } else { 0..SIDE }
            }),
        }
    }
}

impl Left {
    /// Adds to each row the cells of the distances that `of_row` names.
    fn add_where(&self, to: &mut [u64], of_row: impl Fn(usize) -> std::ops::Range<usize>) {
        let rows = to.chunks_exact_mut(SIDE).zip(self.more.chunks_exact(SIDE));
        for (height, (to, more)) in rows.enumerate() {
            let range = of_row(height);
            let cells = to[range.clone()].iter_mut();
            if self.differs {
                cells.zip(&more[range]).for_each(|(to, more)| *to += self.everywhere + more);
            } else {
                cells.for_each(|to| *to += self.everywhere);
            }
        }
    }
}
