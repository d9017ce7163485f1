//! Height and minimum dominating-method distance of every method (Maplesden et al. 2015,
//! section 4.1), in one pass through the tree, or several if it is very deep.

use crate::subsuming::adjusted_path::{AdjustedPath, Cut};
use crate::subsuming::dominators::{Dominators, Nearest};
use tree::Tree;
use tree::walk::{Visitor, walk};

/// What decides whether a method subsumes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Characteristics {
    /// Greatest height of any of its nodes in the adjusted tree; a leaf has 0.
    pub height: u32,
    /// The nearest dominating method; `None` for methods without contexts and
    /// for methods of which every context is a root.
    pub dominated: Option<Dominated>,
    /// It is the method of the only root, or all its contexts are children of
    /// the virtual root.
    pub is_root: bool,
}

/// By whom and from how far a method is dominated.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Dominated {
    /// The dominating method, an index into [`Tree::methods`]; `None` for the
    /// virtual root.
    pub by: Option<u32>,
    /// The distance in edges of the adjusted tree, at least 1.
    pub distance: u32,
}

/// Candidates for dominators that are kept at a time: 512 MB.
const CANDIDATES: usize = 1 << 26;

/// The characteristics of each method of the tree, in the order of its table.
pub fn characteristics(tree: &Tree) -> Vec<Characteristics> {
    characteristics_within(tree, CANDIDATES)
}

/// Like [`characteristics`], with another limit to the number of candidates for
/// dominators that are kept at a time, see [`Dominators::new`].
pub fn characteristics_within(tree: &Tree, candidates: usize) -> Vec<Characteristics> {
    let virtual_root = tree.methods.len() as u32;
    let mut dominators = Dominators::new(tree.methods.len(), candidates);
    let heights = passes(tree, tree.has_virtual_root(), &mut dominators, |_, _| ());

    let single_root = if tree.has_virtual_root() { None } else { tree.method.first().copied() };
    let of_method = (0..virtual_root).zip(heights).map(|(method, height)| {
        let nearest = dominators.nearest(method);
        // The virtual root is the farthest ancestor of all. That it is the
        // nearest dominator and one step away means that nothing is between.
        let all_roots = nearest.is_some_and(|n| n.label == virtual_root && n.distance == 1);
        let dominated = nearest.filter(|_| !all_roots).map(|n| Dominated {
            by: (n.label != virtual_root).then_some(n.label),
            distance: n.distance,
        });
        Characteristics { height, dominated, is_root: all_roots || single_root == Some(method) }
    });
    of_method.collect()
}

/// Tells all dominators of each method with their distances, as if the tree had a virtual
/// root, whose label is the number of methods. Returns the heights of the methods.
///
/// The results for several profiles give the result for their merged tree: the dominators of
/// a method are those that it has in all of them, at the greatest distance, since they depend
/// on the ancestors of its nodes only.
pub fn all_dominators(tree: &Tree, each: impl FnMut(u32, Nearest)) -> Vec<u32> {
    let mut dominators = Dominators::new(tree.methods.len(), CANDIDATES);
    passes(tree, true, &mut dominators, each)
}

/// As many passes through the tree as it takes. Tells all dominators, and returns the
/// heights of the methods.
fn passes(
    tree: &Tree,
    has_virtual_root: bool,
    dominators: &mut Dominators,
    mut each: impl FnMut(u32, Nearest),
) -> Vec<u32> {
    let methods = tree.methods.len();
    loop {
        let mut pass = Pass {
            tree,
            // The virtual root gets the label after the last method.
            path: AdjustedPath::new(methods + 1),
            cuts: Vec::new(),
            dominators,
        };
        let root = has_virtual_root.then(|| pass.path.enter(methods as u32));
        walk(&tree.parent, &mut pass);
        let mut path = pass.path;
        if let Some(cut) = root {
            path.leave(cut);
        }
        dominators.for_each(&mut each);
        if !dominators.end_pass() {
            return path.into_heights();
        }
    }
}

struct Pass<'a> {
    tree: &'a Tree,
    path: AdjustedPath,
    cuts: Vec<Cut>,
    dominators: &'a mut Dominators,
}

impl Visitor for Pass<'_> {
    fn enter(&mut self, node: u32) {
        let method = self.tree.method[node as usize];
        self.cuts.push(self.path.enter(method));
        self.dominators.visit(method, &self.path);
    }

    fn leave(&mut self, _: u32) {
        if let Some(cut) = self.cuts.pop() {
            self.path.leave(cut);
        }
    }
}
