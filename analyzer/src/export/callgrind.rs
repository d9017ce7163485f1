//! Callgrind's format, for KCachegrind and callgrind_annotate: what methods
//! cost, and what their calls cost.

use std::io::Write;

use profile::NO_PARENT;
use rustc_hash::FxHashMap;

use crate::error::Result;
use crate::report::name::printable;
use crate::tree::Tree;
use crate::walk::{Visitor, walk};

/// Writes a tree. A recursive call has no cost in this: that of the outermost
/// one includes it, so that no method costs more than everything.
///
/// # Errors
/// If `out` fails.
pub fn write(tree: &Tree, out: &mut impl Write) -> Result<()> {
    let graph = Graph::of(tree);
    writeln!(out, "# callgrind format")?;
    writeln!(out, "version: 1")?;
    writeln!(out, "creator: subsume {}", env!("CARGO_PKG_VERSION"))?;
    writeln!(out, "positions: line")?;
    let names: Vec<String> = tree.metrics.iter().map(|metric| event(&metric.name)).collect();
    writeln!(out, "events: {}", names.join(" "))?;
    let totals = tree.metrics.iter().map(|metric| metric.values.iter().sum::<u64>());
    writeln!(out, "summary: {}", joined(totals))?;

    let mut named = vec![false; tree.methods.len()];
    let mut name = |method: u32| {
        if std::mem::replace(&mut named[method as usize], true) {
            return format!("({})", method + 1);
        }
        let text = tree.methods[method as usize].to_string();
        format!("({}) {}", method + 1, printable(&text))
    };
    let mut calls: Vec<(&(u32, u32), &Call)> = graph.calls.iter().collect();
    calls.sort_unstable_by_key(|(key, _)| **key);
    let mut calls = calls.into_iter().peekable();
    for (method, own) in (0..).zip(&graph.own) {
        let has_calls = calls.peek().is_some_and(|((caller, _), _)| *caller == method);
        if own.iter().all(|&cost| cost == 0) && !has_calls {
            continue;
        }
        writeln!(out)?;
        writeln!(out, "fl=({}) {}", method + 1, file(tree, method))?;
        writeln!(out, "fn={}", name(method))?;
        writeln!(out, "0 {}", joined(own.iter().copied()))?;
        while let Some((&(_, callee), call)) = calls.next_if(|((caller, _), _)| *caller == method) {
            writeln!(out, "cfn={}", name(callee))?;
            writeln!(out, "calls={} 0", call.count)?;
            writeln!(out, "0 {}", joined(call.costs.iter().copied()))?;
        }
    }
    Ok(())
}

/// The class stands for the file: our methods have no other.
fn file(tree: &Tree, method: u32) -> String {
    let class = &tree.methods[method as usize].class;
    let class = if class.is_empty() { "???" } else { class };
    printable(class).into_owned()
}

/// The name of an event must be a word.
fn event(metric: &str) -> String {
    metric.chars().map(|c| if c.is_ascii_alphanumeric() { c } else { '_' }).collect()
}

fn joined(costs: impl Iterator<Item = u64>) -> String {
    costs.map(|cost| cost.to_string()).collect::<Vec<_>>().join(" ")
}

/// Methods and the calls between them.
struct Graph {
    /// Exclusive costs of each method.
    own: Vec<Vec<u64>>,
    calls: FxHashMap<(u32, u32), Call>,
}

struct Call {
    count: u64,
    /// Costs with all that is called.
    costs: Vec<u64>,
}

impl Graph {
    fn of(tree: &Tree) -> Self {
        let none = || vec![0; tree.metrics.len()];
        let mut pass = Pass {
            tree,
            spent: none(),
            active: vec![0; tree.methods.len()],
            open: Vec::new(),
            graph: Self {
                own: tree.methods.iter().map(|_| none()).collect(),
                calls: FxHashMap::default(),
            },
        };
        walk(&tree.parent, &mut pass);
        pass.graph
    }
}

struct Pass<'t> {
    tree: &'t Tree,
    /// Costs of all nodes entered so far.
    spent: Vec<u64>,
    /// Contexts of each method on the path to the node reached.
    active: Vec<u32>,
    /// What had been spent when each context on the path was entered.
    open: Vec<Vec<u64>>,
    graph: Graph,
}

impl Visitor for Pass<'_> {
    fn enter(&mut self, node: u32) {
        let at = node as usize;
        let method = self.tree.method[at] as usize;
        self.open.push(self.spent.clone());
        self.active[method] += 1;
        let own = &mut self.graph.own[method];
        for ((spent, own), metric) in self.spent.iter_mut().zip(own).zip(&self.tree.metrics) {
            *own += metric.values[at];
            *spent += metric.values[at];
        }
    }

    fn leave(&mut self, node: u32) {
        let at = node as usize;
        let method = self.tree.method[at];
        self.active[method as usize] -= 1;
        let since = self.open.pop().unwrap_or_default();
        let parent = self.tree.parent[at];
        if parent == NO_PARENT {
            return;
        }
        let caller = self.tree.method[parent as usize];
        let call = self
            .graph
            .calls
            .entry((caller, method))
            .or_insert_with(|| Call { count: 0, costs: vec![0; since.len()] });
        // Whoever does not count calls has made at least one.
        call.count += self.tree.calls().map_or(1, |calls| calls[at]);
        if self.active[method as usize] == 0 {
            for ((cost, spent), since) in call.costs.iter_mut().zip(&self.spent).zip(&since) {
                *cost += spent - since;
            }
        }
    }
}
