//! Subsuming methods and the costs they induce (Maplesden et al. 2015).

pub mod adjusted_path;
pub mod characteristics;
pub mod dominators;
pub mod overlap;
pub mod sampled_time;
pub mod threshold_grid;

use profile::NO_PARENT;

use crate::subsuming::characteristics::{Characteristics, characteristics};
use tree::Tree;
use tree::both::both;
use tree::costs::{Costs, costs};
use tree::names::method::Method;
use tree::names::pattern::Pattern;

/// What a method must exceed to subsume.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Thresholds {
    /// Its height must be greater.
    pub height: u32,
    /// Its minimum dominating-method distance must be greater.
    pub distance: u32,
}

impl Default for Thresholds {
    /// The bounds of the paper's evaluation.
    fn default() -> Self {
        Self { height: 4, distance: 4 }
    }
}

/// Reflection's `invoke`, which by its nature is called from everywhere and
/// calls anything: not it but its callers are responsible for the cost.
pub const REFLECTION: &str = "java.lang.reflect.Method.invoke";

/// The analysis of one tree.
#[derive(Debug)]
pub struct Subsuming {
    /// Per method of the tree's table: height and distance.
    pub characteristics: Vec<Characteristics>,
    /// Per method: its costs.
    pub costs: Vec<Costs>,
    /// Per method: whether it subsumes.
    pub subsumes: Vec<bool>,
    /// Per method: induced cost, summed over its contexts whether it subsumes
    /// or not; what a subsumed method induces is also in its subsuming method.
    pub induced: Vec<u64>,
    /// What the virtual root collects because nothing else subsumes it.
    pub induced_by_virtual_root: u64,
}

impl Subsuming {
    /// Analyses a tree. Methods whose `class.name` matches `never` do not
    /// subsume, unless one is the method of the only root.
    pub fn analyse(tree: &Tree, thresholds: Thresholds, never: &Pattern) -> Self {
        // Two passes that share nothing but the columns they read.
        let (characteristics, costs) = both(|| characteristics(tree), || costs(tree));
        Self::with(tree, characteristics, costs, thresholds, never)
    }

    /// The analysis with the characteristics and the costs of the tree's methods at
    /// hand.
    pub fn with(
        tree: &Tree,
        characteristics: Vec<Characteristics>,
        costs: Vec<Costs>,
        thresholds: Thresholds,
        never: &Pattern,
    ) -> Self {
        let (methods, several) = (&tree.methods, tree.has_virtual_root());
        let subsumes = choose(methods, several, &characteristics, &costs, thresholds, never);
        let induced_by_node = induced(tree, &subsumes);
        let mut by_method = vec![0; tree.methods.len()];
        let mut induced_by_virtual_root = 0;
        for (node, &induced) in induced_by_node.iter().enumerate() {
            let method = tree.method[node] as usize;
            // A subsumed method that recurses counts nested costs again, as the
            // paper's algorithm does; only there could the sum leave 64 bits.
            by_method[method] = u64::saturating_add(by_method[method], induced);
            if tree.parent[node] == NO_PARENT && !subsumes[method] {
                induced_by_virtual_root += induced;
            }
        }
        Self { characteristics, costs, subsumes, induced: by_method, induced_by_virtual_root }
    }

    /// Numbers of the methods that have contexts.
    pub fn executed(&self) -> impl Iterator<Item = usize> + '_ {
        (0..self.costs.len()).filter(|&method| self.costs[method].contexts > 0)
    }

    /// Numbers of the methods that subsume.
    pub fn subsuming(&self) -> impl Iterator<Item = usize> + '_ {
        (0..self.subsumes.len()).filter(|&method| self.subsumes[method])
    }
}

/// Says for each method whether it subsumes.
pub fn choose(
    methods: &[Method],
    has_virtual_root: bool,
    characteristics: &[Characteristics],
    costs: &[Costs],
    thresholds: Thresholds,
    never: &Pattern,
) -> Vec<bool> {
    let each = characteristics.iter().zip(costs).zip(methods);
    each.map(|((c, costs), method)| {
        if c.is_root && !has_virtual_root {
            // Above the only root there is nothing that could take its cost.
            return true;
        }
        // A method that only the virtual root dominates has no distance to exceed.
        let candidate = costs.contexts > 0
            && c.height > thresholds.height
            && c.dominated.is_none_or(|d| d.distance > thresholds.distance);
        candidate && !never.matches(&method.qualified())
    })
    .collect()
}

/// Induced cost of each node (Algorithm 5): its own cost and what the children
/// induce whose methods do not subsume.
pub fn induced(tree: &Tree, subsumes: &[bool]) -> Vec<u64> {
    let mut induced = tree.cost().to_vec();
    for node in (0..tree.len()).rev() {
        let parent = tree.parent[node];
        if parent != NO_PARENT && !subsumes[tree.method[node] as usize] {
            induced[parent as usize] += induced[node];
        }
    }
    induced
}
