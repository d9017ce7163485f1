//! The calling context tree that analyses work on, with the names of its methods.

#![warn(clippy::missing_errors_doc)]

pub mod alignment;
pub mod both;
pub mod costs;
pub mod error;
pub mod exceptions;
pub mod filter;
pub mod fold;
pub mod forest;
mod kept;
pub mod keys;
pub mod merge;
pub mod names;
pub mod owners;
pub mod readable_names;
pub mod redaction;
pub mod shape;
mod small;
pub mod start_up;
pub mod time;
pub mod views;
pub mod walk;

use profile::dataflow::MethodResults;
use profile::sampling::Sampling;
use profile::{CallSite, Metric, NO_PARENT, Profile};
use rustc_hash::FxHashMap;

use crate::error::Result;
use crate::forest::{Forest, Selection};
use crate::merge::merge;
use crate::names::method::Method;
use crate::owners::Definitions;
use crate::time::TIME;

/// One calling context tree in columns, in preorder.
///
/// Threads, unless they are kept apart, and files are merged path by path below a virtual
/// root that is not in the columns. If it has a single child, that child is the root.
#[derive(Debug, Clone, Default)]
pub struct Tree {
    /// All methods seen, executed or not, in the order in which ties are broken.
    pub methods: Vec<Method>,
    /// Names of the source files of classes, as their class files say them: without
    /// folders. Not all classes have one.
    pub source_files: FxHashMap<String, String>,
    /// Names of the superclasses of classes, as far as they are known.
    pub superclasses: FxHashMap<String, String>,
    /// Who defined the classes, as far as it is known.
    pub definitions: Definitions,
    /// Per method: inputs and results by identity, if these were recorded and followed.
    /// Empty if no profile has any.
    pub results: Vec<Option<MethodResults>>,
    /// Method of each node, an index into [`Tree::methods`].
    pub method: Vec<u32>,
    /// Parent of each node, or [`NO_PARENT`] for children of the virtual root.
    pub parent: Vec<u32>,
    /// Call site of each node: 0 for none, `k` for `call_sites[m][k - 1]`, `m`
    /// being the method of the parent. Empty if call sites are merged.
    pub site: Vec<u32>,
    /// Call sites of each method; empty if call sites are merged.
    pub call_sites: Vec<Vec<CallSite>>,
    /// How many threads may have called each node: those that wrote into the trees that it
    /// was merged from. Empty unless it was asked for.
    pub threads: Vec<u32>,
    /// Thread of each node, an index into [`Tree::thread_names`]. Empty if threads are merged.
    pub thread: Vec<u32>,
    /// Names of the threads that are kept apart, each once.
    pub thread_names: Vec<String>,
    /// The plain runs whose times stand beside the counts, if all profiles have one.
    pub sampling: Option<Sampling>,
    /// How many profiles were merged.
    pub runs: u64,
    /// The metrics, exclusive to each node; the one to analyse comes first.
    pub metrics: Vec<Metric>,
    /// Number of children of the virtual root.
    pub roots: usize,
    /// Sum of the cost to analyse, kept because every percentage needs it.
    total: u64,
}

impl Tree {
    /// Merges the selected parts of some profiles; each comes with the name it
    /// has in messages.
    ///
    /// # Errors
    /// If a metric is missing, no thread matches, or a profile contradicts itself.
    pub fn merge(profiles: Vec<(String, Profile)>, selection: &Selection) -> Result<Self> {
        Self::from_forest(Forest::unite(profiles, selection)?)
    }

    fn from_forest(forest: Forest) -> Result<Self> {
        let Forest {
            methods,
            source_files,
            superclasses,
            definitions,
            results,
            call_sites,
            method,
            parent,
            site,
            metrics,
            trees,
            threads,
            thread,
            thread_numbers,
            sampling,
            runs,
        } = forest;
        let (names, columns): (Vec<String>, Vec<Vec<u64>>) =
            metrics.into_iter().map(|m| (m.name, m.values)).unzip();
        let mut columns: Vec<&[u64]> = columns.iter().map(Vec::as_slice).collect();
        let counts_threads = !threads.is_empty();
        columns.extend(counts_threads.then_some(&*threads));
        // What keeps contexts apart beside their methods.
        let mut count = methods.len();
        let mut label = method;
        let mut pairs = Vec::new();
        let is_wanted = [!call_sites.is_empty(), !thread.is_empty()];
        for (column, is_wanted) in [site, thread].into_iter().zip(is_wanted) {
            pairs.push(if is_wanted {
                let (numbers, pairs) = label_by_pair(&label, &column);
                (label, count) = (numbers, pairs.len());
                pairs
            } else {
                Vec::new()
            });
        }
        let mut merged = merge(&label, count, parent, &trees, &columns)?;
        let mut unpaired = || take_apart(&mut merged.label, &pairs.pop().unwrap_or_default());
        let (thread, site) = (unpaired(), unpaired());
        let mut thread_names: Vec<(u32, String)> =
            thread_numbers.into_iter().map(|(name, number)| (number, name)).collect();
        thread_names.sort_unstable();
        let thread_names = thread_names.into_iter().map(|(_, name)| name).collect();
        let threads = if counts_threads { merged.costs.pop() } else { None };
        let narrow = |count: u64| u32::try_from(count).unwrap_or(u32::MAX);
        let threads = threads.unwrap_or_default().into_iter().map(narrow).collect();
        let roots = merged.parent.iter().filter(|&&p| p == NO_PARENT).count();
        let total = merged.costs.first().map_or(0, |costs| costs.iter().sum());
        let metrics = names.into_iter().zip(merged.costs);
        Ok(Self {
            methods,
            source_files,
            superclasses,
            definitions,
            results,
            method: merged.label,
            parent: merged.parent,
            site,
            call_sites,
            threads,
            thread,
            thread_names,
            sampling,
            runs,
            metrics: metrics.map(|(name, values)| Metric { name, values }).collect(),
            roots,
            total,
        })
    }

    /// Number of calling contexts.
    pub fn len(&self) -> usize {
        self.method.len()
    }

    /// True if there is no calling context.
    pub fn is_empty(&self) -> bool {
        self.method.is_empty()
    }

    /// True if several roots stand below the virtual root.
    pub fn has_virtual_root(&self) -> bool {
        self.roots > 1
    }

    /// The cost to analyse, exclusive to each node.
    pub fn cost(&self) -> &[u64] {
        self.metrics.first().map_or(&[], |metric| &metric.values)
    }

    /// Name of the cost to analyse.
    pub fn metric(&self) -> &str {
        self.metrics.first().map_or("", |metric| &metric.name)
    }

    /// Names of the metrics.
    pub fn metric_names(&self) -> Vec<String> {
        self.metrics.iter().map(|metric| metric.name.clone()).collect()
    }

    /// Keeps the metrics of these names in this order; the first one becomes
    /// the cost to analyse.
    pub fn choose_metrics(&mut self, names: &[String]) {
        let mut metrics = std::mem::take(&mut self.metrics);
        for name in names {
            let at = metrics.iter().position(|metric| metric.name == *name);
            self.metrics.extend(at.map(|at| metrics.swap_remove(at)));
        }
        self.total = self.cost().iter().sum();
    }

    /// Calls of each node, if the profiles have counted them.
    pub fn calls(&self) -> Option<&[u64]> {
        self.metrics.iter().find(|m| m.name == "calls").map(|m| m.values.as_slice())
    }

    /// Samples of a plain run in each node, if the profiles have them.
    pub fn time(&self) -> Option<&[u64]> {
        self.metrics.iter().find(|m| m.name == TIME).map(|m| m.values.as_slice())
    }

    /// All samples of a plain run in the tree; 0 if it has none.
    pub fn samples(&self) -> u64 {
        self.time().map_or(0, |time| time.iter().sum())
    }

    /// The line that a node is called from; 0 if it is not known, or if call sites
    /// are merged.
    pub fn call_line(&self, node: u32) -> u16 {
        let parent = self.parent[node as usize];
        let site = self.site.get(node as usize).and_then(|site| site.checked_sub(1));
        let (Some(site), false) = (site, parent == NO_PARENT) else { return 0 };
        let caller = self.method[parent as usize] as usize;
        let sites = self.call_sites.get(caller);
        sites.and_then(|sites| sites.get(site as usize)).map_or(0, |site| site.line)
    }

    /// The cost of the whole tree.
    pub fn total(&self) -> u64 {
        self.total
    }

    /// A node and its callers, the nearest first.
    pub fn and_callers(&self, node: u32) -> impl Iterator<Item = u32> + '_ {
        let parent = |&node: &u32| Some(self.parent[node as usize]).filter(|&p| p != NO_PARENT);
        std::iter::successors(Some(node), parent)
    }

    /// The nodes from a root to a node.
    pub fn path(&self, node: u32) -> Vec<u32> {
        let mut path: Vec<u32> = self.and_callers(node).collect();
        path.reverse();
        path
    }

    /// Node after the last one of the subtree of each node.
    pub fn subtree_ends(&self) -> Vec<u32> {
        subtree_ends(&self.parent)
    }

    /// Cost of the subtree of each node.
    pub fn inclusive(&self) -> Vec<u64> {
        self.sums_below(self.cost())
    }

    /// Sum of a column over the subtree of each node.
    pub fn sums_below(&self, column: &[u64]) -> Vec<u64> {
        let mut inclusive = column.to_vec();
        for node in (0..self.len()).rev() {
            let parent = self.parent[node];
            if parent != NO_PARENT {
                inclusive[parent as usize] += inclusive[node];
            }
        }
        inclusive
    }
}

/// Node after the last one of the subtree of each node, by a column of parents in preorder.
fn subtree_ends(parents: &[u32]) -> Vec<u32> {
    // Node numbers fit in 32 bits, as the columns hold them.
    let mut ends: Vec<u32> = (1..=parents.len() as u32).collect();
    for node in (0..parents.len()).rev() {
        let parent = parents[node];
        if parent != NO_PARENT {
            ends[parent as usize] = ends[parent as usize].max(ends[node]);
        }
    }
    ends
}

/// Numbers the pairs of a label and what stands beside it, so that each is one label.
fn label_by_pair(labels: &[u32], beside: &[u32]) -> (Vec<u32>, Vec<(u32, u32)>) {
    let mut numbers = FxHashMap::default();
    let mut pairs = Vec::new();
    let labels = labels.iter().zip(beside).map(|(&label, &beside)| {
        *numbers.entry((label, beside)).or_insert_with(|| {
            pairs.push((label, beside));
            pairs.len() as u32 - 1
        })
    });
    (labels.collect(), pairs)
}

/// Replaces labels that stand for pairs by the first of each; returns the others. There are
/// none where no pairs were made.
fn take_apart(labels: &mut [u32], pairs: &[(u32, u32)]) -> Vec<u32> {
    let labels = if pairs.is_empty() { &mut [] } else { labels };
    let apart = labels.iter_mut().map(|label| {
        let (first, second) = pairs[*label as usize];
        *label = first;
        second
    });
    apart.collect()
}
