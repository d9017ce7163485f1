//! One call tree as a profile to search in.

use std::cell::RefCell;
use std::panic::resume_unwind;
use std::thread;

use profile::NO_PARENT;

use super::interface::{Cost, Costs, ProfileInterface};
use super::marks::Marks;
use super::summary::{Path, Paths, Summary};
use super::sums::Sums;
use crate::subsuming::{Subsuming, Thresholds};
use tree::Tree;
use tree::costs::costs;
use tree::names::method::Method;
use tree::names::pattern::Pattern;

/// What decides which methods subsume, for suggestions.
#[derive(Debug, Clone)]
pub struct Bounds {
    /// Height and distance.
    pub thresholds: Thresholds,
    /// Methods that never subsume.
    pub never: Pattern,
}

/// A tree with what makes sums over parts of it quick: 24 bytes a context.
#[derive(Debug)]
pub struct CallTree<'t> {
    tree: &'t Tree,
    bounds: Bounds,
    /// Costs of each method, which are those of its sequence of length 1.
    costs: Vec<tree::costs::Costs>,
    /// End of each context's subtree.
    ends: Vec<u32>,
    sums: Sums,
    /// Cost of each context and of all contexts above it.
    above: Vec<u64>,
    /// Contexts of all methods, method by method.
    contexts: Vec<u32>,
    /// Where those of each method begin, and where the last one's end.
    starts: Vec<u32>,
    marks: RefCell<Marks>,
}

/// The part of a summary's contexts that is meant.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Part {
    Along,
    AlongAndBelow,
}

impl<'t> CallTree<'t> {
    /// Prepares a tree.
    pub fn new(tree: &'t Tree, bounds: Bounds) -> Self {
        // Both halves read the tree only.
        thread::scope(|scope| {
            let costs = scope.spawn(|| costs(tree));
            let index = Self::index(tree, bounds);
            // The pass does not panic; should it, so does this.
            let costs = costs.join().unwrap_or_else(|panic| resume_unwind(panic));
            Self { costs, ..index }
        })
    }

    fn index(tree: &'t Tree, bounds: Bounds) -> Self {
        let mut above = tree.cost().to_vec();
        for node in 0..tree.len() {
            let parent = tree.parent[node];
            if parent != NO_PARENT {
                above[node] += above[parent as usize];
            }
        }
        let mut starts = vec![0u32; tree.methods.len() + 1];
        for &method in &tree.method {
            starts[method as usize + 1] += 1;
        }
        for method in 0..tree.methods.len() {
            starts[method + 1] += starts[method];
        }
        let mut next = starts.clone();
        let mut contexts = vec![0; tree.len()];
        for (node, &method) in (0..).zip(&tree.method) {
            let at = &mut next[method as usize];
            contexts[*at as usize] = node;
            *at += 1;
        }
        Self {
            tree,
            bounds,
            costs: Vec::new(),
            ends: tree.subtree_ends(),
            sums: Sums::new(tree.cost()),
            above,
            contexts,
            starts,
            marks: RefCell::new(Marks::new(tree.len())),
        }
    }

    /// The tree.
    pub fn tree(&self) -> &'t Tree {
        self.tree
    }

    /// The subsuming methods, computed again each time.
    pub fn analysis(&self) -> Subsuming {
        Subsuming::analyse(self.tree, self.bounds.thresholds, &self.bounds.never)
    }

    fn contexts_of(&self, method: u32) -> &[u32] {
        let method = method as usize;
        &self.contexts[self.starts[method] as usize..self.starts[method + 1] as usize]
    }

    fn cost(&self, node: u32) -> u64 {
        self.tree.cost()[node as usize]
    }

    /// Cost of the contexts from `path.root` down to `path.last`.
    fn along(&self, path: Path) -> u64 {
        self.above[path.last as usize] - self.above[path.root as usize] + self.cost(path.root)
    }

    /// Cost of a context and of everything below it.
    fn subtree(&self, node: u32) -> u64 {
        self.sums.before(self.ends[node as usize]) - self.sums.before(node)
    }

    fn method_of(&self, node: u32) -> u32 {
        self.tree.method[node as usize]
    }

    fn parent_of(&self, node: u32) -> Option<u32> {
        let parent = self.tree.parent[node as usize];
        (parent != NO_PARENT).then_some(parent)
    }

    fn children_of(&self, node: u32) -> impl Iterator<Item = u32> + '_ {
        let end = self.ends[node as usize];
        let first = Some(node + 1).filter(|&child| child < end);
        std::iter::successors(first, move |&child| {
            Some(self.ends[child as usize]).filter(|&next| next < end)
        })
    }

    /// The summary of a sequence, also of one that does not occur.
    pub fn summary_of(&self, calls: Vec<u32>) -> Summary<'_> {
        let Some((&last, callers)) = calls.split_last() else {
            return Summary::new(calls, Paths::Long(Vec::new()));
        };
        if callers.is_empty() {
            let paths = Paths::Short(self.contexts_of(last));
            return Summary::new(calls, paths);
        }
        let root_of = |last: u32| {
            callers.iter().rev().try_fold(last, |node, &method| {
                self.parent_of(node).filter(|&parent| self.method_of(parent) == method)
            })
        };
        let contexts = self.contexts_of(last).iter();
        let paths = contexts.filter_map(|&last| Some(Path { root: root_of(last)?, last }));
        let paths = Paths::Long(paths.collect());
        Summary::new(calls, paths)
    }

    /// Paths one context longer, method by method in ascending order.
    fn by_method(
        &self,
        paths: impl Iterator<Item = (u32, Path)>,
    ) -> impl Iterator<Item = (u32, Vec<Path>)> {
        let mut groups: Vec<(u32, Vec<Path>)> = Vec::new();
        let mut group_of = vec![u32::MAX; self.tree.methods.len()];
        for (method, path) in paths {
            let group = &mut group_of[method as usize];
            if *group == u32::MAX {
                *group = groups.len() as u32;
                groups.push((method, Vec::new()));
            }
            groups[*group as usize].1.push(path);
        }
        groups.sort_unstable_by_key(|(method, _)| *method);
        groups.into_iter()
    }

    fn paths_from_above<'s>(
        &'s self,
        summary: &'s Summary<'_>,
    ) -> impl Iterator<Item = (u32, Path)> + 's {
        summary.paths().filter_map(|path| {
            let root = self.parent_of(path.root)?;
            Some((self.method_of(root), Path { root, ..path }))
        })
    }

    fn paths_to_below<'s>(
        &'s self,
        summary: &'s Summary<'_>,
    ) -> impl Iterator<Item = (u32, Path)> + 's {
        summary.paths().flat_map(move |path| {
            let longer = move |last| (self.method_of(last), Path { last, ..path });
            self.children_of(path.last).map(longer)
        })
    }

    /// Puts the contexts of a summary in and returns the cost of those that
    /// were not there.
    fn mark(&self, summary: &Summary<'_>, part: Part, marks: &mut Marks) -> u64 {
        let mut added = 0;
        let mut reached = 0;
        // Last contexts of earlier paths that this one lies below, the nearest
        // one on top. All paths are of one length, so those earlier ones begin
        // no further down: from their last contexts on everything is there.
        let mut over: Vec<u32> = Vec::new();
        for path in summary.paths() {
            while over.last().is_some_and(|&above| self.ends[above as usize] <= path.last) {
                over.pop();
            }
            let nearest = over.last().copied();
            over.push(path.last);
            if part == Part::AlongAndBelow {
                if path.last >= reached {
                    reached = self.ends[path.last as usize];
                    added += marks.insert_run(path.last, reached, &self.sums);
                }
            } else if marks.insert(path.last) {
                added += self.cost(path.last);
            }
            let mut node = path.last;
            while node != path.root {
                // Above the last context and not above the first one.
                node = self.tree.parent[node as usize];
                if Some(node) == nearest {
                    break;
                }
                if marks.insert(node) {
                    added += self.cost(node);
                }
            }
        }
        added
    }

    fn total_of(&self, summaries: &[Summary<'_>], part: Part) -> Cost {
        let mut marks = self.marks.borrow_mut();
        let added = summaries.iter().map(|s| Cost::from(self.mark(s, part, &mut marks))).sum();
        marks.back(0);
        added
    }

    fn measure(&self, summary: &Summary<'_>) -> Costs {
        if summary.0.repeats {
            let of = |part| self.total_of(std::slice::from_ref(summary), part);
            return Costs { base: of(Part::Along), cum: of(Part::AlongAndBelow) };
        }
        // No two paths share a context. A path whose end lies below the end of
        // another one lies below it as a whole, for the same reason.
        let mut costs = Costs::default();
        let mut reached = 0;
        for path in summary.paths() {
            let along = self.along(path);
            costs.base += Cost::from(along);
            if path.last >= reached {
                reached = self.ends[path.last as usize];
                let below = self.subtree(path.last) - self.cost(path.last);
                costs.cum += Cost::from(along) + Cost::from(below);
            }
        }
        costs
    }
}

impl<'c> ProfileInterface for &'c CallTree<'_> {
    type Summary = Summary<'c>;

    fn methods(&self) -> &[Method] {
        &self.tree.methods
    }

    fn metric(&self) -> &str {
        self.tree.metric()
    }

    fn total(&self) -> Cost {
        Cost::from(self.tree.total())
    }

    fn path_of<'s>(&self, summary: &'s Summary<'c>) -> &'s [u32] {
        summary.calls()
    }

    fn initial_summaries(&self) -> Vec<Summary<'c>> {
        let methods = 0..self.tree.methods.len() as u32;
        let executed = methods.filter(|&method| !self.contexts_of(method).is_empty());
        let summaries = executed.map(|method| {
            let summary = self.summary_of(vec![method]);
            let of_method = &self.costs[method as usize];
            let costs = Costs { base: of_method.exclusive.into(), cum: of_method.inclusive.into() };
            summary.with_costs(costs)
        });
        summaries.collect()
    }

    fn top_extensions(&self, summary: &Summary<'c>) -> Vec<u32> {
        self.by_method(self.paths_from_above(summary)).map(|(method, _)| method).collect()
    }

    fn bottom_extensions(&self, summary: &Summary<'c>) -> Vec<u32> {
        self.by_method(self.paths_to_below(summary)).map(|(method, _)| method).collect()
    }

    fn extend_top(&self, summary: &Summary<'c>, method: u32) -> Summary<'c> {
        let longer = self.paths_from_above(summary).filter(|(by, _)| *by == method);
        summary.extended_top(method, longer.map(|(_, path)| path).collect())
    }

    fn extend_bottom(&self, summary: &Summary<'c>, method: u32) -> Summary<'c> {
        let longer = self.paths_to_below(summary).filter(|(by, _)| *by == method);
        summary.extended_bottom(method, longer.map(|(_, path)| path).collect())
    }

    fn extended_top(&self, summary: &Summary<'c>) -> Vec<Summary<'c>> {
        let groups = self.by_method(self.paths_from_above(summary));
        groups.map(|(method, paths)| summary.extended_top(method, paths)).collect()
    }

    fn extended_bottom(&self, summary: &Summary<'c>) -> Vec<Summary<'c>> {
        let groups = self.by_method(self.paths_to_below(summary));
        groups.map(|(method, paths)| summary.extended_bottom(method, paths)).collect()
    }

    fn trim_top(&self, summary: &Summary<'c>) -> Option<Summary<'c>> {
        let calls = summary.calls().get(1..).filter(|calls| !calls.is_empty())?;
        Some(self.summary_of(calls.to_vec()))
    }

    fn trim_bottom(&self, summary: &Summary<'c>) -> Option<Summary<'c>> {
        let (_, calls) = summary.calls().split_last().filter(|(_, calls)| !calls.is_empty())?;
        Some(self.summary_of(calls.to_vec()))
    }

    fn base_of(&self, summary: &Summary<'c>) -> Cost {
        self.costs_of(summary).base
    }

    fn cum_of(&self, summary: &Summary<'c>) -> Cost {
        self.costs_of(summary).cum
    }

    fn costs_of(&self, summary: &Summary<'c>) -> Costs {
        *summary.0.costs.get_or_init(|| self.measure(summary))
    }

    fn total_base_of(&self, summaries: &[Summary<'c>]) -> Cost {
        self.total_of(summaries, Part::Along)
    }

    fn total_cum_of(&self, summaries: &[Summary<'c>]) -> Cost {
        self.total_of(summaries, Part::AlongAndBelow)
    }

    fn added(&self, to: &[Summary<'c>], more: &[Summary<'c>]) -> Vec<Costs> {
        let mut added = vec![Costs::default(); more.len()];
        let mut marks = self.marks.borrow_mut();
        for part in [Part::Along, Part::AlongAndBelow] {
            for summary in to {
                self.mark(summary, part, &mut marks);
            }
            let here = marks.here();
            for (added, summary) in added.iter_mut().zip(more) {
                let cost = Cost::from(self.mark(summary, part, &mut marks));
                marks.back(here);
                match part {
                    Part::Along => added.base = cost,
                    Part::AlongAndBelow => added.cum = cost,
                }
            }
            marks.back(0);
        }
        added
    }

    fn running_cums(&self, summaries: &[Summary<'c>]) -> Vec<Cost> {
        let mut marks = self.marks.borrow_mut();
        let running = summaries.iter().scan(0, |total, summary| {
            *total += Cost::from(self.mark(summary, Part::AlongAndBelow, &mut marks));
            Some(*total)
        });
        let running = running.collect();
        marks.back(0);
        running
    }

    fn induced(&self) -> Vec<(u32, Cost)> {
        let analysis = self.analysis();
        let of_method = |method: usize| (method as u32, Cost::from(analysis.induced[method]));
        analysis.subsuming().map(of_method).collect()
    }
}
