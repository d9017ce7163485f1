//! Copies by method: flat, cumulative, and of methods taken together.

use profile::NO_PARENT;

use tree::Tree;

/// The metrics of instructions by kind, in the order of [`Operations`].
pub const KINDS: [&str; 5] = ["copies", "loads", "stores", "alu", "comparisons"];

/// Instructions executed, by kind (Figure 4 of the paper).
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Operations {
    /// Values stored that had been loaded and not been modified.
    pub copies: u64,
    /// Loads from the heap.
    pub loads: u64,
    /// Stores into the heap.
    pub stores: u64,
    /// Arithmetic, logic, shifts and conversions.
    pub alu: u64,
    /// Comparisons, tests and switches.
    pub comparisons: u64,
}

impl Operations {
    /// All of them. A copy is made of a load and a store, so copies are no
    /// operations of their own; only where the JVM copies many elements at once
    /// (`System.arraycopy`) there are more copies than loads and stores counted.
    pub fn all(&self) -> u64 {
        self.loads.max(self.copies) + self.stores.max(self.copies) + self.alu + self.comparisons
    }

    fn add(&mut self, other: &Self) {
        self.copies += other.copies;
        self.loads += other.loads;
        self.stores += other.stores;
        self.alu += other.alu;
        self.comparisons += other.comparisons;
    }
}

/// The operations of one method.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct MethodOperations {
    /// Those that it executed itself; a copy counts where the store is.
    pub own: Operations,
    /// With all that it called; recursion counts once.
    pub cumulative: Operations,
    /// Bytecodes that it executed itself, 0 if they were not counted.
    pub bytecodes: u64,
    /// Its calling contexts.
    pub contexts: u64,
}

/// The operations of each method of the tree, in the order of its table.
pub fn by_method(tree: &Tree) -> Vec<MethodOperations> {
    let columns = Columns::new(tree);
    let mut methods = vec![MethodOperations::default(); tree.methods.len()];
    let cumulative = columns.cumulative(tree);
    // Contexts of the method on the path to the node at hand, to tell the
    // outermost ones: a path as a stack, as nodes stand in preorder.
    let mut active = vec![0u32; tree.methods.len()];
    let mut path: Vec<u32> = Vec::new();
    for node in 0..tree.len() {
        while path.last().is_some_and(|&last| last != tree.parent[node]) {
            let left = path.pop().unwrap_or_default();
            active[tree.method[left as usize] as usize] -= 1;
        }
        let method = tree.method[node] as usize;
        let operations = &mut methods[method];
        operations.own.add(&columns.of(node));
        operations.contexts += 1;
        operations.bytecodes += columns.bytecodes.map_or(0, |bytecodes| bytecodes[node]);
        if active[method] == 0 {
            operations.cumulative.add(&cumulative[node]);
        }
        active[method] += 1;
        path.push(node as u32);
    }
    methods
}

/// The operations of the methods that are `chosen`, with all that they called:
/// each context counts once, however many of them are on its path.
pub fn together(tree: &Tree, chosen: &[bool]) -> Operations {
    let columns = Columns::new(tree);
    let mut within = vec![false; tree.len()];
    let mut sum = Operations::default();
    for node in 0..tree.len() {
        let parent = tree.parent[node];
        within[node] =
            chosen[tree.method[node] as usize] || (parent != NO_PARENT && within[parent as usize]);
        if within[node] {
            sum.add(&columns.of(node));
        }
    }
    sum
}

/// The tree's columns by kind; missing ones count as zeros.
struct Columns<'a> {
    kinds: [Option<&'a [u64]>; KINDS.len()],
    bytecodes: Option<&'a [u64]>,
}

impl<'a> Columns<'a> {
    fn new(tree: &'a Tree) -> Self {
        let column = |name: &str| {
            let metric = tree.metrics.iter().find(|metric| metric.name == name);
            metric.map(|metric| metric.values.as_slice())
        };
        Self { kinds: KINDS.map(column), bytecodes: column("bytecodes") }
    }

    fn of(&self, node: usize) -> Operations {
        let [copies, loads, stores, alu, comparisons] =
            self.kinds.map(|column| column.map_or(0, |values| values[node]));
        Operations { copies, loads, stores, alu, comparisons }
    }

    fn cumulative(&self, tree: &Tree) -> Vec<Operations> {
        let mut sums: Vec<Operations> = (0..tree.len()).map(|node| self.of(node)).collect();
        for node in (0..tree.len()).rev() {
            let parent = tree.parent[node];
            if parent != NO_PARENT {
                let sum = sums[node];
                sums[parent as usize].add(&sum);
            }
        }
        sums
    }
}
