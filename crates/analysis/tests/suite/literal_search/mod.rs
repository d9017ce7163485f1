//! The profile interface as Ammons et al. 2004 defines it, by sets of nodes, for trees
//! of any size that fits a test.

use std::collections::BTreeSet;

use subsume_analysis::search::interface::{Cost, ProfileInterface};
use tree::Tree;
use tree::names::method::Method;

/// A tree, perhaps compared with another one that has the same methods.
pub struct Literal<'t> {
    pub file: &'t Tree,
    pub base: Option<&'t Tree>,
}

/// A sequence of calls with the nodes that root it in each tree.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Summary {
    pub calls: Vec<u32>,
    pub file_roots: BTreeSet<usize>,
    pub base_roots: BTreeSet<usize>,
}

type Nodes = BTreeSet<usize>;

fn children(tree: &Tree, node: usize) -> impl Iterator<Item = usize> + '_ {
    (0..tree.len()).filter(move |&child| tree.parent[child] == node as u32)
}

/// The path with these calls that begins at a node, if there is one.
fn path_from(tree: &Tree, root: usize, calls: &[u32]) -> Option<Vec<usize>> {
    if tree.method[root] != calls[0] {
        return None;
    }
    let mut path = vec![root];
    for &method in &calls[1..] {
        let last = path[path.len() - 1];
        path.push(children(tree, last).find(|&child| tree.method[child] == method)?);
    }
    Some(path)
}

fn roots(tree: &Tree, calls: &[u32]) -> Nodes {
    (0..tree.len()).filter(|&node| path_from(tree, node, calls).is_some()).collect()
}

fn paths(tree: &Tree, calls: &[u32], roots: &Nodes) -> Vec<Vec<usize>> {
    roots.iter().map(|&root| path_from(tree, root, calls).unwrap()).collect()
}

/// All descendants of a node, without itself.
fn descendants(tree: &Tree, node: usize) -> Nodes {
    let mut found = Nodes::new();
    let mut pending = vec![node];
    while let Some(node) = pending.pop() {
        for child in children(tree, node) {
            found.insert(child);
            pending.push(child);
        }
    }
    found
}

fn cost(tree: &Tree, nodes: &Nodes) -> Cost {
    nodes.iter().map(|&node| Cost::from(tree.cost()[node])).sum()
}

/// along(S) and descendants(S) of one tree.
fn sets<'s>(tree: &Tree, each: impl Iterator<Item = (&'s [u32], &'s Nodes)>) -> (Nodes, Nodes) {
    let (mut along, mut below) = (Nodes::new(), Nodes::new());
    for (calls, roots) in each {
        for path in paths(tree, calls, roots) {
            below.extend(descendants(tree, path[path.len() - 1]));
            along.extend(path);
        }
    }
    (along, below)
}

impl Literal<'_> {
    fn summary(&self, calls: Vec<u32>) -> Summary {
        Summary {
            file_roots: roots(self.file, &calls),
            base_roots: self.base.map(|base| roots(base, &calls)).unwrap_or_default(),
            calls,
        }
    }

    fn trees(&self) -> Vec<(&Tree, Cost)> {
        [(self.file, 1)].into_iter().chain(self.base.map(|base| (base, -1))).collect()
    }

    fn united(&self, summaries: &[Summary], of: impl Fn(Nodes, Nodes) -> Nodes) -> Cost {
        let of_tree = |(tree, sign): (&Tree, Cost)| {
            let each = summaries
                .iter()
                .map(|s| (&*s.calls, if sign > 0 { &s.file_roots } else { &s.base_roots }));
            let (along, below) = sets(tree, each);
            sign * cost(tree, &of(along, below))
        };
        self.trees().into_iter().map(of_tree).sum()
    }
}

impl ProfileInterface for &Literal<'_> {
    type Summary = Summary;

    fn methods(&self) -> &[Method] {
        &self.file.methods
    }

    fn metric(&self) -> &str {
        self.file.metric()
    }

    fn total(&self) -> Cost {
        let of_tree = |(tree, sign): (&Tree, Cost)| sign * cost(tree, &(0..tree.len()).collect());
        self.trees().into_iter().map(of_tree).sum()
    }

    fn path_of<'s>(&self, summary: &'s Summary) -> &'s [u32] {
        &summary.calls
    }

    fn initial_summaries(&self) -> Vec<Summary> {
        let methods: BTreeSet<u32> =
            self.trees().into_iter().flat_map(|(tree, _)| tree.method.clone()).collect();
        methods.into_iter().map(|method| self.summary(vec![method])).collect()
    }

    fn top_extensions(&self, summary: &Summary) -> Vec<u32> {
        let methods = 0..self.methods().len() as u32;
        methods
            .filter(|&method| {
                let longer = self.extend_top(summary, method);
                !longer.file_roots.is_empty() || !longer.base_roots.is_empty()
            })
            .collect()
    }

    fn bottom_extensions(&self, summary: &Summary) -> Vec<u32> {
        let methods = 0..self.methods().len() as u32;
        methods
            .filter(|&method| {
                let longer = self.extend_bottom(summary, method);
                !longer.file_roots.is_empty() || !longer.base_roots.is_empty()
            })
            .collect()
    }

    fn extend_top(&self, summary: &Summary, method: u32) -> Summary {
        self.summary([&[method], &summary.calls[..]].concat())
    }

    fn extend_bottom(&self, summary: &Summary, method: u32) -> Summary {
        self.summary([&summary.calls[..], &[method]].concat())
    }

    fn trim_top(&self, summary: &Summary) -> Option<Summary> {
        (summary.calls.len() > 1).then(|| self.summary(summary.calls[1..].to_vec()))
    }

    fn trim_bottom(&self, summary: &Summary) -> Option<Summary> {
        let shorter = summary.calls.len() - 1;
        (shorter > 0).then(|| self.summary(summary.calls[..shorter].to_vec()))
    }

    fn base_of(&self, summary: &Summary) -> Cost {
        self.total_base_of(std::slice::from_ref(summary))
    }

    /// By the paper's formula: interior and final nodes that are no
    /// descendants, the latter with all below them.
    fn cum_of(&self, summary: &Summary) -> Cost {
        let of_tree = |(tree, sign): (&Tree, Cost)| {
            let roots = if sign > 0 { &summary.file_roots } else { &summary.base_roots };
            let paths = paths(tree, &summary.calls, roots);
            let (along, below) = sets(tree, [(&*summary.calls, roots)].into_iter());
            let finals: Nodes = paths.iter().map(|path| path[path.len() - 1]).collect();
            let interior: Nodes = along.difference(&finals).copied().collect();
            let whole =
                |node: usize| Cost::from(tree.cost()[node]) + cost(tree, &descendants(tree, node));
            let interior = cost(tree, &interior.difference(&below).copied().collect());
            sign * (interior + finals.difference(&below).map(|&node| whole(node)).sum::<Cost>())
        };
        self.trees().into_iter().map(of_tree).sum()
    }

    fn total_base_of(&self, summaries: &[Summary]) -> Cost {
        self.united(summaries, |along, _| along)
    }

    fn total_cum_of(&self, summaries: &[Summary]) -> Cost {
        self.united(summaries, |along, below| &along | &below)
    }

    fn induced(&self) -> Vec<(u32, Cost)> {
        Vec::new()
    }
}
