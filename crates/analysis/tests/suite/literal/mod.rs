//! Algorithms 1 to 5 of Maplesden et al. 2015 as printed, with their slips corrected: the
//! recursion goes on with the child, the root has no adjusted parent, and a
//! method is subsumed unless both bounds are exceeded. Slow on purpose.

use profile::NO_PARENT;
use tree::Tree;

/// Algorithm 1: a node. Links are numbers of nodes in [`Literal::nodes`].
pub struct Node {
    pub method: usize,
    pub cost: u64,
    pub parent: Option<usize>,
    pub children: Vec<usize>,
    pub adjusted_parent: Option<usize>,
    pub adjusted_children: Vec<usize>,
    pub height: u32,
    pub induced: u64,
}

/// Algorithm 1: a method. An infinite distance is `None`.
#[derive(Clone, Default)]
pub struct Method {
    pub nodes: Vec<usize>,
    pub max_height: u32,
    pub min_dmd: Option<u32>,
    /// The dominating method at that distance, the first by number of several.
    pub dominator: Option<usize>,
    pub induced: u64,
}

/// Algorithm 1: a tree. Nodes have the numbers they have in the product's tree.
/// With several roots, the last node and the last method are the virtual root's.
pub struct Literal {
    pub nodes: Vec<Node>,
    pub methods: Vec<Method>,
    pub root: usize,
}

impl Literal {
    pub fn new(tree: &Tree) -> Self {
        let mut nodes: Vec<Node> = Vec::with_capacity(tree.len() + 1);
        let node = |method, cost, parent| Node {
            method,
            cost,
            parent,
            children: Vec::new(),
            adjusted_parent: None,
            adjusted_children: Vec::new(),
            height: 0,
            induced: 0,
        };
        let virtual_root = tree.has_virtual_root().then_some(tree.len());
        for at in 0..tree.len() {
            let parent = match tree.parent[at] {
                NO_PARENT => virtual_root,
                parent => Some(parent as usize),
            };
            nodes.push(node(tree.method[at] as usize, tree.cost()[at], parent));
        }
        if virtual_root.is_some() {
            nodes.push(node(tree.methods.len(), 0, None));
        }
        let mut methods = vec![Method::default(); tree.methods.len() + 1];
        for at in 0..nodes.len() {
            if let Some(parent) = nodes[at].parent {
                nodes[parent].children.push(at);
            }
            methods[nodes[at].method].nodes.push(at);
        }
        Self { nodes, methods, root: virtual_root.unwrap_or(0) }
    }

    /// Algorithms 2 to 4.
    pub fn characterise(&mut self) {
        if self.nodes.is_empty() {
            return;
        }
        self.reduce_recursive_paths(self.root);
        self.calculate_height(self.root);
        for method in 0..self.methods.len() {
            if !self.methods[method].nodes.is_empty() {
                self.min_dmd(method);
            }
        }
    }

    /// Algorithm 2.
    fn reduce_recursive_paths(&mut self, n: usize) {
        if let Some(parent) = self.nodes[n].parent {
            let adjusted = self.find_adjusted_parent(n, parent);
            self.nodes[n].adjusted_parent = Some(adjusted);
            self.nodes[adjusted].adjusted_children.push(n);
        }
        for c in self.nodes[n].children.clone() {
            self.reduce_recursive_paths(c);
        }
    }

    fn find_adjusted_parent(&self, current: usize, parent: usize) -> usize {
        let nodes = &self.nodes;
        let (mut match1, mut match2) = (None, None);
        let mut n = Some(parent);
        while let (Some(at), None) = (n, match2) {
            if nodes[at].method == nodes[current].method {
                if match1.is_none() {
                    match1 = Some(at);
                } else {
                    match2 = Some(at);
                }
            }
            n = nodes[at].adjusted_parent;
        }
        let (Some(match1), Some(match2)) = (match1, match2) else { return parent };
        let mut n1 = parent;
        // match1 has an adjusted parent because match2 lies above it.
        let mut n2 = nodes[match1].adjusted_parent.unwrap();
        while n1 != match1 && n2 != match2 {
            if nodes[n1].method != nodes[n2].method {
                return parent;
            }
            n1 = nodes[n1].adjusted_parent.unwrap();
            n2 = nodes[n2].adjusted_parent.unwrap();
        }
        if n1 != match1 || n2 != match2 {
            return parent;
        }
        nodes[match1].adjusted_parent.unwrap()
    }

    /// Algorithm 3.
    fn calculate_height(&mut self, v: usize) {
        self.nodes[v].height = 0;
        for at in 0..self.nodes[v].adjusted_children.len() {
            let c = self.nodes[v].adjusted_children[at];
            self.calculate_height(c);
            self.nodes[v].height = self.nodes[v].height.max(self.nodes[c].height + 1);
        }
        let method = &mut self.methods[self.nodes[v].method];
        method.max_height = method.max_height.max(self.nodes[v].height);
    }

    /// Algorithm 4.
    fn min_dmd(&mut self, m: usize) {
        let mut n = self.nodes[self.methods[m].nodes[0]].adjusted_parent;
        while let Some(at) = n {
            let p = self.nodes[at].method;
            if let Some(dist) = self.dmd(p, m) {
                let method = &mut self.methods[m];
                let better = match (method.min_dmd, method.dominator) {
                    (Some(min), Some(by)) => (dist, p) < (min, by),
                    _ => true,
                };
                if better {
                    method.min_dmd = Some(dist);
                    method.dominator = Some(p);
                }
            }
            n = self.nodes[at].adjusted_parent;
        }
    }

    fn dmd(&self, p: usize, m: usize) -> Option<u32> {
        let mut dmd = Some(0);
        for &n in &self.methods[m].nodes {
            // The greatest of all, and infinity is greater than any number.
            dmd = match (dmd, self.distance(p, n)) {
                (Some(a), Some(b)) => Some(a.max(b)),
                _ => None,
            };
        }
        dmd
    }

    fn distance(&self, m: usize, n: usize) -> Option<u32> {
        let mut dist = 0;
        let mut n = n;
        loop {
            dist += 1;
            n = self.nodes[n].adjusted_parent?;
            if self.nodes[n].method == m {
                return Some(dist);
            }
        }
    }

    /// Algorithm 5, with the set of subsuming methods given.
    pub fn calculate_induced_cost(&mut self, subsuming: &dyn Fn(usize, &Method) -> bool) {
        if !self.nodes.is_empty() {
            let subsuming: Vec<bool> =
                self.methods.iter().enumerate().map(|(m, method)| subsuming(m, method)).collect();
            self.induce(self.root, &subsuming);
        }
    }

    fn induce(&mut self, n: usize, subsuming: &[bool]) {
        self.nodes[n].induced = self.nodes[n].cost;
        for at in 0..self.nodes[n].children.len() {
            let c = self.nodes[n].children[at];
            self.induce(c, subsuming);
            if !subsuming[self.nodes[c].method] {
                self.nodes[n].induced += self.nodes[c].induced;
            }
        }
        let induced = self.nodes[n].induced;
        self.methods[self.nodes[n].method].induced += induced;
    }

    /// Inclusive cost of a method by its definition: subtree costs of its nodes
    /// that have no ancestor of the same method.
    pub fn inclusive(&self, m: usize) -> u64 {
        let outermost = self.methods[m].nodes.iter().filter(|&&n| {
            let mut above = self.nodes[n].parent;
            while let Some(at) = above {
                if self.nodes[at].method == m {
                    return false;
                }
                above = self.nodes[at].parent;
            }
            true
        });
        outermost.map(|&n| self.subtree_cost(n)).sum()
    }

    fn subtree_cost(&self, n: usize) -> u64 {
        let children = self.nodes[n].children.iter();
        self.nodes[n].cost + children.map(|&c| self.subtree_cost(c)).sum::<u64>()
    }
}
