//! Summaries of one call tree.

use std::cell::OnceCell;
use std::rc::Rc;

use super::interface::Costs;

/// A path in the tree: its ends say all, because a tree has one way up.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Path {
    /// The context of the last method.
    pub last: u32,
    /// The context of the first method.
    pub root: u32,
}

/// All paths of a tree with a certain sequence of calls.
#[derive(Debug, Clone)]
pub struct Summary<'t>(pub(super) Rc<Parts<'t>>);

/// What a summary consists of.
#[derive(Debug)]
pub struct Parts<'t> {
    /// The methods, the outermost one first.
    pub(super) calls: Vec<u32>,
    /// The same method stands in it twice. Otherwise no two paths share a
    /// context: it would stand at the same place in both, and there is only one
    /// way up from it.
    pub(super) repeats: bool,
    pub(super) paths: Paths<'t>,
    /// Computed when they are wanted.
    pub(super) costs: OnceCell<Costs>,
}

/// The paths, in ascending order of their last contexts.
#[derive(Debug)]
pub(super) enum Paths<'t> {
    /// Paths of length 1: their contexts.
    Short(&'t [u32]),
    /// Other paths.
    Long(Vec<Path>),
}

impl<'t> Summary<'t> {
    /// A summary of which nothing is known but its sequence and its paths.
    pub(super) fn new(calls: Vec<u32>, paths: Paths<'t>) -> Self {
        let mut sorted = calls.clone();
        sorted.sort_unstable();
        let repeats = sorted.windows(2).any(|pair| pair[0] == pair[1]);
        Self(Rc::new(Parts { calls, repeats, paths, costs: OnceCell::new() }))
    }

    /// The summary of a sequence that has `method` in front.
    pub(super) fn extended_top(&self, method: u32, paths: Vec<Path>) -> Self {
        self.extended(method, [&[method], self.calls()].concat(), paths)
    }

    /// The summary of a sequence that has `method` behind it.
    pub(super) fn extended_bottom(&self, method: u32, mut paths: Vec<Path>) -> Self {
        // Nearly always they are: only below a recursive call a child may come
        // before one of a context further up.
        if !paths.is_sorted() {
            paths.sort_unstable();
        }
        self.extended(method, [self.calls(), &[method]].concat(), paths)
    }

    fn extended(&self, method: u32, calls: Vec<u32>, paths: Vec<Path>) -> Self {
        let repeats = self.0.repeats || self.calls().contains(&method);
        let paths = Paths::Long(paths);
        Self(Rc::new(Parts { calls, repeats, paths, costs: OnceCell::new() }))
    }

    /// The same summary, of which the costs are known.
    pub(super) fn with_costs(self, costs: Costs) -> Self {
        self.0.costs.get_or_init(|| costs);
        self
    }

    /// The same sequence in a tree that has no such path.
    pub fn absent(&self) -> Self {
        Self::new(self.calls().to_vec(), Paths::Long(Vec::new()))
    }

    /// The methods, the outermost one first.
    pub fn calls(&self) -> &[u32] {
        &self.0.calls
    }

    /// Number of paths.
    pub fn len(&self) -> usize {
        match &self.0.paths {
            Paths::Short(nodes) => nodes.len(),
            Paths::Long(paths) => paths.len(),
        }
    }

    /// True if the tree has no such path.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The paths, in ascending order of their last contexts.
    pub fn paths(&self) -> impl Iterator<Item = Path> + '_ {
        // One of the two is empty.
        let (short, long): (&[u32], &[Path]) = match &self.0.paths {
            Paths::Short(nodes) => (nodes, &[]),
            Paths::Long(paths) => (&[], paths),
        };
        let short = short.iter().map(|&node| Path { last: node, root: node });
        short.chain(long.iter().copied())
    }
}
